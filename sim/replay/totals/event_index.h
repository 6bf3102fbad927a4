// An index of the searchable events of a run: misses, evictions, invalidations and transfers between CPUs, and page
// faults, by chunk of the trace. Its entries are kept packed within a memory budget; for chunks beyond it only an
// outline is kept, and the chunk has to be replayed for the rest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/event.h"

namespace whorl::sim {

/// A searchable event.
struct IndexEntry {
    std::uint32_t access = 0;  ///< index of its access in the chunk
    EventKind kind = EventKind::miss;
    std::uint8_t level = 0;  ///< 0 for a page fault
    std::uint8_t cache = 0;
    Cause cause = Cause::coherence;
    std::uint32_t region = 0;  ///< region of the block for a miss, else that of the access
    BlockAddress block;

    /// Whether an event is indexed.
    static bool isIndexed(const Event& e) {
        return e.kind == EventKind::miss || e.kind == EventKind::eviction || e.kind == EventKind::invalidation ||
               e.kind == EventKind::downgrade || e.kind == EventKind::upgrade || e.kind == EventKind::pageFault;
    }
    bool operator==(const IndexEntry&) const = default;
};

/// What a chunk may contain: "no" is certain, "yes" is not.
class Outline {
  public:
    void add(const IndexEntry& entry);
    bool mayHold(EventKind kind, std::uint8_t level) const {
        return (kinds_[static_cast<std::size_t>(kind)] >> level & 1) != 0;
    }
    bool mayHoldRegion(std::uint32_t region) const { return (regions_ >> region % 64 & 1) != 0; }
    bool mayHoldBlock(std::uint8_t level, BlockAddress block) const;

  private:
    static std::size_t bitOf(std::uint8_t level, BlockAddress block);

    std::array<std::uint8_t, 16> kinds_{};    ///< by kind: one bit per level
    std::uint64_t regions_ = 0;               ///< one bit per region index modulo 64
    std::array<std::uint64_t, 32> blocks_{};  ///< except of misses: one bit per hash of level and block
};

class EventIndex {
  public:
    explicit EventIndex(std::size_t budget) : budget_(budget) {}

    /// Adds the entries of the next chunk.
    void add(const std::vector<IndexEntry>& entries);
    std::size_t chunks() const { return outlines_.size(); }
    const Outline& outline(std::size_t chunk) const { return outlines_[chunk]; }
    /// The entries of a chunk; empty when there was no room to keep them.
    std::optional<std::vector<IndexEntry>> entries(std::size_t chunk) const;
    std::size_t bytes() const { return used_ + outlines_.size() * sizeof(Outline); }

  private:
    std::size_t budget_;
    std::size_t used_ = 0;
    std::vector<Outline> outlines_;
    std::vector<std::string> packed_;  ///< empty: not kept, or nothing to keep
    std::vector<std::size_t> sizes_;   ///< bytes of the packed data
    std::vector<std::uint32_t> counts_;
};

}  // namespace whorl::sim
