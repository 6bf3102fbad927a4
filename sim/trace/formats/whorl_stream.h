// A .whorl file that is written while its trace is recorded: its accesses are on the disk, not in memory.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "sim/trace/formats/block_writer.h"
#include "sim/trace/packed_accesses.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A builder keeps its packs in it; finish() adds what is known about the trace. The packs come first in the file.
class WhorlStream final : public PackStore {
  public:
    /// Begins a file, which gets its name in finish(). Errors are those of MappedFile.
    static Expected<std::shared_ptr<WhorlStream>> create(const std::string& path);

    std::string_view keep(std::string_view pack) override;
    /// Why a pack could not be kept; nothing if all were.
    const std::optional<Error>& failure() const { return failure_; }

    /// Completes the file with a trace whose accesses are those that were kept. If the disk is full, as many of the
    /// last packs give way as what is known about the trace takes. Returns the number of accesses in the file.
    Expected<std::uint64_t> finish(const Trace& trace);

  private:
    explicit WhorlStream(std::unique_ptr<MappedFile> file);
    Expected<void> writeKnown(const Trace& trace);

    std::unique_ptr<MappedFile> file_;
    BlockWriter blocks_;
    std::string_view written_;  ///< what was appended last
    std::optional<Error> failure_;
};

}  // namespace whorl::sim
