#include "sim/trace/formats/block_writer.h"
#include "sim/trace/formats/whorl_file.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/formats/whorl_sections.h"
#include "sim/trace/trace_packer.h"

namespace whorl::sim {
namespace {

class WhorlWriter {
  public:
    WhorlWriter(const Trace& trace, ByteSink& sink, Progress& progress)
        : trace_(trace), progress_(progress), blocks_([&sink](std::string_view bytes) { return sink.write(bytes); }) {}

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
