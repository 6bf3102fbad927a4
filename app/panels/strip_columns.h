// Pictures of the run from left to right in which each pixel column stands for the accesses under it.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/scene/time_axis.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

/// The accesses under a column of pixels.
struct StripColumn {
    float x;
    std::uint64_t from;
    std::uint64_t to;
};

/// Calls f(StripColumn) for every pixel column from `x` on, of a picture of `span` that is so wide, as far as the run
/// is built.
template <class F>
void eachColumn(const scene::TimeSpan& span, float x, float width, double built, F&& f) {
    const auto columns = static_cast<int>(width);
    for (int i = 0; i < columns; ++i) {
        const double from = std::floor(span.from + span.length() * i / columns);
        const double to = std::max(from + 1, std::floor(span.from + span.length() * (i + 1) / columns));
        if (from >= built) break;
        f(StripColumn{x + static_cast<float>(i), static_cast<std::uint64_t>(from),
                      static_cast<std::uint64_t>(std::min(to, built))});
    }
}

/// A row of such a picture.
struct StripRow {
    float top;
    float height;
};

/// Draws the hit rate in a column of a row: an area of that height, or (`edge`) only its upper edge, `thick` pixels.
/// Draws nothing without requests.
inline void drawHitRate(const StripRow& row, float x, const sim::Overview::Share& share, ImU32 colour, bool edge,
                        float thick) {
    if (share.requests == 0) return;
    const float rate = static_cast<float>(share.hits) / static_cast<float>(share.requests);
    const float top = row.top + (1 - rate) * row.height;
    const float end = row.top + row.height;
    const float bottom = edge ? std::min(top + thick, end) : end;
    ImGui::GetWindowDrawList()->AddRectFilled({x, std::min(top, bottom - thick)}, {x + 1, bottom}, colour);
}

}  // namespace whorl::app
