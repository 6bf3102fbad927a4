// What each source line stalls for each region: its cycles, its strides, the fields that it uses. A ledger has the sums
// of lines and of regions, but not of one within the other.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/analysis/stride.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/replay.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The accesses of a line to a region.
struct StallTally {
    std::uint32_t line = 0;      ///< of SourceLines
    std::size_t region = 0;      ///< of the first byte; the number of regions for none
    std::uint64_t accesses = 0;  ///< that count
    Cycles lost = 0;             ///< beyond a look-up in the nearest level
    StrideTally strides;         ///< of successive accesses of the same instruction and CPU to the region
    std::uint64_t spanning = 0;  ///< accesses that begin in one element, or field, and end in another
    /// By field of the region's elements, where they are known: accesses that begin in it.
    std::vector<std::uint64_t> fields;
    /// By size in bytes: accesses.
    std::unordered_map<std::uint32_t, std::uint64_t> sizes;

    StallTally& operator+=(const StallTally& more);
    /// The most frequent size of the accesses; 0 without any.
    std::uint32_t usualSize() const;
};

class StallCollector final : public Observer {
  public:
    /// The trace, which must outlive it, has the types and shapes of the regions.
    explicit StallCollector(const Trace& trace);

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override;

    /// In no particular order, but always the same.
    std::vector<StallTally> tallies() const;

  private:
    /// A tally of one instruction, with its last address by CPU.
    struct OfSite {
        StallTally sum;
        std::vector<std::uint64_t> last;  ///< by CPU; kNever before the first
        std::uint64_t usual = 0;          ///< accesses of the size that the last one had
        std::uint32_t size = 0;
    };
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    OfSite& ofSite(SiteId site, std::size_t region);
    void take(const PackedAccess& access, Cycles cost, const MachineConfig& machine);
    void step(OfSite& of, const Access& access) const;
    void use(OfSite& of, const Access& access) const;

    const Trace& trace_;
    SourceLines lines_;
    std::size_t lastRegion_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< by site and region
    std::vector<OfSite> sites_;
    struct Recent {
        std::size_t region = ~std::size_t{0};
        std::uint32_t number = 0;
    };
    std::vector<Recent> recent_;  ///< by site
};

/// Plays a trace. Progress is in accesses. Nothing when cancelled.
std::optional<std::vector<StallTally>> stallsOf(const Trace& trace, const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
