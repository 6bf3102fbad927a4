#include "render/scene/rings/frame_context.h"

#include <algorithm>
#include <cmath>

#include "render/scene/easing.h"
#include "render/scene/scene.h"
#include "sim/report/sentence.h"

namespace whorl::scene {

namespace {

constexpr double kMaxFlashesASecond = 3;
constexpr float kMaxFlashingArea = 0.1f;  ///< as a share of the picture
constexpr double kMaxRedMisses = 8;       ///< in the nearest level, a frame, up to which misses lose their hues
constexpr float kWidestOutline = 2.45f;   ///< greatest radius of the outline of a miss, in radii of its glyph

/// The misses in the nearest level among the accesses that are lit.
std::size_t flashingMisses(const FrameContext& frame) {
    std::size_t misses = 0;
    for (std::size_t step = 0; step < frame.snapshot.recent.size(); ++step) {
        if (frame.motions.lightAge(step) >= kFlashMoves) continue;
        for (const sim::Event& e : frame.snapshot.recent[step].events) {
            misses += e.kind == sim::EventKind::miss && e.level == 0 && e.demand && frame.layout.shows(0, e.cache);
        }
    }
    return misses;
}

/// Whether misses keep their hues and have only outlines as marks: a ring full of red shows less than the hues of its
/// regions.
bool keepsHues(const FrameContext& frame) {
    const double lapse = frame.motions.lapse();
    return lapse > 0 && static_cast<double>(flashingMisses(frame)) * lapse / flashTicksOf(lapse) > kMaxRedMisses;
}

/// The share of the picture that the flashes of a moment cover.
float flashingArea(const FrameContext& frame) {
    const std::size_t misses = flashingMisses(frame);
    if (misses == 0) return 0;  // there may be no caches
    const float radius = kWidestOutline * 1.75f * movingRadius(frame, 0);
    const float area = kPi * radius * radius * static_cast<float>(misses);
    return area / (frame.view.size.x * frame.view.size.y);
}

/// Whether misses must glow instead of flash, which can cause seizures. WCAG 2.1, success criterion 2.3.1: no more than
/// three flashes a second, unless they are small: here, unless what flashes at once is less than a tenth of the
/// picture.
bool mustHoldFlashes(const FrameContext& frame) {
    return frame.view.pace > kMaxFlashesASecond && flashingArea(frame) > kMaxFlashingArea;
}

using sim::ByteAddress;

constexpr float kPulseGrowth = 0.75f;  ///< growth at the height of a pulse, as a share of the radius
constexpr float kThread = 0.75f;       ///< the opacity of the thread between newcomer and victim
constexpr float kDash = 12.0f;         ///< from one dash of the thread to the next, in widths
constexpr float kSeenLight = 0.2f;     ///< least light of a flash that stands out from the glyph under it
constexpr float kMinPulse = 0.4f;      ///< strength of a pulse where many blocks pulse at once
constexpr double kCalmLapse = 4;       ///< accesses a frame up to which write-backs light up as they are
constexpr double kCrowdedLapse = 16;   ///< … and from which on not at all
constexpr float kMinMoving = 0.008f;   ///< radius, as a share of the unit

class MovingGlyphs {
  public:
    MovingGlyphs(Scene& scene, const FrameContext& frame)
        : scene_(scene),
          frame_(frame),
          holdsFlashes_(mustHoldFlashes(frame)),
          keepsHues_(keepsHues(frame)),
          light_(1 - flowShare(frame.snapshot, frame.view)) {}

    void add() {
        for (const SetAt& set : frame_.motions.movingSets()) addSet(set);
        for (const Flight& f : frame_.motions.flights()) {
            if (!f.cutShort && f.age < 1 && f.kind != Flight::Kind::entering) addFlight(f);
        }
        addMemorySlots();
        for (const Motions::Tie& tie : frame_.motions.ties()) addTie(tie);
        for (const Motions::Writeback& writeback : frame_.motions.writebacks()) addWriteback(writeback);
    }

  private:
    void addSet(const SetAt& set) {
        const sim::Cache& cache = frame_.snapshot.cache(set.level, set.cache);
        const std::vector<sim::Line> lines = cache.lines(set.set);
        for (std::uint32_t w = 0; w < lines.size(); ++w) {
            if (lines[w].valid) addLine(set, w, lines[w]);
        }
    }

    void addLine(const SetAt& set, std::uint32_t way, const sim::Line& line) {
        const BlockAt at{set.level, set.cache, line.block};
        const Motions& motions = frame_.motions;
        const Flight* entering = motions.entering(at);
        const Motions::Use* use = motions.used(at);
        const bool arriving = motions.arriving(at) != nullptr;
        const bool cells = frame_.resting.tier(set.level, frame_.lens) == Tier::cells;
        // Where neighbours share a cell, a block that only changes its rank is not drawn by itself.
        if (cells && entering == nullptr && use == nullptr && !arriving) return;
        SlotState state = frame_.occupancy.stateOf(set, line);
        if (arriving) state.flags |= SlotState::ghost;  // the block itself has not arrived yet
        const ByteAddress base = motions.addressOf(at);
        const std::uint16_t drawn = frame_.layout.drawnRank(set.level, way, line);
        Target target{.kind = Target::Kind::line,
                      .level = set.level,
                      .cache = set.cache,
                      .rank = drawn,
                      .set = set.set,
                      .address = base};
        const float rank = frame_.view.reducedMotion ? static_cast<float>(drawn) : motions.rank(at, way, line);
        const std::uint32_t parts = frame_.layout.levels[set.level].parts();
        for (std::uint32_t p = 0; p < parts; ++p) {
            target.part = static_cast<std::uint16_t>(p);
            glm::vec2 place = frame_.layout.linePlace(set, rank, p);
            float shown = motions.appeared(at);
            if (entering != nullptr) {
                place = motions.point(*entering, p, frame_.view.reducedMotion ? 1 : eased(entering->age));
                if (frame_.view.reducedMotion) shown = eased(entering->age);
            }
            const ByteAddress byte{base.value + std::uint64_t{p} * frame_.layout.elementSize};
            const std::uint64_t size = parts == 1 ? frame_.layout.blockSizes[set.level] : frame_.layout.elementSize;
            const float grown = use != nullptr && use->touches(byte, size) ? pulseOf(use->age) : 0.0f;
            addGlyph(at, state, place, shown, grown, entering != nullptr, target);
        }
    }

    void addGlyph(const BlockAt& at, const SlotState& state, glm::vec2 place, float shown, float grown, bool enters,
                  const Target& target) {
        const bool cells = frame_.resting.tier(at.level, frame_.lens) == Tier::cells;
        const float resting = cells ? movingRadius(frame_, at.level) : frame_.resting.radius(at.level, frame_.lens);
        const glm::vec2 pixel = frame_.lens.at(place);
        const auto missed = at.level == 0 ? frame_.motions.missed(at) : std::nullopt;
        const bool isHighlighted = grown > 0.01f || enters || missed;
        const float radius = isHighlighted ? movingRadius(frame_, at.level) * (1 + growth(grown)) : resting;
        if (!frame_.lens.sees(pixel, 3 * radius)) return;
        Glyph glyph = frame_.style.block(state, pixel, radius, frame_.resting.plain(at.level));
        GlyphStyle::fade(glyph, shown * frame_.style.strength(target.address, frame_.layout.blockSizes[at.level]));
        if (isHighlighted) GlyphStyle::glow(glyph, grown);
        if (missed) addMiss(glyph, *missed);
        push(glyph, target);
    }

    void addMiss(Glyph& glyph, double age) {
        const float light = light_ * (holdsFlashes_ ? kHeldLight : flash(age));
        if (light <= 0) return;
        scene_.legend.miss |= light > kSeenLight;
        const bool isStill = holdsFlashes_ || frame_.view.reducedMotion;
        const auto wide = isStill ? 0.0f : static_cast<float>(std::min(age, kFlashMoves) / kFlashMoves);
        push(keepsHues_ ? frame_.style.missOutline(glyph, light) : frame_.style.miss(glyph, light, wide), {});
    }

    /// Adds equal outlines around a block that came in and the one that it replaced, with a thread between them.
    void addTie(const Motions::Tie& tie) {
        const Motions& motions = frame_.motions;
        const float light = tieLight() * flash(tie.age);
        if (tie.isCopy || light <= 0 || !frame_.cache(tie.newcomer).holds(tie.newcomer.block)) return;
        const glm::vec2 came = frame_.lens.at(newcomerPoint(tie.newcomer));
        const glm::vec2 left = frame_.lens.at(motions.victimPoint(tie));
        const float radius = movingRadius(frame_, tie.newcomer.level);
        scene_.legend.tied = true;
        for (const glm::vec2 at : {came, left}) push(frame_.style.tie(at, radius, light), {});
        const float apart = glm::distance(came, left);
        const float reach = frame_.style.tie(came, radius, light).radius;
        if (apart <= 2 * reach) return;
        const glm::vec2 inset = (left - came) * (reach / apart);
        addThread(came + inset, left - inset, tie.newcomer.level, faded(frame_.style.palette().mark, kThread * light));
    }

    /// Unbroken in the nearest level, beyond it in dashes, the shorter the farther: a miss may tie a pair in each.
    void addThread(glm::vec2 from, glm::vec2 to, std::size_t level, Rgba colour) {
        const float width = frame_.layout.lineWidth(1.0f / 360);
        const float step = level == 0 ? glm::distance(from, to) : kDash * width / static_cast<float>(level);
        const float pieces = std::max(1.0f, std::floor(glm::distance(from, to) / step));
        for (float i = 0; i < pieces; ++i) {
            const float end = level == 0 ? i + 1 : i + 0.5f;
            scene_.threads.push_back(
                {glm::mix(from, to, i / pieces), glm::mix(from, to, end / pieces), width, colour, colour});
        }
    }

    /// The growth of a radius by a pulse.
    float growth(float pulse) const { return frame_.view.reducedMotion ? 0 : kPulseGrowth * pulse; }

    float pulseOf(double age) const {
        // In time-lapse, pulses that are new since the last frame are lit at once, whatever their age.
        if (frame_.motions.isLapse()) return light_ * kMinPulse * flash(std::max(age, 1e-6));
        const auto crowd = static_cast<float>(std::clamp((moveTicksOf(frame_.view) - 2) / 4, 0.0, 1.0));
        return light_ * (1 - (1 - kMinPulse) * crowd) * pulse(age);
    }

    /// Ties are for paces at which the eye can separate one miss from the next; at higher ones they would only flicker.
    float tieLight() const { return static_cast<float>(std::clamp(2 - moveTicksOf(frame_.view), 0.0, 1.0)); }

    glm::vec2 newcomerPoint(const BlockAt& at) const {
        const Flight* entering = frame_.motions.entering(at);
        if (entering != nullptr) {
            return frame_.motions.point(*entering, 0, frame_.view.reducedMotion ? 1 : eased(entering->age));
        }
        return frame_.motions.pointNow(at, frame_.motions.addressOf(at));
    }

    void addFlight(const Flight& f) {
        const bool vanishing = f.kind == Flight::Kind::vanishing || frame_.view.reducedMotion;
        const std::uint64_t size = frame_.layout.blockSizes[f.level];
        SlotState state{.region = static_cast<std::uint16_t>(frame_.subject.regionOf(f.address, size)),
                        .flags = SlotState::valid};
        if (f.kind == Flight::Kind::vanishing && !f.taken) state.flags |= SlotState::ghost;
        if (f.dirty) state.flags |= SlotState::dirty;
        const float radius = movingRadius(frame_, f.level);
        const std::uint32_t parts = frame_.layout.levels[f.level].parts();
        for (std::uint32_t p = 0; p < parts; ++p) {
            const float share = frame_.view.reducedMotion ? 0 : eased(f.age);
            const glm::vec2 pixel = frame_.lens.at(frame_.motions.point(f, p, share));
            if (!frame_.lens.sees(pixel, 3 * radius)) continue;
            Glyph glyph = frame_.style.block(state, pixel, radius);
            if (f.taken) addTaken(glyph, f.age);
            GlyphStyle::fade(glyph, (vanishing ? 1 - eased(f.age) : 1) * frame_.style.strength(f.address, size));
            push(glyph, {.kind = Target::Kind::slot, .part = static_cast<std::uint16_t>(p), .address = f.address});
            if (f.dirty && f.kind == Flight::Kind::leaving) addCarried(glyph);
        }
    }

    /// A block that leaves dirty carries its data out.
    void addCarried(const Glyph& glyph) {
        const float light = light_ * static_cast<float>(glyph.fill.a) / 255;
        scene_.legend.writeback |= light > kSeenLight;
        push(frame_.style.writeback(glyph.at, glyph.radius, light, 0), {});
    }

    /// … and lights up where they arrive.
    void addWriteback(const Motions::Writeback& w) {
        const bool isInCache = w.to.has_value();
        if (isInCache && !frame_.cache(*w.to).holds(w.to->block)) return;
        if (w.from && w.moved < 1 && !frame_.view.reducedMotion) return addOnItsWay(w);
        const float light = writebackLight(w.age);
        if (light <= 0.01f) return;
        const std::size_t level = isInCache ? w.to->level : frame_.layout.levels.size();
        const float radius =
            isInCache ? movingRadius(frame_, level)
                      : std::max(frame_.resting.slotRadius(frame_.lens), 0.55f * kMinMoving * frame_.layout.unit);
        const std::uint32_t parts = isInCache ? frame_.layout.levels[level].parts() : frame_.layout.memory.parts;
        const std::uint64_t size = parts == 1 ? w.bytes : frame_.layout.elementSize;
        const float wide = holdsFlashes_ || frame_.motions.isLapse() || frame_.view.reducedMotion ? 0.0f : light;
        const float strength = light * frame_.style.strength(w.address, w.bytes);
        for (std::uint64_t done = 0; done < w.bytes; done += size) {
            const ByteAddress byte{w.address.value + done};
            const glm::vec2 place = isInCache ? frame_.motions.pointNow(*w.to, byte) : frame_.motions.slotPoint(byte);
            const glm::vec2 pixel = frame_.lens.at(place);
            if (!frame_.lens.sees(pixel, 4 * radius)) continue;
            scene_.legend.writeback |= strength > kSeenLight;
            push(frame_.style.writeback(pixel, radius, strength, wide), {});
        }
    }

    /// A write-through is a small square until it arrives.
    void addOnItsWay(const Motions::Writeback& w) {
        const glm::vec2 to = w.to ? frame_.motions.pointNow(*w.to, w.address) : frame_.motions.slotPoint(w.address);
        const glm::vec2 pixel = frame_.lens.at(straight(*w.from, to, eased(w.moved)));
        const float radius = 0.5f * movingRadius(frame_, 0);
        scene_.legend.through = true;
        if (!frame_.lens.sees(pixel, 4 * radius)) return;
        push(frame_.style.writeback(pixel, radius, light_ * frame_.style.strength(w.address, w.bytes), 0), {});
    }

    float writebackLight(double age) const {
        // In time-lapse, write-backs since the last frame are lit at once, and fade as pulses do. With many accesses a
        // frame they would flicker, as they go with blocks that move far; then only trails show write-backs.
        if (frame_.motions.isLapse()) {
            const double room = (kCrowdedLapse - static_cast<double>(frame_.view.lapse)) / (kCrowdedLapse - kCalmLapse);
            return light_ * kHeldLight * static_cast<float>(std::clamp(room, 0.0, 1.0)) * flash(std::max(age, 1e-6));
        }
        if (holdsFlashes_) return light_ * kHeldLight;
        return light_ * arrival(age);
    }

    void addTaken(Glyph& glyph, double age) {
        scene_.legend.taken = true;
        push(frame_.style.taken(glyph, static_cast<float>(1 - age)), {});
    }

    /// The memory slot that served an access pulses.
    void addMemorySlots() {
        const float radius = frame_.resting.slotRadius(frame_.lens);
        for (std::size_t step = 0; step < frame_.snapshot.recent.size(); ++step) {
            const float grown = pulseOf(frame_.motions.lightAge(step));
            const sim::Step& s = frame_.snapshot.recent[step];
            if (grown <= 0.01f || s.events.empty()) continue;
            if (sim::servedBy(s, frame_.subject.machine) < frame_.layout.levels.size()) continue;
            const std::uint32_t slot = frame_.subject.memorySlots.of(s.access.address);
            if (slot == MemorySlots::kNone) continue;
            const glm::vec2 pixel = frame_.lens.at(frame_.motions.slotPoint(s.access.address));
            if (!frame_.lens.sees(pixel, 3 * radius)) continue;
            SlotState state{.flags = SlotState::valid};
            state.region = static_cast<std::uint16_t>(
                frame_.subject.memorySlots.spans()[frame_.subject.memorySlots.spanOf(slot)].region);
            if (frame_.occupancy.isCached(slot)) state.flags |= SlotState::ghost;
            const float least = std::max(radius, 0.55f * kMinMoving * frame_.layout.unit);
            Glyph glyph = frame_.style.block(state, pixel, least * (1 + growth(grown)));
            const std::uint64_t size = frame_.subject.memorySlots.blockSize();
            GlyphStyle::fadeFill(glyph, grown * frame_.style.strength(frame_.subject.memorySlots.address(slot), size));
            push(glyph, {});  // no target: a pick finds the slot under it
        }
    }

    void push(const Glyph& glyph, const Target& target) {
        scene_.moving.push_back(glyph);
        scene_.movingTargets.push_back(target);
    }

    Scene& scene_;
    const FrameContext& frame_;
    bool holdsFlashes_;
    bool keepsHues_;
    float light_;  ///< light of pulses and flashes, less where flows replace them
};

}  // namespace

float movingRadius(const FrameContext& frame, std::size_t level) {
    return std::max(frame.resting.radius(level, frame.lens), kMinMoving * frame.layout.unit);
}

void addMovingGlyphs(Scene& scene, const FrameContext& frame) {
    MovingGlyphs(scene, frame).add();
}

}  // namespace whorl::scene
