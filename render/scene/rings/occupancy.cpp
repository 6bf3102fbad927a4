#include "render/scene/rings/occupancy.h"

#include <algorithm>

namespace whorl::scene {

using sim::BlockAddress;
using sim::ByteAddress;
using sim::Cache;
using sim::SetIndex;
using sim::WayIndex;

Occupancy::Occupancy(const Subject& subject, const RingLayout& layout)
    : subject_(subject), layout_(layout), away_(subject.memorySlots.count(), 0) {
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        const LevelRing& ring = layout.levels[l];
        std::vector<Cache>& seen = seen_.emplace_back();
        seen.reserve(ring.caches());
        for (std::uint32_t c = 0; c < ring.caches(); ++c) seen.emplace_back(subject.machine.levels[l], c);
        looks_.emplace_back(ring.slots());
        tally_.places += ring.slots();
        markedAt_.emplace_back(std::size_t{ring.caches()} * ring.sets(), 0u);
    }
}

void Occupancy::follow(const sim::Hierarchy& caches) {
    caches_ = &caches;
    ++now_;
    moved_.clear();
    sets_.clear();
    memorySlots_.clear();
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        for (std::uint32_t shown = 0; shown < layout_.levels[l].caches(); ++shown) {
            const auto index = layout_.cacheShown(l, shown);
            const Cache& stands = cache(l, index);
            Cache& seen = seen_[l][shown];
            for (std::uint32_t s = 0; s < stands.sets(); ++s) {
                if (stands.hasSameSet(seen, SetIndex{s})) continue;
                findMoved({static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(index), SetIndex{s}}, seen);
            }
        }
    }
    for (const Moved& moved : moved_) settle(moved);
    for (const SetAt& set : sets_) write(set);
}

/// A set that has changed: what came and what went.
void Occupancy::findMoved(const SetAt& at, Cache& seen) {
    const Cache& stands = cache(at.level, at.cache);
    for (std::uint32_t w = 0; w < stands.ways(); ++w) {
        const BlockAddress was = seen.blockIn(at.set, WayIndex{w});
        const BlockAddress is = stands.blockIn(at.set, WayIndex{w});
        if (was == is) continue;
        if (was.value != Cache::kNoBlock) moved_.push_back({at, was});
        if (is.value != Cache::kNoBlock) moved_.push_back({at, is});
    }
    seen.copySetFrom(stands, at.set);
    mark(at);
}

void Occupancy::mark(const SetAt& set) {
    std::uint32_t& when = markedAt_[set.level][row(set)];
    if (std::exchange(when, now_) != now_) sets_.push_back(set);
}

/// What depends on a block that came or went: its copies farther out, and its home.
void Occupancy::settle(const Moved& moved) {
    const ByteAddress address = cache(moved.set.level, moved.set.cache).addressOf(moved.block);
    for (std::size_t l = moved.set.level + std::size_t{1}; l < layout_.levels.size(); ++l) {
        const std::uint32_t index = subject_.outerCache(l, moved.set.level, moved.set.cache);
        const Cache& outer = cache(l, index);
        const BlockAddress copy = outer.blockOf(address);
        if (!outer.holds(copy)) continue;
        mark({static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(index), outer.setOf(copy)});
    }
    const std::uint32_t slot = subject_.memorySlots.of(address);
    if (slot == MemorySlots::kNone) return;
    const bool away = isCached(subject_.memorySlots.address(slot));
    if (away == isAway(slot)) return;
    away_[slot] = away ? 1 : 0;
    memorySlots_.push_back(slot);
}

void Occupancy::write(const SetAt& set) {
    const Cache& stands = cache(set.level, set.cache);
    Look* const looks = looks_[set.level].data() + row(set) * stands.ways();
    for (std::uint32_t k = stands.occupied(set.set); k < stands.ways(); ++k) put(looks[k], {});
    for (const sim::Line& line : stands.lines(set.set)) {
        if (line.valid) put(looks[line.rank], lookOf(set, line));
    }
}

void Occupancy::put(Look& at, const Look& look) {
    const auto change = [&](std::size_t& count, Look::Flag flag) {
        count += look.has(flag) ? 1u : 0u;
        count -= at.has(flag) ? 1u : 0u;
    };
    change(tally_.held, Look::valid);
    change(tally_.ghosts, Look::ghost);
    change(tally_.dirty, Look::dirty);
    change(tally_.prefetched, Look::prefetched);
    at = look;
}

Look Occupancy::lookOf(const SetAt& set, const sim::Line& line) const {
    const Cache& stands = cache(set.level, set.cache);
    const ByteAddress address = stands.addressOf(line.block);
    Look look{.block = line.block,
              .region = static_cast<std::uint16_t>(subject_.regionOf(address, std::uint64_t{1} << stands.blockShift())),
              .flags = Look::valid};
    if (isHeldNearer(set.level, set.cache, address)) look.flags |= Look::ghost;
    if (line.dirty) look.flags |= Look::dirty;
    if (line.prefetched) look.flags |= Look::prefetched;
    return look;
}

/// Whether a cache nearer to the CPUs holds a part of the block that begins at an address.
bool Occupancy::isHeldNearer(std::size_t level, std::uint32_t index, ByteAddress address) const {
    const std::uint64_t size = subject_.machine.levels[level].block;
    const std::uint32_t firstCpu = subject_.firstCpu(level, index);
    const std::uint32_t lastCpu = subject_.endCpu(level, index) - 1;
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
    const std::uint64_t last = (from.value + (size - 1)) >> c.blockShift();
    for (std::uint64_t b = from.value >> c.blockShift(); b <= last; ++b) {
        if (c.holds(BlockAddress{b})) return true;
    }
    return false;
}

bool Occupancy::isCached(ByteAddress address) const {
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
        for (std::uint32_t shown = 0; shown < layout_.levels[l].caches(); ++shown) {
            if (isHeldIn(l, layout_.cacheShown(l, shown), address, subject_.memorySlots.blockSize())) return true;
        }
    }
    return false;
}

}  // namespace whorl::scene
