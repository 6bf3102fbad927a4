#include "render/scene/rings/frame_context.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <unordered_set>
#include <vector>

#include "render/scene/easing.h"
#include "render/scene/scene.h"
#include "sim/analysis/explain.h"
#include "sim/trace/source_lines.h"

namespace whorl::scene {

namespace {

using sim::ByteAddress;
using sim::Event;
using sim::EventKind;

constexpr float kBrightest = 0.78f;
constexpr float kBrightestInLapse = 0.55f;  ///< lower, because many trails lie over each other
/// The trails of this latest share of the accesses keep their full strength; older ones fade.
constexpr float kFullStrength = 1.0f / 3;
/// Brightness of the trails of earlier accesses, as a share of that of the current one; lower on the stage, where only
/// the current access matters.
constexpr float kPast = 0.4f;
constexpr float kPastOnStage = 0.15f;
constexpr double kToPast = 0.5;     ///< duration of that dimming, in accesses or moves, whichever takes longer
constexpr float kMissWidth = 2.0f;  ///< pixels of a picture 720 high
constexpr int kTrailPieces = 20;    ///< straight pieces of a turning trail
/// Blocks that were not accessed have a trail only when their rank changes by more than one, which happens all the
/// time.
constexpr int kMinSlide = 2;

class Trails {
  public:
    Trails(Scene& scene, const FrameContext& frame, std::uint64_t length)
        : scene_(scene),
          frame_(frame),
          motions_(frame.motions),
          palette_(frame.style.palette()),
          length_(length),
          shown_(1 - flowShare(frame.snapshot, frame.view)) {}

    void add(std::size_t step) {
        step_ = step;
        const sim::Step& s = frame_.snapshot.recent[step];
        const double old = (frame_.snapshot.t - static_cast<double>(s.tick.value)) / static_cast<double>(length_);
        if (old >= 1 || !isOfLine(s)) return;
        const float faint = std::max(0.0f, static_cast<float>(old) - kFullStrength) / (1 - kFullStrength);
        light_ = (motions_.isLapse() ? kBrightestInLapse : kBrightest * strengthOf(step)) * shown_ * (1 - faint);
        isOver_ = !motions_.moves(step);
        // With reduced motion a trail does not grow: it appears.
        if (frame_.view.reducedMotion) light_ *= eased(motions_.age(step));
        share_ = frame_.view.reducedMotion ? 1 : eased(motions_.age(step));
        leaving_ = frame_.view.reducedMotion ? 1 : eased(motions_.age(step) / kLeavingMoves);
        target_ = {.kind = Target::Kind::trail, .cpu = s.access.cpu, .tick = s.tick};
        for (const sim::Reordering& r : s.reorderings) addSlides(s, r);
        sim::Origin path(frame_.layout.levels.size());
        std::size_t miss = 0;
        for (const Event& e : s.events) {
            path.take(e);
            const auto kind = e.kind == EventKind::miss && miss < s.kinds.size() ? s.kinds[miss++] : sim::MissKind{};
            if (e.kind == EventKind::miss && e.level == 0) kind_ = kind;
            if (e.kind == EventKind::memory && frame_.layout.levels.empty()) addWord(s);
            if (e.level >= frame_.layout.levels.size() || !frame_.layout.shows(e.level, e.cache)) continue;
            if (e.kind == EventKind::writeThrough) addThrough(s, e);
            if (e.kind == EventKind::fill && e.level == 0) addFill(s, e, path.servedBy());
            const bool goesWithPage = e.kind == EventKind::invalidation && e.cause == sim::Cause::paging && e.dirty;
            if (e.kind == EventKind::eviction || goesWithPage) addEviction(e);
            if (e.kind == EventKind::invalidation && e.cause == sim::Cause::coherence) addTaken(s, e);
        }
    }

  private:
    /// The strength is full while blocks of a step still move and until the next access begins: current trails stand
    /// out.
    float strengthOf(std::size_t step) const {
        const double ago = frame_.snapshot.t - static_cast<double>(frame_.snapshot.recent[step].tick.value) - 1;
        const double over = std::min(ago, motions_.age(step) - kLeavingMoves) / kToPast;
        const float past = frame_.view.stage ? kPastOnStage : kPast;
        return past + (1 - past) * static_cast<float>(std::clamp(1 - over, 0.0, 1.0));
    }

    /// While time stands still, the key of the stage lists only the signs of the current access.
    bool isInKey() const {
        return !frame_.view.stage || motions_.isLapse() || frame_.view.pace > 0 || strengthOf(step_) > kPastOnStage;
    }

    bool isOfLine(const sim::Step& s) const {
        if (!frame_.view.site) return true;
        const auto& sites = frame_.subject.trace.sites();
        const std::size_t site = s.access.site.value;
        const std::size_t picked = frame_.view.site->value;
        if (site >= sites.size() || picked >= sites.size()) return false;
        return sim::areOfOneLine(frame_.subject.trace, sites[site], sites[picked]);
    }

    /// A way that is taken again and again has one trail, or they would add up to white.
    struct Way {
        enum class Kind : std::uint8_t { inward, outward, through };
        BlockAt at;
        std::size_t other = 0;  ///< the level at its other end
        Kind kind = Kind::inward;
        bool operator==(const Way&) const = default;
    };
    struct WayHash {
        std::size_t operator()(const Way& w) const {
            return BlockAtHash{}(w.at) * 31 + 3 * w.other + static_cast<std::size_t>(w.kind);
        }
    };
    /// Whether a block has not gone this way later. Steps come newest first.
    bool isNewest(const Way& way) {
        if (taken_.count(way) != 0) return false;
        if (isOver_) taken_.insert(way);
        return true;
    }

    float width() const { return std::max(1.2f * frame_.layout.detail, frame_.layout.lineWidth(1.0f / 220)); }
    /// The width of the trail of a miss, in widths of the other trails.
    float missWidth() const { return kMissWidth * frame_.layout.detail / width(); }
    /// A trail is brighter towards its end, so that its direction can be seen: along its whole way, also where a block
    /// has gone only a part of it, so that nothing gets darker while it grows.
    float brightness(float along) const { return light_ * (0.35f + 0.65f * along); }

    /// The byte whose way is drawn: the accessed one if the block holds it, else its first.
    ByteAddress byteOf(const sim::Step& s, const BlockAt& at) const {
        const ByteAddress base = motions_.addressOf(at);
        const bool holds = s.access.address.value - base.value < frame_.layout.blockSizes[at.level];
        return holds ? s.access.address : base;
    }

    void line(glm::vec2 from, glm::vec2 to, Rgba colour, float bright0, float bright1, float wide = 1) {
        const float strength = frame_.style.strength(target_.address, frame_.layout.blockSizes[target_.level]);
        scene_.trails.push_back({frame_.lens.at(from), frame_.lens.at(to),
                                 std::max(wide * width(), RingLayout::leastLine(frame_.view)),
                                 faded(colour, bright0 * strength), faded(colour, bright1 * strength)});
        scene_.trailTargets.push_back(target_);
    }

    /// Along the arm, where the ranks of a set changed.
    void addSlides(const sim::Step& s, const sim::Reordering& r) {
        if (r.level >= frame_.layout.levels.size() || !frame_.layout.shows(r.level, r.cache)) return;
        if (frame_.layout.isByWay[r.level]) return;
        for (std::size_t w = 0; w < r.before.size(); ++w) {
            const sim::Line& before = r.before[w];
            const sim::Line& after = r.after[w];
            if (!before.valid || !after.valid || before.block != after.block) continue;
            const BlockAt at{r.level, r.cache, before.block};
            const ByteAddress byte = byteOf(s, at);
            const bool isUsed = byte == s.access.address;
            if (std::abs(int{before.rank} - int{after.rank}) < (isUsed ? 1 : kMinSlide)) continue;
            const Rgba hue = hueAt(at);
            target_.level = r.level;
            target_.cache = r.cache;
            target_.address = motions_.addressOf(at);
            const auto from = static_cast<float>(before.rank);
            const float way = static_cast<float>(after.rank) - from;
            const int pieces = std::clamp(std::abs(int{before.rank} - int{after.rank}), 2, kTrailPieces);
            glm::vec2 last = motions_.linePoint(at, from, byte);
            for (int i = 1; i <= pieces; ++i) {
                const float along = static_cast<float>(i) / static_cast<float>(pieces);
                const glm::vec2 next = motions_.linePoint(at, from + way * share_ * along, byte);
                line(last, next, hue, brightness(share_ * (along - 1.0f / static_cast<float>(pieces))),
                     brightness(share_ * along));
                last = next;
            }
        }
    }

    void addFill(const sim::Step& s, const Event& fill, std::size_t servedBy) {
        const BlockAt at{fill.level, fill.cache, fill.block};
        const ByteAddress byte = byteOf(s, at);
        const glm::vec2 from = servedBy < frame_.layout.levels.size()
                                   ? sourcePlace(motions_.outward(at, servedBy), byte)
                                   : motions_.slotPoint(byte);
        const glm::vec2 to = straight(from, placeAfter(at, byte), share_);
        target_.level = fill.level;
        target_.cache = fill.cache;
        target_.address = motions_.addressOf(at);
        scene_.legend.inward |= isInKey();
        if (!isNewest({at, servedBy, Way::Kind::inward})) return;
        line(from, to, palette_.flash, brightness(0), brightness(share_), missWidth());
        if (pointsTo()) {
            std::vector<glm::vec2> way;
            for (int i = 0; i <= kTrailPieces; ++i)
                way.push_back(straight(from, to, static_cast<float>(i) / kTrailPieces));
            addHead(way, reachOf(at), palette_.flash, missWidth());
        }
        if (kind_ != sim::MissKind::falseSharing) return;
        // Two tones: the bytes that missed were not those that the other CPU had written.
        scene_.legend.falseSharing |= isInKey();
        const glm::vec2 across = glm::length(to - from) > 0 ? glm::normalize(to - from) : glm::vec2(1, 0);
        const glm::vec2 aside = 1.2f * missWidth() * width() / frame_.lens.zoom * glm::vec2(-across.y, across.x);
        line(from + aside, to + aside, palette_.mark, brightness(0), brightness(share_), 0.6f * missWidth());
    }

    /// Without caches, a word comes straight from memory, or goes there.
    void addWord(const sim::Step& s) {
        const std::uint32_t cpu = s.access.cpu;
        if (!frame_.layout.showsCpu(cpu)) return;
        const bool isWrite = s.access.isWrite();
        const std::uint64_t word = frame_.subject.memorySlots.blockSize();
        const BlockAt at{0, static_cast<std::uint8_t>(cpu), sim::BlockAddress{s.access.address.value / word}};
        if (!isNewest({at, 0, isWrite ? Way::Kind::outward : Way::Kind::inward})) return;
        const glm::vec2 near = frame_.layout.cpuPlace(frame_.layout.cpuShownAs(cpu));
        const glm::vec2 far = motions_.slotPoint(s.access.address);
        target_.level = 0;
        target_.address = s.access.address;
        const glm::vec2 from = isWrite ? near : far;
        const Rgba colour =
            isWrite ? frame_.style.hue(frame_.subject.regionOf(s.access.address, word)) : palette_.flash;
        line(from, straight(from, isWrite ? far : near, share_), colour, brightness(0), brightness(share_),
             missWidth());
    }

    void addEviction(const Event& eviction) {
        const BlockAt here{eviction.level, eviction.cache, eviction.block};
        const ByteAddress byte = motions_.addressOf(here);
        const auto nextHolder = motions_.nextHolder(here, step_);
        const glm::vec2 from = placeBefore(here, byte);
        const glm::vec2 to = nextHolder ? placeAfter(*nextHolder, byte) : motions_.slotPoint(byte);
        const Rgba hue = hueAt(here);
        target_.level = here.level;
        target_.cache = here.cache;
        target_.address = byte;
        scene_.legend.outward |= isInKey();
        if (!isNewest({here, levelOf(nextHolder), Way::Kind::outward})) return;
        std::vector<glm::vec2> way{from};
        for (int i = 1; i <= kTrailPieces; ++i) {
            const float along = static_cast<float>(i) / kTrailPieces;
            way.push_back(turning({0, 0}, from, to, leaving_ * along));
            line(way[way.size() - 2], way.back(), hue, brightness(leaving_ * (along - 1.0f / kTrailPieces)),
                 brightness(leaving_ * along));
        }
        if (pointsTo()) addHead(way, reachOf(nextHolder.value_or(here)), hue, 1);
        if (eviction.dirty) addWriteback(from, to);
    }

    /// A write-back carries new data: bright dashes on its way.
    void addWriteback(glm::vec2 from, glm::vec2 to) {
        scene_.legend.writeback |= isInKey();
        for (int i = 0; i + 1 < kTrailPieces; i += 2) {
            const float along = static_cast<float>(i) / kTrailPieces;
            line(turning({0, 0}, from, to, leaving_ * along),
                 turning({0, 0}, from, to, leaving_ * (along + 0.6f / kTrailPieces)), palette_.dirty,
                 0.9f * brightness(leaving_ * along), 0.9f * brightness(leaving_ * along), 0.7f);
        }
    }

    /// What is written and goes through leaves at once, straight: from its block, or from the CPU where the level has
    /// not got it.
    void addThrough(const sim::Step& s, const Event& through) {
        const BlockAt here{through.level, through.cache, through.block};
        const ByteAddress byte = byteOf(s, here);
        const auto holder = motions_.nextHolder(here, step_);
        const glm::vec2 from = sim::isKept(through, s.events) ? placeAfter(here, byte) : motions_.cpuPoint(step_);
        const glm::vec2 to = holder ? placeAfter(*holder, byte) : motions_.slotPoint(byte);
        target_.level = here.level;
        target_.cache = here.cache;
        target_.address = motions_.addressOf(here);
        scene_.legend.through |= isInKey();
        if (!isNewest({here, levelOf(holder), Way::Kind::through})) return;
        line(from, straight(from, to, share_), palette_.dirty, brightness(0), brightness(share_), missWidth());
    }
    std::size_t levelOf(const std::optional<BlockAt>& holder) const {
        return holder ? holder->level : frame_.layout.levels.size();
    }

    /// An arrow from the CPU that took a block to where the one that lost it had it. In one tone when the loser had
    /// used the bytes that were written, in two when it had used others of the block (false sharing).
    void addTaken(const sim::Step& s, const Event& e) {
        const BlockAt at{e.level, e.cache, e.block};
        const std::uint32_t writer = s.access.cpu;
        if (!frame_.layout.showsCpu(writer)) return;
        target_.level = e.level;
        target_.cache = e.cache;
        target_.address = motions_.addressOf(at);
        const std::uint64_t size = frame_.layout.blockSizes[e.level];
        const bool isFalse = sim::sharingAt(frame_.subject.machine, frame_.snapshot.recent, step_, e, size) ==
                             sim::Sharing::ofOtherBytes;
        scene_.legend.taken |= isInKey();
        scene_.legend.falseSharing |= isFalse && isInKey();
        const glm::vec2 from = frame_.layout.cpuPlace(frame_.layout.cpuShownAs(writer));
        const glm::vec2 to = placeBefore(at, byteOf(s, at));
        // Another block may be there now: the head must be visible beside it.
        const float reach = reachOf(at);
        arrow(from, to, reach, hueAt(at), 1.5f);
        if (isFalse) arrow(from, to, reach, palette_.mark, 0.6f);
    }

    /// Draws an arrow that ends `reach` before the place that it points at.
    void arrow(glm::vec2 from, glm::vec2 to, float reach, Rgba colour, float wide) {
        std::vector<glm::vec2> way{from};
        for (int i = 1; i <= kTrailPieces; ++i) {
            const float along = static_cast<float>(i) / kTrailPieces;
            const glm::vec2 next = turning({0, 0}, from, to, share_ * along);
            if (i > 1 && glm::distance(next, to) < reach) break;
            line(way.back(), next, colour, brightness(share_ * (along - 1.0f / kTrailPieces)),
                 brightness(share_ * along), wide);
            way.push_back(next);
        }
        addHead(way, 0, colour, wide);
    }

    /// On the stage, trails of the current access have arrowheads: a trail inward may lie on one outward.
    bool pointsTo() const {
        return frame_.view.stage && !motions_.isLapse() && step_ + 1 == frame_.snapshot.recent.size();
    }
    /// How far before the middle of a block the head of an arrow can be seen.
    float reachOf(const BlockAt& at) const { return 1.1f * movingRadius(frame_, at.level) / frame_.lens.zoom; }
    /// The head of an arrow, `reach` before the end of its way.
    void addHead(const std::vector<glm::vec2>& way, float reach, Rgba colour, float wide) {
        std::size_t tip = way.size() - 1;
        while (tip > 1 && glm::distance(way[tip], way.back()) < reach) --tip;
        if (tip == 0 || way[tip] == way[tip - 1]) return;
        const glm::vec2 along = glm::normalize(way[tip] - way[tip - 1]);
        const glm::vec2 across(-along.y, along.x);
        const float length = 4.5f * width() / frame_.lens.zoom;
        for (const float side : {1.0f, -1.0f}) {
            line(way[tip], way[tip] - length * (1.6f * along + side * across), colour, light_, light_, wide);
        }
    }

    Rgba hueAt(const BlockAt& at) const {
        return frame_.style.hue(frame_.subject.regionOf(motions_.addressOf(at), frame_.layout.blockSizes[at.level]));
    }

    /// Where a block comes from: the cache that gives it may keep it in another place than it had.
    glm::vec2 sourcePlace(const BlockAt& at, ByteAddress byte) const {
        const glm::vec2 before = placeBefore(at, byte);
        return motions_.heldAfter(at, step_) ? glm::mix(before, placeAfter(at, byte), share_) : before;
    }

    /// Where a block was in a cache before a step, and just after it: a trail stays in place while the block at its end
    /// moves on. In memory if the cache did not hold it.
    glm::vec2 placeBefore(const BlockAt& at, ByteAddress byte) const { return placeIn(at, byte, false); }
    glm::vec2 placeAfter(const BlockAt& at, ByteAddress byte) const { return placeIn(at, byte, true); }
    glm::vec2 placeIn(const BlockAt& at, ByteAddress byte, bool after) const {
        const sim::SetIndex set = motions_.setOf(at);
        const auto& recent = frame_.snapshot.recent;
        for (std::size_t step = step_; step < recent.size(); ++step) {
            for (const sim::Reordering& r : recent[step].reorderings) {
                if (r.level != at.level || r.cache != at.cache || r.set != set) continue;
                const std::vector<sim::Line>& lines = after && step == step_ ? r.after : r.before;
                for (std::uint32_t w = 0; w < lines.size(); ++w) {
                    if (lines[w].valid && lines[w].block == at.block) return linePoint(at, w, lines[w], byte);
                }
                return motions_.slotPoint(byte);
            }
        }
        const sim::Cache& cache = frame_.cache(at);
        const std::uint32_t way = cache.find(at.block);
        if (way == sim::Cache::kNoWay) return motions_.slotPoint(byte);
        return linePoint(at, way, cache.line(set, sim::WayIndex{way}), byte);
    }
    glm::vec2 linePoint(const BlockAt& at, std::uint32_t way, const sim::Line& line, ByteAddress byte) const {
        return motions_.linePoint(at, frame_.layout.drawnRank(at.level, way, line), byte);
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Motions& motions_;
    const Palette& palette_;
    std::uint64_t length_;
    float shown_;  ///< the rest are flows
    std::unordered_set<Way, WayHash> taken_;
    bool isOver_ = false;  ///< all moves of the step are over
    std::size_t step_ = 0;
    Target target_;
    sim::MissKind kind_{};
    float light_ = 0;
    float share_ = 0;    ///< share of the way that blocks which came in or changed rank have gone
    float leaving_ = 0;  ///< … and blocks that left
};

}  // namespace

void addTrails(Scene& scene, const FrameContext& frame) {
    const auto lapse = static_cast<std::uint64_t>(std::ceil(flashTicksOf(frame.motions.lapse())));
    const std::uint64_t length = std::max<std::uint64_t>(frame.view.trails, lapse);
    if (length == 0) return;
    Trails trails(scene, frame, length);
    for (std::size_t step = frame.snapshot.recent.size(); step-- > 0;) trails.add(step);
}

}  // namespace whorl::scene
