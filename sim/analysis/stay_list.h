// Stays of blocks in caches, and the changes of how they are held, packed: a long history has millions of them, and
// they take a third of the memory that the structs would. Stays are read as values; fields that are not read are not
// unpacked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/base/containers.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"

namespace whorl::sim {

/// Why a stay ended.
enum class Leaving : std::uint8_t {
    resident,     ///< still in the cache at the end of the history
    replaced,     ///< it was evicted for another block
    invalidated,  ///< by another CPU's write
    included,     ///< evicted by an inclusive farther level
    moved,        ///< passed by an exclusive level to the nearer one
    paged,        ///< its page left memory
};

/// The state in which a cache holds a block, as in the MESI protocol.
enum class Holding : std::uint8_t { shared, exclusive, modified };
inline constexpr std::array kHoldingNames = {"shared", "exclusive", "modified"};  ///< by Holding

/// One stay of a block in a cache.
struct Stay {
    static constexpr Tick kNever{~std::uint64_t{0}};
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Tick in = kNever;              ///< the access that filled it; never: resident when the history begins
    Tick out = kNever;             ///< the access during which it left; never: resident
    Cycles from = 0;               ///< when it became resident, after its CPU's stall
    Cycles to = 0;                 ///< when it left, or the end of the history
    ByteAddress address;           ///< the address requested by the access that filled it
    std::uint32_t block = 0;       ///< index into HistoryLevel::blocks
    std::uint32_t by = kNone;      ///< replaced: the block that replaced it, an index into HistoryLevel::blocks
    std::uint32_t source = kNone;  ///< source of the access that filled it: index into History::sources
    std::uint32_t object = kNone;  ///< object of that access: index into History::objects
    std::uint32_t cost = 0;        ///< access cycles of that access
    std::uint8_t cache = 0;
    std::uint8_t cpu = 0;    ///< CPU of the access that filled it
    std::uint8_t byCpu = 0;  ///< CPU of the access that ended it
    Leaving leaving = Leaving::resident;
    Holding holding = Holding::shared;  ///< initial state; see HistoryLevel::changes
    bool prefetched = false;            ///< filled by a prefetch that the access triggered
    bool dirty = false;                 ///< held the only copy of its data when it left
};

/// From a tick on, a cache holds the block of a stay in a different state.
struct Change {
    std::uint32_t stay = 0;  ///< index into HistoryLevel::stays
    Tick tick;
    Cycles at = 0;
    Holding holding = Holding::shared;
};

/// Goes through a list whose elements are values, in any order.
template <class List, class Value>
class ValueIterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using reference = Value;
    struct pointer {
        Value value;
        const Value* operator->() const { return &value; }
    };

    ValueIterator() = default;
    ValueIterator(const List* list, std::size_t at) : list_(list), at_(at) {}

    Value operator*() const { return (*list_)[at_]; }
    pointer operator->() const { return {(*list_)[at_]}; }
    Value operator[](difference_type n) const { return *(*this + n); }
    ValueIterator& operator++() { return *this += 1; }
    ValueIterator& operator--() { return *this -= 1; }
    ValueIterator operator++(int) { return {list_, at_++}; }
    ValueIterator& operator+=(difference_type n) {
        at_ += static_cast<std::size_t>(n);
        return *this;
    }
    ValueIterator& operator-=(difference_type n) { return *this += -n; }
    friend ValueIterator operator+(ValueIterator i, difference_type n) { return i += n; }
    friend ValueIterator operator-(ValueIterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(ValueIterator a, ValueIterator b) {
        return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
    }
    bool operator==(const ValueIterator& other) const { return at_ == other.at_; }
    auto operator<=>(const ValueIterator& other) const { return at_ <=> other.at_; }

  private:
    const List* list_ = nullptr;
    std::size_t at_ = 0;
};

class StayList {
  public:
    using Iterator = ValueIterator<StayList, Stay>;

    std::size_t size() const { return in_.size(); }
    bool empty() const { return size() == 0; }
    Stay operator[](std::size_t i) const {
        const std::uint64_t rest = rest_[i];
        const std::uint64_t in = in_[i];
        const std::uint64_t out = out_[i];
        const Cycles from = from_[i];
        return {.in = Tick{in - 1},
                .out = out == 0 ? Stay::kNever : Tick{in + out - 2},
                .from = from,
                .to = endOf(from, to_[i]),
                .address = ByteAddress{address_[i]},
                .block = static_cast<std::uint32_t>(block_[i]),
                .by = static_cast<std::uint32_t>(by_[i] - 1),
                .source = static_cast<std::uint32_t>(source_[i] - 1),
                .object = static_cast<std::uint32_t>(object_[i] - 1),
                .cost = static_cast<std::uint32_t>(cost_[i]),
                .cache = static_cast<std::uint8_t>(rest >> kCache),
                .cpu = static_cast<std::uint8_t>(rest >> kCpu),
                .byCpu = static_cast<std::uint8_t>(rest >> kByCpu),
                .leaving = static_cast<Leaving>(rest & 7),
                .holding = static_cast<Holding>(rest >> 3 & 3),
                .prefetched = (rest >> 5 & 1) != 0,
                .dirty = (rest >> 6 & 1) != 0};
    }
    // Single fields of a stay, read without unpacking the rest.
    std::uint32_t blockOf(std::size_t i) const { return static_cast<std::uint32_t>(block_[i]); }
    std::uint8_t cacheOf(std::size_t i) const { return static_cast<std::uint8_t>(rest_[i] >> kCache); }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }

    void push_back(const Stay& stay);
    void set(std::size_t i, const Stay& stay);
    // Set single fields of a stay.
    void setTime(std::size_t i, Cycles from, Cycles to);
    void setBy(std::size_t i, std::uint32_t by) { by_.set(i, next(by)); }
    void setHolding(std::size_t i, Holding holding) {
        rest_.set(i, (rest_[i] & ~(std::uint64_t{3} << 3)) | static_cast<std::uint64_t>(holding) << 3);
    }
    void setEnd(std::size_t i, Leaving leaving, Tick out, Cycles to, std::uint8_t byCpu, bool dirty);
    void setPlaces(std::size_t i, std::uint32_t block, std::uint32_t by, std::uint32_t source, std::uint32_t object);

    /// Reorders the stays: stay i becomes the one that is at order[i] now.
    void sort(const std::vector<std::uint32_t>& order);
    /// The size of the stays in memory, in bytes.
    std::size_t bytes() const;

  private:
    /// "None" and "never", the highest numbers, become 0: the smallest.
    static std::uint64_t next(std::uint32_t number) { return static_cast<std::uint32_t>(number + 1); }
    static std::uint64_t next(Tick tick) { return tick.value + 1; }
    /// The end of a stay as stored: relative to its beginning, which takes fewer bytes; 0 for never.
    static std::uint64_t outOf(Tick in, Tick out) { return out == Stay::kNever ? 0 : next(out) - next(in) + 1; }
    /// The length of a stay as stored. Clocks may contradict each other, so an end before the beginning becomes an odd
    /// number.
    static std::uint64_t lengthOf(Cycles from, Cycles to) {
        return to >= from ? (to - from) << 1 : (from - to) << 1 | 1;
    }
    static Cycles endOf(Cycles from, std::uint64_t length) {
        return (length & 1) == 0 ? from + (length >> 1) : from - (length >> 1);
    }
    static std::uint64_t restOf(const Stay& stay);
    template <class Self, class F>
    static void forEachColumn(Self& list, F&& f) {
        for (auto* column : {&list.in_, &list.out_, &list.from_, &list.to_, &list.address_, &list.block_, &list.by_,
                             &list.source_, &list.object_, &list.cost_, &list.rest_}) {
            f(*column);
        }
    }

    static constexpr unsigned kByCpu = 8;
    static constexpr unsigned kCpu = 16;
    static constexpr unsigned kCache = 24;

    NumberColumn in_;
    NumberColumn out_;  ///< see outOf
    NumberColumn from_;
    NumberColumn to_;  ///< see lengthOf
    NumberColumn address_;
    NumberColumn block_;
    NumberColumn by_;
    NumberColumn source_;
    NumberColumn object_;
    NumberColumn cost_;
    /// All other fields in one number, with what neighbours have in common in the high bits: the cache from kCache on,
    /// the CPU that filled it from kCpu on, the CPU that ended it from kByCpu on.
    NumberColumn rest_;
};

class ChangeList {
  public:
    using Iterator = ValueIterator<ChangeList, Change>;

    std::size_t size() const { return stay_.size(); }
    bool empty() const { return size() == 0; }
    Change operator[](std::size_t i) const {
        return {.stay = static_cast<std::uint32_t>(stay_[i]),
                .tick = Tick{tick_[i]},
                .at = at_[i],
                .holding = static_cast<Holding>(holding_[i])};
    }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size()}; }

    void push_back(const Change& change);
    void set(std::size_t i, const Change& change);
    /// As StayList::sort().
    void sort(const std::vector<std::uint32_t>& order);
    std::size_t bytes() const;

  private:
    NumberColumn stay_;
    NumberColumn tick_;
    NumberColumn at_;
    NumberColumn holding_;
};

}  // namespace whorl::sim
