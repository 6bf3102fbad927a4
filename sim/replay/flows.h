// The number of blocks moved between places in a range of a trace: shown when they are too many to follow individually.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A route of blocks. A `level` beyond the machine's levels is memory.
struct FlowKey {
    enum class Kind : std::uint8_t {
        inward,     ///< filled into the nearest level, on a miss or by a prefetch
        outward,    ///< evicted from a level
        writeback,  ///< … and written back; also when its page leaves memory
        taken,      ///< invalidated by another CPU's write
        through,    ///< written data on its way to the next level at once
    };
    Kind kind = Kind::inward;
    std::uint8_t level = 0;    ///< inward: the level that served; else the level left
    std::uint8_t cache = 0;    ///< cache of the level left; inward: of the nearest level
    std::uint8_t other = 0;    ///< taken: the CPU that wrote
    std::uint32_t region = 0;  ///< the number of regions means no region
    auto operator<=>(const FlowKey&) const = default;
};

class Flows {
  public:
    explicit Flows(const MachineConfig& machine) : machine_(&machine), origin_(machine.levels.size()) {}

    /// Takes the next event of an access.
    void take(const Event& e, const Access& access, const Trace& trace);
    void clear() { counts_.clear(); }
    /// The number of blocks by route, in key order.
    const std::map<FlowKey, std::uint64_t>& counts() const { return counts_; }
    std::uint64_t total() const;

  private:
    const MachineConfig* machine_;
    Origin origin_;
    std::map<FlowKey, std::uint64_t> counts_;
};

}  // namespace whorl::sim
