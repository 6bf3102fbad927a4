#include "render/scene/furniture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

/// Arms closer than this would only be a haze.
constexpr float kRibbonRoom = 9.0f;
constexpr float kTextSize = 16.0f;
constexpr float kBottom = 1.5707963f;  ///< 6 o'clock

void addEdge(Scene& scene, float radius, Rgba colour, float width) {
    scene.annuli.push_back({radius - width / 2, radius + width / 2, colour, colour});
}

void addArmRibbons(Scene& scene, const RingLayout& layout, std::size_t level, const Palette& palette) {
    const LevelRing& ring = layout.levels[level];
    // A set of one way is a place and no arm.
    if (ring.tier != Tier::glyphs || ring.room < kRibbonRoom || ring.ways == 1) return;
    const float width = 2.3f * ring.radius;
    for (std::uint32_t s = 0; s < ring.sets; ++s) {
        Ribbon ribbon{.path = {}, .width = width, .colour = faded(palette.line, 0.33f)};
        const auto last = static_cast<float>(ring.ways - 1);
        const auto pieces = static_cast<int>(
            std::clamp(ring.bands.front().step() * static_cast<float>(ring.ways) / 6.0f, 4.0f, 160.0f));
        for (int i = 0; i <= pieces; ++i) {
            const float rank = last * static_cast<float>(i) / static_cast<float>(pieces);
            ribbon.path.push_back(layout.linePlace(level, sim::SetIndex{s}, rank));
        }
        scene.ribbons.push_back(std::move(ribbon));
    }
}

/// In the channel beyond each level, at 6 o'clock.
void addLevelNames(Scene& scene, const RingLayout& layout, const sim::MachineConfig& machine, const sim::Moment& moment,
                   const Palette& palette) {
    const float size = RingLayout::kLevelText * layout.textScale;
    if (layout.channel < size) return;
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        const sim::CacheCounters& c = moment.now.counters().cache(l, machine.cacheOf(l, moment.cpu));
        std::string text = machine.levels[l].name;
        if (c.accesses() != 0) text += fmt::format("  {:.1f} %", 100 * c.hitRate());
        const float radius = layout.levels[l].outer + 0.56f * layout.channel;
        scene.labels.push_back({Label::Kind::curved, std::move(text), {radius, kBottom}, size, palette.text});
    }
}

/// Whose caches the rings are, where there are several to choose from.
void addCpuName(Scene& scene, const RingLayout& layout, const sim::MachineConfig& machine, std::uint32_t cpu,
                const Palette& palette) {
    if (machine.cpus == 1) return;
    const float size = kTextSize * layout.textScale;
    scene.labels.push_back({Label::Kind::corner,
                            fmt::format("CPU {} of {}", cpu, machine.cpus),
                            {0.75f * size, 0.6f * size},
                            size,
                            palette.text});
}

/// "A [16×16]".
std::string nameOf(const sim::Region& region) {
    if (region.rows == 0) return region.name;
    if (region.columns == 0) return fmt::format("{} [{}]", region.name, region.rows);
    return fmt::format("{} [{}×{}]", region.name, region.rows, region.columns);
}

/// The name with as many letters as fit into `room` pixels, with an ellipsis for what does not; empty when hardly any
/// do.
std::string shortened(const std::string& name, float room, float size) {
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / (0.62f * size)));
    if (name.size() <= fit) return name;
    if (fit < 3) return {};
    return name.substr(0, fit - 1) + "…";
}

}  // namespace

void addRings(Scene& scene, const RingLayout& layout, const Palette& palette) {
    const float line = std::max(1.0f, layout.unit / 280);
    for (const LevelRing& ring : layout.levels) {
        scene.annuli.push_back({ring.inner, ring.outer, palette.ring, palette.ring});
    }
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        addEdge(scene, layout.levels[l].outer + line, palette.line, line);
        addArmRibbons(scene, layout, l, palette);
    }
    addEdge(scene, layout.memory.outer + 0.006f * layout.unit, palette.line, line);
    scene.annuli.push_back({0, 0.72f * layout.core, palette.core, palette.core});
    scene.annuli.push_back(
        {0.72f * layout.core, 1.3f * layout.core, faded(palette.core, 0.5f), faded(palette.core, 0)});
}

void addLabels(Scene& scene, const RingLayout& layout, const Homes& homes, const sim::Trace& trace,
               const sim::MachineConfig& machine, const sim::Moment& moment, const Palette& palette) {
    const float size = kTextSize * layout.textScale;
    addLevelNames(scene, layout, machine, moment, palette);
    addCpuName(scene, layout, machine, moment.cpu, palette);
    const float names = RingLayout::kNames * layout.unit;
    for (std::size_t i = 0; i < layout.memory.arcs.size(); ++i) {
        const MemoryRing::Arc& arc = layout.memory.arcs[i];
        const std::size_t region = homes.spans()[i].region;
        std::string text = shortened(nameOf(trace.regions()[region]), (arc.to - arc.from + 0.02f) * names, size);
        if (text.empty()) continue;
        scene.labels.push_back(
            {Label::Kind::curved, std::move(text), {names, (arc.from + arc.to) / 2}, size, hueOf(palette, region)});
    }
}

}  // namespace whorl::scene
