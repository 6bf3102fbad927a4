// What changed between two lists that are mostly the same, so that only that need be painted again. Plain data, no GL.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "render/scene/scene.h"

namespace whorl::gl {

// Memory is compared, not values: what is the same to the bit looks the same. Not so the other way round, and that is
// harmless. NOLINTBEGIN(bugprone-suspicious-memory-comparison)

/// Equal to the bit in all that is painted; the padding at the end is not looked at.
inline bool same(const scene::Glyph& a, const scene::Glyph& b) {
    return std::memcmp(&a, &b, offsetof(scene::Glyph, shape) + sizeof(scene::Shape)) == 0;
}
inline bool same(const scene::Stroke& a, const scene::Stroke& b) {
    return std::memcmp(&a, &b, offsetof(scene::Stroke, colourB) + sizeof(scene::Rgba)) == 0;
}

/// Passes over what is the same in both, many at a time.
template <class T>
void skipBlocks(std::span<const T>& before, std::span<const T>& after) {
    constexpr std::size_t kBlock = 64;
    while (before.size() >= kBlock && after.size() >= kBlock &&
           std::memcmp(before.data(), after.data(), kBlock * sizeof(T)) == 0) {
        before = before.subspan(kBlock);
        after = after.subspan(kBlock);
    }
}

// NOLINTEND(bugprone-suspicious-memory-comparison)

/// How the lists go on after a difference: `gone` elements of the old one and `come` of the new one are passed over.
struct Step {
    std::size_t gone;
    std::size_t come;
};

/// The shortest step after which the lists agree again, or one of each where they do not within a few elements.
template <class T>
Step stepOver(std::span<const T> before, std::span<const T> after) {
    constexpr std::size_t kFar = 32;
    for (std::size_t k = 1; k <= kFar; ++k) {
        const bool inBefore = k < before.size();
        const bool inAfter = k < after.size();
        if (inBefore && inAfter && same(before[k], after[k])) return {k, k};
        if (inAfter && same(before[0], after[k])) return {0, k};
        if (inBefore && same(before[k], after[0])) return {k, 0};
    }
    return {1, 1};
}

/// Calls `changed` with every element that only one of the lists has. What is left of both is the same, in the same
/// order. Gives up, and says false, when more than `limit` differ.
template <class T, class Changed>
bool compare(std::span<const T> before, std::span<const T> after, std::size_t limit, Changed changed) {
    std::size_t found = 0;
    while (!before.empty() && !after.empty()) {
        skipBlocks(before, after);
        if (before.empty() || after.empty()) break;
        if (same(before[0], after[0])) {
            before = before.subspan(1);
            after = after.subspan(1);
            continue;
        }
        const Step step = stepOver(before, after);
        found += step.gone + step.come;
        if (found > limit) return false;
        for (const T& t : before.first(step.gone)) changed(t);
        for (const T& t : after.first(step.come)) changed(t);
        before = before.subspan(step.gone);
        after = after.subspan(step.come);
    }
    if (found + before.size() + after.size() > limit) return false;
    for (const T& t : before) changed(t);
    for (const T& t : after) changed(t);
    return true;
}

}  // namespace whorl::gl
