// How many blocks moved from where to where in a range of a trace: what is shown when they are too many to follow one
// by one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A way that blocks take. `level`s beyond the machine's are memory.
struct FlowKey {
    enum class Kind : std::uint8_t {
        inward,     ///< to the nearest level, on a miss or by a prefetch
        outward,    ///< out of a level that they were evicted from
        writeback,  ///< …, with new data
        taken,      ///< invalidated by another CPU's write
    };
    Kind kind = Kind::inward;
    std::uint8_t level = 0;    ///< taken, outward, writeback: the level left; inward: the level that served
    std::uint8_t cache = 0;    ///< of the level left; inward: of the nearest level
    std::uint8_t other = 0;    ///< taken: the CPU that wrote
    std::uint32_t region = 0;  ///< the number of regions: none of them
    auto operator<=>(const FlowKey&) const = default;
};

class Flows {
  public:
    explicit Flows(const MachineConfig& machine) : machine_(&machine), origin_(machine.levels.size()) {}

    /// Takes the next event of an access.
    void take(const Event& e, const Access& access, const Trace& trace);
    void clear() { counts_.clear(); }
    /// In the order of the keys.
    const std::map<FlowKey, std::uint64_t>& counts() const { return counts_; }
    std::uint64_t total() const;

  private:
    const MachineConfig* machine_;
    Origin origin_;
    std::map<FlowKey, std::uint64_t> counts_;
};

}  // namespace whorl::sim
