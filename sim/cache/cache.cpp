#include "sim/cache/cache.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace whorl::sim {

namespace {

constexpr std::uint16_t kFarPrediction = 3;   ///< SRRIP: predicted to be re-referenced in the distant future
constexpr std::uint16_t kLongPrediction = 2;  ///< … or after a long interval: the prediction for a new block
constexpr std::uint32_t kNoNextUse = ~std::uint32_t{0};

/// The splitmix64 generator (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t draw(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15;
    std::uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/// The first way of the right half of [lo, hi).
std::uint32_t middle(std::uint32_t lo, std::uint32_t hi) {
    return lo + (hi - lo + 1) / 2;
}

void pointTreeAway(std::uint16_t* bits, std::uint32_t ways, std::uint32_t way) {
    for (std::uint32_t lo = 0, hi = ways; hi - lo > 1;) {
        const std::uint32_t mid = middle(lo, hi);
        bits[mid] = way < mid ? 1 : 0;
        (way < mid ? hi : lo) = mid;
    }
}

std::uint32_t followTree(const std::uint16_t* bits, std::uint32_t ways) {
    std::uint32_t lo = 0;
    for (std::uint32_t hi = ways; hi - lo > 1;) {
        const std::uint32_t mid = middle(lo, hi);
        (bits[mid] == 0 ? hi : lo) = mid;
    }
    return lo;
}

/// The ways in the order in which repeated calls of `next` first return them: the eviction order. Ways not returned
/// within 16 calls per way come last.
template <class Next>
std::vector<std::uint32_t> orderOfNaming(std::uint32_t ways, Next&& next) {
    std::vector<std::uint32_t> order;
    std::vector<bool> named(ways);
    order.reserve(ways);
    for (std::uint32_t turn = 0; turn < 16 * ways && order.size() < ways; ++turn) {
        const std::uint32_t way = next();
        if (!named[way]) order.push_back(way);
        named[way] = true;
    }
    for (std::uint32_t w = 0; w < ways; ++w) {
        if (!named[w]) order.push_back(w);
    }
    return order;
}

}  // namespace

Cache::Cache(const LevelConfig& config, std::uint32_t index)
    : sets_(config.sets()),
      ways_(config.ways),
      blockShift_(static_cast<std::uint32_t>(std::countr_zero(config.block))),
      policy_(config.policy),
      random_(config.seed + index),
      blocks_(config.blocks() + kMargin, kNoBlock),
      ranks_(config.blocks() + kMargin, 0),
      flags_(config.blocks() + kMargin, 0),
      occupied_(config.sets(), 0),
      nextUse_(config.policy == Policy::opt ? config.blocks() : 0, kNoNextUse) {}

WayIndex Cache::freeWay(SetIndex set) const {
    const std::size_t at = first(set);
    std::uint32_t w = 0;
    while (!isFree(at + w)) ++w;
    return WayIndex{w};
}

WayIndex Cache::chooseVictim(SetIndex set) {
    const std::size_t at = first(set);
    std::uint16_t* const ranks = &ranks_[at];
    const auto wayOf = [&](std::uint16_t rank) {
        return WayIndex{static_cast<std::uint32_t>(std::find(ranks, ranks + ways_, rank) - ranks)};
    };
    switch (policy_) {
        case Policy::lru:
        case Policy::fifo:
            return wayOf(static_cast<std::uint16_t>(ways_ - 1));
        case Policy::mru:
            return wayOf(0);
        case Policy::treePlru:
            return pointedAt(set);
        case Policy::random:
            return WayIndex{static_cast<std::uint32_t>(draw(random_) % ways_)};
        case Policy::srrip: {
            const auto missing = static_cast<std::uint16_t>(kFarPrediction - *std::max_element(ranks, ranks + ways_));
            for (std::uint32_t w = 0; w < ways_; ++w) ranks[w] = static_cast<std::uint16_t>(ranks[w] + missing);
            return wayOf(kFarPrediction);
        }
        case Policy::opt:
            break;
    }
    const auto next = nextUse_.begin() + static_cast<std::ptrdiff_t>(at);
    return WayIndex{static_cast<std::uint32_t>(std::max_element(next, next + ways_) - next)};
}

void Cache::use(SetIndex set, WayIndex way) {
    switch (policy_) {
        case Policy::lru:
        case Policy::mru:
            bringToFront(set, way);
            break;
        case Policy::treePlru:
            pointAway(set, way);
            break;
        case Policy::srrip:
            ranks_[first(set) + way.value] = 0;
            break;
        case Policy::opt:
            nextUse_[first(set) + way.value] = future_ && requests_ > 0 ? (*future_)[requests_ - 1] : kNoNextUse;
            break;
        case Policy::fifo:
        case Policy::random:
            break;
    }
}

void Cache::fill(SetIndex set, WayIndex way, BlockAddress block) {
    const std::size_t i = first(set) + way.value;
    blocks_[i] = block.value;
    flags_[i] = block.value == kNoBlock ? last : 0;
    // A newly occupied way enters the recency order at its end, before it is moved to the front.
    if (keepsRanks()) ranks_[i] = occupied_[set.value];
    ++occupied_[set.value];
    switch (policy_) {
        case Policy::fifo:
            bringToFront(set, way);
            break;
        case Policy::srrip:
            ranks_[i] = kLongPrediction;
            break;
        case Policy::lru:
        case Policy::treePlru:
        case Policy::mru:
        case Policy::random:
        case Policy::opt:
            use(set, way);
            break;
    }
}

void Cache::remove(SetIndex set, WayIndex way) {
    const std::size_t at = first(set);
    if (keepsRanks()) {
        const std::uint16_t gone = ranks_[at + way.value];
        for (std::uint32_t w = 0; w < ways_; ++w) {
            const bool closesUp = !isFree(at + w) && ranks_[at + w] > gone;
            ranks_[at + w] = static_cast<std::uint16_t>(ranks_[at + w] - (closesUp ? 1 : 0));
        }
        ranks_[at + way.value] = 0;
    }
    blocks_[at + way.value] = kNoBlock;
    flags_[at + way.value] = 0;
    --occupied_[set.value];
}

void Cache::bringToFront(SetIndex set, WayIndex way) {
    std::uint16_t* rank = &ranks_[first(set)];
    const std::uint16_t old = rank[way.value];
    if (old == 0) return;
    for (std::uint32_t w = 0; w < ways_; ++w) rank[w] = static_cast<std::uint16_t>(rank[w] + (rank[w] < old));
    rank[way.value] = 0;
}

void Cache::pointAway(SetIndex set, WayIndex way) {
    pointTreeAway(&ranks_[first(set)], ways_, way.value);
}

WayIndex Cache::pointedAt(SetIndex set) const {
    return WayIndex{followTree(&ranks_[first(set)], ways_)};
}

std::vector<std::uint16_t> Cache::ranks(SetIndex set) const {
    const std::size_t at = first(set);
    std::vector<std::uint16_t> kept(ranks_.begin() + static_cast<std::ptrdiff_t>(at),
                                    ranks_.begin() + static_cast<std::ptrdiff_t>(at + ways_));
    if (rowOf(policy_).order == PolicyRow::Order::kept) return kept;

    // The ways in eviction order.
    std::vector<std::uint32_t> order(ways_);
    std::iota(order.begin(), order.end(), 0u);
    const auto sortBy = [&](auto&& leavesBefore) { std::stable_sort(order.begin(), order.end(), leavesBefore); };
    switch (policy_) {
        case Policy::lru:
        case Policy::fifo:
            break;  // kept
        case Policy::mru:
            sortBy([&](std::uint32_t a, std::uint32_t b) { return kept[a] < kept[b]; });
            break;
        case Policy::srrip:
            sortBy([&](std::uint32_t a, std::uint32_t b) { return kept[a] > kept[b]; });
            break;
        case Policy::opt:
            sortBy([&](std::uint32_t a, std::uint32_t b) { return nextUse_[at + a] > nextUse_[at + b]; });
            break;
        case Policy::random:
            order = orderOfNaming(
                ways_, [&, state = random_]() mutable { return static_cast<std::uint32_t>(draw(state) % ways_); });
            break;
        case Policy::treePlru: {
            // New blocks fill the free ways first.
            std::vector<std::uint16_t> tree = kept;
            for (std::uint32_t w = 0; w < ways_; ++w) {
                if (isFree(at + w)) pointTreeAway(tree.data(), ways_, w);
            }
            order = orderOfNaming(ways_, [&, bits = std::move(tree)]() mutable {
                const std::uint32_t way = followTree(bits.data(), ways_);
                pointTreeAway(bits.data(), ways_, way);
                return way;
            });
            break;
        }
    }
    std::vector<std::uint16_t> ranks(ways_, 0);
    auto rank = static_cast<std::uint16_t>(occupied_[set.value]);
    for (const std::uint32_t way : order) {
        if (!isFree(at + way)) ranks[way] = --rank;
    }
    return ranks;
}

Line Cache::line(SetIndex set, WayIndex way) const {
    const std::size_t i = first(set) + way.value;
    const bool isKept = rowOf(policy_).order == PolicyRow::Order::kept;
    return {.valid = !isFree(i),
            .dirty = (flags_[i] & dirty) != 0,
            .owned = (flags_[i] & owned) != 0,
            .prefetched = (flags_[i] & prefetched) != 0,
            .rank = isKept ? ranks_[i] : ranks(set)[way.value],
            .block = BlockAddress{blocks_[i]}};
}

bool Cache::hasSameSets(const Cache& other, SetIndex from, SetIndex to) const {
    const auto begin = static_cast<std::ptrdiff_t>(first(from));
    const auto end = static_cast<std::ptrdiff_t>(first(to));
    const auto same = [&](const auto& mine, const auto& theirs) {
        return mine.empty() || std::equal(mine.begin() + begin, mine.begin() + end, theirs.begin() + begin);
    };
    return same(blocks_, other.blocks_) && same(ranks_, other.ranks_) && same(flags_, other.flags_) &&
           same(nextUse_, other.nextUse_);
}

void Cache::copySetFrom(const Cache& other, SetIndex set) {
    const auto at = static_cast<std::ptrdiff_t>(first(set));
    const auto take = [&](auto& mine, const auto& theirs) {
        if (!mine.empty()) std::copy_n(theirs.begin() + at, ways_, mine.begin() + at);
    };
    take(blocks_, other.blocks_);
    take(ranks_, other.ranks_);
    take(flags_, other.flags_);
    take(nextUse_, other.nextUse_);
    occupied_[set.value] = other.occupied_[set.value];
}

std::vector<Line> Cache::lines(SetIndex set) const {
    const std::vector<std::uint16_t> order = ranks(set);
    std::vector<Line> lines(ways_);
    for (std::uint32_t w = 0; w < ways_; ++w) {
        const std::size_t i = first(set) + w;
        lines[w] = {.valid = !isFree(i),
                    .dirty = (flags_[i] & dirty) != 0,
                    .owned = (flags_[i] & owned) != 0,
                    .prefetched = (flags_[i] & prefetched) != 0,
                    .rank = order[w],
                    .block = BlockAddress{blocks_[i]}};
    }
    return lines;
}

std::size_t Cache::bytes() const {
    return sizeof *this + blocks_.size() * sizeof blocks_[0] + ranks_.size() * sizeof ranks_[0] + flags_.size() +
           occupied_.size() * sizeof occupied_[0] + nextUse_.size() * sizeof(std::uint32_t);
}

}  // namespace whorl::sim
