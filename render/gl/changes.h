// Finds the changes between two lists of elements, so that only these are painted again. Plain data, no GL.
//
// Elements are compared by their places in the lists: a scene keeps its resting elements in the same order as long as
// its view stays the same, and when the view changes, nearly all of them do.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "render/scene/scene.h"

namespace whorl::gl {

// Memory is compared, not values: what is the same to the bit is painted the same. That the opposite is not always true
// does no harm. NOLINTBEGIN(bugprone-suspicious-memory-comparison)

/// Whether two elements are the same to the bit in all that is painted; the padding at the end is not compared.
inline bool same(const scene::Glyph& a, const scene::Glyph& b) {
    return std::memcmp(&a, &b, offsetof(scene::Glyph, texture) + sizeof(scene::Texture)) == 0;
}
inline bool same(const scene::Stroke& a, const scene::Stroke& b) {
    return std::memcmp(&a, &b, offsetof(scene::Stroke, colourB) + sizeof(scene::Rgba)) == 0;
}

// NOLINTEND(bugprone-suspicious-memory-comparison)

/// Calls `changed` with both the old and the new one of every two elements that differ. Gives up, and returns false,
/// when more than `limit` places differ, or when one list is longer than the other.
template <class T, class Changed>
bool compare(std::span<const T> before, std::span<const T> after, std::size_t limit, Changed changed) {
    if (before.size() != after.size()) return false;
    std::size_t found = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (same(before[i], after[i])) continue;
        if (++found > limit) return false;
        changed(before[i]);
        changed(after[i]);
    }
    return true;
}

}  // namespace whorl::gl
