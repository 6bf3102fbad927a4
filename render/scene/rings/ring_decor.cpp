#include "render/scene/rings/frame_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "render/scene/rings/event_numbers.h"
#include "render/scene/rings/label_space.h"
#include "render/scene/rings/level_labels.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

// --- edges, ribbons, CPUs ---

namespace {

/// Ribbons of arms closer than this, in pixels of a picture 720 high, would melt into a haze.
constexpr float kRibbonRoom = 9.0f;
constexpr float kWay = 0.25f;  ///< the opacity of the way from a CPU to its name: broad and faint, unlike a trail

void addEdge(Scene& scene, const FrameContext& frame, float radius, Rgba colour, float width) {
    const float r = radius * frame.lens.zoom;
    scene.annuli.push_back({r - width / 2, r + width / 2, colour, colour});
}

void addArm(Scene& scene, const FrameContext& frame, const SetAt& set, Rgba colour) {
    const LevelRing& ring = frame.layout.levels[set.level];
    const float zoom = frame.lens.zoom;
    Ribbon ribbon{.path = {}, .width = 2.3f * frame.resting.radius(set.level, frame.lens), .colour = colour};
    const auto last = static_cast<float>(ring.ways() - 1);
    const float length = ring.bands().front().step() * static_cast<float>(ring.ways() * ring.parts());
    const auto pieces = static_cast<int>(std::clamp(length / 6.0f, 4.0f, 160.0f));
    bool seen = false;
    for (int i = 0; i <= pieces; ++i) {
        const float rank = last * static_cast<float>(i) / static_cast<float>(pieces);
        ribbon.path.push_back(frame.lens.at(frame.layout.linePlace(set, rank)));
        seen |= frame.lens.sees(ribbon.path.back(), ribbon.width + zoom * length / static_cast<float>(pieces));
    }
    if (seen) scene.ribbons.push_back(std::move(ribbon));
}

void addArms(Scene& scene, const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    // A set of one way is a single place, not an arm.
    if (ring.ways() == 1 || ring.room() * frame.lens.zoom < kRibbonRoom * frame.layout.detail) return;
    const Rgba colour = faded(frame.style.palette().line, 0.33f);
    for (std::uint32_t c = 0; c < ring.caches(); ++c) {
        for (std::uint32_t s = 0; s < ring.sets(); ++s) {
            addArm(scene, frame,
                   {static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(frame.layout.cacheShown(level, c)),
                    sim::SetIndex{s}},
                   colour);
        }
    }
}

/// Adds the way from each acting CPU's number to its name outside the nearest level. The way turns with the CPU's
/// sector.
void addWays(Scene& scene, const FrameContext& frame, float width) {
    const RingLayout& layout = frame.layout;
    constexpr int kPieces = 48;
    // Like ties, these ways are for paces at which the eye can separate one access from the next.
    const auto shown = static_cast<float>(std::clamp(2 - moveTicksOf(frame.view), 0.0, 1.0));
    if (layout.cpus == 1 || layout.levels.empty() || frame.view.lapse > 1 || shown <= 0) return;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        const float acts = actingOf(frame, layout.cpuShown(cpu));
        if (acts <= 0) continue;
        const LevelRing& nearest = layout.levels.front();
        Ribbon ribbon{.path = {frame.lens.at(layout.cpuPlace(cpu))},
                      .width = width,
                      .colour = faded(frame.style.palette().core, kWay * acts * shown)};
        for (int i = 0; i <= kPieces; ++i) {
            const float r = nearest.inner() + (nearest.outer() - nearest.inner()) * static_cast<float>(i) / kPieces;
            const float angle = layout.cpuAngle(cpu, r);
            ribbon.path.push_back(frame.lens.at(r * glm::vec2(std::cos(angle), std::sin(angle))));
        }
        scene.ribbons.push_back(std::move(ribbon));
        scene.legend.acting = true;
    }
}

}  // namespace

float actingOf(const FrameContext& frame, std::uint32_t cpu) {
    if (frame.layout.cpus == 1) return 1;
    if (frame.view.lapse <= 1) {
        const sim::Step* current = frame.snapshot.current();
        return current != nullptr && current->access.cpu == cpu ? 1.0f : 0.0f;
    }
    const auto& window = frame.snapshot.window;
    const auto own = std::count_if(window.begin(), window.end(), [&](const sim::Glance& g) { return g.cpu == cpu; });
    const float even = static_cast<float>(window.size()) / static_cast<float>(frame.layout.cpus);
    return std::min(1.0f, static_cast<float>(own) / std::max(1.0f, even));
}

void addRings(Scene& scene, const FrameContext& frame) {
    const Palette& palette = frame.style.palette();
    const float line = frame.layout.lineWidth(1.0f / 280);
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        if (frame.view.gauge.what == sim::GaugeSettings::What::nothing && frame.layout.levels[l].caches() == 1) {
            addEdge(scene, frame, frame.layout.levels[l].outer() + line, palette.line, line);
        }
        addArms(scene, frame, l);
    }
    addEdge(scene, frame, frame.layout.memory.outer + 0.006f * frame.layout.unit, palette.line, line);
    addWays(scene, frame, 6 * line);
}

namespace {

/// Where accesses take as long as they cost: how much of its wait the CPU that acts has behind it, as the hand of a
/// clock goes round.
void addWait(Scene& scene, const FrameContext& frame) {
    constexpr int kPieces = 60;
    const RingLayout& layout = frame.layout;
    const sim::Step* const current = frame.snapshot.current();
    if (!frame.view.byCycles || frame.view.lapse > 1 || current == nullptr) return;
    const std::uint32_t cpu = layout.cpuShownAs(current->access.cpu);
    const double done = 1 - (static_cast<double>(frame.snapshot.begun().value) - frame.snapshot.t);
    if (cpu >= layout.cpus || sim::costOf(current->events, frame.subject.machine) <= frame.subject.machine.lookUp()) {
        return;
    }
    const float width = layout.lineWidth(1.0f / 120);
    const float radius = layout.cpuRadius() * frame.lens.zoom + 1.5f * width;
    const glm::vec2 middle = frame.lens.at(layout.cpuPlace(cpu));
    const auto onCircle = [&](int piece) {
        const float angle = 2 * kPi * static_cast<float>(piece) / kPieces - kPi / 2;
        return middle + radius * glm::vec2(std::cos(angle), std::sin(angle));
    };
    const Palette& palette = frame.style.palette();
    for (int i = 0; i < kPieces; ++i) {
        const bool isOver = static_cast<double>(i) < done * kPieces;
        const Rgba colour = isOver ? palette.core : faded(palette.core, 0.2f);
        scene.threads.push_back({onCircle(i), onCircle(i + 1), width, colour, colour});
    }
}

}  // namespace

void addCpus(Scene& scene, const FrameContext& frame) {
    addWait(scene, frame);
    const RingLayout& layout = frame.layout;
    for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
        scene.moving.push_back(frame.style.cpu(actingOf(frame, layout.cpuShown(cpu)),
                                               frame.lens.at(layout.cpuPlace(cpu)),
                                               layout.cpuRadius() * frame.lens.zoom));
        scene.movingTargets.push_back(
            {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(layout.cpuShown(cpu))});
    }
}

// --- labels ---

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
        const std::uint32_t number = layout.cpuShown(cpu);
        const bool acts = actingOf(frame, number) > 0.5f;
        scene.labels.push_back({Label::Kind::plain, fmt::format("{}", number), frame.lens.at(layout.cpuPlace(cpu)),
                                size, acts ? palette.ground : palette.text});
        scene.labels.back().isBare = true;
        scene.labelTargets.push_back({.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(number)});
    }
}

/// Which CPU is shown alone, and how many make no access, so that they have no sector.
void addCpuWords(LabelSpace& space, const FrameContext& frame) {
    const RingLayout& layout = frame.layout;
    if (layout.cpus == frame.subject.machine.cpus) return;
    const float size = space.size();
    const std::uint32_t first = layout.cpuShown(0);
    const std::string idle = layout.idle == 0 ? "" : sim::counted(layout.idle, "idle CPU", "idle CPUs");
    const std::string words = layout.idle == 0   ? fmt::format("CPU {} of {}", first, frame.subject.machine.cpus)
                              : layout.cpus == 1 ? fmt::format("CPU {}, {}", first, idle)
                                                 : idle;
    Target target;
    if (layout.cpus == 1) target = {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(first)};
    space.add(words, {0.75f * size, 0.6f * size}, size, frame.style.palette().text, target);
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
constexpr std::size_t kMaxNames = 600;        ///< names in a picture
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
        if (!isBlock || glyph.glow > 0 || 2 * glyph.radius < kMinWidth * detail || named >= kMaxNames) return;
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
    addCpuWords(space, frame);
    addLevelNames(space, frame);
    addEventNumbers(space, scene, frame);
    addRegionLabels(space, frame);
    addCpuNumbers(scene, frame);
    addGlyphNames(space, scene, frame);
}

}  // namespace whorl::scene
