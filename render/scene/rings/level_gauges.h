// Level gauges: the ground of each cache's ring, coloured by a measure of the cache (sim/analysis/level_gauge.h), and
// the text that says its value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// The colours of a value: a dim fill, so that the colours of glyphs keep their contrast, and a bright rim that carries
/// the value.
struct GaugeColours {
    Rgba fill;
    Rgba rim;
};
/// Of a temperature, -1 (all misses) to 1 (all hits).
GaugeColours temperatureColours(Ground ground, double value);
/// The same in words: "many misses", "hits and misses", "many hits".
std::string_view temperatureInWords(double value);
/// Of any other measure, 0 to 1, in the hue of what is measured.
GaugeColours shareColours(Ground ground, Rgba hue, double value);

/// Adds the gauges to a scene.
void addLevelGauges(Scene& scene, const FrameContext& frame);

/// The value of a cache's gauge in words: "many misses", "idle", "full 87 %", "missing 58.0 % in the run"; empty when
/// there is none.
std::string gaugeText(const FrameContext& frame, std::size_t level, std::uint32_t cache);

/// More on the value of gauges that are of a span, of these caches together: what it is a share of, and over which
/// accesses: "of the requests of all 8 448 accesses". With the value, where no text has told it: "missing 58.0 % of
/// requests", "of all 8 448 accesses".
std::vector<std::string> gaugeSpanNotes(const FrameContext& frame, std::size_t level, sim::CacheRange caches,
                                        bool tellsValue);

}  // namespace whorl::scene
