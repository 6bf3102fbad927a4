#include "render/scene/time_marks.h"

#include <algorithm>
#include <cmath>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

std::vector<Stroke> playheadStrokes(const TimeAxis& axis, const PixelBox& all, double t, Ground ground) {
    if (t < axis.span().from || t > axis.span().to) return {};
    const float x = std::round(axis.x(t)) + 0.5f;
    const Rgba colour = paletteFor(ground).text;
    return {{{x, static_cast<float>(all.low.y)}, {x, static_cast<float>(all.high.y)}, 1.5f, colour, colour}};
}

void paintRuler(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, float text) {
    const Palette& palette = paletteFor(scene.ground);
    scene.raster.fill({where.low, {where.high.x, where.low.y + 1}}, palette.line);
    for (const TimeAxis::Mark& mark : axis.marks(8 * text)) {
        const int x = static_cast<int>(std::lround(mark.x));
        scene.raster.fill({{x, where.low.y}, {x + 1, where.low.y + static_cast<int>(0.4f * text)}}, palette.muted);
        const float width = widthOf(mark.words, text);
        const int left = static_cast<int>(
            std::clamp(mark.x - width / 2, static_cast<float>(where.low.x),
                       std::max(static_cast<float>(where.low.x), static_cast<float>(where.high.x) - width)));
        scene.labels.push_back(
            cornerLabel(mark.words, {left, where.low.y + static_cast<int>(0.45f * text)}, text, palette.muted));
    }
}

void paintChosen(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, const TimeSpan& chosen) {
    Rgba shade = scene.background;
    shade.a = 150;
    const auto at = [&](double t) {
        return std::clamp(static_cast<int>(std::lround(axis.x(t))), where.low.x, where.high.x);
    };
    const int from = at(chosen.from);
    const int to = std::max(from + 1, at(chosen.to));
    scene.raster.blend({where.low, {from, where.high.y}}, shade);
    scene.raster.blend({{to, where.low.y}, where.high}, shade);
    const Rgba accent = paletteFor(scene.ground).accent;
    for (const double t : {chosen.from, chosen.to}) {
        if (t < axis.span().from || t > axis.span().to) continue;
        const int x = at(t);
        scene.raster.fill({{x, where.low.y}, {x + 1, where.high.y}}, accent);
    }
}

}  // namespace whorl::scene
