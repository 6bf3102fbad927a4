// How a hierarchy differs from an earlier state of itself, and what has to be known to find that out quickly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/cache/cache_patch.h"
#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"

namespace whorl::sim {

/// Marks from events which sets beyond the nearest level may have changed. Every change there has an event in its set,
/// but for a block that comes to an exclusive level which has it already: that follows from the eviction before.
class TouchedSets {
  public:
    explicit TouchedSets(const Hierarchy& hierarchy);

    void add(std::span<const Event> events);
    void clear();
    /// Of a cache, by its place in the hierarchy's row; null when all its sets may have changed.
    const SetMarks* of(std::size_t cache) const { return cache < near_ ? nullptr : &marks_[cache]; }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    std::size_t near_;  ///< the caches of the nearest level
    std::size_t levels_;
    std::vector<std::size_t> first_;  ///< of each level: its first cache
    std::vector<SetMarks> marks_;     ///< by cache
    /// By cache: the exclusive one that takes what it gives up, or kNone.
    std::vector<std::size_t> takers_;
    std::vector<std::uint32_t> setMasks_;  ///< by cache
};

class HierarchyPatch {
  public:
    /// What makes `after` of `before`. `touched`: the sets of the events in between; when it is null, all are compared.
    HierarchyPatch(const Hierarchy& before, const Hierarchy& after, const TouchedSets* touched);
    /// What does the same as one patch and then the next.
    HierarchyPatch(const HierarchyPatch& first, const HierarchyPatch& second);

    void applyTo(Hierarchy& hierarchy) const;
    /// What it takes, in bytes.
    std::size_t bytes() const;

  private:
    std::vector<CachePatch> caches_;    ///< those of the levels, then the TLBs
    std::vector<StrideTable> strides_;  ///< as they are afterwards
};

}  // namespace whorl::sim
