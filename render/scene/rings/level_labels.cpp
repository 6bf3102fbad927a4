#include "render/scene/rings/level_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "render/scene/angle.h"
#include "render/scene/rings/level_gauges.h"
#include "render/scene/text_width.h"
#include "sim/base/utf8.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kBottom = kPi / 2;   ///< 6 o'clock
constexpr float kNoteSize = 0.8f;    ///< of the text's
constexpr float kLeastNames = 0.4f;  ///< of CPUs, likewise
constexpr float kLeastPixels = 8;    ///< likewise, of a picture 720 high

std::string percent(double share, int decimals) {
    return fmt::format("{:.{}f}\u00a0%", 100 * share, decimals);
}

/// As long as the longest that may stand there, by spaces as wide as a digit: what follows rests when numbers change.
std::string steady(std::string words, std::string_view longest) {
    for (std::size_t n = sim::characterCount(words); n < sim::characterCount(longest); ++n) words += "\u2007";
    return words;
}

/// The counts of all shown caches of a level since the start.
sim::CacheCounters countersOf(const FrameContext& frame, std::size_t level) {
    sim::CacheCounters sum;
    for (std::uint32_t shown = 0; shown < frame.layout.levels[level].caches(); ++shown) {
        sum += frame.snapshot.now.counters().cache(level, frame.layout.cacheShown(level, shown));
    }
    return sum;
}

/// "L1 hits 42.0 %"; where there is no rate, or none that says much: "L3: no accesses yet", "L3: 0 hits of 5 034".
std::string hitsOf(const std::string& name, const sim::CacheCounters& c) {
    if (c.accesses() == 0) return name + ": no accesses yet";
    if (c.hits() == 0) return fmt::format("{}: 0 hits of {}", name, sim::grouped(c.accesses()));
    return name + " hits " + percent(c.hitRate(), 1);
}

/// "lately 40 %": of some caches of a level; with another gauge than the temperature of the last accesses, its value.
std::string lately(const FrameContext& frame, std::size_t level, std::uint32_t first, std::uint32_t end) {
    const bool isOne = end - first == 1;
    const bool isLately =
        frame.view.gauge.what == sim::GaugeSettings::What::temperature && !frame.view.gauge.isOfSpan();
    if (isOne && !isLately) {
        std::string gauge = gaugeText(frame, level, first);
        if (!gauge.empty()) return gauge;
    }
    const std::vector<sim::Glance> window(frame.snapshot.window.begin(), frame.snapshot.window.end());
    const auto rate = sim::recentHitRate(frame.subject.machine, level, {first, end}, window);
    return rate ? "lately " + percent(*rate, 0) : "lately idle";
}

/// Whether none of the caches of a level that are shown holds a block.
bool isVoid(const FrameContext& frame, std::size_t level) {
    for (std::uint32_t shown = 0; shown < frame.layout.levels[level].caches(); ++shown) {
        const sim::Cache& cache = frame.snapshot.cache(level, frame.layout.cacheShown(level, shown));
        for (std::uint32_t set = 0; set < cache.sets(); ++set) {
            if (cache.occupied(sim::SetIndex{set}) > 0) return false;
        }
    }
    return true;
}

std::string nameOf(const FrameContext& frame, std::size_t level) {
    const std::string& name = frame.subject.machine.levels[level].name;
    const std::uint32_t caches = frame.layout.levels[level].caches();
    return caches == 1 ? name : fmt::format("{} ×{}", name, caches);
}

/// "L1  42.0 %": where there is little room.
std::string shortHits(const FrameContext& frame, std::size_t level) {
    const sim::CacheCounters c = countersOf(frame, level);
    const std::string name = nameOf(frame, level);
    if (c.hits() == 0) return name + (c.accesses() == 0 ? ": no accesses" : ": 0 hits");
    return name + " " + percent(c.hitRate(), 1);
}

/// The lines from the top down in the upper right corner.
class LevelLines {
  public:
    LevelLines(LabelSpace& space, const FrameContext& frame)
        : space_(space), frame_(frame), size_(space.size()), y_(0.6f * size_) {
        const float names = frame.layout.names + 0.7f * size_;
        margin_ = frame.layout.size.x / 2 - names;
        outside_ = names;
        for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
            widest_ = std::max(widest_, widthOf(levelLine(frame, l), size_));
        }
    }

    /// The words on a level; nothing if they found no room.
    std::optional<LevelText> add(std::size_t level) {
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(level)};
        for (const LineDetail detail : {LineDetail::all, LineDetail::hits, LineDetail::rate}) {
            const std::string words = lineOf(level, detail);
            const std::vector<std::string> notes = levelNotes(frame_, level, detail != LineDetail::all);
            const std::optional<float> x = leftOf(detail == LineDetail::all ? widest_ : widthWith(words, notes), size_);
            // It would leave the line above no way to its ring.
            const bool bars = hasLine_ && x && *x < frame_.layout.size.x / 2 && !isZoomed();
            if (!x || bars || !space_.add(words, {*x, y_}, size_, frame_.style.palette().text, target)) continue;
            LevelText text{level, {{*x, y_}, {*x + widthOf(words, size_), y_ + 1.1f * size_}}};
            y_ += 1.25f * size_;
            addNotes(notes, *x, target);
            text.end = y_;
            hasLine_ = true;
            return text;
        }
        return std::nullopt;
    }

  private:
    enum class LineDetail { all, hits, rate };

    std::string lineOf(std::size_t level, LineDetail detail) const {
        if (detail == LineDetail::all) return levelLine(frame_, level);
        const std::string name = nameOf(frame_, level);
        // As in the headings of runs beside each other.
        if (detail == LineDetail::hits && frame_.view.compared) {
            return steady(hitsOf(name, countersOf(frame_, level)), name + " hits 100.0 %");
        }
        return steady(shortHits(frame_, level), name + " 100.0 %");
    }

    /// That of a line of text; of a span, its notes must have room too: without them the gauge would say nothing.
    float widthWith(const std::string& line, const std::vector<std::string>& notes) const {
        float width = widthOf(line, size_);
        if (!frame_.view.gauge.isOfSpan()) return width;
        for (const std::string& note : notes) width = std::max(width, widthOf(note, kNoteSize * size_) + 0.3f * size_);
        return width;
    }

    bool isZoomed() const { return frame_.lens.zoom > 1 || frame_.view.focus != glm::vec2(0); }

    /// Where a line of text begins: all at the same place where the margin beside the rings is wide enough, else as far
    /// left as the rings allow. Nothing if there is no room.
    std::optional<float> leftOf(float width, float size) const {
        const float right = frame_.layout.size.x - 0.5f * size_;
        const float column = frame_.layout.size.x - margin_;
        if (column + width <= right) return column;
        const float x = right - width;
        if (isZoomed()) return x > 0 ? std::optional(x) : std::nullopt;
        const glm::vec2 corner = glm::vec2(x, y_ + size) - frame_.layout.size / 2.0f;
        const bool isOut = corner.x > 0 && glm::length(corner) > outside_;
        return isOut || y_ + size < frame_.layout.size.y / 2 - outside_ ? std::optional(x) : std::nullopt;
    }

    /// As many parts a line as there is room for.
    void addNotes(const std::vector<std::string>& notes, float x, const Target& target) {
        const float size = kNoteSize * size_;
        const auto fits = [&](const std::string& words) {
            return x + widthOf(words, size) <= frame_.layout.size.x - 0.3f * size_;
        };
        std::string line;
        const auto write = [&] {
            if (line.empty() || !fits(line)) return;
            if (space_.add(line, {x, y_}, size, frame_.style.palette().muted, target)) y_ += 1.3f * size;
        };
        for (const std::string& part : notes) {
            std::string longer = line;
            if (!longer.empty()) longer += ", ";
            longer += part;
            if (!fits(longer)) write();
            line = fits(longer) ? longer : part;
        }
        write();
    }

    LabelSpace& space_;
    const FrameContext& frame_;
    float size_;
    float y_;
    bool hasLine_ = false;
    float widest_ = 0;  ///< of the lines, so that all begin at one place
    float margin_;      ///< beside the rings and their names
    float outside_;     ///< from the centre: where the names end
};

/// Angles from one on, on both sides by turns.
template <class F>
bool anyAngle(float from, float step, int count, F&& holds) {
    for (int i = 0; i <= 2 * count; ++i) {
        if (holds(from + step * static_cast<float>(i % 2 == 0 ? i / 2 : -(i + 1) / 2))) return true;
    }
    return false;
}

/// From a place beside the words to the middle of the ring: straight, or where names are in the way, to a gap between
/// them, and then towards the centre.
std::optional<LabelSpace::Leader> leaderFrom(glm::vec2 from, const LabelSpace& space, const FrameContext& frame,
                                             std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    const float zoom = frame.lens.zoom;
    const float radius = (ring.inner() + ring.outer()) / 2 * zoom;
    const float outside = frame.layout.names * zoom + 0.9f * space.size();
    const glm::vec2 centre = frame.lens.at({0, 0});
    if (glm::distance(from, centre) < radius + space.size()) return std::nullopt;
    LabelSpace::Leader leader;
    const auto found = [&](LabelSpace::Leader tried) {
        const bool isIn = std::all_of(tried.begin(), tried.end(),
                                      [&](glm::vec2 at) { return frame.lens.sees(at, -0.2f * space.size()); });
        if (!isIn || !space.isFree(tried)) return false;
        leader = std::move(tried);
        return true;
    };
    const float straight = std::atan2(from.y - centre.y, from.x - centre.x);
    const auto towards = [](float angle) { return glm::vec2(std::cos(angle), std::sin(angle)); };
    constexpr float kStep = kPi / 180;
    const bool isFound = anyAngle(straight, kStep, 10,
                                  [&](float a) {
                                      return found({from, centre + radius * towards(a)});
                                  }) ||
                         anyAngle(straight, kStep, 80, [&](float a) {
                             return found({from, centre + outside * towards(a), centre + radius * towards(a)});
                         });
    return isFound ? std::optional(leader) : std::nullopt;
}

std::optional<LabelSpace::Leader> leaderOf(const LabelSpace& space, const FrameContext& frame, const LevelText& text) {
    const float size = space.size();
    const float middle = (text.line.low.y + text.line.high.y) / 2;
    const float away = 0.6f * size;
    for (const glm::vec2 from :
         {glm::vec2(text.line.low.x - away, middle), glm::vec2(text.line.low.x + size, text.end + 0.4f * size),
          glm::vec2(text.line.high.x + away, middle)}) {
        if (auto leader = leaderFrom(from, space, frame, text.level)) return leader;
    }
    return std::nullopt;
}

/// Whose cache it is: "CPU 3", "CPUs 0–3".
std::string cpusOf(const sim::MachineConfig& machine, std::size_t level, std::uint32_t cache) {
    const std::uint32_t first = machine.firstCpu(level, cache);
    const std::uint32_t last = machine.endCpu(level, cache) - 1;
    return first == last ? fmt::format("CPU {}", first) : fmt::format("CPUs {}–{}", first, last);
}

/// In the channel outside the level: the figures of each of its caches whose sector has room for them.
void addSectors(LabelSpace& space, const FrameContext& frame, std::size_t l, float size) {
    const LevelRing& ring = frame.layout.levels[l];
    const float radius = ring.outer() + 0.62f * frame.layout.channel;
    for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) {
        const std::uint32_t cache = frame.layout.cacheShown(l, shown);
        const Sector sector = ring.sector(shown, ring.outer());
        const Target target{.kind = Target::Kind::level,
                            .level = static_cast<std::uint8_t>(l),
                            .cache = static_cast<std::uint8_t>(cache)};
        const sim::CacheCounters& c = frame.snapshot.now.counters().cache(l, cache);
        const std::string cpus = cpusOf(frame.subject.machine, l, cache);
        std::vector<std::string> words{cpus};
        if (frame.view.gauge.isOfSpan()) {
            words = {fmt::format("{}: {}", cpus, gaugeText(frame, l, cache)), cpus};
        } else if (c.accesses() > 0) {
            const std::string rate = fmt::format("{}: {}", cpus, percent(c.hitRate(), 1));
            words = {steady(fmt::format("{}, {}", rate, lately(frame, l, cache, cache + 1)),
                            cpus + ": 100.0 %, lately 100 %"),
                     rate, cpus};
        }
        for (const std::string& w : words) {
            if (space.addCurved(w, radius, sector.from, sector.span, kBottom, frame.style.palette().text, target, size))
                break;
        }
    }
}

}  // namespace

std::string levelLine(const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    const std::uint32_t first = frame.layout.cacheShown(level, 0);
    const sim::CacheCounters c = countersOf(frame, level);
    std::string words = hitsOf(nameOf(frame, level), c);
    // What a gauge of a span says does not depend on the time.
    const bool hasBegun = c.accesses() > 0 || (frame.view.gauge.isOfSpan() && ring.caches() == 1);
    if (!hasBegun) return words;
    words += ", " + lately(frame, level, first, first + ring.caches());
    return steady(std::move(words), nameOf(frame, level) + " hits 100.0 %, lately 100 %");
}

std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level, bool tellsRate) {
    const LevelRing& ring = frame.layout.levels[level];
    std::vector<std::string> notes;
    // After misses one would expect their blocks here.
    const bool isVictims = level > 0 && frame.subject.machine.levels[level].inclusion == sim::Inclusion::exclusive;
    if (isVictims && isVoid(frame, level)) {
        const std::string& nearer = frame.subject.machine.levels[level - 1].name;
        notes.push_back(fmt::format("only what {} evicts: nothing yet", nearer));
    }
    if (frame.layout.isSlim[level]) {
        const std::uint64_t blocks = frame.subject.machine.levels[level].blocks() * ring.caches();
        notes.push_back(fmt::format("room for {} blocks", sim::grouped(blocks)));
        notes.push_back(fmt::format("the program touches {}", sim::grouped(frame.subject.usable[level])));
    } else if (const auto bands = static_cast<std::uint32_t>(ring.bands().size()); bands > 1) {
        notes.push_back(sim::counted(ring.sets(), "set", "sets"));
        const std::uint32_t least = ring.sets() / bands;
        const std::string each = ring.sets() % bands == 0
                                     ? sim::grouped(least)
                                     : fmt::format("{} or {}", sim::grouped(least), sim::grouped(least + 1));
        notes.push_back(fmt::format("folded into {} rings of {}", bands, each));
    }
    const std::uint32_t cache = frame.layout.cacheShown(level, 0);
    if (frame.view.gauge.isOfSpan()) {
        const bool tellsGauge = tellsRate || ring.caches() > 1;
        for (std::string& note : gaugeSpanNotes(frame, level, {cache, cache + ring.caches()}, tellsGauge)) {
            notes.push_back(std::move(note));
        }
    } else if (frame.view.gauge.what == sim::GaugeSettings::What::temperature && ring.caches() == 1) {
        const std::string gauge = gaugeText(frame, level, cache);
        const std::string figure = lately(frame, level, cache, cache + 1);
        if (tellsRate) notes.push_back(figure);
        if (gauge != "idle") notes.push_back(tellsRate ? gauge : "lately " + gauge);
    }
    return notes;
}

std::vector<LevelText> addLevelLines(LabelSpace& space, const FrameContext& frame) {
    LevelLines lines(space, frame);
    std::vector<LevelText> out;
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        if (const auto text = lines.add(l)) out.push_back(*text);
    }
    return out;
}

void addLevelLeaders(LabelSpace& space, const FrameContext& frame, const std::vector<LevelText>& lines) {
    for (const LevelText& text : lines) {
        if (const auto leader = leaderOf(space, frame, text)) space.addLeader(*leader);
    }
}

void addLevelNames(LabelSpace& space, const FrameContext& frame, const std::vector<LevelText>& lines) {
    // Without their names nothing would tell CPUs apart: they are smaller where other names are left out.
    const float most = frame.layout.channel * frame.lens.zoom / 1.05f;
    const float small = std::min(space.size(), most);
    const bool hasSmall = small >= kLeastNames * space.size() && small >= kLeastPixels * frame.layout.detail;
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        if (frame.layout.levels[l].caches() > 1 && hasSmall) addSectors(space, frame, l, small);
        if (most < space.size()) continue;
        const bool said =
            std::any_of(lines.begin(), lines.end(), [&](const LevelText& text) { return text.level == l; });
        if (said) continue;
        const float radius = frame.layout.levels[l].outer() + 0.62f * frame.layout.channel;
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(l)};
        const std::string name = nameOf(frame, l);
        std::vector<std::string> tried{shortHits(frame, l), name};
        if (frame.view.gauge.isOfSpan() && frame.layout.levels[l].caches() == 1) {
            tried.insert(tried.begin(), name + " " + gaugeText(frame, l, frame.layout.cacheShown(l, 0)));
        }
        for (const std::string& words : tried) {
            if (space.addCurved(words, radius, 0, 2 * kPi, kBottom, frame.style.palette().text, target)) break;
        }
    }
}

}  // namespace whorl::scene
