#include "render/scene/rings/frame_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "render/scene/rings/event_numbers.h"
#include "render/scene/rings/label_space.h"
#include "render/scene/rings/level_labels.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// The number of each CPU on its disc.
void addCpuNumbers(Scene& scene, const FrameContext& frame) {
    const RingLayout& layout = frame.layout;
    if (layout.cpus == 1) return;
    const Palette& palette = frame.style.palette();
    // As large as the disc lets it be, however large other text is, but no smaller than can be read. A digit alone
    // fills it on the stage.
    constexpr float kMin = 8.0f;  ///< pixels of a picture 720 high
    const bool isFilled = frame.view.stage && layout.cpus <= 10;
    const float disc = layout.cpuRadius() * frame.lens.zoom;
    const float size = isFilled ? 1.65f * disc : std::min(layout.text, 1.35f * disc);
    if (size < kMin * layout.detail) return;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        const bool acts = actingOf(frame, cpu) > 0.5f;
        scene.labels.push_back({Label::Kind::plain, fmt::format("{}", cpu), frame.lens.at(layout.cpuPlace(cpu)), size,
                                acts ? palette.ground : palette.text});
        scene.labels.back().isBare = true;
        scene.labelTargets.push_back({.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(cpu)});
    }
}

void addOnlyCpu(LabelSpace& space, const FrameContext& frame) {
    if (frame.layout.cpus != 1 || frame.subject.machine.cpus == 1) return;
    const float size = space.size();
    space.add(fmt::format("CPU {} of {}", frame.layout.firstCpu, frame.subject.machine.cpus),
              {0.75f * size, 0.6f * size}, size, frame.style.palette().text,
              {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(frame.layout.firstCpu)});
}

/// "A [16×16]".
std::string nameOf(const sim::Region& region) {
    if (region.rows == 0) return region.name;
    if (region.columns == 0) return fmt::format("{} [{}]", region.name, region.rows);
    return fmt::format("{} [{}×{}]", region.name, region.rows, region.columns);
}

/// The names of regions: along the memory ring where they fit, else beside it with leaders. A name is cut only where
/// there is no room beside the rings.
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
        float y;  ///< the middle of the text, from the centre
    };

    bool addAlong(const MemoryRing::Arc& arc, const std::string& text, std::size_t region) {
        return space_.addCurved(text, frame_.layout.names, arc.from - 0.01f, arc.to - arc.from + 0.02f, 0,
                                frame_.style.nameColour(region), targetOf(region));
    }

    static Target targetOf(std::size_t region) {
        return {.kind = Target::Kind::region, .region = static_cast<std::uint32_t>(region)};
    }

    /// Adds names beside the rings, from the top down, each as near to its arc as the names above allow.
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

    /// Adds a name along the circle of names, over the middle of the arc and beyond its ends; `share`: of the text's
    /// size.
    bool addBeyond(const Beside& n, float share = 1) {
        const float radius = frame_.layout.names * frame_.lens.zoom;
        const MemoryRing::Arc& arc = frame_.layout.memory.arcs[n.arc];
        // The name may lie aside as long as some of it is over the arc.
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

void addRegionLabels(LabelSpace& space, const FrameContext& frame) {
    RegionLabels(space, frame).add();
}

constexpr float kMinWidth = 24.0f;            ///< least width of a glyph with a name, pixels of a picture 720 high
constexpr float kMinName = 9.0f;              ///< height of the smallest name, in the same pixels
constexpr float kMinOnStage = 14.0f / 1.5f;   ///< … on the stage: 14 pixels of a picture 1080 high
constexpr float kReadOnStage = 20.0f / 1.5f;  ///< … below which a shorter text in larger letters replaces the name
constexpr std::size_t kMax = 600;             ///< names in a picture
constexpr float kRoom = 1.0f;                 ///< how far a name may reach from the middle, in radii
constexpr float kDigits = 0.36f;              ///< half of the height of digits and capitals, as a share of the text's
constexpr std::uint8_t kOpaque = 140;         ///< a name on a fill this dense is written in black or white

struct NamePlace {
    glm::vec2 at{0};
    float size = 0;  ///< the height of the text
};

/// "10,4" of "B[10][4]"; empty where a name has no indices.
std::string indicesIn(const std::string& name) {
    const std::size_t from = name.find('[');
    if (from == std::string::npos || !name.ends_with(']')) return {};
    std::string indices = name.substr(from + 1, name.size() - from - 2);
    for (std::size_t at = indices.find("]["); at != std::string::npos; at = indices.find("]["))
        indices.replace(at, 2, ",");
    return indices;
}

/// "GS" of "Global.GS", "+0x10" of "Global.GS+0x10".
std::string endOf(const std::string& name) {
    const std::size_t plus = name.find('+');
    const std::size_t from = plus == std::string::npos ? name.rfind('.') + 1 : plus;
    return from > 0 ? name.substr(from) : std::string();
}

/// The tag of a block in its cache, as hexadecimal digits.
std::string tagOf(const FrameContext& frame, const Target& target) {
    if (target.kind != Target::Kind::line) return {};
    const sim::Cache& cache = frame.snapshot.cache(target.level, target.cache);
    return fmt::format("{:x}", cache.blockOf(target.address).value / cache.sets());
}

/// Places a name in the middle of a glyph; in a dirty glyph below the mark in the middle, where a small glyph has no
/// room.
NamePlace placeOn(const Glyph& glyph, float breadth, float most) {
    if (glyph.coreRadius <= 0) {
        return {glyph.at, std::min(kRoom * glyph.radius / std::hypot(breadth / 2, kDigits), most)};
    }
    const auto across = [&](float down) {
        return 2 * std::sqrt(std::max(0.0f, glyph.radius * glyph.radius - down * down));
    };
    float size = std::min(most, glyph.radius - glyph.rimWidth - glyph.coreRadius);
    // Smaller text is narrower, and has more room.
    while (size > 1 && breadth * size > across(glyph.coreRadius + size)) size -= 0.5f;
    return {glyph.at + glm::vec2(0, glyph.coreRadius + 0.55f * size), size};
}

/// Adds names to glyphs that are wide enough for them and do not flash: the part of the program's memory that a block
/// holds.
void addGlyphNames(LabelSpace& space, const Scene& scene, const FrameContext& frame) {
    const float detail = frame.layout.detail;
    const float least = (frame.view.stage ? kMinOnStage : kMinName) * detail;
    const float wanted = frame.view.stage ? kReadOnStage * detail : 0;
    std::size_t named = 0;
    const auto name = [&](const Glyph& glyph, const Target& target) {
        const bool isBlock = target.kind == Target::Kind::line || target.kind == Target::Kind::slot;
        // A name must not cover a lit glyph.
        if (!isBlock || glyph.glow > 0 || 2 * glyph.radius < kMinWidth * detail || named >= kMax) return;
        const sim::ByteAddress first{target.address.value + std::uint64_t{target.part} * frame.layout.elementSize};
        std::string words = frame.subject.trace.placeOf(first, frame.snapshot.begun());
        NamePlace place = placeOn(glyph, widthOf(words, 1), frame.layout.text);
        if (place.size < wanted) {
            // The array may be left out of the text: the glyph's colour shows it.
            for (const std::string& shorter : {indicesIn(words), endOf(words), tagOf(frame, target)}) {
                const NamePlace larger = placeOn(glyph, widthOf(shorter, 1), frame.layout.text);
                if (shorter.empty() || larger.size < std::max(least, 1.2f * place.size)) continue;
                words = shorter;
                place = larger;
                break;
            }
        }
        if (place.size < least || !frame.lens.sees(glyph.at, -0.6f * place.size)) return;
        const bool dense = glyph.fill.a >= kOpaque;
        const Rgba colour = dense ? readableOn(glyph.fill) : frame.style.palette().text;
        if (space.addOn(glyph, place.at, words, place.size, colour, dense, target)) ++named;
    };
    for (std::size_t i = 0; i < scene.resting.size(); ++i) name(scene.resting[i], scene.restingTargets[i]);
    for (std::size_t i = 0; i < scene.moving.size(); ++i) name(scene.moving[i], scene.movingTargets[i]);
}

}  // namespace

void addLabels(Scene& scene, const FrameContext& frame) {
    LabelSpace space(scene, frame);
    addOnlyCpu(space, frame);
    addLevelNames(space, frame);
    addEventNumbers(space, scene, frame);
    addRegionLabels(space, frame);
    addCpuNumbers(scene, frame);
    addGlyphNames(space, scene, frame);
}

}  // namespace whorl::scene
