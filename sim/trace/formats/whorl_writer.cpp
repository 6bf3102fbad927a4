#include <cstring>
#include <vector>

#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/trace_packer.h"

namespace whorl::sim {
namespace {

template <class T>
std::string_view bytesOf(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// The largest footprint worth its space, in bytes, for a trace of no accesses, and how many more of them each byte
/// more must stand for. Memory touched at random takes a large one.
constexpr std::size_t kMostFootprint = 512;
constexpr std::size_t kAccessesPerByte = 128;

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), sink_(sink), progress_(progress) {}

    Expected<void> write() {
        FileHead head;
        if (!trace_.timing().empty()) head.extras |= extraBit(BlockKind::timing);
        if (hasNames(trace_)) head.extras |= extraBit(BlockKind::names);
        if (packedSection(BlockKind::footprint, trace_).size() > kMostFootprint + trace_.size() / kAccessesPerByte) {
            head.extras |= kNoFootprint;
        }
        extras_ = head.extras;
        kWhorlMagic.copy(head.magic.data(), head.magic.size());
        return append(bytesOf(head))
            .and_then([this] { return writeSections(); })
            .and_then([this] { return writeAccesses(); })
            .and_then([this] { return writeIndex(); });
    }

  private:
    const Trace& trace_;
    ByteSink& sink_;
    Progress& progress_;
    std::uint32_t extras_ = 0;
    std::uint64_t offset_ = 0;
    std::vector<BlockEntry> index_;
    std::uint64_t dictionaries_ = 0;

    Expected<void> append(std::string_view bytes) {
        offset_ += bytes.size();
        return sink_.write(bytes);
    }

    Expected<void> appendBlock(const BlockHead& head, std::string_view bytes) {
        index_.push_back({.offset = offset_, .first = head.first, .kind = head.kind, .accesses = head.accesses});
        return append(bytesOf(head)).and_then([&] { return append(bytes); });
    }

    /// Sections come before the accesses, so that a truncated file still has them.
    Expected<void> writeSections() {
        for (auto k = static_cast<std::uint32_t>(kFirstSection); k <= static_cast<std::uint32_t>(kLastSection); ++k) {
            const auto kind = static_cast<BlockKind>(k);
            if ((extraBit(kind) & ~extras_) != 0) continue;
            if (kind == BlockKind::footprint && (extras_ & kNoFootprint) != 0) continue;
            const std::string section = packedSection(kind, trace_);
            if (auto done = appendBlock(headOf(kind, section), section); !done) return done;
        }
        return {};
    }

    Expected<void> writeAccesses() {
        progress_.start(trace_.size());
        std::uint64_t first = 0;
        for (TracePacker packer(trace_); !packer.done();) {
            const auto stretch = packer.next(progress_);
            if (!stretch) return tl::unexpected(Error::byUser());
            if (auto done = writeDictionary(stretch->dictionary); !done) return done;
            for (const std::string& pack : stretch->packs) {
                const std::uint32_t accesses = packHead(pack).accesses;
                if (auto done = appendBlock(headOf(BlockKind::pack, pack, first, accesses), pack); !done) return done;
                first += accesses;
            }
        }
        return {};
    }

    Expected<void> writeDictionary(const std::string& dictionary) {
        if (dictionary.empty()) return {};
        return appendBlock(headOf(BlockKind::dictionary, dictionary, ++dictionaries_), dictionary);
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
