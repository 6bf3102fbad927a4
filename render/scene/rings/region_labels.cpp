#include "render/scene/rings/region_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// "A [16×16]".
std::string nameOf(const sim::Region& region) {
    if (region.rows == 0) return region.name;
    if (region.columns == 0) return fmt::format("{} [{}]", region.name, region.rows);
    return fmt::format("{} [{}×{}]", region.name, region.rows, region.columns);
}

class RegionLabels {
  public:
    RegionLabels(LabelSpace& space, const FrameContext& frame) : space_(space), frame_(frame), size_(space.size()) {}

    void add() {
        const RingLayout& layout = frame_.layout;
        if (layout.names - layout.memory.outer < 0.5f * size_) return;
        std::vector<Beside> left;
        std::vector<Beside> right;
        for (std::size_t i = 0; i < layout.memory.arcs.size(); ++i) {
            const MemoryRing::Arc& arc = layout.memory.arcs[i];
            const std::size_t region = frame_.subject.memorySlots.spans()[i].region;
            const sim::Region& named = frame_.subject.trace.regions()[region];
            if (addAlong(arc, nameOf(named), region)) continue;
            const float angle = (arc.from + arc.to) / 2;
            (std::cos(angle) < 0 ? left : right).push_back({i, region, nameOf(named), angle, 0});
        }
        addColumn(left, -1);
        addColumn(right, 1);
    }

  private:
    /// A name beside the rings.
    struct Beside {
        std::size_t arc;
        std::size_t region;
        std::string text;
        float angle;
        float y;  ///< of its middle, from the centre
    };

    bool addAlong(const MemoryRing::Arc& arc, const std::string& text, std::size_t region) {
        return space_.addCurved(text, frame_.layout.names, arc.from - 0.01f, arc.to - arc.from + 0.02f, 0,
                                frame_.style.nameColour(region), targetOf(region));
    }

    static Target targetOf(std::size_t region) {
        return {.kind = Target::Kind::region, .region = static_cast<std::uint32_t>(region)};
    }

    /// Beside the rings, from the top down, each as near to its arc as those above it allow.
    void addColumn(std::vector<Beside>& names, float side) {
        const float radius = frame_.layout.names + 0.9f * size_;
        for (Beside& n : names) n.y = radius * std::sin(n.angle);
        std::sort(names.begin(), names.end(), [](const Beside& a, const Beside& b) { return a.y < b.y; });
        float free = -frame_.layout.size.y / 2;
        for (const Beside& n : names) {
            const bool isBeside = frame_.lens.zoom <= 1 && addBeside(n, side, free);
            constexpr float kSmaller = 0.85f;
            if (!isBeside && !addBeyond(n) && !addBeyond(n, kSmaller)) addShortened(n);
        }
    }

    bool addBeside(const Beside& n, float side, float& free) {
        const glm::vec2 centre = frame_.lens.at({0, 0});
        const float radius = frame_.layout.names + 0.9f * size_;
        const float width = widthOf(n.text, size_);
        for (int tries = 0; tries < 12; ++tries) {
            const float y = std::max(n.y, free + 0.6f * size_) + 0.6f * size_ * static_cast<float>(tries);
            if (std::abs(y - n.y) > 3 * size_) break;
            const float near = std::max(0.0f, std::abs(y) - 0.6f * size_);
            const float x = side * std::sqrt(std::max(0.0f, radius * radius - near * near));
            const glm::vec2 at = centre + glm::vec2(side > 0 ? x : x - width, y - 0.55f * size_);
            const float edge = frame_.layout.memory.outer + 0.4f * size_;
            const LabelSpace::Leader leader{centre + glm::vec2(x - 0.6f * side * size_, y),
                                            centre + edge * glm::vec2(std::cos(n.angle), std::sin(n.angle))};
            if (!space_.isFree(leader)) continue;
            if (!space_.add(n.text, at, size_, frame_.style.nameColour(n.region), targetOf(n.region))) continue;
            free = y + 0.6f * size_;
            space_.addLeader(leader);
            return true;
        }
        return false;
    }

    /// Along the circle of names, over the middle of the arc and beyond its ends; `share`: of the size of text.
    bool addBeyond(const Beside& n, float share = 1) {
        const float radius = frame_.layout.names * frame_.lens.zoom;
        const MemoryRing::Arc& arc = frame_.layout.memory.arcs[n.arc];
        // It may lie aside as long as some of it is over the arc.
        const float span = 2 * (widthOf(n.text, size_) + size_) / radius + (arc.to - arc.from);
        return space_.addCurved(n.text, frame_.layout.names, n.angle - span / 2, span, 0,
                                frame_.style.nameColour(n.region), targetOf(n.region), share * size_);
    }

    void addShortened(const Beside& n) {
        const MemoryRing::Arc& arc = frame_.layout.memory.arcs[n.arc];
        const float span = arc.to - arc.from + 0.02f;
        const float room = span * frame_.layout.names * frame_.lens.zoom - 0.8f * size_;
        const std::string text = shortened(frame_.subject.trace.regions()[n.region].name, room, size_);
        if (!text.empty()) addAlong(arc, text, n.region);
    }

    LabelSpace& space_;
    const FrameContext& frame_;
    float size_;
};

}  // namespace

void addRegionLabels(LabelSpace& space, const FrameContext& frame) {
    RegionLabels(space, frame).add();
}

}  // namespace whorl::scene
