#include "render/scene/rings/level_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "render/scene/angle.h"
#include "render/scene/rings/level_gauges.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kBottom = kPi / 2;  ///< 6 o'clock
constexpr float kNoteSize = 0.8f;   ///< of the text's

/// A share in percent with so many places before the point, padded with spaces as wide as a digit; a dash for none.
std::string percent(std::optional<double> share, int width, int decimals) {
    std::string digits = share ? fmt::format("{:.{}f}", 100 * *share, decimals) : "–";
    std::string pad;
    const std::size_t length = share ? digits.size() : 1;
    for (std::size_t i = length; i < static_cast<std::size_t>(width); ++i) pad += "\u2007";
    return pad + digits + "\u00a0%";
}

/// The hit rate of all shown caches of a level since the start.
std::optional<double> hitRate(const FrameContext& frame, std::size_t level) {
    std::uint64_t hits = 0;
    std::uint64_t accesses = 0;
    for (std::uint32_t shown = 0; shown < frame.layout.levels[level].caches(); ++shown) {
        const auto& c = frame.snapshot.now.counters().cache(level, frame.layout.cacheShown(level, shown));
        accesses += c.accesses();
        hits += c.hits();
    }
    return accesses == 0 ? std::nullopt : std::optional(static_cast<double>(hits) / static_cast<double>(accesses));
}

/// "lately  40 %": of some caches of a level; with another gauge than the temperature, its value.
std::string lately(const FrameContext& frame, std::size_t level, std::uint32_t first, std::uint32_t end) {
    const bool isOne = end - first == 1;
    if (isOne && frame.view.gauge.what != sim::GaugeSettings::What::temperature) {
        std::string gauge = gaugeText(frame, level, first);
        if (!gauge.empty()) return gauge;
    }
    const std::vector<sim::Glance> window(frame.snapshot.window.begin(), frame.snapshot.window.end());
    return "lately " + percent(sim::recentHitRate(frame.subject.machine, level, {first, end}, window), 3, 0);
}

std::string nameOf(const FrameContext& frame, std::size_t level) {
    const std::string& name = frame.subject.machine.levels[level].name;
    const std::uint32_t caches = frame.layout.levels[level].caches();
    return caches == 1 ? name : fmt::format("{} ×{}", name, caches);
}

/// "L1 hits 42.0 %".
std::string hitsOf(const FrameContext& frame, std::size_t level) {
    return nameOf(frame, level) + " hits " + percent(hitRate(frame, level), 5, 1);
}

/// The lines from the top down in the upper right corner.
class LevelLines {
  public:
    LevelLines(LabelSpace& space, const FrameContext& frame)
        : space_(space), frame_(frame), size_(space.size()), y_(0.6f * size_) {
        const float names = frame.layout.names + 0.7f * size_;
        margin_ = frame.layout.size.x / 2 - names;
        outside_ = names;
    }

    /// Whether the words on a level found room.
    bool add(std::size_t level) {
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(level)};
        for (const std::string& words : {levelLine(frame_, level), briefLine(level), shortLine(level)}) {
            const std::optional<float> x = leftOf(words, size_);
            if (!x || !space_.add(words, {*x, y_}, size_, frame_.style.palette().text, target)) continue;
            addLeader(level, {*x - 0.3f * size_, y_ + 0.55f * size_});
            y_ += 1.25f * size_;
            addNote(level, *x, target);
            return true;
        }
        return false;
    }

  private:
    /// As in the headings of runs beside each other.
    std::string briefLine(std::size_t level) const {
        return frame_.view.compared ? hitsOf(frame_, level) : shortLine(level);
    }
    std::string shortLine(std::size_t level) const {
        return nameOf(frame_, level) + " " + percent(hitRate(frame_, level), 5, 1);
    }

    bool isZoomed() const { return frame_.lens.zoom > 1 || frame_.view.focus != glm::vec2(0); }

    /// Where a line of text begins: all at the same place where the margin beside the rings is wide enough, else as far
    /// left as the rings allow. Nothing if there is no room.
    std::optional<float> leftOf(const std::string& words, float size) const {
        const float width = widthOf(words, size);
        const float right = frame_.layout.size.x - 0.5f * size_;
        const float column = frame_.layout.size.x - margin_;
        if (column + width <= right) return column;
        const float x = right - width;
        if (isZoomed()) return x > 0 ? std::optional(x) : std::nullopt;
        const glm::vec2 corner = glm::vec2(x, y_ + size) - frame_.layout.size / 2.0f;
        const bool isOut = corner.x > 0 && glm::length(corner) > outside_;
        return isOut || y_ + size < frame_.layout.size.y / 2 - outside_ ? std::optional(x) : std::nullopt;
    }

    /// To the outer edge of the ring, on the way to its centre.
    void addLeader(std::size_t level, glm::vec2 from) const {
        const float radius = frame_.layout.levels[level].outer() * frame_.lens.zoom;
        const glm::vec2 centre = frame_.lens.at({0, 0});
        const float far = glm::distance(from, centre);
        const glm::vec2 to = centre + radius / far * (from - centre);
        if (far > radius + size_ && frame_.lens.sees(to, -0.2f * size_)) space_.addLeader(from, to);
    }

    /// In full where there is room for it, else its first part.
    void addNote(std::size_t level, float x, const Target& target) {
        const std::string note = levelNote(frame_, level);
        const float size = kNoteSize * size_;
        for (const std::string& words : {note, note.substr(0, note.find(','))}) {
            if (words.empty() || x + widthOf(words, size) > frame_.layout.size.x - 0.3f * size_) continue;
            if (!space_.add(words, {x, y_}, size, frame_.style.palette().muted, target)) continue;
            y_ += 1.3f * size;
            return;
        }
    }

    LabelSpace& space_;
    const FrameContext& frame_;
    float size_;
    float y_;
    float margin_;   ///< beside the rings and their names
    float outside_;  ///< from the centre: where the names end
};

/// Whose cache it is: "CPU 3", "CPUs 0–3".
std::string cpusOf(const sim::MachineConfig& machine, std::size_t level, std::uint32_t cache) {
    const std::uint32_t first = machine.firstCpu(level, cache);
    const std::uint32_t last = machine.endCpu(level, cache) - 1;
    return first == last ? fmt::format("CPU {}", first) : fmt::format("CPUs {}–{}", first, last);
}

/// In the channel outside the level: the figures of each of its caches whose sector has room for them.
void addSectors(LabelSpace& space, const FrameContext& frame, std::size_t l) {
    const LevelRing& ring = frame.layout.levels[l];
    const float radius = ring.outer() + 0.62f * frame.layout.channel;
    for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) {
        const std::uint32_t cache = frame.layout.cacheShown(l, shown);
        const Sector sector = ring.sector(shown, ring.outer());
        const Target target{.kind = Target::Kind::level,
                            .level = static_cast<std::uint8_t>(l),
                            .cache = static_cast<std::uint8_t>(cache)};
        const sim::CacheCounters& c = frame.snapshot.now.counters().cache(l, cache);
        if (c.accesses() == 0) continue;
        const std::string rate =
            fmt::format("{}: {}", cpusOf(frame.subject.machine, l, cache), percent(c.hitRate(), 5, 1));
        const std::string gauge = lately(frame, l, cache, cache + 1);
        const auto write = [&](const std::string& words) {
            return space.addCurved(words, radius, sector.from, sector.span, kBottom, frame.style.palette().text,
                                   target);
        };
        if (!write(fmt::format("{}, {}", rate, gauge))) write(rate);
    }
}

}  // namespace

std::string levelLine(const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    const std::uint32_t first = frame.layout.cacheShown(level, 0);
    return hitsOf(frame, level) + ", " + lately(frame, level, first, first + ring.caches());
}

std::string levelNote(const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    std::string note;
    if (frame.layout.isSlim[level]) {
        const std::uint64_t blocks = frame.subject.machine.levels[level].blocks() * ring.caches();
        note = fmt::format("can use {} of {} blocks", sim::grouped(frame.subject.usable[level]), sim::grouped(blocks));
    } else if (ring.bands().size() > 1) {
        note = fmt::format("{} sets in {} bands", sim::grouped(ring.sets()), ring.bands().size());
    }
    if (frame.view.gauge.what == sim::GaugeSettings::What::temperature && ring.caches() == 1) {
        note += (note.empty() ? "" : ", ") + gaugeText(frame, level, frame.layout.cacheShown(level, 0));
    }
    return note;
}

void addLevelLabels(LabelSpace& space, const FrameContext& frame) {
    LevelLines lines(space, frame);
    const bool hasChannel = frame.layout.channel * frame.lens.zoom >= 1.05f * space.size();
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        const bool said = lines.add(l);
        if (!hasChannel) continue;
        if (frame.layout.levels[l].caches() > 1) addSectors(space, frame, l);
        if (said) continue;
        const float radius = frame.layout.levels[l].outer() + 0.62f * frame.layout.channel;
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(l)};
        const std::string name = nameOf(frame, l);
        for (const std::string& words : {name + " " + percent(hitRate(frame, l), 5, 1), name}) {
            if (space.addCurved(words, radius, 0, 2 * kPi, kBottom, frame.style.palette().text, target)) break;
        }
    }
}

}  // namespace whorl::scene
