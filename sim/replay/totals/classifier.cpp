#include "sim/replay/totals/classifier.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace whorl::sim {

Shadow::Shadow(std::uint64_t blocks, std::uint32_t longest) : capacity_(blocks), longest_(longest) {}

void Shadow::know(std::uint32_t id) {
    latest_.resize(std::max<std::size_t>(2 * latest_.size(), id + std::size_t{1}), 0);
}

/// Adds a block that is not held; the caller sets the time of its use.
void Shadow::takeIn(std::uint32_t id) {
    if (++held_ > capacity_) dropOldest();
    // Removed blocks leave their entries behind.
    if (others_.size() > 2 * capacity_) sort();
    others_.push_back(id);
}

void Shadow::dropOldest() {
    for (;;) {
        if (oldest_ == sorted_.size()) sort();
        const std::uint32_t id = sorted_[oldest_++];
        if (latest_[id] == oldest_) {
            latest_[id] = 0;
            --held_;
            return;
        }
        if (latest_[id] != 0) others_.push_back(id);
    }
}

/// Sorts all held blocks and restarts the clock.
void Shadow::sort() {
    std::size_t kept = 0;
    for (; oldest_ < sorted_.size(); ++oldest_) {
        const std::uint32_t id = sorted_[oldest_];
        if (latest_[id] == oldest_ + 1) {
            sorted_[kept++] = id;
        } else if (latest_[id] != 0) {
            others_.push_back(id);
        }
    }
    sorted_.resize(kept);
    const auto isGone = [&](std::uint32_t id) { return latest_[id] == 0; };
    others_.erase(std::remove_if(others_.begin(), others_.end(), isGone), others_.end());
    sortByUse();
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    sorted_.insert(sorted_.end(), others_.begin(), others_.end());
    others_.clear();
    oldest_ = 0;
    now_ = 0;
    for (const std::uint32_t id : sorted_) latest_[id] = ++now_;
}

/// Sorts the others by the times of their last uses, digit by digit, the lowest first.
void Shadow::sortByUse() {
    constexpr unsigned kBits = 8;
    keyed_.clear();
    for (const std::uint32_t id : others_) keyed_.push_back(std::uint64_t{latest_[id]} << 32 | id);
    spare_.resize(keyed_.size());
    for (unsigned shift = 32; shift < 64 && std::uint64_t{now_} << 32 >> shift != 0; shift += kBits) {
        const auto digit = [&](std::uint64_t key) { return key >> shift & ((1u << kBits) - 1); };
        std::array<std::uint32_t, 1u << kBits> places{};
        for (const std::uint64_t key : keyed_) ++places[digit(key)];
        std::uint32_t before = 0;
        for (std::uint32_t& place : places) before += std::exchange(place, before);
        for (const std::uint64_t key : keyed_) spare_[places[digit(key)]++] = key;
        keyed_.swap(spare_);
    }
    std::transform(keyed_.begin(), keyed_.end(), others_.begin(),
                   [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
}

Classifier::Known::Known(const MachineConfig& machine, std::size_t level, std::uint32_t index)
    : ways(machine.levels[level].ways),
      firstCpu(machine.firstCpu(level, index)),
      endCpu(machine.endCpu(level, index)),
      ids(machine.levels[level].blocks()),
      shadow(machine.levels[level].blocks()) {}

Classifier::Classifier(const MachineConfig& machine)
    : machine_(machine),
      shared_(machine.isCoherent()),
      misses_(machine.levels.size(), 0),
      foreignWrites_(machine),
      shadowed_(machine.levels.size()) {
    if (machine.levels.empty()) ids_.emplace_back();
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (l == 0 || machine.levels[l].block != machine.levels[l - 1].block) ids_.emplace_back();
        idsOf_.push_back(ids_.size() - 1);
        first_.push_back(known_.size());
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) known_.emplace_back(machine, l, i);
    }
}

void Classifier::begin(const Access& a, std::uint64_t tick) {
    access_ = &a;
    now_ = tick + 1;
    resolved_.clear();
}

MissKind Classifier::take(const Event& e, const Attribution& source) {
    if (e.kind == EventKind::pageOut) losePage(e.block);
    if (!e.isInCache()) return {};
    Known& k = known(e);
    const std::size_t slot = slotOf(k, e);
    const bool asksNearest = e.level == 0 && e.demand && (e.kind == EventKind::hit || e.kind == EventKind::miss);
    if (shared_ && asksNearest) useWords(e);
    switch (e.kind) {
        case EventKind::hit:
            pastOf(k, k.ids[slot]) |= requested;
            requestShadow(k, e, k.ids[slot]);
            break;
        case EventKind::miss:
            return missed(k, e, source);
        case EventKind::prefetch: {
            // Like the cache, the shadow leaves a block unchanged that it already has.
            const std::uint32_t id = idsAt(e.level).of(e.block);
            if (!k.shadow.holds(id)) useShadow(k, e, id);
            break;
        }
        case EventKind::fill: {
            const std::uint32_t id = idsAt(e.level).of(e.block);
            k.ids[slot] = id;
            pastOf(k, id) &= static_cast<std::uint8_t>(~taken);
            // In any other level, a request or a prefetch brought the block.
            if (isExclusive(e)) useShadow(k, e, id);
            break;
        }
        case EventKind::eviction:
        case EventKind::moved:
        case EventKind::invalidation: {
            const std::uint32_t id = k.ids[slot];
            if (isPending(k, id)) forget(k, id);
            if (e.kind == EventKind::invalidation && e.cause == Cause::coherence) pastOf(k, id) |= taken;
            break;
        }
        default:
            break;
    }
    return {};
}

/// Whether a request fills its block if it misses: false if writes do not allocate, or in an exclusive level.
bool Classifier::fills(const Event& request) const {
    return (machine_.levels[request.level].allocate || !request.write) && !isExclusive(request);
}

MissKind Classifier::missed(Known& k, const Event& e, const Attribution& source) {
    const std::uint32_t id = idsAt(e.level).of(e.block);
    const std::uint8_t past = pastOf(k, id);
    pastOf(k, id) |= requested;
    const std::uint64_t miss = misses_[e.level]++;
    MissKind kind = k.shadow.holds(id) ? MissKind::conflict : MissKind::capacity;
    if ((past & requested) == 0) {
        kind = MissKind::compulsory;
    } else if ((past & taken) != 0) {
        kind = MissKind::falseSharing;
        if (seesForeignWord(k, id, wordsIn(e))) {
            kind = MissKind::trueSharing;
        } else if (fills(e)) {
            k.open[id] = {{e.level, e.cache, e.set, miss, now_ - 1, source, !access_->unrecorded && e.counts()}, now_};
            pastOf(k, id) |= pending;
        }
    }
    if (shared_ && kind != MissKind::falseSharing) k.essential[id] = now_;
    requestShadow(k, e, id);
    return kind;
}

/// Passes a request of a cache on to its shadow. An exclusive cache gives the block to the nearer level.
void Classifier::requestShadow(Known& k, const Event& e, std::uint32_t id) {
    if (!k.shadow.holds(id)) {
        if (fills(e)) useShadow(k, e, id);
    } else if (isExclusive(e) && !e.write) {
        k.shadow.remove(id);
    } else {
        useShadow(k, e, id);
    }
}

void Classifier::useShadow(Known& k, const Event& e, std::uint32_t id) {
    k.shadow.use(id);
    if (!shared_) return;
    std::vector<std::uint64_t>& caches = shadowed_[e.level];
    if (id >= caches.size()) caches.resize(std::max<std::size_t>(2 * caches.size(), id + std::size_t{1}), 0);
    caches[id] |= std::uint64_t{1} << e.cache;
}

/// Removes the written blocks from the shadows that are not on the writer's path to memory.
void Classifier::takeFromShadows() {
    foreignWrites_.forEach(
        *access_, [&](std::size_t level, std::uint64_t apart, BlockAddress first, BlockAddress last) {
            for (std::uint64_t b = first.value; b - first.value <= last.value - first.value; ++b) {
                const std::uint32_t id = idsAt(level).find(BlockAddress{b});
                if (id >= shadowed_[level].size()) continue;
                std::uint64_t& caches = shadowed_[level][id];
                for (std::uint64_t rest = caches & apart; rest != 0; rest &= rest - 1) {
                    known_[first_[level] + static_cast<std::size_t>(std::countr_zero(rest))].shadow.remove(id);
                }
                caches &= ~apart;
            }
        });
}

/// Removes the blocks of a page that leaves memory from all shadows.
void Classifier::losePage(BlockAddress page) {
    for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
        const std::uint64_t blocks = machine_.memory.page / machine_.levels[l].block;
        const auto lose = [&](std::uint32_t id) {
            for (std::uint32_t i = 0; i < machine_.caches(l); ++i) known_[first_[l] + i].shadow.remove(id);
        };
        // Most blocks of a large page may never have been requested.
        const BlockIds& ids = idsAt(l);
        if (ids.size() < blocks) {
            for (std::uint32_t id = 0; id < ids.size(); ++id) {
                if (ids.block(id).value / blocks == page.value) lose(id);
            }
            continue;
        }
        for (std::uint64_t b = 0; b < blocks; ++b) {
            const std::uint32_t id = ids.find(BlockAddress{page.value * blocks + b});
            if (id != BlockIds::kNone) lose(id);
        }
    }
}

/// Marks the words of one block that the access uses: pending misses by sharing may thereby prove to be true sharing.
void Classifier::useWords(const Event& nearest) {
    const Words words = wordsIn(nearest);
    const std::uint64_t from = std::max(access_->address.value, nearest.block.value * machine_.blockBytes());
    for (std::size_t l = 0; l < machine_.levels.size() && machine_.caches(l) > 1; ++l) {
        Known& k = known_[first_[l] + machine_.cacheOf(l, access_->cpu)];
        if (k.open.empty()) continue;
        // In the nearest level a hit shows the block's place.
        const bool isHere = l == 0 && nearest.kind == EventKind::hit;
        const std::uint32_t id =
            isHere ? k.ids[slotOf(k, nearest)] : idsAt(l).find(BlockAddress{from / machine_.levels[l].block});
        if (!isPending(k, id) || !seesForeignWord(k, id, words)) continue;
        const Open open = *k.open.find(id);
        resolved_.push_back(open.miss);
        k.essential[id] = open.when;
        forget(k, id);
    }
}

/// Closes a stay that is over, or that proved to begin with true sharing.
void Classifier::forget(Known& k, std::uint32_t id) {
    k.open.erase(id);
    k.past[id] &= static_cast<std::uint8_t>(~pending);
}

/// The words of the access within the block of an event.
Classifier::Words Classifier::wordsIn(const Event& e) const {
    const std::uint64_t size = machine_.levels[e.level].block;
    const std::uint64_t base = e.block.value * size;
    const std::uint64_t first = std::max(access_->address.value, base);
    const std::uint64_t last = std::min(access_->address.value + (access_->size - 1), base + (size - 1));
    if (first > last) return {};
    return {first / WordWrites::kWord, last / WordWrites::kWord + 1};
}

/// Whether the access, by a CPU that uses the cache, uses a word that a CPU outside it wrote since the last essential
/// miss of the block.
bool Classifier::seesForeignWord(const Known& k, std::uint32_t id, Words words) const {
    if (access_->cpu < k.firstCpu || access_->cpu >= k.endCpu) return false;
    const std::uint64_t* const essential = k.essential.find(id);
    const std::uint64_t since = essential == nullptr ? 0 : *essential;
    for (std::uint64_t word = words.first; word < words.end; ++word) {
        const WordWrites::Write write = writes_.last(word);
        const bool isForeign = write.cpu < k.firstCpu || write.cpu >= k.endCpu;
        // The other CPU invalidates the block before it writes, in the same access.
        if (write.when != 0 && write.when >= since && isForeign) return true;
    }
    return false;
}

void Classifier::end() {
    if (!shared_ || !access_->isWrite()) return;
    takeFromShadows();
    const std::uint64_t last = (access_->address.value + (access_->size - 1)) / WordWrites::kWord;
    for (std::uint64_t word = access_->address.value / WordWrites::kWord; word <= last; ++word) {
        writes_.write(word, now_, access_->cpu);
    }
}

}  // namespace whorl::sim
