#include "sim/reference/cache.h"

#include <algorithm>
#include <limits>

namespace whorl::reference {

namespace {

constexpr int kFilledInterval = 2;   // SRRIP: a long interval until the next use
constexpr int kDistantInterval = 3;  // and a distant one

/// splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t draw(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30u)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27u)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31u);
}

/// The middle of the ways in [low, high): the left half gets the odd one.
std::size_t middle(std::size_t low, std::size_t high) {
    return low + (high - low + 1) / 2;
}

/// Points all bits on the path to this leaf to the other side.
void pointAway(Set& set, std::size_t way) {
    std::size_t low = 0;
    std::size_t high = set.ways.size();
    while (high - low > 1) {
        const bool onTheLeft = way < middle(low, high);
        set.bit[{low, high}] = onTheLeft;
        (onTheLeft ? high : low) = middle(low, high);
    }
}

std::size_t followBits(Set& set) {
    std::size_t low = 0;
    std::size_t high = set.ways.size();
    while (high - low > 1) {
        const bool toTheRight = set.bit[{low, high}];
        (toTheRight ? low : high) = middle(low, high);
    }
    return low;
}

std::size_t firstDistant(Set& set) {
    for (;;) {
        const auto found = std::find(set.interval.begin(), set.interval.end(), kDistantInterval);
        if (found != set.interval.end()) return static_cast<std::size_t>(found - set.interval.begin());
        for (int& interval : set.interval) ++interval;
    }
}

std::optional<std::size_t> freeWay(const Set& set) {
    const auto found = std::find(set.ways.begin(), set.ways.end(), std::nullopt);
    if (found == set.ways.end()) return std::nullopt;
    return static_cast<std::size_t>(found - set.ways.begin());
}

}  // namespace

Cache::Cache(const sim::LevelConfig& level, std::size_t index) : level_(level), randomState_(level.seed + index) {}

void Cache::foretell(const Requests& requests) {
    for (std::size_t i = 0; i < requests.blocks.size(); ++i) future_[requests.blocks[i]].push_back(i);
    losses_ = requests.losses;
}

std::vector<std::uint64_t> Cache::blocksBetween(std::uint64_t first, std::uint64_t last) const {
    std::vector<std::uint64_t> found;
    for (auto at = held_.lower_bound(first); at != held_.end() && at->first <= last; ++at) found.push_back(at->first);
    return found;
}

void Cache::use(std::uint64_t block) {
    markUse(setOf(block), held_.at(block).way);
}

std::optional<std::uint64_t> Cache::victimFor(std::uint64_t incoming) {
    Set& set = setOf(incoming);
    if (freeWay(set)) return std::nullopt;
    return set.ways[victimIn(set, randomState_)];
}

Held& Cache::place(std::uint64_t block) {
    Set& set = setOf(block);
    const std::size_t way = freeWay(set).value();
    set.ways[way] = block;
    markFill(set, way);
    Held& held = held_[block];
    held = Held{.way = way};
    return held;
}

void Cache::remove(std::uint64_t block) {
    Set& set = setOf(block);
    const std::size_t way = held_.at(block).way;
    set.ways[way] = std::nullopt;
    set.byUse.remove(way);
    set.byFill.remove(way);
    held_.erase(block);
}

std::vector<std::uint64_t> Cache::orderOfEviction(std::uint64_t set) const {
    std::vector<std::uint64_t> order;
    if (!sets_.contains(set)) return order;
    Set trial = sets_.at(set);
    const auto residents = static_cast<std::size_t>(
        std::count_if(trial.ways.begin(), trial.ways.end(), [](const auto& way) { return way.has_value(); }));
    std::uint64_t randomState = randomState_;

    if (level_.policy == sim::Policy::mru) {
        for (const std::size_t way : trial.byUse) order.push_back(trial.ways[way].value());
        return order;
    }
    while (level_.policy == sim::Policy::opt && order.size() < residents) {
        const std::size_t way = farthestAhead(trial);
        order.push_back(trial.ways[way].value());
        trial.ways[way] = std::nullopt;
    }
    // Tries the others. Every way that is not `left` holds a new block.
    auto left = trial.ways;
    while (const auto way = freeWay(trial)) {
        trial.ways[*way] = 0;
        markFill(trial, *way);
    }
    while (order.size() < residents) {
        const std::size_t way = victimIn(trial, randomState);
        if (left[way]) order.push_back(*left[way]);
        left[way] = std::nullopt;
        markFill(trial, way);
    }
    return order;
}

Set& Cache::setOf(std::uint64_t block) {
    Set& set = sets_[block % level_.sets()];
    set.ways.resize(level_.ways);
    set.interval.resize(level_.ways);
    return set;
}

void Cache::markUse(Set& set, std::size_t way) const {
    set.byUse.remove(way);
    set.byUse.push_front(way);
    set.interval[way] = 0;
    if (level_.policy == sim::Policy::treePlru) pointAway(set, way);
}

void Cache::markFill(Set& set, std::size_t way) const {
    markUse(set, way);
    set.byFill.remove(way);
    set.byFill.push_front(way);
    set.interval[way] = kFilledInterval;
}

std::size_t Cache::victimIn(Set& set, std::uint64_t& randomState) const {
    switch (level_.policy) {
        case sim::Policy::lru:
            return set.byUse.back();
        case sim::Policy::mru:
            return set.byUse.front();
        case sim::Policy::fifo:
            return set.byFill.back();
        case sim::Policy::treePlru:
            return followBits(set);
        case sim::Policy::srrip:
            return firstDistant(set);
        case sim::Policy::random:
            return static_cast<std::size_t>(draw(randomState) % level_.ways);
        case sim::Policy::opt:
            return farthestAhead(set);
    }
    return 0;
}

/// Belady: the way whose block is requested latest; the lowest of several.
std::size_t Cache::farthestAhead(const Set& set) const {
    std::optional<std::size_t> farthest;
    for (std::size_t way = 0; way < set.ways.size(); ++way) {
        if (!set.ways[way]) continue;
        if (!farthest || nextRequest(*set.ways[way]) > nextRequest(*set.ways[*farthest])) farthest = way;
    }
    return farthest.value();
}

/// The first of the future requests for the block, unless the block is lost before.
std::size_t Cache::nextRequest(std::uint64_t block) const {
    constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    const std::size_t now = past_.blocks.size();
    const auto known = future_.find(block);
    if (known == future_.end()) return kNever;
    const auto next = std::lower_bound(known->second.begin(), known->second.end(), now);
    if (next == known->second.end()) return kNever;
    const bool isLost = std::any_of(losses_.begin(), losses_.end(), [&](const Requests::Loss& loss) {
        return loss.when >= now && loss.when <= *next && loss.first <= block && block <= loss.last;
    });
    return isLost ? kNever : *next;
}

}  // namespace whorl::reference
