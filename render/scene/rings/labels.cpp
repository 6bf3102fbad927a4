// The names in the picture: each only where it has room, so that no text lies on another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/scene/rings/level_gauges.h"
#include "render/scene/rings/ring_decor.h"

namespace whorl::scene {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kBottom = kPi / 2;  ///< 6 o'clock
constexpr float kLetter = 0.62f;    ///< the breadth of a letter at most, of the height of the text

std::size_t lettersOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
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
    if (widthOf(name, size) <= room) return name;
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / (kLetter * size)));
    if (fit < 3) return {};
    std::string out;
    std::size_t letters = 0;
    for (const char c : name) {
        const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        if (begins && ++letters >= fit) break;
        out += c;
    }
    return out + "…";
}

class Labels {
  public:
    Labels(Scene& scene, const Shot& shot)
        : scene_(scene), shot_(shot), palette_(shot.style.palette()), size_(shot.layout.text) {}

    void add() {
        if (shot_.layout.cpus == 1 && shot_.subject.machine.cpus > 1) addOnlyCpu();
        for (std::size_t l = 0; l < shot_.layout.levels.size(); ++l) addLevel(l);
        addRegions();
        addCpus();
    }

  private:
    /// Along a circle of the plane, around an angle; as near to it as it can be seen. False when it cannot.
    bool addCurved(std::string text, float radius, float from, float span, float wanted, Rgba colour,
                   const Target& target) {
        const float r = radius * shot_.lens.zoom;
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
            if (!shot_.lens.sees(pixel, -0.55f * size_)) return false;
        }
        return true;
    }

    /// Whether another text is there already.
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

    /// In the channel beyond the level: one name at 6 o'clock, or one for each sector that has room for it.
    void addLevel(std::size_t l) {
        const LevelRing& ring = shot_.layout.levels[l];
        if (shot_.layout.channel * shot_.lens.zoom < 1.05f * size_) return;
        const float radius = ring.outer() + 0.62f * shot_.layout.channel;
        bool named = false;
        for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) {
            const std::uint32_t cache = shot_.layout.cacheShown(l, shown);
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
        addCurved(shot_.subject.machine.levels[l].name, radius, 0, 2 * kPi, kBottom, palette_.text, target);
    }

    /// From the longest to the shortest.
    std::vector<std::string> wordsFor(std::size_t l, std::uint32_t cache) const {
        const std::string& name = shot_.subject.machine.levels[l].name;
        const sim::CacheCounters& c = shot_.snapshot.now.counters().cache(l, cache);
        const std::string gauge = gaugeText(shot_, l, cache);
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
        const float names = shot_.layout.names;
        if (names - shot_.layout.memory.outer < 0.5f * size_) return;
        const MemoryRing& memory = shot_.layout.memory;
        for (std::size_t i = 0; i < memory.arcs.size(); ++i) {
            const MemoryRing::Arc& arc = memory.arcs[i];
            const std::size_t region = shot_.subject.memorySlots.spans()[i].region;
            const float span = arc.to - arc.from + 0.02f;
            const float room = span * names * shot_.lens.zoom - 0.8f * size_;
            const sim::Region& named = shot_.subject.trace.regions()[region];
            std::string text = nameOf(named);
            if (widthOf(text, size_) > room) text = shortened(named.name, room, size_);
            if (text.empty()) continue;
            addCurved(std::move(text), names, arc.from - 0.01f, span, 0, shot_.style.hue(region),
                      {.kind = Target::Kind::region, .region = static_cast<std::uint32_t>(region)});
        }
    }

    /// The number of each CPU on its petal.
    void addCpus() {
        const RingLayout& layout = shot_.layout;
        if (layout.cpus == 1) return;
        const float size = std::min(size_, 1.35f * layout.cpuRadius() * shot_.lens.zoom);
        if (size < 0.55f * size_) return;
        const sim::Step* current = shot_.snapshot.current();
        for (std::uint32_t cpu = 0; cpu < layout.cpus; ++cpu) {
            const bool acts = current != nullptr && current->access.cpu == cpu;
            scene_.labels.push_back({Label::Kind::plain, fmt::format("{}", cpu), shot_.lens.at(layout.cpuPlace(cpu)),
                                     size, acts ? palette_.ground : palette_.text});
            scene_.labels.back().isBare = true;
            scene_.labelTargets.push_back({.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(cpu)});
        }
    }

    void addOnlyCpu() {
        std::string text = fmt::format("CPU {} of {}", shot_.layout.firstCpu, shot_.subject.machine.cpus);
        const glm::vec2 at(0.75f * size_, 0.6f * size_);
        corner_ = at + glm::vec2(widthOf(text, size_), size_);
        scene_.labels.push_back({Label::Kind::corner, std::move(text), at, size_, palette_.text});
        scene_.labelTargets.push_back(
            {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(shot_.layout.firstCpu)});
    }

    Scene& scene_;
    const Shot& shot_;
    const Palette& palette_;
    float size_;
    /// A text along a circle around the centre: pixels, and half of its angle.
    struct Placed {
        float radius;
        float angle;
        float half;
    };
    std::vector<Placed> placed_;
    glm::vec2 corner_{0};  ///< where the text in the upper left corner ends
};

}  // namespace

float widthOf(const std::string& text, float size) {
    return kLetter * size * static_cast<float>(lettersOf(text));
}

void addLabels(Scene& scene, const Shot& shot) {
    Labels(scene, shot).add();
}

}  // namespace whorl::scene
