// The parts of a picture that are drawn anew for each frame (ring_decor.cpp with all labels, moving_glyphs.cpp,
// trails.cpp), and their input: the moment, the view, and data derived from them.
#pragma once

#include "render/scene/rings/glyph_style.h"
#include "render/scene/rings/memory_ring.h"
#include "render/scene/rings/motions.h"
#include "render/scene/rings/resting_glyphs.h"

namespace whorl::scene {

/// References only, valid while the frame is made.
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

// The parts of the rings that are not blocks: their edges, the ribbons under the arms, the CPUs.

/// How much a CPU acts, 0 to 1: whether the current access is its own, or in time-lapse, its share of the last
/// accesses, compared with an even one (which of them was the last of a frame would flicker).
float actingOf(const FrameContext& frame, std::uint32_t cpu);

/// Adds edges and ribbons to a scene; and, of several CPUs, the way from each that acts to its name.
void addRings(Scene& scene, const FrameContext& frame);
/// Adds the CPU, or a disc for each of several.
void addCpus(Scene& scene, const FrameContext& frame);

// Glyphs that move, flash or pulse: the blocks of sets that were accessed lately, blocks on their way from one place to
// another, and the memory slots of blocks that are being used.

/// The light of a miss, 0 to 1, where flashes are replaced by a steady glow.
inline constexpr float kHeldLight = 0.6f;

/// Adds the moving glyphs to a scene.
void addMovingGlyphs(Scene& scene, const FrameContext& frame);

/// The radius of a moving glyph before it grows with a pulse: as at rest, but never too small to be seen. Pixels.
float movingRadius(const FrameContext& frame, std::size_t level);

// Trails: the pathlines of the last accesses. Straight and red where a block came in, turning and in the region's hue
// where one was evicted, along the arm where its rank changed, an arrow from the CPU whose write took it away to the
// cache that lost it.

/// Adds the trails of the last View::trails accesses, or in time-lapse of those of the last few
/// frames if these are more.
void addTrails(Scene& scene, const FrameContext& frame);

// The names in the picture: levels with their hit rates, regions, CPUs. Each is put only where it has room, so that no
// text lies on another.

/// Adds the names of levels, regions and CPUs to a scene, as far as there is room for them.
void addLabels(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
