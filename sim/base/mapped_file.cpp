#include "sim/base/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "sim/base/output_target.h"

namespace whorl::sim {

Expected<std::unique_ptr<MappedFile>> MappedFile::create(const std::string& path) {
    const auto target = WHORL_TRY(outputTarget(path));
    if (target.kind != OutputTarget::Kind::file) {
        return fail(target.name, "this is not a file", "name a file that can be read while it is written");
    }
    auto part = PartFile::beside(target);
    if (!part) return tl::unexpected(part.error());
    std::unique_ptr<MappedFile> made(new MappedFile(*std::move(part), target.name));
    // Addresses cost nothing, unless the process may have few.
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

}  // namespace whorl::sim
