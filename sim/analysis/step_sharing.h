// Whether a write that invalidates a block of another CPU has words in common with what that CPU touched, as far as the
// steps of a snapshot show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

struct Step;

enum class Sharing : std::uint8_t {
    unknown,       ///< the CPUs that lost the block did not touch it in the steps that are looked at
    ofTheBytes,    ///< they had touched bytes that were written
    ofOtherBytes,  ///< they had touched others of the block only: they share it by no more than its place in memory
};

/// Of an invalidation in one of the steps: by the accesses of the steps before it. `block`: the bytes of the level's
/// blocks.
Sharing sharingAt(const MachineConfig& machine, const std::deque<Step>& steps, std::size_t step,
                  const Event& invalidation, std::uint64_t block);

}  // namespace whorl::sim
