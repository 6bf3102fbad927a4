// All of the rings, small, with the visible part marked.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

struct Map {
    ImVec2 centre;
    float radius = 0;  ///< pixels per unit of the picture

    ImVec2 at(glm::vec2 place) const { return {centre.x + place.x * radius, centre.y + place.y * radius}; }
};

Map mapOn(const PanelContext& c, const gl::Rect& canvas) {
    const auto width = static_cast<float>(canvas.width);
    const auto height = static_cast<float>(canvas.height);
    const float radius = std::clamp(0.095f * std::min(width, height), 20.0f, 90 * c.scale);
    const float gap = radius + 8 * c.scale;
    return {{static_cast<float>(canvas.x) + width - gap, static_cast<float>(canvas.y) + height - gap}, radius};
}

void drawRings(const PanelContext& c, const scene::RingLayout& layout, const Map& map, ImDrawList& list) {
    const scene::Palette& palette = scene::paletteFor(c.context.ground);
    const auto ring = [&](float inner, float outer, scene::Rgba colour) {
        const float share = map.radius / layout.unit;
        list.AddCircle(map.centre, (inner + outer) / 2 * share, packed(colour), 48,
                       std::max(1.0f, (outer - inner) * share));
    };
    for (const scene::LevelRing& level : layout.levels)
        ring(level.inner(), level.outer(), scene::faded(palette.line, 0.8f));
    ring(layout.memory.inner, layout.memory.outer, scene::faded(palette.muted, 0.55f));
    list.AddCircleFilled(map.centre, std::max(1.5f, layout.core / layout.unit * map.radius), packed(palette.core), 16);
}

void drawSeen(const PanelContext& c, const scene::RingLayout& layout, const Map& map, ImDrawList& list) {
    const scene::Lens lens = layout.lensOf(c.picture()->view);
    const auto corner = [&](glm::vec2 pixel) {
        const glm::vec2 place = lens.back(pixel) / layout.unit;
        return map.at(glm::clamp(place, glm::vec2(-1.04f), glm::vec2(1.04f)));
    };
    ImVec2 low = corner({0, 0});
    ImVec2 high = corner(lens.size);
    // Never too small to be found.
    const float least = 5 * c.scale;
    const auto widen = [least](float& a, float& b) {
        const float more = std::max(0.0f, least - (b - a)) / 2;
        a -= more;
        b += more;
    };
    widen(low.x, high.x);
    widen(low.y, high.y);
    ImVec4 inside = c.colours().accent;
    inside.w = 0.16f;
    list.AddRectFilled(low, high, packed(inside));
    list.AddRect(low, high, packed(c.colours().accent), 0, 0, std::max(1.0f, 1.5f * c.scale));
}

}  // namespace

void drawMinimap(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas) {
    if (!c.context.camera.zoomed() || std::min(canvas.width, canvas.height) < 200) return;
    const scene::RingLayout& layout = composer.layout();
    const Map map = mapOn(c, canvas);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = map.radius * 1.06f;
    const ImVec2 from(map.centre.x - half, map.centre.y - half);
    const ImVec2 to(map.centre.x + half, map.centre.y + half);
    ImVec4 bed = c.colours().panel;
    bed.w = 0.92f;
    list.AddRectFilled(from, to, packed(bed), 4);
    list.AddRect(from, to, packed(c.colours().border), 4);
    drawRings(c, layout, map, list);
    drawSeen(c, layout, map, list);
    const std::string times = fmt::format("{:.{}f}×", c.picture()->view.zoom, c.picture()->view.zoom < 9.95f ? 1 : 0);
    list.AddText(c.fonts.small, c.fonts.small->FontSize, {from.x + 4, from.y + 2}, packed(c.colours().text),
                 times.c_str());

    ImGui::SetCursorScreenPos(from);
    ImGui::InvisibleButton("minimap", {2 * half, 2 * half});
    if (ImGui::IsItemActive()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        c.queue(command::LookAt{{(mouse.x - map.centre.x) / map.radius, (mouse.y - map.centre.y) / map.radius}});
    }
    hint("the visible part: click or drag to move it; 0 shows all");
}

}  // namespace whorl::app
