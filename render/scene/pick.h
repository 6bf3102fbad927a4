// What lies under the mouse, and what there is to say about it.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "render/scene/choreograph.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// What is drawn at a point: the topmost glyph or cell within its radius, else the nearest within a few pixels; kind
/// none if there is nothing.
Target pick(const Scene& scene, glm::vec2 point);

/// A target in words, a line a fact: what it is ("B[3][0] to B[3][3]"), address and block, region, set, rank,
/// dirtiness.
std::vector<std::string> describe(const Target& target, const sim::Moment& moment, const Subject& subject);

}  // namespace whorl::scene
