#include <cstring>
#include <vector>

#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"

namespace whorl::sim {
namespace {

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), sink_(sink), progress_(progress) {}

    Expected<void> write() {
        FileHead head;
        if (!trace_.timing().empty()) head.extras |= extraBit(BlockKind::timing);
        extras_ = head.extras;
        kWhorlMagic.copy(head.magic.data(), head.magic.size());
        return append(bytesOf(head))
            .and_then([this] { return writeSections(); })
            .and_then([this] { return writeChunks(); })
            .and_then([this] { return writeIndex(); });
    }

  private:
    const Trace& trace_;
    ByteSink& sink_;
    Progress& progress_;
    std::uint32_t extras_ = 0;
    std::uint64_t offset_ = 0;
    std::vector<BlockEntry> index_;
    TraceCursor cursor_{trace_};
    ChunkEncoder encoder_;
    std::string moved_;

    Expected<void> append(std::string_view bytes) {
        offset_ += bytes.size();
        return sink_.write(bytes);
    }

    Expected<void> appendBlock(const BlockHead& head, std::string_view bytes) {
        index_.push_back({.offset = offset_, .first = head.first, .kind = head.kind, .accesses = head.accesses});
        return append(bytesOf(head)).and_then([&] { return append(bytes); });
    }

    /// Sections come before the chunks, so that a truncated file still has them.
    Expected<void> writeSections() {
        for (auto k = static_cast<std::uint32_t>(kFirstSection); k <= static_cast<std::uint32_t>(kLastSection); ++k) {
            const auto kind = static_cast<BlockKind>(k);
            if ((extraBit(kind) & ~extras_) != 0) continue;
            const std::string section = packedSection(kind, trace_);
            if (auto done = appendBlock(headOf(kind, section), section); !done) return done;
        }
        return {};
    }

    Expected<void> writeChunks() {
        progress_.setTotal(trace_.size());
        std::uint64_t first = 0;
        for (std::size_t i = 0; i < trace_.chunks().size(); ++i) {
            if (progress_.cancelled()) return tl::unexpected(Error::byUser());
            const std::string& chunk = trace_.map() == nullptr ? trace_.chunks()[i] : movedChunk(i);
            const std::uint32_t accesses = chunkHead(chunk).accesses;
            if (auto done = appendBlock(headOf(BlockKind::chunk, chunk, first, accesses), chunk); !done) return done;
            first += accesses;
            progress_.setDone(first);
        }
        return {};
    }

    /// A chunk of a mapped trace, encoded with the mapped addresses.
    const std::string& movedChunk(std::size_t index) {
        const auto stamps = cursor_.stamps(index);
        moved_ = encoder_.encode(cursor_.chunk(index), stamps);
        return moved_;
    }

    Expected<void> writeIndex() {
        Trailer trailer;
        trailer.index = offset_;
        kTrailerMagic.copy(trailer.magic.data(), trailer.magic.size());
        const std::string_view index(reinterpret_cast<const char*>(index_.data()), index_.size() * sizeof(BlockEntry));
        return append(bytesOf(headOf(BlockKind::index, index))).and_then([&] { return append(index); }).and_then([&] {
            return append(bytesOf(trailer));
        });
    }
};

}  // namespace

Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress) {
    return WhorlWriter(trace, sink, progress).write();
}

}  // namespace whorl::sim
