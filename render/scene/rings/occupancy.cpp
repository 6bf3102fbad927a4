#include "render/scene/rings/occupancy.h"

#include <algorithm>
#include <utility>

namespace whorl::scene {

using sim::BlockAddress;
using sim::ByteAddress;
using sim::Cache;
using sim::SetIndex;
using sim::WayIndex;

Occupancy::Occupancy(const Subject& subject, const RingLayout& layout)
    : subject_(subject), layout_(layout), cached_(subject.memorySlots.count(), 0) {
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        const LevelRing& ring = layout.levels[l];
        std::vector<Cache>& before = before_.emplace_back();
        before.reserve(ring.caches());
        for (std::uint32_t c = 0; c < ring.caches(); ++c) before.emplace_back(subject.machine.levels[l], c);
        states_.emplace_back(ring.slots());
        tally_.places += ring.slots();
        markedAt_.emplace_back(std::size_t{ring.caches()} * ring.sets(), 0u);
    }
}

namespace {

/// Calls f(SetIndex) for the sets that differ between two caches. Between two frames few do, of up to tens of
/// thousands: many are compared at once.
template <class F>
void forOtherSets(const Cache& now, const Cache& before, F&& f) {
    constexpr std::uint32_t kAtOnce = 128;
    for (std::uint32_t first = 0; first < now.sets(); first += kAtOnce) {
        const std::uint32_t end = std::min(first + kAtOnce, now.sets());
        if (now.hasSameSets(before, SetIndex{first}, SetIndex{end})) continue;
        for (std::uint32_t s = first; s < end; ++s) {
            if (!now.hasSameSets(before, SetIndex{s}, SetIndex{s + 1})) f(SetIndex{s});
        }
    }
}

}  // namespace

void Occupancy::follow(const sim::Hierarchy& caches, const sim::UseShares& used) {
    caches_ = &caches;
    used_ = &used;
    ++follows_;
    moved_.clear();
    changedSets_.clear();
    changedSlots_.clear();
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        for (std::uint32_t shown = 0; shown < layout_.levels[l].caches(); ++shown) {
            const auto index = layout_.cacheShown(l, shown);
            const Cache& now = cache(l, index);
            Cache& before = before_[l][shown];
            forOtherSets(now, before, [&](SetIndex set) {
                compareSet({static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(index), set}, before);
            });
        }
    }
    for (const Moved& moved : moved_) updateDependents(moved);
    if (used != usedBefore_) compareUse();
    for (const SetAt& set : changedSets_) update(set);
}

/// Notes the sets of whose blocks another share is used now, or is shown at all.
void Occupancy::compareUse() {
    const bool isOther = used_->size() != usedBefore_.size();
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        for (std::uint32_t shown = 0; shown < layout_.levels[l].caches(); ++shown) {
            const auto index = layout_.cacheShown(l, shown);
            const std::size_t place = caches_->cacheIndex(l, index);
            const Cache& now = cache(l, index);
            for (std::uint32_t s = 0; s < now.sets(); ++s) {
                const auto first = static_cast<std::ptrdiff_t>(std::size_t{s} * now.ways());
                const bool isSame = !isOther && std::equal((*used_)[place].begin() + first,
                                                           (*used_)[place].begin() + first + now.ways(),
                                                           usedBefore_[place].begin() + first);
                if (!isSame) {
                    markChanged({static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(index), SetIndex{s}});
                }
            }
        }
    }
    usedBefore_ = *used_;
}

std::uint8_t Occupancy::usedOf(const SetAt& set, std::uint32_t way) const {
    if (used_->empty() || way == Cache::kNoWay) return SlotState::kUseNotShown;
    const Cache& now = cache(set.level, set.cache);
    return (*used_)[caches_->cacheIndex(set.level, set.cache)][std::size_t{set.set.value} * now.ways() + way];
}

/// Notes the blocks that came into a changed set, and those that left it.
void Occupancy::compareSet(const SetAt& at, Cache& before) {
    const Cache& now = cache(at.level, at.cache);
    for (std::uint32_t w = 0; w < now.ways(); ++w) {
        const bool hadBlock = before.isValid(at.set, WayIndex{w});
        const bool hasBlock = now.isValid(at.set, WayIndex{w});
        const BlockAddress was = before.blockIn(at.set, WayIndex{w});
        const BlockAddress is = now.blockIn(at.set, WayIndex{w});
        if (was == is && hadBlock == hasBlock) continue;
        if (hadBlock) moved_.push_back({at, was});
        if (hasBlock) moved_.push_back({at, is});
    }
    before.copySetFrom(now, at.set);
    markChanged(at);
}

void Occupancy::markChanged(const SetAt& set) {
    std::uint32_t& when = markedAt_[set.level][row(set)];
    if (std::exchange(when, follows_) != follows_) changedSets_.push_back(set);
}

/// Updates what depends on a block that came or went: its copies farther out as ghosts, and its memory slot as cached.
void Occupancy::updateDependents(const Moved& moved) {
    const ByteAddress address = cache(moved.set.level, moved.set.cache).addressOf(moved.block);
    for (std::size_t l = moved.set.level + std::size_t{1}; l < layout_.levels.size(); ++l) {
        const std::uint32_t index = subject_.outerCache(l, moved.set.level, moved.set.cache);
        const Cache& outer = cache(l, index);
        const BlockAddress copy = outer.blockOf(address);
        if (!outer.holds(copy)) continue;
        markChanged({static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(index), outer.setOf(copy)});
    }
    const std::uint32_t slot = subject_.memorySlots.of(address);
    if (slot == MemorySlots::kNone) return;
    const bool cached = isHeldAnywhere(subject_.memorySlots.address(slot));
    if (cached == isCached(slot)) return;
    cached_[slot] = cached ? 1 : 0;
    changedSlots_.push_back(slot);
}

void Occupancy::update(const SetAt& set) {
    const Cache& now = cache(set.level, set.cache);
    SlotState* const states = states_[set.level].data() + row(set) * now.ways();
    const std::vector<sim::Line> lines = now.lines(set.set);
    drawn_.assign(now.ways(), {});
    for (std::uint32_t w = 0; w < now.ways(); ++w) {
        if (lines[w].valid) drawn_[layout_.drawnRank(set.level, w, lines[w])] = stateOf(set, lines[w]);
    }
    for (std::uint32_t k = 0; k < now.ways(); ++k) put(states[k], drawn_[k]);
}

void Occupancy::put(SlotState& at, const SlotState& state) {
    const auto change = [&](std::size_t& count, SlotState::Flag flag) {
        count += state.has(flag) ? 1u : 0u;
        count -= at.has(flag) ? 1u : 0u;
    };
    change(tally_.held, SlotState::valid);
    change(tally_.ghosts, SlotState::ghost);
    change(tally_.dirty, SlotState::dirty);
    change(tally_.prefetched, SlotState::prefetched);
    tally_.partlyUsed += state.used != SlotState::kUseNotShown ? 1u : 0u;
    tally_.partlyUsed -= at.used != SlotState::kUseNotShown ? 1u : 0u;
    at = state;
}

SlotState Occupancy::stateOf(const SetAt& set, const sim::Line& line) const {
    const Cache& now = cache(set.level, set.cache);
    const ByteAddress address = now.addressOf(line.block);
    SlotState state{
        .block = line.block,
        .region = static_cast<std::uint16_t>(subject_.regionOf(address, std::uint64_t{1} << now.blockShift())),
        .flags = SlotState::valid};
    if (!used_->empty()) state.used = usedOf(set, now.find(line.block));
    if (isHeldNearer(set.level, set.cache, address)) state.flags |= SlotState::ghost;
    if (line.dirty) state.flags |= SlotState::dirty;
    if (line.prefetched) state.flags |= SlotState::prefetched;
    return state;
}

/// Whether a cache nearer to the CPUs holds a part of the block that begins at an address.
bool Occupancy::isHeldNearer(std::size_t level, std::uint32_t index, ByteAddress address) const {
    const std::uint64_t size = subject_.machine.levels[level].block;
    const std::uint32_t firstCpu = subject_.machine.firstCpu(level, index);
    const std::uint32_t lastCpu = subject_.machine.endCpu(level, index) - 1;
    for (std::size_t l = 0; l < level; ++l) {
        const std::uint32_t last = subject_.machine.cacheOf(l, lastCpu);
        for (std::uint32_t c = subject_.machine.cacheOf(l, firstCpu); c <= last; ++c) {
            if (layout_.shows(l, c) && isHeldIn(l, c, address, size)) return true;
        }
    }
    return false;
}

bool Occupancy::isHeldIn(std::size_t level, std::uint32_t index, ByteAddress from, std::uint64_t size) const {
    const Cache& c = cache(level, index);
    const std::uint64_t first = from.value >> c.blockShift();
    const std::uint64_t last = (from.value + (size - 1)) >> c.blockShift();
    // The last block of the address space may be the highest number.
    for (std::uint64_t b = first; b - first <= last - first; ++b) {
        if (c.holds(BlockAddress{b})) return true;
    }
    return false;
}

bool Occupancy::isHeldAnywhere(ByteAddress address) const {
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        for (std::uint32_t shown = 0; shown < layout_.levels[l].caches(); ++shown) {
            if (isHeldIn(l, layout_.cacheShown(l, shown), address, subject_.memorySlots.blockSize())) return true;
        }
    }
    return false;
}

}  // namespace whorl::scene
