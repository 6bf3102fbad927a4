// The used share of each block in the caches, at any time of a run. Keeps the last state, so that times soon after it
// are cheap; this caching does not affect the results. For one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/replay/run.h"
#include "sim/replay/totals/block_use.h"

namespace whorl::sim {

/// By cache in the hierarchy's order, by slot (set * ways + way): the bytes used since the block was filled, as a share
/// of kWholeUse, at least 1 if any byte was used; 0 for an empty way.
using UseShares = std::vector<std::vector<std::uint8_t>>;
inline constexpr std::uint32_t kWholeUse = 254;

class UseReader {
  public:
    explicit UseReader(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    /// The shares after `at` accesses, at most those that are built.
    const UseShares& at(Tick at);

  private:
    void startFrom(const Run::UseAt& kept);

    std::shared_ptr<const Run> run_;
    std::optional<Simulator> machine_;
    std::optional<BlockUse> use_;
    UseShares shares_;
};

}  // namespace whorl::sim
