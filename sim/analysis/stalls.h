// How each source line stalls for each owner of memory (see Owners): its cycles, its strides, the fields that it uses.
// A ledger has the sums of lines and of owners, but not of one within the other.
//
// Strides are the steps, in bytes, between the accesses of an instruction: to the same place again, to the neighbour,
// always as far, or anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/replay.h"
#include "sim/trace/recent_objects.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

enum class StrideClass : std::uint8_t {
    none,       ///< there are no steps: nothing was accessed twice
    same,       ///< the same address again
    unit,       ///< by its own size, up or down
    constant,   ///< by any other number of bytes, mostly the same
    irregular,  ///< no class has half of the steps
};

/// "none", "same", "unit", "constant", "irregular".
std::string_view wordFor(StrideClass stride);

/// The class that most steps belong to.
struct StrideSummary {
    StrideClass stride = StrideClass::none;
    std::int64_t bytes = 0;    ///< step of a constant stride
    std::uint64_t steps = 0;   ///< number of steps from one access to the next
    std::uint64_t ofThem = 0;  ///< steps of the class; for irregular ones, all that are neither same nor unit

    double share() const { return steps == 0 ? 0.0 : static_cast<double>(ofThem) / static_cast<double>(steps); }
    bool operator==(const StrideSummary&) const = default;
};

/// Counts steps. Exact for up to kMaxStrides different ones; beyond, the rare ones are forgotten from time to time,
/// and count as irregular.
class StrideTally {
  public:
    static constexpr std::size_t kMaxStrides = 256;

    /// A step to an access of `size` bytes.
    void add(std::int64_t bytes, std::uint32_t size) {
        ++steps_;
        if (bytes == 0) {
            ++same_;
        } else if (bytes == std::int64_t{size} || bytes == -std::int64_t{size}) {
            ++unit_;
        } else {
            count(bytes, 1);
        }
    }
    bool isEmpty() const { return steps_ == 0; }
    StrideSummary summary() const;

  private:
    void count(std::int64_t bytes, std::uint64_t times) {
        others_[bytes] += times;
        if (others_.size() > kMaxStrides) forgetRare();
    }
    void forgetRare();

    std::uint64_t steps_ = 0;
    std::uint64_t same_ = 0;
    std::uint64_t unit_ = 0;
    std::unordered_map<std::int64_t, std::uint64_t> others_;
};

/// The accesses of a line to the memory of an owner.
struct StallTally {
    std::uint32_t line = 0;      ///< number in SourceLines
    std::size_t owner = 0;       ///< of the first byte; the number of owners for none
    std::uint64_t accesses = 0;  ///< accesses that count
    Cycles lost = 0;             ///< cycles beyond a look-up in the nearest level
    /// Steps between successive accesses by the same CPU, of the instruction that loses most.
    StrideTally strides;
    Cycles lostInSteps = 0;      ///< cycles that this instruction loses
    std::uint64_t spanning = 0;  ///< accesses that begin in one element, or field, and end in another
    /// Accesses that begin in each field of the elements; empty where the fields are not known.
    std::vector<std::uint64_t> fields;
    /// Accesses by size in bytes.
    std::unordered_map<std::uint32_t, std::uint64_t> sizes;

    StallTally& operator+=(const StallTally& more);
    /// The most frequent size of the accesses; 0 without any.
    std::uint32_t usualSize() const;
};

class StallCollector final : public Observer {
  public:
    /// The trace gives the types of the memory, and must outlive the collector.
    /// `segment`: the accesses of a segment; a multiple or a divisor of Trace::kChunk.
    explicit StallCollector(const Trace& trace, std::uint64_t segment = Trace::kChunk);

    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override;

    /// The tallies in no particular order, but always the same one.
    std::vector<StallTally> tallies() const;
    /// The cycles lost in each segment of the trace.
    const std::vector<Cycles>& lostBySegment() const { return lostBySegment_; }

  private:
    /// A tally of one instruction, with its last address by CPU.
    struct OfSite {
        StallTally sum;
        std::vector<std::uint64_t> last;  ///< by CPU; kNever before the first
        std::uint64_t usual = 0;          ///< accesses of the current `size` that `sum` does not count yet
        std::uint32_t size = 0;
        bool fillsOrCopies = false;
    };
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    /// Where an access lies in memory that has a type.
    struct Place {
        std::size_t owner = 0;
        std::uint64_t offset = 0;   ///< in the region or object
        std::uint64_t element = 1;  ///< bytes
        const ElementType* type = nullptr;
    };

    Place placeOf(ByteAddress address, Tick tick);
    SiteId stepping(SiteId site) const;
    OfSite& ofSite(SiteId of, const Place& place);
    void take(const PackedAccess& access, Tick tick, Cycles cost, const MachineConfig& machine);
    void step(OfSite& of, const Access& access) const;
    void use(OfSite& of, const Access& access, const Place& place) const;

    const Trace& trace_;
    SourceLines lines_;
    RecentObjects objects_;
    std::size_t lastRegion_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< by site and owner
    std::vector<OfSite> sites_;
    struct Recent {
        std::size_t owner = ~std::size_t{0};
        std::uint32_t number = 0;
    };
    std::vector<Recent> recent_;  ///< by site
    std::uint64_t segment_;       ///< accesses
    std::vector<Cycles> lostBySegment_;
};

/// What a StallCollector has found in a whole trace.
struct Stalls {
    std::vector<StallTally> tallies;
    std::uint64_t segment = Trace::kChunk;  ///< accesses
    std::vector<Cycles> lostBySegment;
};

/// Plays a trace. Progress is in accesses. Nothing when cancelled.
std::optional<Stalls> stallsOf(const Trace& trace, const MachineConfig& machine, std::uint64_t segment,
                               Progress& progress);

}  // namespace whorl::sim
