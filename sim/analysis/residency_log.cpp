#include "sim/analysis/residency_log.h"

#include <bit>
#include <numeric>
#include <utility>

namespace whorl::sim {

namespace {

/// 0, 1, 2, …: a list that takes no memory.
struct Indices {
    std::size_t count;
    std::size_t size() const { return count; }
    std::uint32_t operator[](std::size_t i) const { return static_cast<std::uint32_t>(i); }
};

/// The indices of things in ascending order of their keys, which are below `end`; equals keep their order in `order`, a
/// list of indices.
template <class Order, class Key>
std::vector<std::uint32_t> sortedBy(const Order& order, std::size_t end, Key&& key) {
    std::vector<std::uint32_t> next(end + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) ++next[key(order[i]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[next[key(order[i])]++] = order[i];
    return sorted;
}

std::vector<std::uint32_t> upTo(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    return numbers;
}

/// The position of each number in an order of some of the numbers below `end`.
std::vector<std::uint32_t> inverseOf(const std::vector<std::uint32_t>& order, std::size_t end) {
    std::vector<std::uint32_t> places(end, Stay::kNone);
    for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
    return places;
}

}  // namespace

BlockCosts::BlockCosts(std::uint32_t blockSize)
    : size(blockSize), shift(static_cast<unsigned>(std::countr_zero(blockSize))) {}

std::vector<std::uint32_t> BlockCosts::byAddress() const {
    std::vector<std::uint32_t> order = upTo(ids.size());
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ids.block(a) < ids.block(b); });
    return order;
}

void ResidencyLog::open(Slot slot, const Stay& stay) {
    if (slot >= slots_.size()) slots_.resize(std::max(slot + 1, 2 * slots_.size()));
    slots_[slot] = {.stay = Stay::kNone, .held = Held::unknown};
    if (!mayKeep(stay.block)) return;
    slots_[slot].stay = static_cast<std::uint32_t>(stays_.size());
    Stay open = stay;
    open.to = open.from;  // until it is known
    stays_.push_back(open);
}

/// Whether there is room for one more stay of a block; counts the stay in any case.
bool ResidencyLog::mayKeep(std::uint32_t block) {
    if (chosen_) {
        const bool may = allowed_[block] > 0;
        allowed_[block] -= may ? 1 : 0;
        leftOut_ += may ? 0 : 1;
        return may;
    }
    if (block >= count_.size()) count_.resize(std::max<std::size_t>(block + std::size_t{1}, 2 * count_.size()), 0);
    ++count_[block];
    if (!counting_ && stays_.size() == budget_.stays) {
        counting_ = true;
        stays_ = {};
        changes_ = {};
        for (Open& open : slots_) open.stay = Stay::kNone;
    }
    return !counting_;
}

std::uint32_t ResidencyLog::close(Slot slot, Leaving leaving, Tick tick, Cycles at, std::uint8_t cpu, bool dirty) {
    if (!isOpen(slot)) return Stay::kNone;
    const std::uint32_t number = slots_[slot].stay;
    slots_[slot] = {};
    if (number == Stay::kNone) return number;
    stays_.setEnd(number, leaving, tick, at, cpu, dirty);
    return number;
}

void ResidencyLog::change(Slot slot, Holding holding, Tick tick, Cycles at) {
    const bool isFirst = slots_[slot].held == Held::unknown;
    slots_[slot].held = heldAs(holding);
    if (slots_[slot].stay == Stay::kNone) return;
    if (isFirst) {
        stays_.setHolding(slots_[slot].stay, holding);
        return;
    }
    if (changes_.size() == budget_.changes) {
        ++changesLeftOut_;
        return;
    }
    changes_.push_back({.stay = slots_[slot].stay, .tick = tick, .at = at, .holding = holding});
}

std::optional<Holding> ResidencyLog::holding(Slot slot) const {
    if (slot >= slots_.size() || slots_[slot].held <= Held::unknown) return std::nullopt;
    return static_cast<Holding>(static_cast<int>(slots_[slot].held) - 2);
}

void ResidencyLog::startAgain() {
    count_.resize(blocks_->ids.size(), 0);
    std::vector<std::uint32_t> order = blocks_->byAddress();
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return blocks_->costs[a].cycles > blocks_->costs[b].cycles; });
    allowed_.assign(count_.size(), 0);
    std::size_t room = budget_.stays;
    for (const std::uint32_t block : order) {
        allowed_[block] = static_cast<std::uint32_t>(std::min<std::size_t>(room, count_[block]));
        room -= allowed_[block];
        // The rest belongs to blocks cheaper than one that is already cut short.
        if (room == 0) break;
    }
    chosen_ = true;
    counting_ = false;
    slots_ = {};
    stays_ = {};
    changes_ = {};
    changesLeftOut_ = 0;
}

void ResidencyLog::finish(HistoryLevel& level, const std::vector<std::uint32_t>& sources,
                          const std::vector<std::uint32_t>& objects, Cycles begin, Cycles end) {
    putInOrder(level, sources, objects);
    straighten(level, begin, end);
    level.leftOut = leftOut_;
    level.changesLeftOut = changesLeftOut_;
}

/// Sorts stays by block, cache and time; changes by stay and time.
void ResidencyLog::putInOrder(HistoryLevel& level, const std::vector<std::uint32_t>& sources,
                              const std::vector<std::uint32_t>& objects) {
    std::vector<std::uint32_t> blocks = blocks_->byAddress();
    const auto isOfOthers = [&](std::uint32_t block) {
        const bool stays = block < count_.size() && count_[block] > 0;
        return !stays && blocks_->costs[block].accesses == 0 && blocks_->costs[block].cycles == 0;
    };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), isOfOthers), blocks.end());
    const std::vector<std::uint32_t> placeOfBlock = inverseOf(blocks, blocks_->ids.size());
    const auto placed = [](std::uint32_t number, const std::vector<std::uint32_t>& places) {
        return number == Stay::kNone ? number : places[number];
    };
    for (std::size_t s = 0; s < stays_.size(); ++s) {
        const Stay stay = stays_[s];
        stays_.setPlaces(s, placeOfBlock[stay.block], placed(stay.by, placeOfBlock), placed(stay.source, sources),
                         placed(stay.object, objects));
    }
    std::vector<std::uint32_t> order = sortedBy(Indices{stays_.size()}, 256, [&](auto s) { return stays_.cacheOf(s); });
    order = sortedBy(order, blocks.size(), [&](auto s) { return stays_.blockOf(s); });
    stays_.sort(order);
    level.stays = std::exchange(stays_, {});
    sortChanges(level, inverseOf(order, order.size()));
    std::uint32_t stay = 0;
    level.blocks.reserve(blocks.size());
    for (std::uint32_t place = 0; place < blocks.size(); ++place) {
        const Cost cost = blocks_->costs[blocks[place]];
        level.blocks.push_back({.block = blocks_->ids.block(blocks[place]),
                                .cost = cost.cycles,
                                .firstStay = stay,
                                .accesses = cost.accesses});
        while (stay < level.stays.size() && level.stays.blockOf(stay) == place) ++stay;
    }
}

/// `placeOfStay` maps the numbers of stays to their places.
void ResidencyLog::sortChanges(HistoryLevel& level, const std::vector<std::uint32_t>& placeOfStay) {
    for (std::size_t c = 0; c < changes_.size(); ++c) {
        Change change = changes_[c];
        change.stay = placeOfStay[change.stay];
        changes_.set(c, change);
    }
    changes_.sort(sortedBy(Indices{changes_.size()}, placeOfStay.size(), [&](auto c) { return changes_[c].stay; }));
    level.changes = std::exchange(changes_, {});
}

/// The clocks of several CPUs may contradict the order of the accesses, if that was recorded on another machine. In
/// time, no stay ends before it begins, and no two stays of a block in a cache overlap: the later one takes precedence.
void ResidencyLog::straighten(HistoryLevel& level, Cycles begin, Cycles end) {
    StayList& stays = level.stays;
    Stay before;
    for (std::size_t i = 0; i < stays.size(); ++i) {
        Stay s = stays[i];
        if (s.in == Stay::kNever) s.from = begin;
        if (s.leaving == Leaving::resident) s.to = end;
        if (i > 0 && before.block == s.block && before.cache == s.cache) {
            s.from = std::max(s.from, before.from);
            stays.setTime(i - 1, before.from, std::min(before.to, s.from));
        }
        s.to = std::max(s.to, s.from);
        stays.setTime(i, s.from, s.to);
        before = s;
    }
    std::uint32_t last = Stay::kNone;
    Cycles at = 0;
    for (std::size_t i = 0; i < level.changes.size(); ++i) {
        Change c = level.changes[i];
        const Stay s = stays[c.stay];
        c.at = std::clamp(c.at, c.stay == last ? at : s.from, s.to);
        level.changes.set(i, c);
        last = c.stay;
        at = c.at;
    }
}

}  // namespace whorl::sim
