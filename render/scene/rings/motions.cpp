#include "render/scene/rings/motions.h"

#include <algorithm>

#include "render/scene/easing.h"

namespace whorl::scene {

using sim::ByteAddress;
using sim::Event;
using sim::EventKind;
using sim::Line;

namespace {

constexpr double kOver = 1e6;       ///< the age of a move that is over
constexpr double kFewFrames = 4.0;  ///< a trail or a pulse that is lit for no more frames than this is not shown

}  // namespace

Motions::Motions(const sim::Snapshot& snapshot, const Subject& subject, const RingLayout& layout, const View& view)
    : snapshot_(snapshot),
      subject_(subject),
      layout_(layout),
      moveTicks_(moveTicksOf(view)),
      lapses_(view.lapse > 1),
      lapse_(view.lapse > 1 && view.lapse <= View::kMaxSteps ? static_cast<double>(view.lapse) : 0),
      levels_(layout.levels.size()) {
    // First take which blocks came and left when: the flights need the residency at any step.
    for (std::size_t s = 0; s < snapshot.recent.size(); ++s) takeReorderings(s);
    for (std::size_t s = 0; s < snapshot.recent.size(); ++s) takeEvents(s);
    for (std::size_t s = 0; s < snapshot.recent.size(); ++s) takeUses(s);
    for (std::size_t s = 0; s < snapshot.recent.size(); ++s) takeWritebacks(s);
    const auto before = [](const SetAt& a, const SetAt& b) {
        return std::tie(a.level, a.cache, a.set.value) < std::tie(b.level, b.cache, b.set.value);
    };
    std::sort(movingSets_.begin(), movingSets_.end(), before);
    movingSets_.erase(std::unique(movingSets_.begin(), movingSets_.end()), movingSets_.end());
}

double Motions::age(std::size_t step) const {
    if (lapses_) return kOver;
    return (snapshot_.t - static_cast<double>(snapshot_.recent[step].tick.value)) / moveTicks_;
}

float flowShare(const sim::Snapshot& snapshot, const View& view) {
    if (view.lapse <= 1) return 0;
    const auto lapse = static_cast<double>(view.lapse);
    const double moves = static_cast<double>(snapshot.flows.total()) * lapse / flowTicksOf(view.lapse);
    const double many = (moves / kMaxMoves - 0.75) / 0.5;
    // Lights of a few frames only would flicker.
    const double brief = 2 - flashTicksOf(lapse) / lapse / kFewFrames;
    return static_cast<float>(std::clamp(std::max(many, brief), 0.0, 1.0));
}

double Motions::lightAge(std::size_t step) const {
    const double old = snapshot_.t - static_cast<double>(snapshot_.recent[step].tick.value);
    if (lapse_ == 0) return old / moveTicks_;
    return kFlashMoves * old / flashTicksOf(lapse_);
}

void Motions::takeReorderings(std::size_t step) {
    const double old = age(step);
    if (lightAge(step) >= kFlashMoves) return;
    const float left = 1 - eased(old);
    for (const sim::Reordering& r : snapshot_.recent[step].reorderings) {
        if (r.level >= levels_ || !layout_.shows(r.level, r.cache)) continue;
        movingSets_.push_back({r.level, r.cache, r.set});
        const auto drawnRank = [&](std::size_t way, const Line& line) {
            return layout_.drawnRank(r.level, static_cast<std::uint32_t>(way), line);
        };
        for (std::size_t w = 0; w < r.before.size(); ++w) {
            const Line& before = r.before[w];
            const Line& after = r.after[w];
            const BlockAt was{r.level, r.cache, before.block};
            if (before.valid && after.valid && before.block == after.block) {
                const int moved = int{drawnRank(w, before)} - int{drawnRank(w, after)};
                if (moved != 0 && left > 0) slide_[was] += static_cast<float>(moved) * left;
                continue;
            }
            if (before.valid) {
                const auto slide = slide_.find(was);
                ended_[was].push_back(
                    {step, static_cast<float>(drawnRank(w, before)), slide == slide_.end() ? 0 : slide->second});
                if (slide != slide_.end()) slide_.erase(slide);
                changes_[was].push_back({step, false});
            }
            if (after.valid) {
                slide_.erase({r.level, r.cache, after.block});
                changes_[{r.level, r.cache, after.block}].push_back({step, true});
            }
        }
    }
}

void Motions::takeEvents(std::size_t step) {
    const double old = age(step);
    if (old >= kLeavingMoves) return;
    sim::Origin path(levels_);
    for (const Event& e : snapshot_.recent[step].events) {
        path.take(e);
        if (e.level >= levels_ || !layout_.shows(e.level, e.cache)) continue;
        if (e.kind == EventKind::eviction || e.kind == EventKind::invalidation) addLeaving(step, e);
        if (e.kind != EventKind::fill || old >= 1) continue;
        if (e.level == 0) {
            addEntering(step, e, path.servedBy());
        } else {
            appeared_[{e.level, e.cache, e.block}] = old;
        }
    }
}

/// Notes what lights up: the copy that served an access, and the block that missed in the nearest level.
void Motions::takeUses(std::size_t step) {
    const double old = lightAge(step);
    if (old >= kFlashMoves) return;
    const sim::Access& access = snapshot_.recent[step].access;
    const Use use{old, access.address, ByteAddress{access.address.value + (access.size - 1)}};
    for (const Event& e : snapshot_.recent[step].events) {
        // Memory gets requests too, but is no level of the picture.
        if (!e.demand || e.level >= levels_ || !layout_.shows(e.level, e.cache)) continue;
        const BlockAt at{e.level, e.cache, e.block};
        if (e.kind == EventKind::hit && cache(at).holds(at.block)) {
            used_[at] = use;
            markMoving(setAt(at));
        }
        if (e.kind == EventKind::miss && e.level == 0) missed_[at] = old;
    }
    if (!isLapse()) tieVictims(step);
}

/// A fill takes the place of the last block that was evicted from its set.
void Motions::tieVictims(std::size_t step) {
    std::vector<const Event*> evictions;
    for (const Event& e : snapshot_.recent[step].events) {
        if (e.level >= levels_ || !layout_.shows(e.level, e.cache)) continue;
        if (e.kind == EventKind::eviction) evictions.push_back(&e);
        if (e.kind != EventKind::fill) continue;
        const auto victim = std::find_if(evictions.rbegin(), evictions.rend(), [&](const Event* v) {
            return v->level == e.level && v->cache == e.cache && v->set == e.set;
        });
        if (victim == evictions.rend()) continue;
        const BlockAt left{e.level, e.cache, (*victim)->block};
        ties_.push_back({step, {e.level, e.cache, e.block}, left, heldNearer(left, step), lightAge(step)});
        evictions.erase(std::next(victim).base());
    }
}

/// The block need not leave: it may stay when another CPU reads it. A write of a near level may go past the next level
/// to a far one.
void Motions::takeWritebacks(std::size_t step) {
    const double old = lightAge(step);
    if (old >= kFlashMoves) return;
    for (const Event& e : snapshot_.recent[step].events) {
        const bool goesThrough = e.kind == EventKind::writeThrough;
        if (e.kind != EventKind::writeback && !goesThrough) continue;
        if (e.level >= levels_ || !layout_.shows(e.level, e.cache)) continue;
        const BlockAt from{e.level, e.cache, e.block};
        Writeback writeback{.step = step,
                            .address = addressOf(from),
                            .bytes = layout_.blockSizes[e.level],
                            .to = nextHolder(from, step),
                            .age = old};
        if (goesThrough) {
            writeback.address = std::max(writeback.address, snapshot_.recent[step].access.address);
            writeback.bytes = e.bytes();
            writeback.from = sim::isKept(e, snapshot_.recent[step].events)
                                 ? stayPoint(from, step + 1, writeback.address)
                                 : cpuPoint(step);
            writeback.moved = std::min(1.0, age(step));
        }
        writebacks_.push_back(writeback);
    }
}

glm::vec2 Motions::cpuPoint(std::size_t step) const {
    const std::uint32_t shown = layout_.cpuShownAs(snapshot_.recent[step].access.cpu);
    return shown < layout_.cpus ? layout_.cpuPlace(shown) : glm::vec2(0);
}

void Motions::addEntering(std::size_t step, const Event& fill, std::size_t servedBy) {
    const BlockAt to{fill.level, fill.cache, fill.block};
    Flight flight{.kind = Flight::Kind::entering, .level = fill.level, .cache = fill.cache, .step = step};
    flight.age = age(step);
    flight.byCpu = snapshot_.recent[step].access.cpu;
    flight.address = addressOf(to);
    if (servedBy < levels_) flight.from = outward(to, servedBy);
    launch(flight);
    entering_[to] = flights_.size() - 1;
}

void Motions::addLeaving(std::size_t step, const Event& e) {
    const BlockAt left{e.level, e.cache, e.block};
    Flight flight{.kind = Flight::Kind::leaving, .level = e.level, .cache = e.cache, .step = step};
    flight.age = age(step) / kLeavingMoves;
    flight.byCpu = snapshot_.recent[step].access.cpu;
    flight.address = addressOf(left);
    flight.dirty = e.dirty;
    entering_.erase(left);
    const bool isCopy = heldNearer(left, step);
    flight.taken = e.kind == EventKind::invalidation && e.cause == sim::Cause::coherence;
    if (isCopy || (e.kind == EventKind::invalidation && !e.dirty)) {
        flight.kind = Flight::Kind::vanishing;
        flights_.push_back(flight);
        return;
    }
    flight.to = nextHolder(left, step);
    launch(flight);
    if (flight.to) {
        arriving_[*flight.to] = flights_.size() - 1;
        markMoving(setAt(*flight.to));
    }
}

void Motions::markMoving(const SetAt& set) {
    movingSets_.push_back(set);
}

/// A block that moves again before it has arrived goes on from where it is. In each of the nearest caches a block moves
/// by itself.
void Motions::launch(Flight flight) {
    const std::uint32_t nearest = subject_.machine.cacheOf(0, subject_.machine.firstCpu(flight.level, flight.cache));
    const BlockAt key{0, static_cast<std::uint8_t>(nearest), sim::BlockAddress{flight.address.value}};
    const auto carrier = carrier_.find(key);
    if (carrier != carrier_.end()) {
        flight.after = carrier->second;
        flights_[carrier->second].cutShort = true;
    }
    carrier_[key] = flights_.size();
    flights_.push_back(flight);
}

bool Motions::heldAfter(const BlockAt& at, std::size_t step) const {
    const auto known = changes_.find(at);
    if (known != changes_.end()) {
        // The state before the first change after the step is the state at the step.
        for (const Change& c : known->second) {
            if (c.step > step) return !c.came;
        }
    }
    return cache(at).holds(at.block);
}

bool Motions::heldNearer(const BlockAt& at, std::size_t step) const {
    const ByteAddress address = addressOf(at);
    const std::uint64_t end = address.value + (std::uint64_t{1} << cache(at).blockShift());
    const std::uint32_t firstCpu = subject_.machine.firstCpu(at.level, at.cache);
    const std::uint32_t lastCpu = subject_.machine.endCpu(at.level, at.cache) - 1;
    for (std::size_t l = 0; l < at.level; ++l) {
        const std::uint32_t last = subject_.machine.cacheOf(l, lastCpu);
        for (std::uint32_t c = subject_.machine.cacheOf(l, firstCpu); c <= last; ++c) {
            if (!layout_.shows(l, c)) continue;
            BlockAt inner{static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(c), {}};
            const std::uint64_t block = std::uint64_t{1} << cache(inner).blockShift();
            for (std::uint64_t a = address.value; a < end; a += block) {
                inner.block = cache(inner).blockOf(ByteAddress{a});
                if (heldAfter(inner, step)) return true;
            }
        }
    }
    return false;
}

BlockAt Motions::outward(const BlockAt& from, std::size_t level) const {
    BlockAt at{static_cast<std::uint8_t>(level),
               static_cast<std::uint8_t>(subject_.outerCache(level, from.level, from.cache)),
               {}};
    at.block = cache(at).blockOf(addressOf(from));
    return at;
}

std::optional<BlockAt> Motions::nextHolder(const BlockAt& left, std::size_t step) const {
    for (std::size_t l = left.level + std::size_t{1}; l < levels_; ++l) {
        const BlockAt at = outward(left, l);
        if (heldAfter(at, step)) return at;
    }
    return std::nullopt;
}

float Motions::rank(const BlockAt& at, std::uint32_t way, const Line& line) const {
    const auto slide = slide_.find(at);
    return static_cast<float>(layout_.drawnRank(at.level, way, line)) + (slide == slide_.end() ? 0.0f : slide->second);
}

const Motions::Use* Motions::used(const BlockAt& at) const {
    const auto found = used_.find(at);
    return found == used_.end() ? nullptr : &found->second;
}

std::optional<double> Motions::missed(const BlockAt& at) const {
    const auto found = missed_.find(at);
    return found == missed_.end() ? std::nullopt : std::optional(found->second);
}

const Flight* Motions::entering(const BlockAt& at) const {
    const auto found = entering_.find(at);
    return found == entering_.end() || flights_[found->second].cutShort ? nullptr : &flights_[found->second];
}

const Flight* Motions::arriving(const BlockAt& at) const {
    const auto found = arriving_.find(at);
    return found == arriving_.end() || flights_[found->second].cutShort ? nullptr : &flights_[found->second];
}

float Motions::appeared(const BlockAt& at) const {
    const auto found = appeared_.find(at);
    return found == appeared_.end() ? 1.0f : eased(found->second);
}

glm::vec2 Motions::linePoint(const BlockAt& at, float rank, ByteAddress byte) const {
    return layout_.linePlace(setAt(at), rank, layout_.partOf(at.level, byte));
}

glm::vec2 Motions::slotPoint(ByteAddress byte) const {
    const std::uint32_t slot = subject_.memorySlots.of(byte);
    if (slot == MemorySlots::kNone) return {0, -layout_.memory.outer};
    return layout_.memory.place(subject_.memorySlots.spanOf(slot), slot, layout_.partOf(levels_, byte));
}

glm::vec2 Motions::pointNow(const BlockAt& at, ByteAddress byte) const {
    const std::uint32_t way = cache(at).find(at.block);
    if (way == sim::Cache::kNoWay) return slotPoint(byte);
    return linePoint(at, rank(at, way, cache(at).line(setOf(at), sim::WayIndex{way})), byte);
}

glm::vec2 Motions::stayPoint(const BlockAt& at, std::size_t step, ByteAddress byte) const {
    if (const auto ended = ended_.find(at); ended != ended_.end()) {
        for (const Stay& stay : ended->second) {
            if (stay.step >= step) return linePoint(at, stay.rank + stay.slide, byte);
        }
    }
    return pointNow(at, byte);
}

glm::vec2 Motions::victimPoint(const Tie& tie, std::uint32_t part) const {
    const ByteAddress address = addressOf(tie.victim);
    for (const Flight& f : flights_) {
        if (f.step == tie.step && f.level == tie.victim.level && f.cache == tie.victim.cache && f.address == address &&
            f.kind != Flight::Kind::entering) {
            return point(f, part);
        }
    }
    const ByteAddress byte{address.value + std::uint64_t{part} * layout_.elementSize};
    const auto holder = nextHolder(tie.victim, tie.step);
    return holder ? pointNow(*holder, byte) : slotPoint(byte);
}

glm::vec2 Motions::point(const Flight& flight, std::uint32_t part, float share) const {
    const BlockAt here{flight.level, flight.cache, snapshot_.cache(flight.level, flight.cache).blockOf(flight.address)};
    const ByteAddress byte{flight.address.value + std::uint64_t{part} * layout_.elementSize};
    if (flight.kind == Flight::Kind::vanishing) return stayPoint(here, flight.step, byte);
    const auto before = [&] {
        const Flight& last = flights_[*flight.after];
        return point(last, layout_.partOf(last.level, byte), eased(last.age));
    };
    if (flight.kind == Flight::Kind::entering) {
        const glm::vec2 from = flight.after  ? before()
                               : flight.from ? stayPoint(*flight.from, flight.step, byte)
                                             : slotPoint(byte);
        return straight(from, stayPoint(here, flight.step + 1, byte), share);
    }
    const glm::vec2 from = flight.after ? before() : stayPoint(here, flight.step, byte);
    const glm::vec2 to = flight.to ? stayPoint(*flight.to, flight.step + 1, byte) : slotPoint(byte);
    return turning({0, 0}, from, to, share);
}

}  // namespace whorl::scene
