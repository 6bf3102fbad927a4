// What makes a machine unsound, fault by fault: `checked` and the JSON reader say the same things of the same faults,
// the one by the level's name and the other by the place in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

inline constexpr std::uint32_t kMaxBlockSize = 4096;  ///< bytes

struct Fault {
    static constexpr std::size_t kWholeMachine = ~std::size_t{0};

    std::size_t level = kWholeMachine;  ///< index, from the CPU outward
    std::string key;  ///< which field, as in a JSON file: "ways"; of the whole: "levels", "cpus", "tlb.page"
    std::string what;
    std::string hint;
};

/// Fields whose values are not known, by level and key as in a Fault; a level with an empty key is unknown as a whole.
using Unknown = std::set<std::pair<std::size_t, std::string>>;

/// All faults: of the whole, then level by level; empty when the machine is sound. What is unknown is not judged, nor
/// is how it goes with the rest.
std::vector<Fault> faultsOf(const MachineConfig& machine, Unknown unknown = {});

/// Several errors as one, a line each; a single one stays as it is. There must be one at least.
Error joined(const std::vector<Error>& errors);

/// How sizes are written, for hints.
inline constexpr std::string_view kSizeHint = "a size is a number of bytes, or one with K, M or G, such as 32K";

}  // namespace whorl::sim
