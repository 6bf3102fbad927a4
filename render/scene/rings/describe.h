// A target in words: what a tooltip says about what lies under the pointer.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "render/scene/scene.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// One line a fact; the first is what the target is ("B[3][0] to B[3][3]", "L1, set 3"). Empty for a target of kind
/// none.
std::vector<std::string> describe(const Target& target, const sim::Snapshot& snapshot, const Subject& subject);

/// The same of a byte, and of the block around it in each level: these may differ in size.
std::vector<std::string> describeByte(sim::ByteAddress byte, const sim::Snapshot& snapshot, const Subject& subject);

/// How a cache of a level takes an address apart: "tag 0x1f, set 3, byte 8".
std::string addressParts(const sim::LevelConfig& level, sim::ByteAddress address);

}  // namespace whorl::scene
