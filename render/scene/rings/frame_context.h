// The input of the parts of a picture that are drawn anew for each frame: the moment, the view, and data derived from
// them. References only, valid while the frame is made.
#pragma once

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/lens.h"
#include "render/scene/rings/motions.h"
#include "render/scene/rings/resting_glyphs.h"

namespace whorl::scene {

struct FrameContext {
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

}  // namespace whorl::scene
