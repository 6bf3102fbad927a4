#include "sim/cache/walk.h"

#include <algorithm>
#include <bit>

namespace whorl::sim {

void Hierarchy::access(const Access& a, EventList& events) {
    Walk(*this, a, events).run();
}

void Walk::run() {
    if (!h_.tlbs_.empty() || h_.pages_) translate();
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(machine_.blockBytes()));
    const std::uint64_t last = (access_.address.value + (access_.size - 1)) >> shift;
    const std::uint64_t first = access_.address.value >> shift;
    // The last block of the address space may have the highest number.
    for (std::uint64_t b = first; b - first <= last - first; ++b) {
        at_ = std::max(access_.address.value, b << shift);
        // Another page of the access may have taken its frame since.
        if (mayLosePages_ && !isInMemory(0, BlockAddress{b})) translate(h_.pages_->pageOf(ByteAddress{at_}));
        const std::uint32_t bytes = bytesIn(BlockAddress{b});
        request({.level = 0,
                 .cpu = access_.cpu,
                 .block = BlockAddress{b},
                 .write = access_.isWrite(),
                 .own = access_.isWrite(),
                 .demand = true,
                 .whole = access_.isWrite() && bytes == machine_.blockBytes(),
                 .bytes = bytes});
        for (std::size_t l = 0; triggered_ != 0; ++l, triggered_ >>= 1) {
            if ((triggered_ & 1) != 0) prefetchFor(l);
        }
        levelsAsked_ |= askedNow_;
        levelsMissed_ |= missedNow_;
        askedNow_ = missedNow_ = 0;
    }
}

Walk::Place Walk::place(std::size_t level, std::uint32_t index, BlockAddress block) {
    Cache& cache = cacheAt(level, index);
    return {.level = level,
            .index = index,
            .cache = cache,
            .set = cache.setOf(block),
            .way = cache.find(block),
            .block = block};
}

BlockAddress Walk::blockAt(std::size_t other, std::size_t level, BlockAddress block) const {
    return cacheAt(std::min(other, h_.levels() - 1), 0).blockOf(cacheAt(level, 0).addressOf(block));
}

Walk::Part Walk::partOf(std::size_t level, BlockAddress block, std::size_t nearer) const {
    const Cache& cache = cacheAt(nearer, 0);
    const std::uint64_t first = cacheAt(level, 0).addressOf(block).value >> cache.blockShift();
    return {first, std::uint64_t{1} << (cacheAt(level, 0).blockShift() - cache.blockShift())};
}

void Walk::emitRequest(EventKind kind, const Request& r, const Place& p, bool useful) {
    Event e = event(kind, p);
    e.write = r.write;
    e.demand = r.demand;
    e.useful = useful;
    if (r.demand) {
        const unsigned bit = 1u << r.level;
        const bool isMiss = kind == EventKind::miss;
        e.together = machine_.conventions.straddleCountsOnce && isCountedBefore(r.level, isMiss);
        missedNow_ |= isMiss ? bit : 0;
        if (machine_.levels[r.level].prefetch != Prefetcher::none) {
            triggered_ |= bit;
            triggers_[r.level] = {.missed = isMiss, .block = r.block, .address = at_};
        }
        e.half = r.level == 0 && !isMiss && access_.modify && machine_.conventions.modifyCountsOnce;
        askedNow_ |= e.half ? 0 : bit;
    }
    events_.add(e);
}

/// Whether an earlier block of the access already counts for this one at a level. The first block that misses counts in
/// place of those before it.
bool Walk::isCountedBefore(std::size_t level, bool isMiss) {
    const unsigned bit = 1u << level;
    const bool isFirst = (levelsAsked_ & bit) == 0;
    const bool isWorse = !isFirst && isMiss && (levelsMissed_ & bit) == 0;
    if (isWorse) events_.countTogether(counted_[level]);
    if (isFirst || isWorse) counted_[level] = events_.size();
    return !isFirst && !isWorse;
}

Walk::Response Walk::request(const Request& r) {
    if (r.level == h_.levels()) {
        Event e;
        e.kind = EventKind::memory;
        e.level = static_cast<std::uint8_t>(r.level);
        e.write = r.write;
        e.demand = r.demand;
        e.block = r.block;
        events_.add(e);
        return {};
    }
    Place p = place(r.level, machine_.cacheOf(r.level, r.cpu), r.block);
    if (p.cache.policy() == Policy::opt) p.cache.nextRequest();
    return p.found() ? hit(r, p) : miss(r, p);
}

Walk::Response Walk::hit(const Request& r, const Place& p) {
    emitRequest(EventKind::hit, r, p, p.cache.has(p.set, p.at(), Cache::prefetched));
    if (r.own && !isOwned(p)) upgrade(p, r.cpu, r.demand);
    p.cache.use(p.set, p.at());
    p.cache.clear(p.set, p.at(), Cache::prefetched);
    Response got{.dirty = false, .owned = p.cache.has(p.set, p.at(), Cache::owned)};
    if (r.write) {
        if (machine_.levels[r.level].writeThrough) {
            writeThrough(r, p);
        } else {
            p.cache.set(p.set, p.at(), Cache::dirty);
        }
    } else if (isExclusive(r.level)) {
        got.dirty = p.cache.has(p.set, p.at(), Cache::dirty);
        emit(EventKind::moved, p);
        p.cache.remove(p.set, p.at());
    }
    return got;
}

Walk::Response Walk::miss(const Request& r, Place& p) {
    emitRequest(EventKind::miss, r, p, false);
    if (machine_.isCoherent(r.level)) snoop(r.level, r.cpu, r.block, r.own);
    if (r.write && !machine_.levels[r.level].allocate) {
        writeThrough(r, p);
        return {};
    }
    if (isExclusive(r.level)) {
        Request outward = r;
        outward.level = r.level + 1;
        outward.block = blockAt(r.level + 1, r.level, r.block);
        return request(outward);
    }
    const Response got = bringIn(r, p);
    if (r.write) {
        if (machine_.levels[r.level].writeThrough) {
            writeThrough(r, p);
        } else {
            p.cache.set(p.set, p.at(), Cache::dirty);
        }
    }
    return got;
}

/// The number of bytes of a block of the nearest level that the access covers.
std::uint32_t Walk::bytesIn(BlockAddress block) const {
    const std::uint64_t base = block.value * machine_.blockBytes();
    const std::uint64_t from = std::max(access_.address.value, base);
    const std::uint64_t last = std::min(access_.address.value + (access_.size - 1), base + (machine_.blockBytes() - 1));
    return static_cast<std::uint32_t>(last - from + 1);
}

/// Fetches a block from the next level, evicts a victim if the set is full, and fills; updates `p`. By convention a
/// block that is overwritten whole is not fetched; copies outside the writer's path are invalidated all the same.
Walk::Response Walk::bringIn(const Request& r, Place& p) {
    const Request outward{.level = r.level + 1,
                          .cpu = r.cpu,
                          .block = blockAt(r.level + 1, r.level, r.block),
                          .write = false,
                          .own = r.own,
                          .demand = r.demand};
    const bool fetches = !r.whole || machine_.conventions.fullWriteFetches;
    Response got;
    const auto ask = [&] {
        if (fetches) {
            got = request(outward);
        } else if (machine_.isCoherent(r.level)) {
            upgradeBeyond(r.level, r.block, r.cpu, r.demand);
        }
    };
    if (machine_.conventions.writebackFirst) {
        makeRoom(p, r.cpu);
        ask();
    } else {
        ask();
        makeRoom(p, r.cpu);
    }
    p.way = p.cache.freeWay(p.set).value;
    p.cache.fill(p.set, p.at(), p.block);
    emit(EventKind::fill, p);
    if (got.dirty) p.cache.set(p.set, p.at(), Cache::dirty);
    got.owned = r.own || (machine_.protocol == Protocol::mesi && mayOwn(r.level, r.cpu, r.block));
    if (machine_.isCoherent(r.level) && got.owned) p.cache.set(p.set, p.at(), Cache::owned);
    got.dirty = false;
    return got;
}

void Walk::makeRoom(const Place& p, std::uint32_t cpu) {
    if (!p.cache.isFull(p.set)) return;
    const WayIndex way = p.cache.chooseVictim(p.set);
    Place victim{.level = p.level,
                 .index = p.index,
                 .cache = p.cache,
                 .set = p.set,
                 .way = way.value,
                 .block = p.cache.blockIn(p.set, way)};
    evict(victim, cpu);
}

void Walk::evict(Place victim, std::uint32_t cpu) {
    const bool isInclusive = victim.level > 0 && machine_.levels[victim.level].inclusion == Inclusion::inclusive;
    const bool nearerDirty = isInclusive && invalidateNearer(victim);
    const bool isDirty = victim.cache.has(victim.set, victim.at(), Cache::dirty) || nearerDirty;
    const bool wasOwned = victim.cache.has(victim.set, victim.at(), Cache::owned);
    Event e = event(EventKind::eviction, victim);
    e.dirty = isDirty;
    events_.add(e);
    victim.cache.remove(victim.set, victim.at());
    if (isDirty) emit(EventKind::writeback, victim);
    if (isExclusive(victim.level + 1)) {
        castOut(victim, cpu, isDirty, wasOwned);
    } else if (isDirty) {
        writeBack(victim.level, cpu, victim.block);
    }
}

/// Invalidates in the nearer levels the block that an inclusive level is about to evict. True if a copy was dirty.
bool Walk::invalidateNearer(const Place& victim) {
    bool anyDirty = false;
    const std::uint32_t cpu = machine_.firstCpu(victim.level, victim.index);
    const std::uint32_t shared = machine_.levels[victim.level].sharedBy;
    const std::uint32_t end = shared == 0 ? machine_.cpus : cpu + shared;
    for (std::size_t l = 0; l < victim.level; ++l) {
        const Part part = partOf(victim.level, victim.block, l);
        for (std::uint32_t i = machine_.cacheOf(l, cpu); i <= machine_.cacheOf(l, end - 1); ++i) {
            for (std::uint64_t b = part.first; b - part.first < part.count; ++b) {
                Place p = place(l, i, BlockAddress{b});
                if (!p.found()) continue;
                Event e = event(EventKind::invalidation, p);
                e.dirty = p.cache.has(p.set, p.at(), Cache::dirty);
                e.cause = Cause::inclusion;
                anyDirty |= e.dirty;
                events_.add(e);
                p.cache.remove(p.set, p.at());
            }
        }
    }
    return anyDirty;
}

/// Moves a block evicted by the nearer level into the exclusive level, unless another of the caches it serves still
/// holds it.
void Walk::castOut(const Place& victim, std::uint32_t cpu, bool dirty, bool owned) {
    const std::size_t level = victim.level + 1;
    const std::uint32_t index = machine_.cacheOf(level, cpu);
    for (std::uint32_t i = 0; i < machine_.caches(victim.level); ++i) {
        const bool isSibling =
            i != victim.index && machine_.cacheOf(level, machine_.firstCpu(victim.level, i)) == index;
        if (!isSibling || !cacheAt(victim.level, i).holds(victim.block)) continue;
        if (dirty) passDown(level, cpu, victim.block);
        return;
    }
    Place p = place(level, index, victim.block);
    if (!p.found()) {
        makeRoom(p, cpu);
        p.way = p.cache.freeWay(p.set).value;
        p.cache.fill(p.set, p.at(), p.block);
        emit(EventKind::fill, p);
    }
    if (dirty) p.cache.set(p.set, p.at(), Cache::dirty);
    if (owned && machine_.isCoherent(level)) p.cache.set(p.set, p.at(), Cache::owned);
}

/// Writes data of a block that remains in a nearer cache outward, past exclusive levels, which must not hold it.
void Walk::passDown(std::size_t level, std::uint32_t cpu, BlockAddress block) {
    std::size_t last = level;
    while (isExclusive(last + 1)) ++last;
    writeBack(last, cpu, blockAt(last, level, block));
}

/// Passes data written to a level on to the next one.
void Walk::writeThrough(const Request& r, const Place& p) {
    Event e = event(EventKind::writeThrough, p);
    e.way = WayIndex{r.bytes};
    events_.add(e);
    writeOutward(r.level, r.cpu, r.block, r.whole, r.bytes);
}

/// Writes a whole block to the next level.
void Walk::writeBack(std::size_t level, std::uint32_t cpu, BlockAddress block) {
    writeOutward(level, cpu, block, true, machine_.levels[level].block);
}

/// Writes data of a block to the next level, or to memory. `whole`: the data is the whole block.
void Walk::writeOutward(std::size_t level, std::uint32_t cpu, BlockAddress block, bool whole, std::uint32_t bytes) {
    const bool isSameSize =
        level + 1 == h_.levels() || cacheAt(level + 1, 0).blockShift() == cacheAt(level, 0).blockShift();
    request({.level = level + 1,
             .cpu = cpu,
             .block = blockAt(level + 1, level, block),
             .write = true,
             .own = true,
             .demand = false,
             .whole = whole && isSameSize,
             .bytes = bytes});
}

// --- prefetching ---

/// Whether the present block's request trains a level's stride table: an instruction trains it once, by the first block
/// of its access that reaches the level. The write half of a modify is the same instruction as the read half.
bool Walk::learns(std::size_t level) const {
    return !access_.modify && (levelsAsked_ >> level & 1) == 0;
}

/// Prefetches what the present block's request at a level triggers.
void Walk::prefetchFor(std::size_t level) {
    const LevelConfig& config = machine_.levels[level];
    const Trigger trigger = triggers_[level];
    const std::uint32_t index = machine_.cacheOf(level, access_.cpu);
    const std::uint32_t shift = cacheAt(level, index).blockShift();
    if (config.prefetch == Prefetcher::nextLine) {
        const std::uint64_t left = (~std::uint64_t{0} >> shift) - trigger.block.value;  // blocks up to the last one
        for (std::uint64_t i = 1; trigger.missed && i <= config.degree && i <= left; ++i) {
            prefetch(level, BlockAddress{trigger.block.value + i});
        }
    } else if (config.prefetch == Prefetcher::stride && learns(level)) {
        StrideTable& table = h_.strides_[h_.cacheIndex(level, index)];
        const std::int64_t stride = table.learn(access_.site.value, trigger.address);
        BlockAddress before = trigger.block;
        std::uint64_t at = trigger.address;
        for (std::uint32_t i = 1; stride != 0 && i <= config.degree; ++i) {
            const std::uint64_t next = at + static_cast<std::uint64_t>(stride);
            if ((next > at) != (stride > 0)) break;  // wrapped around the end of the address space
            at = next;
            const BlockAddress block{at >> shift};
            if (block != before && block != trigger.block) prefetch(level, block);
            before = block;
        }
    }
}

void Walk::prefetch(std::size_t level, BlockAddress block) {
    Place p = place(level, machine_.cacheOf(level, access_.cpu), block);
    if (p.found() || !isInMemory(level, block)) return;
    emit(EventKind::prefetch, p);
    if (machine_.isCoherent(level)) snoop(level, access_.cpu, block, false);
    bringIn({.level = level, .cpu = access_.cpu, .block = block, .write = false, .own = false, .demand = false}, p);
    p.cache.set(p.set, p.at(), Cache::prefetched);
}

// --- coherence ---

template <class F>
void Walk::forPeers(std::size_t level, std::uint32_t cpu, F&& f) const {
    const std::uint32_t own = machine_.cacheOf(level, cpu);
    const bool isLast = level + 1 == h_.levels();
    for (std::uint32_t peer = 0; peer < machine_.caches(level); ++peer) {
        const std::uint32_t from = machine_.firstCpu(level, peer);
        const bool isSibling = isLast || machine_.cacheOf(level + 1, from) == machine_.cacheOf(level + 1, cpu);
        if (peer == own || !isSibling) continue;
        const std::uint32_t last = machine_.endCpu(level, peer) - 1;
        for (std::size_t l = 0; l <= level; ++l) {
            for (std::uint32_t i = machine_.cacheOf(l, from); i <= machine_.cacheOf(l, last); ++i) {
                if (!f(l, i)) return;
            }
        }
    }
}

/// Downgrades the peers' copies for a reader, or invalidates them for a writer.
void Walk::snoop(std::size_t level, std::uint32_t cpu, BlockAddress block, bool own) {
    forPeers(level, cpu, [&](std::size_t l, std::uint32_t i) {
        const Part part = partOf(level, block, l);
        for (std::uint64_t b = part.first; b - part.first < part.count; ++b) {
            const Place copy = place(l, i, BlockAddress{b});
            if (copy.found()) snoopCopy(copy, own);
        }
        return true;
    });
}

void Walk::snoopCopy(Place copy, bool own) {
    Cache& cache = copy.cache;
    const bool wasDirty = cache.has(copy.set, copy.at(), Cache::dirty);
    if (wasDirty) {
        emit(EventKind::writeback, copy);
        cache.clear(copy.set, copy.at(), Cache::dirty);
        passDown(copy.level, machine_.firstCpu(copy.level, copy.index), copy.block);
        copy.way = cache.find(copy.block);
        if (!copy.found()) return;
    }
    const bool wasOwned = cache.has(copy.set, copy.at(), Cache::owned);
    Event e = event(own ? EventKind::invalidation : EventKind::downgrade, copy);
    e.dirty = wasDirty;
    e.cause = Cause::coherence;
    if (own) {
        events_.add(e);
        cache.remove(copy.set, copy.at());
    } else if (wasOwned || wasDirty) {
        events_.add(e);
        cache.clear(copy.set, copy.at(), Cache::owned);
    }
}

/// Gives this path ownership of a block that others may have, from its level outward to the first level that owns it.
void Walk::upgrade(const Place& p, std::uint32_t cpu, bool demand) {
    gain(p, cpu, demand);
    upgradeBeyond(p.level, p.block, cpu, demand);
}

/// Gives this path ownership in the levels beyond `level`, which is about to fill the block or to gain ownership of it.
void Walk::upgradeBeyond(std::size_t level, BlockAddress block, std::uint32_t cpu, bool demand) {
    for (std::size_t l = level + 1; l < h_.levels() && machine_.isCoherent(l); ++l) {
        const Place outer = place(l, machine_.cacheOf(l, cpu), blockAt(l, level, block));
        if (!outer.found()) {
            snoop(l, cpu, outer.block, true);
        } else if (isOwned(outer)) {
            return;
        } else {
            gain(outer, cpu, demand);
        }
    }
}

void Walk::gain(const Place& p, std::uint32_t cpu, bool demand) {
    Event e = event(EventKind::upgrade, p);
    e.demand = demand;
    events_.add(e);
    snoop(p.level, cpu, p.block, true);
    p.cache.set(p.set, p.at(), Cache::owned);
}

bool Walk::peersHold(std::size_t level, std::uint32_t cpu, BlockAddress block) const {
    bool held = false;
    forPeers(level, cpu, [&](std::size_t l, std::uint32_t i) {
        const Cache& cache = cacheAt(l, i);
        const Part part = partOf(level, block, l);
        for (std::uint64_t b = part.first; b - part.first < part.count && !held; ++b)
            held = cache.holds(BlockAddress{b});
        return !held;
    });
    return held;
}

/// Whether a read may give ownership of the block to this path.
bool Walk::mayOwn(std::size_t level, std::uint32_t cpu, BlockAddress block) const {
    for (std::size_t l = level;; ++l) {
        if (!machine_.isCoherent(l)) return true;
        const BlockAddress b = blockAt(l, level, block);
        if (l > level) {
            const Cache& cache = cacheAt(l, machine_.cacheOf(l, cpu));
            const std::uint32_t way = cache.find(b);
            if (way != Cache::kNoWay) return cache.has(cache.setOf(b), WayIndex{way}, Cache::owned);
        }
        if (peersHold(l, cpu, b)) return false;
        if (l + 1 == h_.levels()) return true;
    }
}

}  // namespace whorl::sim
