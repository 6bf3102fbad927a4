#include "sim/trace/formats/block_writer.h"
#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/trace_packer.h"

namespace whorl::sim {
namespace {

/// The largest footprint worth its space, in bytes, for a trace of no accesses, and how many more of them each byte
/// more must stand for. Memory touched at random takes a large one.
constexpr std::size_t kMostFootprint = 512;
constexpr std::size_t kAccessesPerByte = 128;

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), progress_(progress), blocks_([&sink](std::string_view bytes) { return sink.write(bytes); }) {}

    Expected<void> write() {
        std::uint32_t extras = 0;
        if (!trace_.timing().empty()) extras |= extraBit(BlockKind::timing);
        if (trace_.syncs()) extras |= extraBit(BlockKind::syncs);
        if (hasNames(trace_)) extras |= extraBit(BlockKind::names);
        if (packedSection(BlockKind::footprint, trace_).size() > kMostFootprint + trace_.size() / kAccessesPerByte) {
            extras |= kNoFootprint;
        }
        // Sections come before the accesses, so that a truncated file still has them.
        return blocks_.begin(extras)
            .and_then([this] { return blocks_.sections(trace_); })
            .and_then([this] { return writeAccesses(); })
            .and_then([this] { return blocks_.end(); });
    }

  private:
    const Trace& trace_;
    Progress& progress_;
    BlockWriter blocks_;
    std::uint64_t dictionaries_ = 0;

    Expected<void> writeAccesses() {
        progress_.start(trace_.size());
        for (TracePacker packer(trace_); !packer.done();) {
            const auto stretch = packer.next(progress_);
            if (!stretch) return tl::unexpected(Error::byUser());
            if (auto done = writeDictionary(stretch->dictionary); !done) return done;
            for (const std::string& pack : stretch->packs) {
                if (auto done = blocks_.pack(pack); !done) return done;
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

Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress) {
    return WhorlWriter(trace, sink, progress).write();
}

}  // namespace whorl::sim
