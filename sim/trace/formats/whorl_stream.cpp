#include "sim/trace/formats/whorl_stream.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sim/base/output_target.h"
#include "sim/trace/formats/whorl_sections.h"

namespace whorl::sim {

Expected<std::unique_ptr<MappedFile>> MappedFile::create(const std::string& path) {
    const auto target = WHORL_TRY(outputTarget(path));
    if (target.kind != OutputTarget::Kind::file) {
        return fail(target.name, "this is not a file", "name a file that can be read while it is written");
    }
    auto part = WHORL_TRY(PartFile::forTarget(target));
    std::unique_ptr<MappedFile> made(new MappedFile(std::move(part), target.name));
    // Reserve many addresses: they cost nothing, but a limited process may have to settle for fewer.
    for (std::uint64_t room = std::uint64_t{1} << 40; room >= std::uint64_t{1} << 28; room /= 4) {
        void* const mapped = mmap(nullptr, room, PROT_READ, MAP_SHARED | MAP_NORESERVE, made->file_->descriptor(), 0);
        if (mapped == MAP_FAILED) continue;
        made->bytes_ = static_cast<const char*>(mapped);
        made->room_ = room;
        return made;
    }
    return fail(target.name, "it cannot be mapped into memory", "allow the process more addresses (ulimit -v)");
}

MappedFile::~MappedFile() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), room_);
}

Expected<std::string_view> MappedFile::append(std::string_view bytes) {
    if (bytes.size() > room_ - size_) return fail(name_, "the file is longer than this process can map");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n =
            pwrite(file_->descriptor(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const std::string why = whyNotWritten(errno);
            WHORL_TRY(truncate(size_));
            return fail(name_, why);
        }
        done += static_cast<std::size_t>(n);
    }
    size_ += bytes.size();
    return std::string_view(bytes_ + size_ - bytes.size(), bytes.size());
}

Expected<void> MappedFile::truncate(std::uint64_t size) {
    if (ftruncate(file_->descriptor(), static_cast<off_t>(size)) != 0) return fail(name_, whyNotWritten(errno));
    size_ = size;
    return {};
}

void MappedFile::forget() const {
    madvise(const_cast<char*>(bytes_), size_, MADV_DONTNEED);
}

WhorlStream::WhorlStream(std::unique_ptr<MappedFile> file)
    : file_(std::move(file)), blocks_([this](std::string_view bytes) {
          return file_->append(bytes).map([this](std::string_view where) { written_ = where; });
      }) {}

Expected<std::shared_ptr<WhorlStream>> WhorlStream::create(const std::string& path) {
    auto file = WHORL_TRY(MappedFile::create(path));
    std::shared_ptr<WhorlStream> made(new WhorlStream(std::move(file)));
    const std::uint32_t extras = sectionOf(BlockKind::names).bit | sectionOf(BlockKind::syncs).bit;
    WHORL_TRY(made->blocks_.begin(extras));
    return made;
}

std::string_view WhorlStream::keep(std::string_view pack) {
    const std::uint64_t before = blocks_.offset();
    if (auto kept = blocks_.pack(pack); !kept) {
        failure_ = kept.error();
        blocks_.forgetFrom(before);
        if (auto undone = file_->truncate(before); !undone) failure_ = undone.error();
        return {};
    }
    return written_;
}

Expected<void> WhorlStream::writeKnown(const Trace& trace) {
    return blocks_.sections(trace).and_then([this] { return blocks_.end(); });
}

Expected<std::uint64_t> WhorlStream::finish(const Trace& trace) {
    std::uint64_t end = blocks_.offset();
    std::uint64_t kept = trace.size();
    auto written = writeKnown(trace);
    while (!written) {
        blocks_.forgetFrom(end);
        // Drop the last pack to make room.
        const std::uint64_t last = blocks_.lastBlock();
        if (last >= end) return tl::unexpected(written.error());
        end = last;
        blocks_.forgetFrom(end);
        kept -= std::min<std::uint64_t>(kept, kept % kMaxChunk == 0 ? kMaxChunk : kept % kMaxChunk);
        WHORL_TRY(file_->truncate(end));
        written = writeKnown(trace);
    }
    return file_->publish().map([&] { return kept; });
}

}  // namespace whorl::sim
