#include "sim/replay/totals/block_use.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/base/compact_bytes.h"

namespace whorl::sim {

namespace {

constexpr std::uint64_t kWordBytes = 64;  ///< bytes of a block in a mask word, a bit each
constexpr char kHeldOnly = 1;             ///< before a packed state that has only the slots with blocks

std::size_t slotOf(const Event& e, std::uint32_t ways) {
    return std::size_t{e.set.value} * ways + e.way.value;
}

/// The lowest `n` bits; `n` is 1 to 64.
std::uint64_t ones(std::uint64_t n) {
    return ~std::uint64_t{0} >> (64 - n);
}

}  // namespace

BlockUse::BlockUse(const MachineConfig& machine) : machine_(machine), fills_(machine.levels.size(), 0) {
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const LevelConfig& level = machine.levels[l];
        first_.push_back(caches_.size());
        shift_.push_back(static_cast<unsigned>(std::countr_zero(level.block)));
        words_.push_back((level.block + kWordBytes - 1) / kWordBytes);
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) {
            caches_.push_back({.sets = Sets(level.sets()),
                               .ways = level.ways,
                               .blocks = ZeroVector<std::uint64_t>(level.blocks()),
                               .fills = ZeroVector<std::uint64_t>(level.blocks()),
                               .used = ZeroVector<std::uint64_t>(level.blocks() * words_[l]),
                               .held = std::vector<std::uint64_t>((level.blocks() + kWordBits - 1) / kWordBits, 0),
                               .seen = ZeroVector<std::uint32_t>(l == 0 ? level.blocks() * machine.levels.size() : 0)});
            if (l == 0) fresh_.emplace_back(level.blocks() * words_[0], 0);
        }
    }
    if (machine.levels.empty()) return;
    for (std::uint32_t n = 0; n < machine.caches(0); ++n) {
        const std::uint32_t cpu = machine.firstCpu(0, n);
        for (std::size_t l = 0; l < first_.size(); ++l) {
            paths_.push_back(static_cast<std::uint32_t>(first_[l]) + machine.cacheOf(l, cpu));
        }
    }
}

void BlockUse::take(const Event& e) {
    switch (e.kind) {
        case EventKind::hit:
        case EventKind::miss:
            if (!e.demand) return;
            if (e.level == 0) request(e);
            if (e.kind == EventKind::hit) markRequested(e.level, e.cache, slotOf(e, at(e.level, e.cache).ways));
            return;
        case EventKind::prefetch:
        case EventKind::pageFault:
            finishRequest();
            return;
        case EventKind::fill:
            fill(e);
            return;
        default:
            return;
    }
}

/// Begins a request of the CPU to the nearest level, for the next block of its access.
void BlockUse::request(const Event& e) {
    finishRequest();
    const std::uint64_t base = e.block.value << shift_[0];
    const std::uint64_t first = std::max(access_.address.value, base);
    const std::uint64_t last = std::min(access_.last().value, base + ((std::uint64_t{1} << shift_[0]) - 1));
    request_.isOpen = true;
    request_.isInNearest = false;
    request_.nearest = e.cache;
    request_.address = first;
    request_.bytes = static_cast<std::uint32_t>(last - first + 1);
}

/// Ends a request after its own events. If the nearest level did not get the block, as when writes do not allocate,
/// marks the bytes in the farther levels that have it.
void BlockUse::finishRequest() {
    if (!std::exchange(request_.isOpen, false) || request_.isInNearest) return;
    for (std::size_t l = 1; l < first_.size(); ++l) {
        const std::uint32_t index = onPath(request_.nearest, l);
        const std::size_t slot = find(caches_[index], request_.address >> shift_[l]);
        if (slot != kNoSlot) markRequested(l, index - first_[l], slot);
    }
}

void BlockUse::fill(const Event& e) {
    Cache& cache = at(e.level, e.cache);
    const std::size_t slot = slotOf(e, cache.ways);
    if (e.level > 0) settleWithin(e.level, e.cache, e.block.value);
    cache.blocks[slot] = e.block.value;
    cache.fills[slot] = access_.unrecorded ? kUncounted : fills_[e.level]++;
    cache.hold(slot, true);
    std::fill_n(&cache.used[slot * words_[e.level]], words_[e.level], 0);
    if (isRequested(e.level, e.cache, e.block.value)) markRequested(e.level, e.cache, slot);
}

BlockUse::Stay BlockUse::close(const Event& e) {
    Cache& cache = at(e.level, e.cache);
    const std::size_t slot = slotOf(e, cache.ways);
    if (e.level == 0) {
        settle(e.cache, slot);
    } else {
        settleWithin(e.level, e.cache, e.block.value);
    }
    cache.hold(slot, false);
    return {e.level, e.cache, slot, cache.fills[slot], bytesIn(e.level, cache.used, slot)};
}

bool BlockUse::isRequested(std::size_t level, std::size_t cache, std::uint64_t block) const {
    return request_.isOpen && first_[level] + cache == onPath(request_.nearest, level) &&
           request_.address >> shift_[level] == block;
}

/// Marks the bytes of the request as used in a block that contains them.
void BlockUse::markRequested(std::size_t level, std::size_t cache, std::size_t slot) {
    if (level == 0) {
        request_.isInNearest = true;
        std::copy_n(&request_.served[1], first_.size() - 1, &at(0, cache).seen[slot * first_.size() + 1]);
    } else {
        request_.served[level] = static_cast<std::uint32_t>(slot);
    }
    mark(level == 0 ? std::span(fresh_[cache]) : std::span(at(level, cache).used), level, slot,
         request_.address & ((std::uint64_t{1} << shift_[level]) - 1), request_.bytes);
}

void BlockUse::mark(std::span<std::uint64_t> masks, std::size_t level, std::size_t slot, std::uint64_t first,
                    std::uint64_t bytes) const {
    if (words_[level] == 1) {
        masks[slot] |= ones(bytes) << first;
        return;
    }
    std::uint64_t* const mask = &masks[slot * words_[level]];
    for (std::uint64_t end = first + bytes; first < end;) {
        const std::uint64_t some = std::min(end - first, kWordBytes - first % kWordBytes);
        mask[first / kWordBytes] |= ones(some) << first % kWordBytes;
        first += some;
    }
}

/// Passes the used bytes of a block of the nearest level on to the farther levels.
void BlockUse::settle(std::size_t nearest, std::size_t slot) {
    if (words_[0] > 1) {
        settleWide(nearest, slot);
        return;
    }
    const std::uint64_t fresh = std::exchange(fresh_[nearest][slot], 0);
    if (fresh == 0) return;
    Cache& from = caches_[nearest];
    from.used[slot] |= fresh;
    const std::uint64_t base = from.blocks[slot] << shift_[0];
    for (std::size_t l = 1; l < first_.size(); ++l) {
        const std::size_t there = findFarther(nearest, slot, l, base >> shift_[l]);
        if (there == kNoSlot) continue;
        const std::uint64_t offset = base & ((std::uint64_t{1} << shift_[l]) - 1);
        caches_[onPath(nearest, l)].used[there * words_[l] + offset / kWordBytes] |= fresh << offset % kWordBytes;
    }
}

/// Does what settle() does, for masks of several words.
void BlockUse::settleWide(std::size_t nearest, std::size_t slot) {
    const std::uint64_t base = caches_[nearest].blocks[slot] << shift_[0];
    std::uint64_t* const fresh = &fresh_[nearest][slot * words_[0]];
    for (std::size_t l = 0; l < first_.size(); ++l) {
        const std::size_t there = l == 0 ? slot : findFarther(nearest, slot, l, base >> shift_[l]);
        if (there == kNoSlot) continue;
        const std::uint64_t offset = base & ((std::uint64_t{1} << shift_[l]) - 1);
        std::uint64_t* const used = &caches_[onPath(nearest, l)].used[there * words_[l] + offset / kWordBytes];
        for (std::size_t w = 0; w < words_[0]; ++w) used[w] |= fresh[w];
    }
    std::fill_n(fresh, words_[0], 0);
}

/// The slot of a block in a farther level; usually the one where it was last seen.
std::size_t BlockUse::findFarther(std::size_t nearest, std::size_t slot, std::size_t level, std::uint64_t block) {
    const Cache& farther = caches_[onPath(nearest, level)];
    std::uint32_t& seen = caches_[nearest].seen[slot * first_.size() + level];
    if (farther.blocks[seen] == block && farther.holds(seen)) return seen;
    const std::size_t found = find(farther, block);
    if (found != kNoSlot) seen = static_cast<std::uint32_t>(found);
    return found;
}

/// Settles the parts of a farther level's block in the nearest level. To be called before the block comes or goes,
/// since their fresh bytes were used before that.
void BlockUse::settleWithin(std::size_t level, std::size_t cache, std::uint64_t block) {
    const std::uint64_t parts = std::uint64_t{1} << (shift_[level] - shift_[0]);
    const auto index = static_cast<std::uint32_t>(cache);
    const std::uint32_t last = machine_.cacheOf(0, machine_.endCpu(level, index) - 1);
    for (std::uint32_t n = machine_.cacheOf(0, machine_.firstCpu(level, index)); n <= last; ++n) {
        for (std::uint64_t part = 0; part < parts; ++part) {
            const std::size_t slot = find(at(0, n), block * parts + part);
            if (slot != kNoSlot) settle(n, slot);
        }
    }
}

std::size_t BlockUse::find(const Cache& cache, std::uint64_t block) const {
    const std::size_t first = std::size_t{cache.sets.of(block)} * cache.ways;
    for (std::size_t slot = first; slot < first + cache.ways; ++slot) {
        if (cache.blocks[slot] == block && cache.holds(slot)) return slot;
    }
    return kNoSlot;
}

void BlockUse::settle() {
    for (std::size_t n = 0; n < fresh_.size(); ++n) {
        caches_[n].forEachHeld([&](std::size_t slot) { settle(n, slot); });
    }
}

/// Calls f(words of the slot) for each column of the state between two accesses and each of its slots that holds a
/// block.
template <class Self, class F>
void BlockUse::forHeld(Self& self, F&& f) {
    const auto forColumn = [&](auto& cache, auto& column) {
        const std::size_t words = column.size() / cache.fills.size();
        cache.forEachHeld([&](std::size_t slot) { f(std::span(column).subspan(slot * words, words)); });
    };
    for (auto& cache : self.caches_) {
        forColumn(cache, cache.blocks);
        forColumn(cache, cache.fills);
        forColumn(cache, cache.used);
    }
    for (std::size_t n = 0; n < self.fresh_.size(); ++n) forColumn(self.caches_[n], self.fresh_[n]);
}

/// The words of a state in which all slots hold blocks.
std::uint64_t BlockUse::mostWords() const {
    std::uint64_t most = fills_.size();
    for (const Cache& cache : caches_) most += cache.blocks.size() + cache.fills.size() + cache.used.size();
    for (const auto& fresh : fresh_) most += fresh.size();
    return most;
}

std::string BlockUse::packed() const {
    std::vector<std::uint64_t> plain;
    const auto put = [&](std::span<const std::uint64_t> words) {
        plain.insert(plain.end(), words.begin(), words.end());
    };
    for (const Cache& cache : caches_) put(cache.held);
    forHeld(*this, put);
    put(fills_);
    std::string packed(1, kHeldOnly);
    appendVarint(packed, mostWords());
    appendVarint(packed, plain.size());
    return packed + compressed({reinterpret_cast<const char*>(plain.data()), plain.size() * sizeof plain[0]});
}

bool BlockUse::unpack(std::string_view packed) {
    // Files of earlier versions have all slots, and no mark.
    const bool heldOnly = packed.starts_with(kHeldOnly);
    std::uint64_t most = 0;
    std::uint64_t size = mostWords();
    if (heldOnly) {
        packed.remove_prefix(1);
        if (!readVarint(packed, most) || most != mostWords() || !readVarint(packed, size) || size > 2 * most)
            return false;
    }
    std::vector<std::uint64_t> plain(size);
    if (!decompress(packed, {reinterpret_cast<char*>(plain.data()), size * sizeof plain[0]})) return false;
    std::span<const std::uint64_t> rest = plain;
    bool isWhole = true;
    const auto take = [&](std::span<std::uint64_t> words) {
        isWhole = isWhole && words.size() <= rest.size();
        if (!isWhole) return;
        std::copy_n(rest.begin(), words.size(), words.begin());
        rest = rest.subspan(words.size());
    };
    for (Cache& cache : caches_) {
        const std::size_t last = cache.fills.size() % kWordBits;
        cache.held.assign(cache.held.size(), ~std::uint64_t{0});
        if (heldOnly) take(cache.held);
        if (last != 0) cache.held.back() &= ones(last);
    }
    forHeld(*this, take);
    take(fills_);
    request_ = {};
    for (Cache& cache : caches_) {
        for (std::size_t slot = 0; slot < cache.fills.size() && !heldOnly; ++slot) {
            cache.hold(slot, cache.fills[slot] != kNoFill);
        }
    }
    return isWhole && rest.empty();
}

bool BlockUse::isOf(const Hierarchy& machine) const {
    for (std::size_t l = 0; l < first_.size(); ++l) {
        for (std::uint32_t i = 0; i < machine_.caches(l); ++i) {
            const Cache& known = at(l, i);
            const sim::Cache& cache = machine.cache(l, i);
            for (std::size_t slot = 0; slot < known.fills.size(); ++slot) {
                const SetIndex set{static_cast<std::uint32_t>(slot / known.ways)};
                const WayIndex way{static_cast<std::uint32_t>(slot % known.ways)};
                const bool isHeld = known.holds(slot);
                if (isHeld != cache.isValid(set, way)) return false;
                if (isHeld && known.blocks[slot] != cache.blockIn(set, way).value) return false;
            }
        }
    }
    return true;
}

std::uint32_t BlockUse::bytesIn(std::size_t level, std::span<const std::uint64_t> masks, std::size_t slot) const {
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w < words_[level]; ++w) {
        sum += static_cast<std::uint32_t>(std::popcount(masks[slot * words_[level] + w]));
    }
    return sum;
}

}  // namespace whorl::sim
