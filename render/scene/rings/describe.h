// The thing under the pointer: which it is, and its description in words for a tooltip.
#pragma once

#include <glm/vec2.hpp>
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

/// The part of the rings under a point of the picture: the topmost glyph or cell that covers a point, else the nearest
/// within a few pixels; else the trail that passes there; else the arm, ring, arc or CPU that the point lies in; else a
/// target of kind none. The layout and the view must be those of the scene.
Target pick(const Scene& scene, const RingLayout& layout, const View& view, glm::vec2 point);

}  // namespace whorl::scene
