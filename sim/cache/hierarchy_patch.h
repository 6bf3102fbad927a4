// The difference between two states of a hierarchy, and the record of touched sets that makes computing it fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cache/cache_patch.h"
#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/cache/page_table.h"

namespace whorl::sim {

/// Marks from events which sets beyond the nearest level may have changed. Every change there has an event in its set,
/// but for a block that comes to an exclusive level which has it already: that follows from the eviction before.
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
    /// What makes `after` of `before`. `touched`: the sets of the events in between; when it is null, all are compared.
    HierarchyPatch(const Hierarchy& before, const Hierarchy& after, const TouchedSets* touched);
    /// The composition of two patches: `first`, then `second`.
    HierarchyPatch(const HierarchyPatch& first, const HierarchyPatch& second);

    void applyTo(Hierarchy& hierarchy) const;
    /// Memory used, in bytes.
    std::size_t bytes() const;

  private:
    std::vector<CachePatch> caches_;  ///< of the levels, then of the TLBs
    std::optional<PageTablePatch> pages_;
    std::vector<StrideTable> strides_;  ///< the state after the patch
};

}  // namespace whorl::sim
