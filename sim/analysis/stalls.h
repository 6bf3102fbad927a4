// How each source line stalls for each region: its cycles, its strides, the fields that it uses. A ledger has the sums
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
    std::uint32_t line = 0;      ///< number in SourceLines
    std::size_t region = 0;      ///< region of the first byte; the number of regions for none
    std::uint64_t accesses = 0;  ///< accesses that count
    Cycles lost = 0;             ///< cycles beyond a look-up in the nearest level
    StrideTally strides;         ///< steps between successive accesses by the same instruction and CPU to the region
    std::uint64_t spanning = 0;  ///< accesses that begin in one element, or field, and end in another
    /// Accesses that begin in each field of the region's elements; empty where the fields are not known.
    std::vector<std::uint64_t> fields;
    /// Accesses by size in bytes.
    std::unordered_map<std::uint32_t, std::uint64_t> sizes;

    StallTally& operator+=(const StallTally& more);
    /// The most frequent size of the accesses; 0 without any.
    std::uint32_t usualSize() const;
};

class StallCollector final : public Observer {
  public:
    /// The trace gives the types and shapes of the regions, and must outlive the collector.
    explicit StallCollector(const Trace& trace);

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override;

    /// The tallies in no particular order, but always the same one.
    std::vector<StallTally> tallies() const;

  private:
    /// A tally of one instruction, with its last address by CPU.
    struct OfSite {
        StallTally sum;
        std::vector<std::uint64_t> last;  ///< by CPU; kNever before the first
        std::uint64_t usual = 0;          ///< accesses of the current `size` that `sum` does not count yet
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
