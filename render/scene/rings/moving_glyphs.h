// What moves, flashes and pulses: the blocks of sets where something happened lately, those in flight, and the homes of
// what is used.
#pragma once

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/lens.h"
#include "render/scene/rings/motions.h"
#include "render/scene/rings/resting_glyphs.h"

namespace whorl::scene {

/// What everything that is drawn anew for each frame is drawn from.
struct Shot {
    const sim::Snapshot& snapshot;
    const Subject& subject;
    const RingLayout& layout;
    const View& view;
    const Lens& lens;
    const Motions& motions;
    const Occupancy& occupancy;
    const RestingGlyphs& resting;
    GlyphStyle style;

    const sim::Cache& cache(const BlockAt& at) const { return snapshot.cache(at.level, at.cache); }
};

/// Adds the moving glyphs to a scene.
void addMovingGlyphs(Scene& scene, const Shot& shot);

/// What moves is always a glyph that can be seen: its radius at rest.
float movingRadius(const Shot& shot, std::size_t level);

}  // namespace whorl::scene
