// Write-invalidate coherence, MSI and MESI, through the tree of caches. The unit for which two caches compete is the
// block of the outermost level at which they are separate.
#include "sim/reference/machine.h"

namespace whorl::reference {

bool Machine::coherent(std::size_t level) const {
    return config_.protocol != sim::Protocol::none && config_.caches(level) > 1;
}

/// The other caches with the same parent as a CPU's cache in its level.
std::vector<std::size_t> Machine::peersOf(std::size_t level, std::size_t cpu) const {
    const std::size_t self = indexFor(level, cpu);
    std::vector<std::size_t> peers;
    for (std::size_t other = 0; other < config_.caches(level); ++other) {
        const bool sameParent =
            level + 1 == levels() || indexFor(level + 1, cpusOf(level, other).first) == indexFor(level + 1, cpu);
        if (other != self && sameParent) peers.push_back(other);
    }
    return peers;
}

/// A block is about to be filled or written: the peers, and all caches behind them, write back dirty data and lose
/// ownership; with `own` their copies are invalidated.
void Machine::snoop(std::size_t level, std::size_t cpu, std::uint64_t block, bool own) {
    for (const std::size_t peer : peersOf(level, cpu)) {
        for (std::size_t nearer = 0; nearer <= level; ++nearer) {
            const auto [first, last] = inside(level, block, nearer);
            for (const std::size_t holder : cachesBehind(nearer, level, peer)) {
                for (const std::uint64_t copy : caches_[nearer][holder].blocksBetween(first, last)) {
                    if (caches_[nearer][holder].holds(copy)) snoopCopy(nearer, holder, copy, own);
                }
            }
        }
    }
}

void Machine::snoopCopy(std::size_t level, std::size_t index, std::uint64_t block, bool own) {
    Cache& cache = caches_[level][index];
    const bool wasDirty = cache.at(block).dirty;
    if (wasDirty) {
        tell({.what = What::writeback, .level = level, .cache = index, .block = block});
        cache.at(block).dirty = false;
        passDown(level, cpusOf(level, index).first, block);
        if (!cache.holds(block)) return;
    }
    if (own) {
        cache.remove(block);
        tell({.what = What::invalidation, .level = level, .cache = index, .block = block, .dirty = wasDirty});
    } else if (cache.at(block).owned || wasDirty) {
        cache.at(block).owned = false;
        tell({.what = What::downgrade, .level = level, .cache = index, .block = block, .dirty = wasDirty});
    }
}

/// A cache gains ownership of a block that it holds: here, and outward as far as others may hold it.
void Machine::upgrade(std::size_t level, std::size_t cpu, std::uint64_t block, bool demand) {
    for (std::size_t at = level; at < levels() && coherent(at); ++at) {
        const std::uint64_t unit = outward(level, block, at);
        Cache& cache = cacheFor(at, cpu);
        if (cache.holds(unit)) {
            if (cache.at(unit).owned) break;
            tell({.what = What::upgrade, .level = at, .cache = indexFor(at, cpu), .block = unit, .demand = demand});
        }
        snoop(at, cpu, unit, true);
        if (cache.holds(unit) && at != level) cache.at(unit).owned = true;
    }
    cacheFor(level, cpu).at(block).owned = true;
}

/// The same from the next level on: the block itself is about to be filled.
void Machine::upgradeBeyond(std::size_t level, std::size_t cpu, std::uint64_t block, bool demand) {
    for (std::size_t at = level + 1; at < levels() && coherent(at); ++at) {
        const std::uint64_t unit = outward(level, block, at);
        if (cacheFor(at, cpu).holds(unit)) {
            upgrade(at, cpu, unit, demand);
            return;
        }
        snoop(at, cpu, unit, true);
    }
}

/// What a CPU writes, no cache apart from it can keep: notes for each of them which of its blocks that takes away.
void Machine::loseOthersCopies(const sim::Access& a) {
    for (std::size_t level = 0; level < levels(); ++level) {
        for (std::size_t index = 0; coherent(level) && index < config_.caches(level); ++index) {
            if (index == indexFor(level, a.cpu)) continue;
            const auto [first, last] = lostBy(a, level, index);
            caches_[level][index].lose(first, last);
        }
    }
}

std::pair<std::uint64_t, std::uint64_t> Machine::lostBy(const sim::Access& write, std::size_t level,
                                                        std::size_t index) const {
    // They compete for blocks of the outermost level at which they are separate.
    const std::size_t cpu = cpusOf(level, index).first;
    std::size_t apart = level;
    while (apart + 1 < levels() && indexFor(apart + 1, cpu) != indexFor(apart + 1, write.cpu)) ++apart;
    const std::uint64_t unit = config_.levels[apart].block;
    const std::uint64_t first = write.address.value / unit * unit;
    const std::uint64_t last = (write.address.value + write.size - 1) / unit * unit + (unit - 1);
    return {first / config_.levels[level].block, last / config_.levels[level].block};
}

/// MESI: whether a block that is filled is the only copy, so that it can be written without an upgrade.
bool Machine::mayOwn(std::size_t level, std::size_t cpu, std::uint64_t block) const {
    if (!coherent(level)) return true;
    for (const std::size_t peer : peersOf(level, cpu)) {
        for (std::size_t nearer = 0; nearer <= level; ++nearer) {
            const auto [first, last] = inside(level, block, nearer);
            for (const std::size_t holder : cachesBehind(nearer, level, peer)) {
                if (!caches_[nearer][holder].blocksBetween(first, last).empty()) return false;
            }
        }
    }
    if (level + 1 == levels()) return true;
    const std::uint64_t farther = outward(level, block, level + 1);
    const Cache& parent = cacheFor(level + 1, cpu);
    if (parent.holds(farther)) return !coherent(level + 1) || parent.at(farther).owned;
    return mayOwn(level + 1, cpu, farther);
}

}  // namespace whorl::reference
