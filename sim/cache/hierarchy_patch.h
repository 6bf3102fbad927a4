// The difference between two states of a hierarchy, and the record of touched sets that makes computing it fast.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/cache/page_table.h"

namespace whorl::sim {

/// A set of cache sets, as a bitmap.
class SetMarks {
  public:
    explicit SetMarks(std::uint32_t sets) : words_((sets + 63) / 64, 0) {}

    void mark(SetIndex set) { words_[set.value / 64] |= std::uint64_t{1} << set.value % 64; }
    void clear() { words_.assign(words_.size(), 0); }
    /// Calls f(SetIndex) for each marked set, in order.
    template <class F>
    void forEach(F&& f) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
                f(SetIndex{static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(rest))});
            }
        }
    }

  private:
    std::vector<std::uint64_t> words_;  ///< one bit per set
};

/// The difference between two states of a cache: the changed sets in a compact encoding, about a third of their size in
/// the cache. Plain data, valid only for caches of the same configuration.
class CachePatch {
  public:
    /// The patch that turns `before` into `after`. Compares only the sets in `touched`, or all if it is null.
    CachePatch(const Cache& before, const Cache& after, const SetMarks* touched);
    /// The composition of two patches: `first`, then `second`.
    CachePatch(const CachePatch& first, const CachePatch& second);

    void applyTo(Cache& cache) const;
    /// Memory used, in bytes.
    std::size_t bytes() const { return sizeof *this + packed_.capacity(); }

  private:
    static constexpr std::uint32_t kNoSet = ~std::uint32_t{0};  ///< one before set 0

    /// The encoded content of a way: `low` holds the flags and the lowest tag bits, `high` the remaining tag bits.
    struct Word {
        std::uint8_t low;
        std::uint64_t high;
        bool operator==(const Word&) const = default;
    };
    /// Pointers to the parts of an encoded set, which are stored one after the other.
    struct Record {
        std::uint32_t set = kNoSet;
        const std::uint8_t* changed = nullptr;  ///< a bit per way: whether its block or flags differ
        const std::uint8_t* ranks = nullptr;    ///< 4 bits per way, or 2 bytes if there are more than 16 ways
        const std::uint8_t* words = nullptr;    ///< words of the changed ways
        const std::uint8_t* nextUse = nullptr;  ///< OPT only
        const std::uint8_t* end = nullptr;
    };
    /// Decoding parameters of the words, kept in registers in the inner loop.
    struct Reading {
        std::size_t width;
        std::uint64_t highest;
        std::uint64_t sets;
    };
    static constexpr Word kNothing{.low = 0xff, .high = ~std::uint64_t{0}};
    static constexpr std::size_t kPadding = 8;  ///< behind the encoded bytes, so that 8 bytes can be read anywhere

    std::size_t maskBytes() const { return (ways_ + 7) / 8; }
    std::size_t rankBytes() const { return hasSmallRanks() ? (ways_ + 1) / 2 : std::size_t{2} * ways_; }
    std::size_t nextUseBytes() const { return looksAhead_ ? std::size_t{4} * ways_ : 0; }
    bool hasSmallRanks() const { return ways_ <= 16; }
    std::uint64_t highest() const { return width_ == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * width_) - 1; }

    bool differs(const Cache& before, const Cache& after, SetIndex set) const;
    void widenFor(const Cache& before, const Cache& after, SetIndex set);
    void put(const Cache& before, const Cache& after, SetIndex set);
    void putSet(std::uint32_t set);
    void putRanks(const std::uint16_t* ranks);
    void putWord(Word word);
    void putBytes(const std::uint8_t* from, std::size_t count) { packed_.insert(packed_.end(), from, from + count); }
    void copy(const CachePatch& from, const Record& record);
    void join(const CachePatch& first, const Record& a, const CachePatch& second, const Record& b);
    void finish();

    const std::uint8_t* begin() const { return packed_.data(); }
    const std::uint8_t* end() const { return packed_.data() + packed_.size() - kPadding; }
    /// The record at `at`; `setBefore` is the set of the record before it.
    Record recordAt(const std::uint8_t* at, std::uint32_t setBefore) const;
    Word wordAt(const std::uint8_t* at) const;
    static Word wordOf(const Cache& cache, std::size_t way);
    void applyRanks(const std::uint8_t* from, std::uint16_t* ranks) const;
    const std::uint8_t* applyWords(const std::uint8_t* changed, const std::uint8_t* from, Cache& cache, SetIndex set,
                                   const Reading& how) const;

    std::uint32_t ways_;
    bool looksAhead_;
    std::uint8_t width_ = 0;  ///< bytes of a word's high part
    std::uint32_t lastSet_ = kNoSet;
    std::uint64_t random_;
    std::uint64_t requests_;
    std::vector<std::uint8_t> packed_;
};

/// Marks from events the sets beyond the nearest level that may have changed. Every change there has an event in its
/// set, except when an evicted block goes to an exclusive level that already has it; that set follows from the
/// eviction.
class TouchedSets {
  public:
    explicit TouchedSets(const Hierarchy& hierarchy);

    void add(std::span<const Event> events);
    void clear();
    /// The touched sets of a cache, by its index in the hierarchy; null if all its sets may have changed.
    const SetMarks* of(std::size_t cache) const { return cache < near_ ? nullptr : &marks_[cache]; }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    std::size_t near_;  ///< number of caches of the nearest level
    std::size_t levels_;
    std::vector<std::size_t> first_;  ///< by level: the index of its first cache
    std::vector<SetMarks> marks_;     ///< by cache
    /// By cache: the exclusive cache that receives its evicted blocks, or kNone.
    std::vector<std::size_t> takers_;
    std::vector<Sets> sets_;  ///< by cache
};

class HierarchyPatch {
  public:
    /// The patch that turns `before` into `after`. Compares only the sets in `touched`, which must cover the events in
    /// between, or all sets if it is null.
    HierarchyPatch(const Hierarchy& before, const Hierarchy& after, const TouchedSets* touched);
    /// The composition of two patches: `first`, then `second`.
    HierarchyPatch(const HierarchyPatch& first, const HierarchyPatch& second);

    void applyTo(Hierarchy& hierarchy) const;
    /// Memory used, in bytes.
    std::size_t bytes() const;

  private:
    std::vector<CachePatch> caches_;  ///< caches of the levels, then the TLBs
    std::optional<PageTablePatch> pages_;
    std::vector<StrideTable> strides_;  ///< the state after the patch
};

}  // namespace whorl::sim
