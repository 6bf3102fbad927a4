#include "render/scene/choreograph.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "render/scene/furniture.h"
#include "render/scene/motion.h"
#include "render/scene/motions.h"
#include "render/scene/palette.h"
#include "render/scene/trails.h"

namespace whorl::scene {

namespace {

using sim::BlockAddress;
using sim::ByteAddress;
using sim::Line;
using sim::SetIndex;
using sim::WayIndex;

/// Below this radius a rim cannot be seen: dirtiness and ghosts are told by the fill alone.
constexpr float kRimRadius = 2.4f;
constexpr float kPulseGrowth = 0.75f;

class Choreographer {
  public:
    Choreographer(const sim::Moment& moment, const Subject& subject, const RingLayout& layout, const View& view)
        : moment_(moment),
          subject_(subject),
          layout_(layout),
          view_(view),
          palette_(paletteFor(view.ground)),
          motions_(moment, subject.machine, layout, subject.homes, view.moveTicks) {}

    Scene scene() {
        scene_.size = view_.size;
        scene_.centre = layout_.centre;
        scene_.ground = view_.ground;
        scene_.background = palette_.ground;
        addRings(scene_, layout_, palette_);
        findCopies();
        for (std::size_t l = 0; l < layout_.levels.size(); ++l) addLevel(l);
        addHomes();
        addTrails(scene_, moment_, subject_, layout_, view_, motions_);
        addFlights();
        addLabels(scene_, layout_, subject_.homes, subject_.trace, subject_.machine, moment_, palette_);
        return std::move(scene_);
    }

  private:
    const sim::Cache& cache(std::size_t level) const { return moment_.cache(level); }

    std::uint8_t cacheIndex(std::size_t level) const {
        return static_cast<std::uint8_t>(subject_.machine.cacheOf(level, moment_.cpu));
    }

    /// Marks the copies: lines of which a nearer level holds (a part of) the block, and homes whose block is cached.
    void findCopies() {
        const std::size_t levels = layout_.levels.size();
        for (std::size_t l = 0; l < levels; ++l)
            ghost_.emplace_back(subject_.machine.levels[l].blocks(), std::uint8_t{0});
        away_.assign(subject_.homes.count(), 0);
        for (std::size_t l = 0; l < levels; ++l) {
            eachLine(l, [&](SetIndex, WayIndex, const Line& line) {
                const ByteAddress address = cache(l).addressOf(line.block);
                for (std::size_t outer = l + 1; outer < levels; ++outer) {
                    const BlockAt copy = motions_.at(outer, address);
                    const std::uint32_t way = cache(outer).find(copy.block);
                    if (way != sim::Cache::kNoWay) ghost_[outer][index(outer, cache(outer).setOf(copy.block), way)] = 1;
                }
                setAway(address);
            });
        }
        // What is on its way home is not there yet.
        for (const Flight& f : motions_.flights()) {
            if (f.kind == Flight::Kind::leaving && !f.to && !f.cutShort && f.age < 1) setAway(f.address);
        }
    }

    void setAway(ByteAddress address) {
        const std::uint32_t home = subject_.homes.of(address);
        if (home != Homes::kNone) away_[home] = 1;
    }

    template <class F>
    void eachLine(std::size_t level, F&& f) {
        const sim::Cache& c = cache(level);
        for (std::uint32_t s = 0; s < c.sets(); ++s) {
            if (c.occupied(SetIndex{s}) == 0) continue;
            for (std::uint32_t w = 0; w < c.ways(); ++w) {
                const Line line = c.line(SetIndex{s}, WayIndex{w});
                if (line.valid) f(SetIndex{s}, WayIndex{w}, line);
            }
        }
    }

    std::size_t index(std::size_t level, SetIndex set, std::uint32_t way) const {
        return std::size_t{set.value} * cache(level).ways() + way;
    }

    std::size_t regionOf(ByteAddress address) {
        // Blocks that follow one another mostly lie in one region.
        const auto& regions = subject_.trace.regions();
        if (lastRegion_ < regions.size() && regions[lastRegion_].contains(address)) return lastRegion_;
        std::size_t region = subject_.trace.regionAt(address);
        if (region == regions.size()) {
            // The block begins before its region does: its home knows.
            const std::uint32_t home = subject_.homes.of(address);
            region = home == Homes::kNone ? 0 : subject_.homes.spans()[subject_.homes.spanOf(home)].region;
        }
        return lastRegion_ = region;
    }

    void addLevel(std::size_t l) {
        const LevelRing& ring = layout_.levels[l];
        if (ring.tier == Tier::glyphs && ring.radius >= kRimRadius) addEmptyPlaces(l);
        eachLine(l, [&](SetIndex set, WayIndex way, const Line& line) {
            const BlockAt at{static_cast<std::uint8_t>(l), line.block};
            const ByteAddress address = cache(l).addressOf(line.block);
            const Target target{Target::Kind::line, at.level, cacheIndex(l), set, way, address};
            const bool ghost = ghost_[l][index(l, set, way.value)] != 0;
            const bool rests = motions_.rests(l, set);
            if (rests && ring.tier == Tier::cells) {
                addCell(l, set, line, ghost, target);
            } else if (rests) {
                rest(glyphFor(layout_.linePlace(l, set, line.rank), ring.radius, regionOf(address), ghost, line.dirty),
                     target);
            } else {
                addLively(at, set, line, ghost, target);
            }
        });
    }

    void addEmptyPlaces(std::size_t l) {
        const LevelRing& ring = layout_.levels[l];
        const Rgba colour = faded(palette_.muted, 0.35f);
        for (std::uint32_t s = 0; s < ring.sets; ++s) {
            for (std::uint32_t rank = cache(l).occupied(SetIndex{s}); rank < ring.ways; ++rank) {
                const glm::vec2 place = layout_.linePlace(l, SetIndex{s}, static_cast<float>(rank));
                rest({.at = place, .radius = std::max(0.8f, 0.16f * ring.radius), .fill = colour}, {});
            }
        }
    }

    /// A capsule along the arm, where there is no room for a glyph.
    void addCell(std::size_t l, SetIndex set, const Line& line, bool ghost, const Target& target) {
        const LevelRing& ring = layout_.levels[l];
        const Rgba colour = faded(hueOf(palette_, regionOf(target.address)), ghost ? 0.4f : 1.0f);
        const auto rank = static_cast<float>(line.rank);
        scene_.cells.push_back({layout_.linePlace(l, set, rank - 0.36f), layout_.linePlace(l, set, rank + 0.36f),
                                std::max(0.8f, 0.8f * ring.bands.front().pitch()), colour, colour});
        scene_.cellTargets.push_back(target);
    }

    /// A block in a set where something happened lately.
    void addLively(const BlockAt& at, SetIndex set, const Line& line, bool ghost, const Target& target) {
        const LevelRing& ring = layout_.levels[at.level];
        glm::vec2 place = layout_.linePlace(at.level, set, motions_.rank(at, line));
        const Flight* entering = motions_.entering(at);
        if (entering != nullptr) place = motions_.point(*entering);
        if (motions_.arriving(at) != nullptr) ghost = true;  // the block itself is still on its way
        const float radius = ring.tier == Tier::cells ? movingRadius(ring) : ring.radius;
        Glyph glyph = glyphFor(place, radius, regionOf(target.address), ghost, line.dirty);
        const float shown = motions_.appeared(at);
        glyph.fill = faded(glyph.fill, shown);
        glyph.rim = faded(glyph.rim, shown);
        const auto used = motions_.used(at);
        const float grown = used ? pulse(*used) : 0.0f;
        if (grown <= 0.01f && entering == nullptr) {
            rest(glyph, target);
            return;
        }
        glyph.radius = movingRadius(ring) * (1 + kPulseGrowth * grown);
        if (at.level == 0) {
            glyph.glow = 0.6f * grown;
            if (const auto missed = motions_.missed(at.block)) addMissFlash(glyph, *missed);
        }
        move(glyph, target);
    }

    /// Red, and an outline that widens: nothing is told by colour alone.
    void addMissFlash(Glyph& glyph, double age) {
        const float light = flash(age);
        glyph.fill = mixed(glyph.fill, palette_.flash, light);
        glyph.glow = std::max(glyph.glow, light);
        const auto wide = static_cast<float>(std::min(age, kFlashMoves) / kFlashMoves);
        Glyph outline{.at = glyph.at,
                      .radius = glyph.radius * (1.35f + 1.1f * wide),
                      .fill = faded(palette_.flash, 0),
                      .rim = faded(palette_.flash, 0.9f * light)};
        outline.rimWidth = std::max(1.2f, 0.22f * glyph.radius * (1 - 0.6f * wide));
        move(outline, {});
    }

    /// What moves is always a glyph that can be seen.
    float movingRadius(const LevelRing& ring) const { return std::max(ring.radius, 0.008f * layout_.unit); }

    Glyph glyphFor(glm::vec2 place, float radius, std::size_t region, bool ghost, bool dirty) const {
        const Rgba hue = hueOf(palette_, region);
        Glyph glyph{.at = place, .radius = radius, .fill = hue, .shape = shapeOf(region)};
        if (ghost) {
            glyph.fill = faded(hue, radius < kRimRadius ? 0.34f : palette_.ghostFill);
            glyph.rim = faded(hue, palette_.ghostRim);
            glyph.rimWidth = radius < kRimRadius ? 0 : std::clamp(0.18f * radius, 1.0f, 2.0f);
        } else if (dirty && radius >= kRimRadius) {
            glyph.rim = palette_.dirty;
            glyph.rimWidth = std::clamp(0.26f * radius, 1.0f, 3.0f);
        }
        return glyph;
    }

    void addHomes() {
        const MemoryRing& memory = layout_.memory;
        findPulses();
        for (std::size_t i = 0; i < memory.arcs.size(); ++i) {
            const MemoryRing::Arc& arc = memory.arcs[i];
            const std::size_t region = subject_.homes.spans()[i].region;
            for (std::uint32_t p = 0; p < arc.places; ++p) addHome(arc, p, region);
        }
    }

    /// The home of what is used pulses along with it.
    void findPulses() {
        for (std::size_t step = 0; step < moment_.recent.size(); ++step) {
            const float grown = pulse(motions_.age(step));
            if (grown <= 0.01f) continue;
            const std::uint32_t home = subject_.homes.of(moment_.recent[step].access.address);
            if (home != Homes::kNone) pulses_[layout_.memory.placeOf(subject_.homes.spanOf(home), home)] = grown;
        }
    }

    void addHome(const MemoryRing::Arc& arc, std::uint32_t p, std::size_t region) {
        const std::uint32_t first = arc.firstHome + p * arc.group;
        const std::uint32_t last = std::min(first + arc.group, arc.firstHome + arc.homes);
        std::uint32_t away = 0;
        for (std::uint32_t h = first; h < last; ++h) away += away_[h];
        Glyph glyph =
            glyphFor(layout_.homePlace(arc.firstPlace + p), layout_.memory.radius, region, away == last - first, false);
        if (away != 0 && away != last - first) {
            // Some of the blocks that share the place are cached.
            const float share = static_cast<float>(away) / static_cast<float>(last - first);
            glyph.fill = faded(glyph.fill, 1 - 0.66f * share);
        }
        const Target target{.kind = Target::Kind::home, .address = subject_.homes.address(first)};
        const auto pulsing = pulses_.find(arc.firstPlace + p);
        if (pulsing == pulses_.end()) {
            rest(glyph, target);
            return;
        }
        glyph.radius *= 1 + kPulseGrowth * pulsing->second;
        move(glyph, target);
    }

    void addFlights() {
        for (const Flight& f : motions_.flights()) {
            if (f.cutShort || f.age >= 1 || f.kind == Flight::Kind::entering) continue;
            const LevelRing& ring = layout_.levels[f.level];
            const bool vanishing = f.kind == Flight::Kind::vanishing;
            const bool copy = vanishing && !f.taken;
            Glyph glyph = glyphFor(motions_.point(f), movingRadius(ring), regionOf(f.address), copy, f.dirty);
            if (f.taken) addTaking(glyph, f.age);
            if (vanishing) {
                glyph.fill = faded(glyph.fill, 1 - eased(f.age));
                glyph.rim = faded(glyph.rim, 1 - eased(f.age));
            }
            move(glyph, {.kind = Target::Kind::home, .address = f.address});
        }
    }

    /// An outline that closes in on what is taken away, so that it does not just fade.
    void addTaking(const Glyph& glyph, double age) {
        const auto left = static_cast<float>(1 - age);
        Glyph outline{.at = glyph.at,
                      .radius = glyph.radius * (1 + 1.4f * left),
                      .fill = faded(palette_.mark, 0),
                      .rim = faded(palette_.mark, 0.8f * (1 - left * left))};
        outline.rimWidth = std::max(1.2f, 0.16f * glyph.radius);
        move(outline, {});
    }

    void rest(const Glyph& glyph, const Target& target) {
        scene_.resting.push_back(glyph);
        scene_.restingTargets.push_back(target);
        ringIfMarked(glyph, target);
    }
    void move(const Glyph& glyph, const Target& target) {
        scene_.moving.push_back(glyph);
        scene_.movingTargets.push_back(target);
        ringIfMarked(glyph, target);
    }

    void ringIfMarked(const Glyph& glyph, const Target& target) {
        if (!view_.marked || target.kind == Target::Kind::none || !holds(target, *view_.marked)) return;
        const float width = std::max(1.5f, layout_.unit / 240);
        scene_.moving.push_back({.at = glyph.at,
                                 .radius = std::max(glyph.radius, 3.0f) + 2.5f * width,
                                 .fill = faded(palette_.mark, 0),
                                 .rim = palette_.mark,
                                 .rimWidth = width,
                                 .shape = glyph.shape});
        scene_.movingTargets.push_back({});
    }

    bool holds(const Target& target, ByteAddress byte) const {
        const std::uint64_t block = target.kind == Target::Kind::home ? subject_.homes.blockSize()
                                                                      : subject_.machine.levels[target.level].block;
        return byte.value - target.address.value < block;
    }

    const sim::Moment& moment_;
    const Subject& subject_;
    const RingLayout& layout_;
    const View& view_;
    const Palette& palette_;
    const Motions motions_;
    Scene scene_;
    std::vector<std::vector<std::uint8_t>> ghost_;     ///< by level, set and way: a nearer level holds the block
    std::vector<std::uint8_t> away_;                   ///< by home: the block is cached
    std::unordered_map<std::uint32_t, float> pulses_;  ///< by place in the memory ring
    std::size_t lastRegion_ = 0;
};

}  // namespace

Scene choreograph(const sim::Moment& moment, const Subject& subject, const RingLayout& layout, const View& view) {
    return Choreographer(moment, subject, layout, view).scene();
}

}  // namespace whorl::scene
