#include "sim/trace/formats/whorl_stream.h"

#include <algorithm>

#include "sim/trace/formats/whorl_sections.h"

namespace whorl::sim {

WhorlStream::WhorlStream(std::unique_ptr<MappedFile> file)
    : file_(std::move(file)), blocks_([this](std::string_view bytes) {
          return file_->append(bytes).map([this](std::string_view where) { written_ = where; });
      }) {}

Expected<std::shared_ptr<WhorlStream>> WhorlStream::create(const std::string& path) {
    auto file = MappedFile::create(path);
    if (!file) return tl::unexpected(file.error());
    std::shared_ptr<WhorlStream> made(new WhorlStream(*std::move(file)));
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
        // A pack gives way.
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
