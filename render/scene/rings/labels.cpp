#include "render/scene/rings/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/scene/angle.h"
#include "render/scene/rings/level_gauges.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr float kBottom = kPi / 2;  ///< 6 o'clock

/// "A [16×16]".
std::string nameOf(const sim::Region& region) {
    if (region.rows == 0) return region.name;
    if (region.columns == 0) return fmt::format("{} [{}]", region.name, region.rows);
    return fmt::format("{} [{}×{}]", region.name, region.rows, region.columns);
}

class Labels {
  public:
    Labels(Scene& scene, const FrameContext& frame)
        : scene_(scene), frame_(frame), palette_(frame.style.palette()), size_(frame.layout.text) {}

    void add() {
        if (frame_.layout.cpus == 1 && frame_.subject.machine.cpus > 1) addOnlyCpu();
        for (std::size_t l = 0; l < frame_.layout.levels.size(); ++l) addLevel(l);
        addRegions();
        addCpus();
    }

  private:
    /// Writes a text along a circle, within a span of angles and as near to `wanted` as it can be seen and covers no
    /// other. False when there is no such place.
    bool addCurved(std::string text, float radius, float from, float span, float wanted, Rgba colour,
                   const Target& target) {
        const float r = radius * frame_.lens.zoom;
        const float half = (widthOf(text, size_) / 2 + 0.4f * size_) / r;
        if (2 * half > span) return false;
        const float most = span >= 2 * kPi ? kPi : span / 2 - half;
        const float middle = span >= 2 * kPi ? wanted : from + span / 2;
        constexpr int kTries = 90;
        for (int i = 0; i <= kTries; ++i) {
            for (const int side : {1, -1}) {
                if (i == 0 && side < 0) continue;
                const float angle = middle + static_cast<float>(side * i) / kTries * most;
                if (!isSeen(r, angle, half) || covers(r, angle, half)) continue;
                placed_.push_back({r, angle, half});
                scene_.labels.push_back({Label::Kind::curved, std::move(text), {r, angle}, size_, colour});
                scene_.labelTargets.push_back(target);
                return true;
            }
        }
        return false;
    }

    bool isSeen(float r, float angle, float half) const {
        for (const float a : {angle - half, angle, angle + half}) {
            const glm::vec2 pixel = scene_.centre + r * glm::vec2(std::cos(a), std::sin(a));
            if (!frame_.lens.sees(pixel, -0.55f * size_)) return false;
        }
        return true;
    }

    /// Whether it would cover another text.
    bool covers(float r, float angle, float half) const {
        const auto crosses = [&](const Placed& other) {
            const float apart = std::abs(std::remainder(angle - other.angle, 2 * kPi));
            return std::abs(r - other.radius) < size_ && apart < half + other.half;
        };
        if (std::any_of(placed_.begin(), placed_.end(), crosses)) return true;
        if (corner_.x == 0) return false;
        for (int i = -4; i <= 4; ++i) {
            const float a = angle + half * static_cast<float>(i) / 4;
            const glm::vec2 pixel = scene_.centre + r * glm::vec2(std::cos(a), std::sin(a));
            if (pixel.x < corner_.x + 0.6f * size_ && pixel.y < corner_.y + 0.6f * size_) return true;
        }
        return false;
    }

    /// In the channel outside the level: one name at 6 o'clock, or one for each sector that has room for it.
    void addLevel(std::size_t l) {
        const LevelRing& ring = frame_.layout.levels[l];
        if (frame_.layout.channel * frame_.lens.zoom < 1.05f * size_) return;
        const float radius = ring.outer() + 0.62f * frame_.layout.channel;
        bool named = false;
        for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) {
            const std::uint32_t cache = frame_.layout.cacheShown(l, shown);
            const Sector sector = ring.sector(shown, ring.outer());
            const Target target{.kind = Target::Kind::level,
                                .level = static_cast<std::uint8_t>(l),
                                .cache = static_cast<std::uint8_t>(cache)};
            for (const std::string& words : wordsFor(l, cache)) {
                if (!addCurved(words, radius, sector.from, sector.span, kBottom, palette_.text, target)) continue;
                named = true;
                break;
            }
        }
        if (named) return;
        // No sector has room: one name for all.
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(l)};
        addCurved(frame_.subject.machine.levels[l].name, radius, 0, 2 * kPi, kBottom, palette_.text, target);
    }

    /// What could be written, from the longest to the shortest.
    std::vector<std::string> wordsFor(std::size_t l, std::uint32_t cache) const {
        const std::string& name = frame_.subject.machine.levels[l].name;
        const sim::CacheCounters& c = frame_.snapshot.now.counters().cache(l, cache);
        const std::string gauge = gaugeText(frame_, l, cache);
        std::vector<std::string> words;
        if (c.accesses() != 0) {
            const std::string rate = fmt::format("{}  {:.1f} %", name, 100 * c.hitRate());
            if (!gauge.empty()) words.push_back(rate + "  " + gauge);
            words.push_back(rate);
        }
        words.push_back(name);
        return words;
    }

    void addRegions() {
        const float names = frame_.layout.names;
        if (names - frame_.layout.memory.outer < 0.5f * size_) return;
        const MemoryRing& memory = frame_.layout.memory;
        for (std::size_t i = 0; i < memory.arcs.size(); ++i) {
            const MemoryRing::Arc& arc = memory.arcs[i];
            const std::size_t region = frame_.subject.memorySlots.spans()[i].region;
            const float span = arc.to - arc.from + 0.02f;
            const float room = span * names * frame_.lens.zoom - 0.8f * size_;
            const sim::Region& named = frame_.subject.trace.regions()[region];
            std::string text = nameOf(named);
            if (widthOf(text, size_) > room) text = shortened(named.name, room, size_);
            if (text.empty()) continue;
            addCurved(std::move(text), names, arc.from - 0.01f, span, 0, frame_.style.nameColour(region),
                      {.kind = Target::Kind::region, .region = static_cast<std::uint32_t>(region)});
        }
    }

    /// The number of each CPU on its disc.
    void addCpus() {
        const RingLayout& layout = frame_.layout;
        if (layout.cpus == 1) return;
        const float size = std::min(size_, 1.35f * layout.cpuRadius() * frame_.lens.zoom);
        if (size < 0.55f * size_) return;
        const sim::Step* current = frame_.snapshot.current();
        for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
            const bool acts = current != nullptr && current->access.cpu == cpu;
            scene_.labels.push_back({Label::Kind::plain, fmt::format("{}", cpu), frame_.lens.at(layout.cpuPlace(cpu)),
                                     size, acts ? palette_.ground : palette_.text});
            scene_.labels.back().isBare = true;
            scene_.labelTargets.push_back({.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(cpu)});
        }
    }

    void addOnlyCpu() {
        std::string text = fmt::format("CPU {} of {}", frame_.layout.firstCpu, frame_.subject.machine.cpus);
        const glm::vec2 at(0.75f * size_, 0.6f * size_);
        corner_ = at + glm::vec2(widthOf(text, size_), size_);
        scene_.labels.push_back({Label::Kind::corner, std::move(text), at, size_, palette_.text});
        scene_.labelTargets.push_back(
            {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(frame_.layout.firstCpu)});
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Palette& palette_;
    float size_;
    /// A text along a circle around the centre: pixels, and half of its angle.
    struct Placed {
        float radius;
        float angle;
        float half;
    };
    std::vector<Placed> placed_;
    glm::vec2 corner_{0};  ///< the lower right end of the text in the upper left corner; 0: there is none
};

}  // namespace

void addLabels(Scene& scene, const FrameContext& frame) {
    Labels(scene, frame).add();
}

}  // namespace whorl::scene
