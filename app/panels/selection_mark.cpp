// Lines around the selection, unless it is a block, and around what a word under the mouse names.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

using TargetKind = scene::Target::Kind;

/// Lines on the picture from positions in the rings.
class Marker {
  public:
    Marker(const PanelContext& c, const scene::RingLayout& layout, const gl::Rect& canvas)
        : layout_(layout),
          lens_(layout.lensOf(c.picture()->view)),
          origin_(static_cast<float>(canvas.x), static_cast<float>(canvas.y)),
          list_(*ImGui::GetWindowDrawList()),
          colour_(packed(scene::paletteFor(c.context.ground).mark)),
          width_(std::max(1.5f, 2 * c.scale)) {}

    void set(const scene::Target& t) const {
        if (t.level >= layout_.levels.size() || !layout_.shows(t.level, t.cache)) return;
        const scene::LevelRing& ring = layout_.levels[t.level];
        if (t.set.value >= ring.sets()) return;
        const auto last = static_cast<float>(ring.ways() - 1);
        constexpr int kPieces = 48;
        for (int i = 0; i <= kPieces; ++i) {
            const float rank = -0.5f + (last + 1) * static_cast<float>(i) / kPieces;
            to(layout_.linePlace({t.level, t.cache, t.set}, std::clamp(rank, 0.0f, last)));
        }
        // Visible between the glyphs, and beside them.
        list_.PathStroke(colour_, ImDrawFlags_None, width_);
    }

    void level(const scene::Target& t) const {
        if (t.level >= layout_.levels.size() || !layout_.shows(t.level, t.cache)) return;
        const scene::LevelRing& ring = layout_.levels[t.level];
        const std::uint32_t shown = layout_.shownAs(t.level, t.cache);
        for (const float r : {ring.inner(), ring.outer()}) {
            const scene::Sector sector = ring.sector(shown, r);
            arc(r, sector.from, sector.span);
        }
    }

    void region(std::uint32_t region) const {
        for (const scene::MemoryRing::Arc& a : layout_.memory.arcs) {
            if (a.region != region) continue;
            const float out = 0.008f * layout_.unit;
            arc(layout_.memory.inner - out, a.from, a.to - a.from);
            arc(layout_.memory.outer + out, a.from, a.to - a.from);
        }
    }

    void cpu(std::uint32_t cpu) const {
        if (!layout_.showsCpu(cpu)) return;
        const glm::vec2 at = lens_.at(layout_.cpuPlace(layout_.cpuShownAs(cpu)));
        list_.AddCircle({origin_.x + at.x, origin_.y + at.y}, layout_.cpuRadius() * lens_.zoom + 2 * width_, colour_,
                        40, width_);
    }

  private:
    void to(glm::vec2 place) const {
        const glm::vec2 pixel = lens_.at(place);
        list_.PathLineTo({origin_.x + pixel.x, origin_.y + pixel.y});
    }
    void arc(float radius, float from, float span) const {
        const int pieces = std::clamp(static_cast<int>(std::abs(span) * 40 * std::sqrt(lens_.zoom)), 8, 1024);
        for (int i = 0; i <= pieces; ++i) {
            const float angle = from + span * static_cast<float>(i) / static_cast<float>(pieces);
            to(radius * glm::vec2(std::cos(angle), std::sin(angle)));
        }
        list_.PathStroke(colour_, ImDrawFlags_None, width_);
    }

    const scene::RingLayout& layout_;
    scene::Lens lens_;
    ImVec2 origin_;
    ImDrawList& list_;
    ImU32 colour_;
    float width_;
};

}  // namespace

void drawSelectionMark(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas) {
    if (!c.context.selected && !c.session.touched) return;
    const Marker marker(c, composer.layout(), canvas);
    const ImVec2 from(static_cast<float>(canvas.x), static_cast<float>(canvas.y));
    const ImVec2 to(from.x + static_cast<float>(canvas.width), from.y + static_cast<float>(canvas.height));
    ImGui::GetWindowDrawList()->PushClipRect(from, to, true);
    const auto mark = [&](const scene::Target& target) {
        if (target.kind == TargetKind::set) marker.set(target);
        if (target.kind == TargetKind::level) marker.level(target);
        if (target.kind == TargetKind::region) marker.region(target.region);
        if (target.kind == TargetKind::cpu) marker.cpu(target.cpu);
    };
    if (c.context.selected) mark(c.context.selected->target);
    if (c.session.touched && c.run == 0) {
        // A level's name stands for all of its caches.
        scene::Target touched = *c.session.touched;
        const bool isLevel = touched.kind == TargetKind::level;
        const std::uint32_t caches = isLevel ? c.machine().caches(touched.level) : 1;
        for (touched.cache = 0; touched.cache < caches; ++touched.cache) mark(touched);
    }
    ImGui::GetWindowDrawList()->PopClipRect();
}

}  // namespace whorl::app
