// A target in words, for a tooltip about the thing under the pointer.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "render/scene/scene.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// One line per fact; the first names the target ("B[3][0] to B[3][3]", "L1, set 3"). Empty for a target of kind none.
std::vector<std::string> describe(const Target& target, const sim::Snapshot& snapshot, const Subject& subject);

/// A byte in words, with the block around it in each level: block sizes may differ by level. One fact per line.
std::vector<std::string> describeByte(sim::ByteAddress byte, const sim::Snapshot& snapshot, const Subject& subject);

/// The parts of an address in a cache of a level: "tag 0x1f, set 3, byte 8".
std::string addressParts(const sim::LevelConfig& level, sim::ByteAddress address);

}  // namespace whorl::scene
