#include "sim/trace/formats/whorl_writer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/formats/trace_packer.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/pack_codec.h"

namespace whorl::sim {

namespace {

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

Expected<void> BlockWriter::append(std::string_view bytes) {
    offset_ += bytes.size();
    return append_(bytes);
}

Expected<void> BlockWriter::begin(std::uint32_t extras) {
    FileHead head;
    head.extras = extras_ = extras;
    kWhorlMagic.copy(head.magic.data(), head.magic.size());
    return append(bytesOf(head));
}

Expected<void> BlockWriter::block(const BlockHead& head, std::string_view bytes) {
    index_.push_back({.offset = offset_, .first = head.first, .kind = head.kind, .accesses = head.accesses});
    return append(bytesOf(head)).and_then([&] { return append(bytes); });
}

Expected<void> BlockWriter::pack(std::string_view pack) {
    const std::uint32_t accesses = packHead(pack).accesses;
    const BlockHead head = headOf(BlockKind::pack, pack, accesses_, accesses);
    accesses_ += accesses;
    return block(head, pack);
}

Expected<void> BlockWriter::sections(const Trace& trace) {
    for (const WhorlSection& section : whorlSections()) {
        if (!section.isIn(extras_)) continue;
        const std::string bytes = packedSection(section, trace.parts());
        WHORL_TRY(block(headOf(section.kind, bytes), bytes));
    }
    return {};
}

Expected<void> BlockWriter::end() {
    Trailer trailer;
    trailer.index = offset_;
    kTrailerMagic.copy(trailer.magic.data(), trailer.magic.size());
    const std::string_view index(reinterpret_cast<const char*>(index_.data()), index_.size() * sizeof(BlockEntry));
    return append(bytesOf(headOf(BlockKind::index, index))).and_then([&] { return append(index); }).and_then([&] {
        return append(bytesOf(trailer));
    });
}

void BlockWriter::forgetFrom(std::uint64_t offset) {
    while (!index_.empty() && index_.back().offset >= offset) index_.pop_back();
    offset_ = offset;
}

namespace {

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress, const WhorlPacking& packing)
        : trace_(trace),
          progress_(progress),
          packing_(packing),
          blocks_([&sink](std::string_view bytes) { return sink.write(bytes); }) {}

    Expected<void> write() {
        // Sections come before the accesses, so that a truncated file still has them.
        return blocks_.begin(extrasOf(trace_.parts()))
            .and_then([this] { return blocks_.sections(trace_); })
            .and_then([this] { return writeAccesses(); })
            .and_then([this] { return blocks_.end(); });
    }

  private:
    const Trace& trace_;
    Progress& progress_;
    const WhorlPacking& packing_;
    BlockWriter blocks_;
    std::uint64_t dictionaries_ = 0;

    Expected<void> writeAccesses() {
        progress_.start(trace_.size());
        for (TracePacker packer(trace_, packing_); !packer.done();) {
            const auto batch = packer.next(progress_);
            if (!batch) return tl::unexpected(Error::byUser());
            WHORL_TRY(writeDictionary(batch->dictionary));
            for (const std::string& pack : batch->packs) {
                WHORL_TRY(blocks_.pack(pack));
            }
        }
        return {};
    }

    Expected<void> writeDictionary(const std::string& dictionary) {
        if (dictionary.empty()) return {};
        return blocks_.block(headOf(BlockKind::dictionary, dictionary, ++dictionaries_), dictionary);
    }
};

}  // namespace

Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress, const WhorlPacking& packing) {
    return WhorlWriter(trace, sink, progress, packing).write();
}

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

Expected<std::shared_ptr<WhorlStream>> WhorlStream::create(const std::string& path, bool ofWindows) {
    auto file = WHORL_TRY(MappedFile::create(path));
    std::shared_ptr<WhorlStream> made(new WhorlStream(std::move(file)));
    std::uint32_t extras =
        sectionOf(BlockKind::names).bit | sectionOf(BlockKind::syncs).bit | sectionOf(BlockKind::calls).bit;
    if (ofWindows) extras |= sectionOf(BlockKind::windows).bit;
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
