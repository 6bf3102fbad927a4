// What there is to say, in plain words, about what is pointed at.
#pragma once

#include <string>
#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "render/scene/scene.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// A target in words, a line a fact; the first is what it is ("B[3][0] to B[3][3]", "L1, set 3"). Empty for none.
std::vector<std::string> describe(const Target& target, const sim::Snapshot& snapshot, const Subject& subject);

/// "tag 0x1f, set 3, byte 8": how a cache of a level takes an address apart.
std::string addressParts(const sim::LevelConfig& level, sim::ByteAddress address);

}  // namespace whorl::scene
