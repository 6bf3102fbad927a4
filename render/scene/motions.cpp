#include "render/scene/motions.h"

#include <algorithm>

#include "render/scene/motion.h"

namespace whorl::scene {

using sim::ByteAddress;
using sim::Event;
using sim::EventKind;
using sim::Line;

Motions::Motions(const sim::Moment& moment, const sim::MachineConfig& machine, const RingLayout& layout,
                 const Homes& homes, double moveTicks)
    : moment_(moment), layout_(layout), homes_(homes), moveTicks_(moveTicks), levels_(machine.levels.size()) {
    for (const sim::LevelConfig& level : machine.levels) lively_.emplace_back(level.sets(), std::uint8_t{0});
    // First who came and went when, so that residency at any step is known; then who flies.
    for (std::size_t s = 0; s < moment.recent.size(); ++s) takeReorderings(s);
    for (std::size_t s = 0; s < moment.recent.size(); ++s) takeEvents(s);
}

double Motions::age(std::size_t step) const {
    return (moment_.t - static_cast<double>(moment_.recent[step].tick.value)) / moveTicks_;
}

void Motions::takeReorderings(std::size_t step) {
    const double old = age(step);
    if (old >= kFlashMoves) return;
    const float left = 1 - eased(old);
    for (const sim::Reordering& r : moment_.recent[step].reorderings) {
        if (!moment_.isOnPath(r)) continue;
        lively_[r.level][r.set.value] = 1;
        for (std::size_t w = 0; w < r.before.size(); ++w) {
            const Line& before = r.before[w];
            const Line& after = r.after[w];
            const BlockAt was{r.level, before.block};
            if (before.valid && after.valid && before.block == after.block) {
                const int moved = int{before.rank} - int{after.rank};
                if (moved != 0 && left > 0) slide_[was] += static_cast<float>(moved) * left;
                continue;
            }
            if (before.valid) {
                const auto slide = slide_.find(was);
                ended_[was].push_back(
                    {step, static_cast<float>(before.rank), slide == slide_.end() ? 0 : slide->second});
                if (slide != slide_.end()) slide_.erase(slide);
                changes_[was].push_back({step, false});
            }
            if (after.valid) {
                slide_.erase({r.level, after.block});
                changes_[{r.level, after.block}].push_back({step, true});
            }
        }
    }
}

void Motions::takeEvents(std::size_t step) {
    const double old = age(step);
    if (old >= kFlashMoves) return;
    Origin path(levels_);
    for (const Event& e : moment_.recent[step].events) {
        if (!moment_.isOnPath(e)) continue;
        const BlockAt at{e.level, e.block};
        if (path.take(e)) {
            used_[at] = old;
            if (e.level == 0 && e.kind == EventKind::miss) missed_[e.block] = old;
        }
        if (old >= 1) continue;
        if (e.kind == EventKind::eviction || e.kind == EventKind::invalidation) addLeaving(step, e);
        if (e.kind != EventKind::fill) continue;
        if (e.level == 0) {
            addEntering(step, e, path.servedBy());
        } else {
            appeared_[at] = old;
        }
    }
}

void Motions::addEntering(std::size_t step, const Event& fill, std::size_t servedBy) {
    Flight flight{.kind = Flight::Kind::entering, .level = fill.level, .step = step, .age = age(step)};
    flight.address = cache(fill.level).addressOf(fill.block);
    if (servedBy < levels_) flight.from = at(servedBy, flight.address);
    launch(flight);
    entering_[{fill.level, fill.block}] = flights_.size() - 1;
}

void Motions::addLeaving(std::size_t step, const Event& e) {
    Flight flight{.kind = Flight::Kind::leaving, .level = e.level, .step = step, .age = age(step)};
    flight.address = cache(e.level).addressOf(e.block);
    flight.dirty = e.dirty;
    entering_.erase({e.level, e.block});
    const bool isCopy = heldNearer(e.level, flight.address, step);
    flight.taken = !isCopy && e.kind == EventKind::invalidation && !e.dirty;
    if (isCopy || flight.taken) {
        flight.kind = Flight::Kind::vanishing;
        flights_.push_back(flight);
        return;
    }
    flight.to = refuge(e.level, flight.address, step);
    launch(flight);
    if (flight.to) {
        arriving_[*flight.to] = flights_.size() - 1;
        lively_[flight.to->level][cache(flight.to->level).setOf(flight.to->block).value] = 1;
    }
}

void Motions::launch(Flight flight) {
    const auto carrier = carrier_.find(flight.address);
    if (carrier != carrier_.end()) {
        flight.after = carrier->second;
        flights_[carrier->second].cutShort = true;
    }
    carrier_[flight.address] = flights_.size();
    flights_.push_back(flight);
}

bool Motions::heldAfter(const BlockAt& at, std::size_t step) const {
    const auto known = changes_.find(at);
    if (known != changes_.end()) {
        // The first change after the step tells what was before it.
        for (const Change& c : known->second) {
            if (c.step > step) return !c.came;
        }
    }
    return cache(at.level).find(at.block) != sim::Cache::kNoWay;
}

bool Motions::heldNearer(std::size_t level, ByteAddress address, std::size_t step) const {
    const std::uint64_t end = address.value + (std::uint64_t{1} << cache(level).blockShift());
    for (std::size_t l = 0; l < level; ++l) {
        const std::uint64_t block = std::uint64_t{1} << cache(l).blockShift();
        for (std::uint64_t a = address.value; a < end; a += block) {
            if (heldAfter(at(l, ByteAddress{a}), step)) return true;
        }
    }
    return false;
}

std::optional<BlockAt> Motions::refuge(std::size_t level, ByteAddress address, std::size_t step) const {
    for (std::size_t l = level + 1; l < levels_; ++l) {
        if (heldAfter(at(l, address), step)) return at(l, address);
    }
    return std::nullopt;
}

float Motions::rank(const BlockAt& at, const Line& line) const {
    const auto slide = slide_.find(at);
    return static_cast<float>(line.rank) + (slide == slide_.end() ? 0.0f : slide->second);
}

std::optional<double> Motions::used(const BlockAt& at) const {
    const auto found = used_.find(at);
    return found == used_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Motions::missed(sim::BlockAddress block) const {
    const auto found = missed_.find(block);
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

glm::vec2 Motions::homePoint(ByteAddress address) const {
    const std::uint32_t home = homes_.of(address);
    if (home == Homes::kNone) return layout_.centre - glm::vec2(0, layout_.memory.outer);
    return layout_.homePlace(layout_.memory.placeOf(homes_.spanOf(home), home));
}

/// Where the stay is, or was when it ended, that the level held at the step.
glm::vec2 Motions::stayPoint(const BlockAt& at, std::size_t step) const {
    const sim::SetIndex set = cache(at.level).setOf(at.block);
    if (const auto ended = ended_.find(at); ended != ended_.end()) {
        for (const Stay& stay : ended->second) {
            if (stay.step >= step) return layout_.linePlace(at.level, set, stay.rank + stay.slide);
        }
    }
    const std::uint32_t way = cache(at.level).find(at.block);
    if (way == sim::Cache::kNoWay) return homePoint(addressOf(at));
    return layout_.linePlace(at.level, set, rank(at, cache(at.level).line(set, sim::WayIndex{way})));
}

glm::vec2 Motions::point(const Flight& flight) const {
    const BlockAt here = at(flight.level, flight.address);
    const float share = eased(flight.age);
    if (flight.kind == Flight::Kind::vanishing) return stayPoint(here, flight.step);
    if (flight.kind == Flight::Kind::entering) {
        const glm::vec2 from = flight.after  ? point(flights_[*flight.after])
                               : flight.from ? stayPoint(*flight.from, flight.step)
                                             : homePoint(flight.address);
        return straight(from, stayPoint(here, flight.step + 1), share);
    }
    const glm::vec2 from = flight.after ? point(flights_[*flight.after]) : stayPoint(here, flight.step);
    const glm::vec2 to = flight.to ? stayPoint(*flight.to, flight.step + 1) : homePoint(flight.address);
    return turning(layout_.centre, from, to, share);
}

}  // namespace whorl::scene
