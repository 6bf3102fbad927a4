// What some source lines and owners of memory lose with a layout: a replay that looks only at accesses that miss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/loss_sample.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The rows that are summed up: lines by their numbers in SourceLines, owners by name, since they have other numbers
/// where blocks are gathered.
struct LossRows {
    std::vector<std::uint32_t> lines;
    std::vector<std::string> owners;
};

struct RowLoss {
    Cycles lost = 0;
    std::vector<std::uint64_t> misses;  ///< by level
};

/// The losses of a window.
struct WindowLosses {
    Cycles lost = 0;  ///< of all accesses
    std::vector<RowLoss> lines;
    std::vector<RowLoss> owners;
};

/// Plays the windows of a sample, each with the caches as they were after the one before it and its warm-up; on a
/// machine with OPT the sample must be the whole. The losses are those of a ledger. Progress is in accesses; nothing
/// when cancelled.
std::optional<std::vector<WindowLosses>> lossesIn(const LossSample& sample, const Trace& trace,
                                                  const MachineConfig& machine, const LossRows& rows,
                                                  Progress& progress);

}  // namespace whorl::sim
