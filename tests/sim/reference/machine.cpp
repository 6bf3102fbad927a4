#include "sim/reference/machine.h"

#include <stdexcept>

namespace whorl::reference {

Machine::Machine(sim::MachineConfig config, const Futures& futures) : config_(std::move(config)) {
    for (std::size_t level = 0; level < levels(); ++level) {
        auto& row = caches_.emplace_back();
        for (std::size_t index = 0; index < config_.caches(level); ++index) {
            row.emplace_back(config_.levels[level], index);
            if (const auto known = futures.find({level, index}); known != futures.end()) {
                row.back().foretell(known->second);
            }
        }
    }
}

std::vector<Happening> Machine::access(const sim::Access& a) {
    happenings_.clear();
    untoldHit_ = config_.conventions.modifyCountsOnce && a.modify && a.isWrite();
    translate(a);
    const std::uint64_t size = config_.levels[0].block;
    const std::uint64_t first = a.address.value / size;
    const std::uint64_t last = (a.address.value + a.size - 1) / size;
    for (std::uint64_t block = first; block - first <= last - first; ++block) {
        tell({.what = What::touch, .cache = indexFor(0, a.cpu), .block = block, .told = false});
        asked_.clear();
        request(0, a.cpu, block, a.isWrite(), a.isWrite(), true);
        prefetch(a);
    }
    return std::move(happenings_);
}

/// A CPU, or a nearer cache, requests a block from a level, to read it or to write it. With `own` no other cache may
/// keep a copy.
Machine::Given Machine::request(std::size_t level, std::size_t cpu, std::uint64_t block, bool write, bool own,
                                bool demand) {
    if (level == levels()) {
        tell({.what = What::memory, .level = level, .block = block, .write = write, .demand = demand});
        return {};
    }
    Cache& cache = cacheFor(level, cpu);
    cache.ask(block);
    const bool held = cache.holds(block);
    if (demand) asked_[level] = {.block = block, .missed = !held};
    return held ? hit(level, cpu, block, write, own, demand) : miss(level, cpu, block, write, own, demand);
}

Machine::Given Machine::hit(std::size_t level, std::size_t cpu, std::uint64_t block, bool write, bool own,
                            bool demand) {
    Cache& cache = cacheFor(level, cpu);
    tell({.what = What::hit,
          .level = level,
          .cache = indexFor(level, cpu),
          .block = block,
          .write = write,
          .demand = demand,
          .told = !(level == 0 && untoldHit_)});
    if (own && coherent(level) && !cache.at(block).owned) upgrade(level, cpu, block, demand);
    Held& held = cache.at(block);
    cache.use(block);
    held.prefetched = false;

    if (write && config_.levels[level].writeThrough) {
        request(level + 1, cpu, outward(level, block, level + 1), true, true, false);
    } else if (write) {
        held.dirty = true;
    } else if (exclusive(level)) {
        const Given given{.dirty = held.dirty};
        cache.remove(block);
        tell({.what = What::moved, .level = level, .cache = indexFor(level, cpu), .block = block});
        return given;
    }
    return {};
}

Machine::Given Machine::miss(std::size_t level, std::size_t cpu, std::uint64_t block, bool write, bool own,
                             bool demand) {
    const sim::LevelConfig& how = config_.levels[level];
    const std::uint64_t farther = outward(level, block, level + 1);
    tell({.what = What::miss,
          .level = level,
          .cache = indexFor(level, cpu),
          .block = block,
          .write = write,
          .demand = demand});
    if (coherent(level)) snoop(level, cpu, block, own);
    if (write && !how.allocate) {
        request(level + 1, cpu, farther, true, true, false);
        return {};
    }
    if (exclusive(level)) return request(level + 1, cpu, farther, false, own, demand);

    bringIn(level, cpu, block, own, demand);
    if (write && how.writeThrough) {
        request(level + 1, cpu, farther, true, true, false);
    } else if (write) {
        cacheFor(level, cpu).at(block).dirty = true;
    }
    return {};
}

/// Requests a block from the next level and fills it here; the victim is evicted after that, or before.
void Machine::bringIn(std::size_t level, std::size_t cpu, std::uint64_t block, bool own, bool demand) {
    const bool roomFirst = config_.conventions.writebackFirst;
    if (roomFirst) makeRoom(level, cpu, block);
    const Given got = request(level + 1, cpu, outward(level, block, level + 1), false, own, demand);
    if (!roomFirst) makeRoom(level, cpu, block);
    Held& held = place(level, cacheFor(level, cpu), block);
    held.dirty = got.dirty;
    const bool alone = config_.protocol == sim::Protocol::mesi && mayOwn(level, cpu, block);
    held.owned = own || alone || !coherent(level);
    tell({.what = What::fill, .level = level, .cache = indexFor(level, cpu), .block = block});
}

void Machine::makeRoom(std::size_t level, std::size_t cpu, std::uint64_t incoming) {
    if (const auto victim = cacheFor(level, cpu).victimFor(incoming)) evict(level, indexFor(level, cpu), *victim);
}

void Machine::evict(std::size_t level, std::size_t index, std::uint64_t victim) {
    Cache& cache = caches_[level][index];
    const std::size_t cpu = cpusOf(level, index).first;
    if (config_.levels[level].inclusion == sim::Inclusion::inclusive && takeFromNearer(level, index, victim)) {
        cache.at(victim).dirty = true;
    }
    const Held left = cache.at(victim);
    cache.remove(victim);
    tell({.what = What::eviction, .level = level, .cache = index, .block = victim, .dirty = left.dirty});
    if (left.dirty) tell({.what = What::writeback, .level = level, .cache = index, .block = victim});
    if (level + 1 < levels() && exclusive(level + 1)) {
        castOut(level + 1, cpu, victim, left.dirty, left.owned);
    } else if (left.dirty) {
        request(level + 1, cpu, outward(level, victim, level + 1), true, true, false);
    }
}

/// An inclusive cache invalidates a block in all nearer caches; true when one of them had it dirty.
bool Machine::takeFromNearer(std::size_t level, std::size_t index, std::uint64_t victim) {
    bool anyDirty = false;
    for (std::size_t nearer = 0; nearer < level; ++nearer) {
        const auto [first, last] = inside(level, victim, nearer);
        for (const std::size_t other : cachesBehind(nearer, level, index)) {
            for (const std::uint64_t block : caches_[nearer][other].blocksBetween(first, last)) {
                const bool dirty = caches_[nearer][other].at(block).dirty;
                caches_[nearer][other].remove(block);
                tell({.what = What::invalidation,
                      .level = nearer,
                      .cache = other,
                      .block = block,
                      .dirty = dirty,
                      .inclusion = true});
                anyDirty = anyDirty || dirty;
            }
        }
    }
    return anyDirty;
}

/// A block evicted by the next nearer level is filled in an exclusive level.
void Machine::castOut(std::size_t level, std::size_t cpu, std::uint64_t block, bool dirty, bool owned) {
    Cache& cache = cacheFor(level, cpu);
    for (const std::size_t nearer : cachesBehind(level - 1, level, indexFor(level, cpu))) {
        if (!caches_[level - 1][nearer].holds(block)) continue;
        if (dirty) passOn(level, cpu, block);
        return;
    }
    // Only behind another exclusive level can it be here already; then the two copies are merged.
    if (cache.holds(block)) {
        cache.at(block).dirty = cache.at(block).dirty || dirty;
        return;
    }
    makeRoom(level, cpu, block);
    Held& held = place(level, cache, block);
    held.dirty = dirty;
    held.owned = owned;
    tell({.what = What::fill, .level = level, .cache = indexFor(level, cpu), .block = block});
}

/// Dirty data that no farther exclusive level accepts goes to the first level that is not exclusive, or to memory.
void Machine::passOn(std::size_t fromLevel, std::size_t cpu, std::uint64_t block) {
    std::size_t to = fromLevel + 1;
    while (to < levels() && exclusive(to)) ++to;
    request(to, cpu, outward(fromLevel, block, to), true, true, false);
}

Held& Machine::place(std::size_t level, Cache& cache, std::uint64_t block) {
    if (cache.holds(block)) throw std::logic_error("level " + std::to_string(level) + " has the block already");
    return cache.place(block);
}

std::size_t Machine::indexFor(std::size_t level, std::size_t cpu) const {
    return config_.cacheOf(level, static_cast<std::uint32_t>(cpu));
}

Cache& Machine::cacheFor(std::size_t level, std::size_t cpu) {
    return caches_[level][indexFor(level, cpu)];
}

const Cache& Machine::cacheFor(std::size_t level, std::size_t cpu) const {
    return caches_[level][indexFor(level, cpu)];
}

bool Machine::exclusive(std::size_t level) const {
    return config_.levels[level].inclusion == sim::Inclusion::exclusive;
}

std::pair<std::size_t, std::size_t> Machine::cpusOf(std::size_t level, std::size_t cache) const {
    const std::size_t shared = config_.levels[level].sharedBy == 0 ? config_.cpus : config_.levels[level].sharedBy;
    return {cache * shared, (cache + 1) * shared};
}

std::vector<std::size_t> Machine::cachesBehind(std::size_t level, std::size_t farLevel, std::size_t farCache) const {
    const auto [first, end] = cpusOf(farLevel, farCache);
    std::vector<std::size_t> caches;
    for (std::size_t cpu = first; cpu < end; ++cpu) {
        if (caches.empty() || caches.back() != indexFor(level, cpu)) caches.push_back(indexFor(level, cpu));
    }
    return caches;
}

std::uint64_t Machine::outward(std::size_t fromLevel, std::uint64_t block, std::size_t toLevel) const {
    const std::size_t to = toLevel == levels() ? levels() - 1 : toLevel;
    return block * config_.levels[fromLevel].block / config_.levels[to].block;
}

std::pair<std::uint64_t, std::uint64_t> Machine::inside(std::size_t level, std::uint64_t block,
                                                        std::size_t nearer) const {
    const std::uint64_t parts = config_.levels[level].block / config_.levels[nearer].block;
    return {block * parts, block * parts + parts - 1};
}

}  // namespace whorl::reference
