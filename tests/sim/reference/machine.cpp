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
    const std::uint64_t size = config_.levels.empty() ? kMemoryWord : config_.levels[0].block;
    const std::uint64_t first = a.address.value / size;
    const std::uint64_t last = (a.address.value + a.size - 1) / size;
    trained_.clear();
    for (std::uint64_t block = first; block - first <= last - first; ++block) {
        if (!resident(0, block)) translate(a, block * size / config_.memory.page);
        if (!config_.levels.empty()) {
            tell({.what = What::touch, .cache = indexFor(0, a.cpu), .block = block, .told = false});
        }
        asked_.clear();
        touched_ = block;
        std::uint64_t bytes = size;
        if (block == first) bytes -= a.address.value % size;
        if (block == last) bytes -= size - 1 - (a.address.value + a.size - 1) % size;
        request(0, a.cpu, block,
                {.write = a.isWrite(),
                 .own = a.isWrite(),
                 .demand = true,
                 .whole = a.isWrite() && bytes == size,
                 .bytes = bytes});
        prefetch(a);
    }
    if (a.isWrite()) loseOthersCopies(a);
    return std::move(happenings_);
}

/// A CPU, or a nearer cache, requests a block from a level, to read it or to write it. With `own` no other cache may
/// keep a copy.
Machine::Given Machine::request(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask) {
    if (level == levels()) {
        tell({.what = What::memory, .level = level, .block = block, .write = ask.write, .demand = ask.demand});
        return {};
    }
    Cache& cache = cacheFor(level, cpu);
    cache.ask(block);
    const bool held = cache.holds(block);
    if (ask.demand) asked_[level] = {.block = block, .missed = !held};
    return held ? hit(level, cpu, block, ask) : miss(level, cpu, block, ask);
}

/// Writes data of a block of the level `from` to a farther level: all of the block there, if it is as large.
void Machine::writeTo(std::size_t to, std::size_t from, std::size_t cpu, std::uint64_t block, bool whole,
                      std::uint64_t bytes) {
    const bool fits = to == levels() || config_.levels[to].block == config_.levels[from].block;
    request(to, cpu, outward(from, block, to), {.write = true, .own = true, .whole = whole && fits, .bytes = bytes});
}

/// What is written to a level goes on to the next at once.
void Machine::writeThrough(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask) {
    tell({.what = What::writeThrough,
          .level = level,
          .cache = indexFor(level, cpu),
          .block = block,
          .bytes = ask.bytes});
    writeTo(level + 1, level, cpu, block, ask.whole, ask.bytes);
}

/// All of a block goes to a farther level.
void Machine::writeBack(std::size_t to, std::size_t from, std::size_t cpu, std::uint64_t block) {
    writeTo(to, from, cpu, block, true, config_.levels[from].block);
}

Machine::Given Machine::hit(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask) {
    Cache& cache = cacheFor(level, cpu);
    tell({.what = What::hit,
          .level = level,
          .cache = indexFor(level, cpu),
          .block = block,
          .write = ask.write,
          .demand = ask.demand,
          .told = !(level == 0 && untoldHit_)});
    if (ask.own && coherent(level) && !cache.at(block).owned) upgrade(level, cpu, block, ask.demand);
    Held& held = cache.at(block);
    cache.use(block);
    held.prefetched = false;

    if (ask.write && config_.levels[level].writeThrough) {
        writeThrough(level, cpu, block, ask);
    } else if (ask.write) {
        held.dirty = true;
    } else if (exclusive(level)) {
        const Given given{.dirty = held.dirty};
        cache.remove(block);
        tell({.what = What::moved, .level = level, .cache = indexFor(level, cpu), .block = block});
        return given;
    }
    return {};
}

Machine::Given Machine::miss(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask) {
    const sim::LevelConfig& how = config_.levels[level];
    tell({.what = What::miss,
          .level = level,
          .cache = indexFor(level, cpu),
          .block = block,
          .write = ask.write,
          .demand = ask.demand});
    if (coherent(level)) snoop(level, cpu, block, ask.own);
    if (ask.write && !how.allocate) {
        writeThrough(level, cpu, block, ask);
        return {};
    }
    if (exclusive(level)) {
        return request(level + 1, cpu, outward(level, block, level + 1), {.own = ask.own, .demand = ask.demand});
    }
    bringIn(level, cpu, block, ask);
    if (ask.write && how.writeThrough) {
        writeThrough(level, cpu, block, ask);
    } else if (ask.write) {
        cacheFor(level, cpu).at(block).dirty = true;
    }
    return {};
}

/// Requests a block from the next level and fills it here; the victim is evicted after that, or before. What is
/// overwritten whole need not be fetched.
void Machine::bringIn(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask) {
    const bool roomFirst = config_.conventions.writebackFirst;
    const bool fetches = config_.conventions.fullWriteFetches || !ask.whole;
    if (roomFirst) makeRoom(level, cpu, block);
    Given got;
    if (fetches) {
        got = request(level + 1, cpu, outward(level, block, level + 1), {.own = ask.own, .demand = ask.demand});
    } else {
        upgradeBeyond(level, cpu, block, ask.demand);
    }
    if (!roomFirst) makeRoom(level, cpu, block);
    Held& held = place(level, cacheFor(level, cpu), block);
    held.dirty = got.dirty;
    const bool alone = config_.protocol == sim::Protocol::mesi && mayOwn(level, cpu, block);
    held.owned = ask.own || alone || !coherent(level);
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
        writeBack(level + 1, level, cpu, victim);
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
        if (dirty) passDown(level, cpu, block);
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
void Machine::passDown(std::size_t fromLevel, std::size_t cpu, std::uint64_t block) {
    std::size_t to = fromLevel + 1;
    while (to < levels() && exclusive(to)) ++to;
    writeBack(to, fromLevel, cpu, block);
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
