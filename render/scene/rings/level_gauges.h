// Level gauges: the ground of each cache's ring, coloured by a measure of the cache (sim/analysis/level_gauge.h), and
// the text with its value.
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
/// The colours of a temperature, -1 (all misses) to 1 (all hits).
GaugeColours temperatureColours(Ground ground, double value);
/// A temperature in words: "many misses", "hits and misses", "many hits".
std::string_view temperatureInWords(double value);
/// The colours of any other measure, 0 to 1; `hue` is that of the measured thing.
GaugeColours shareColours(Ground ground, Rgba hue, double value);

/// Adds the gauges to a scene.
void addLevelGauges(Scene& scene, const FrameContext& frame);

/// The value of a cache's gauge in words: "many misses", "idle", "full 87 %", "missing 58.0 % in the run"; empty when
/// there is none.
std::string gaugeText(const FrameContext& frame, std::size_t level, std::uint32_t cache);

/// Notes on gauges that cover a span, for these caches together: the base of the share and the accesses of the span,
/// "of the requests of all 8 448 accesses". With `tellsValue`, for a value that no other text shows, the notes contain
/// it: "missing 58.0 % of requests", "of all 8 448 accesses".
std::vector<std::string> gaugeSpanNotes(const FrameContext& frame, std::size_t level, sim::CacheRange caches,
                                        bool tellsValue);

}  // namespace whorl::scene
