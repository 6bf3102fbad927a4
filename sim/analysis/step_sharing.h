// Whether a write that invalidates another CPU's block shares words with what that CPU touched, as far as the steps of
// a snapshot show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

struct Step;

enum class Sharing : std::uint8_t {
    unknown,       ///< the CPUs that lost the block did not touch it in the examined steps
    ofTheBytes,    ///< they had touched bytes that were written
    ofOtherBytes,  ///< they had touched only other bytes of the block: they share nothing but its placement
};

/// What the CPUs share at an invalidation in one of the steps, judged by the accesses of the steps before it. `block`:
/// the level's block size in bytes.
Sharing sharingAt(const MachineConfig& machine, const std::deque<Step>& steps, std::size_t step,
                  const Event& invalidation, std::uint64_t block);

}  // namespace whorl::sim
