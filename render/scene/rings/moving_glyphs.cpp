#include "render/scene/rings/moving_glyphs.h"

#include <algorithm>
#include <cmath>

#include "render/scene/rings/flash_meter.h"
#include "render/scene/rings/motion.h"

namespace whorl::scene {

namespace {

using sim::ByteAddress;

constexpr float kPulseGrowth = 0.75f;
constexpr float kLeastMoving = 0.008f;  ///< radius, as a share of the unit

class Lively {
  public:
    Lively(Scene& scene, const Shot& shot)
        : scene_(scene), shot_(shot), palette_(shot.style.palette()), holdsFlashes_(mustHoldFlashes(shot)) {}

    void add() {
        for (const SetAt& set : shot_.motions.movingSets()) addSet(set);
        for (const Flight& f : shot_.motions.flights()) {
            if (!f.cutShort && f.age < 1 && f.kind != Flight::Kind::entering) addFlight(f);
        }
        addMemorySlots();
    }

  private:
    void addSet(const SetAt& set) {
        const sim::Cache& cache = shot_.snapshot.cache(set.level, set.cache);
        for (const sim::Line& line : cache.lines(set.set)) {
            if (line.valid) addLine(set, line);
        }
    }

    void addLine(const SetAt& set, const sim::Line& line) {
        const BlockAt at{set.level, set.cache, line.block};
        const Motions& motions = shot_.motions;
        const Flight* entering = motions.entering(at);
        const Motions::Use* use = motions.used(at);
        const bool arriving = motions.arriving(at) != nullptr;
        const bool cells = shot_.resting.tier(set.level, shot_.lens) == Tier::cells;
        // Where neighbours share a cell, it shows all that only shifts.
        if (cells && entering == nullptr && use == nullptr && !arriving) return;
        Look look = shot_.occupancy.lookOf(set, line);
        if (arriving) look.flags |= Look::ghost;  // the block itself is still on its way
        const ByteAddress base = motions.addressOf(at);
        const Target target{.kind = Target::Kind::line,
                            .level = set.level,
                            .cache = set.cache,
                            .rank = line.rank,
                            .set = set.set,
                            .address = base};
        const float rank = shot_.view.reducedMotion ? static_cast<float>(line.rank) : motions.rank(at, line);
        const std::uint32_t parts = shot_.layout.levels[set.level].parts();
        for (std::uint32_t p = 0; p < parts; ++p) {
            glm::vec2 place = shot_.layout.linePlace(set, rank, p);
            float shown = motions.appeared(at);
            if (entering != nullptr) {
                place = motions.point(*entering, p, shot_.view.reducedMotion ? 1 : eased(entering->age));
                if (shot_.view.reducedMotion) shown = eased(entering->age);
            }
            const ByteAddress byte{base.value + std::uint64_t{p} * shot_.layout.elementSize};
            const std::uint64_t size = parts == 1 ? shot_.layout.blockSizes[set.level] : shot_.layout.elementSize;
            const float grown = use != nullptr && use->touches(byte, size) ? pulse(use->age) : 0.0f;
            addGlyph(at, look, place, shown, grown, entering != nullptr, target);
        }
    }

    void addGlyph(const BlockAt& at, const Look& look, glm::vec2 place, float shown, float grown, bool enters,
                  const Target& target) {
        const bool cells = shot_.resting.tier(at.level, shot_.lens) == Tier::cells;
        const float resting = cells ? movingRadius(shot_, at.level) : shot_.resting.radius(at.level, shot_.lens);
        const glm::vec2 pixel = shot_.lens.at(place);
        const bool stirs = grown > 0.01f || enters;
        const float radius = stirs ? movingRadius(shot_, at.level) * (1 + kPulseGrowth * grown) : resting;
        if (!shot_.lens.sees(pixel, 3 * radius)) return;
        Glyph glyph = shot_.style.glyph(look, pixel, radius);
        glyph.fill = faded(glyph.fill, shown);
        glyph.rim = faded(glyph.rim, shown);
        if (at.level == 0 && stirs) {
            glyph.glow = 0.6f * grown;
            if (const auto missed = shot_.motions.missed(at)) addMissFlash(glyph, *missed);
        }
        push(glyph, target);
    }

    /// Red, and an outline that widens: nothing is told by colour alone.
    void addMissFlash(Glyph& glyph, double age) {
        scene_.legend.miss = true;
        const float light = holdsFlashes_ ? kHeldLight : flash(age);
        glyph.fill = mixed(glyph.fill, palette_.flash, light);
        glyph.glow = std::max(glyph.glow, light);
        const auto wide = holdsFlashes_ ? 0.0f : static_cast<float>(std::min(age, kFlashMoves) / kFlashMoves);
        Glyph outline{.at = glyph.at,
                      .radius = glyph.radius * (1.35f + 1.1f * wide),
                      .fill = faded(palette_.flash, 0),
                      .rim = faded(palette_.flash, 0.9f * light)};
        outline.rimWidth = std::max(1.2f, 0.22f * glyph.radius * (1 - 0.6f * wide));
        push(outline, {});
    }

    void addFlight(const Flight& f) {
        const bool vanishing = f.kind == Flight::Kind::vanishing || shot_.view.reducedMotion;
        const std::uint64_t size = shot_.layout.blockSizes[f.level];
        Look look{.region = static_cast<std::uint16_t>(shot_.subject.regionOf(f.address, size)), .flags = Look::valid};
        if (f.kind == Flight::Kind::vanishing && !f.taken) look.flags |= Look::ghost;
        if (f.dirty) look.flags |= Look::dirty;
        const float radius = movingRadius(shot_, f.level);
        const std::uint32_t parts = shot_.layout.levels[f.level].parts();
        for (std::uint32_t p = 0; p < parts; ++p) {
            const float share = shot_.view.reducedMotion ? 0 : eased(f.age);
            const glm::vec2 pixel = shot_.lens.at(shot_.motions.point(f, p, share));
            if (!shot_.lens.sees(pixel, 3 * radius)) continue;
            Glyph glyph = shot_.style.glyph(look, pixel, radius);
            if (f.taken) addTaking(glyph, f.age);
            if (vanishing) {
                glyph.fill = faded(glyph.fill, 1 - eased(f.age));
                glyph.rim = faded(glyph.rim, 1 - eased(f.age));
            }
            push(glyph, {.kind = Target::Kind::slot, .address = f.address});
        }
    }

    /// An outline that closes in on what is taken away, and the block shrinks with it, so that it does not just fade.
    void addTaking(Glyph& glyph, double age) {
        scene_.legend.taken = true;
        const auto left = static_cast<float>(1 - age);
        Glyph outline{.at = glyph.at,
                      .radius = glyph.radius * (1 + 1.4f * left),
                      .fill = faded(palette_.mark, 0),
                      .rim = faded(palette_.mark, 0.8f * (1 - left * left))};
        outline.rimWidth = std::max(1.2f, 0.16f * glyph.radius);
        glyph.radius *= 0.45f + 0.55f * left;
        push(outline, {});
    }

    /// The home of what is used pulses along with it.
    void addMemorySlots() {
        const float radius = shot_.resting.slotRadius(shot_.lens);
        for (std::size_t step = 0; step < shot_.snapshot.recent.size(); ++step) {
            const float grown = pulse(shot_.motions.lightAge(step));
            const sim::Step& s = shot_.snapshot.recent[step];
            if (grown <= 0.01f || s.events.empty()) continue;
            const std::uint32_t slot = shot_.subject.memorySlots.of(s.access.address);
            if (slot == MemorySlots::kNone) continue;
            const glm::vec2 pixel = shot_.lens.at(shot_.motions.slotPoint(s.access.address));
            if (!shot_.lens.sees(pixel, 3 * radius)) continue;
            Look look{.flags = Look::valid};
            look.region = static_cast<std::uint16_t>(
                shot_.subject.memorySlots.spans()[shot_.subject.memorySlots.spanOf(slot)].region);
            if (shot_.occupancy.isAway(slot)) look.flags |= Look::ghost;
            const float least = std::max(radius, 0.55f * kLeastMoving * shot_.layout.unit);
            Glyph glyph = shot_.style.glyph(look, pixel, least * (1 + kPulseGrowth * grown));
            glyph.fill = faded(glyph.fill, grown);
            push(glyph, {});  // over the home itself, which is what is pointed at
        }
    }

    void push(const Glyph& glyph, const Target& target) {
        scene_.moving.push_back(glyph);
        scene_.movingTargets.push_back(target);
    }

    Scene& scene_;
    const Shot& shot_;
    const Palette& palette_;
    bool holdsFlashes_;
};

}  // namespace

float movingRadius(const Shot& shot, std::size_t level) {
    return std::max(shot.resting.radius(level, shot.lens), kLeastMoving * shot.layout.unit);
}

void addMovingGlyphs(Scene& scene, const Shot& shot) {
    Lively(scene, shot).add();
}

}  // namespace whorl::scene
