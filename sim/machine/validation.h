// Validation of a machine. `checked` and the JSON reader report the same errors, located by the level's name and by the
// path in the file respectively.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

inline constexpr std::uint32_t kMaxBlockSize = 4096;  ///< bytes

struct ConfigError {
    static constexpr std::size_t kWholeMachine = ~std::size_t{0};

    std::size_t level = kWholeMachine;  ///< index, from the CPU outward
    std::string key;  ///< the field as named in JSON: "ways"; of the whole machine: "levels", "cpus", "tlb.page"
    std::string what;
    std::string hint;

    /// "levels[1].ways", "cpus"; without a key, the level.
    static std::string pathOf(std::size_t level, const std::string& key);
};

/// The paths of fields and of whole levels whose values could not be read.
using UnknownFields = std::set<std::string>;

/// All errors, those of the whole machine first, then level by level; empty if it is valid. Unknown fields are not
/// checked, and no other field is checked against them.
std::vector<ConfigError> configErrors(const MachineConfig& machine, UnknownFields unknown = {});

/// The number of errors after which a check of a file may stop.
inline constexpr std::size_t kManyErrors = 1000;

/// Joins one or more errors into one with a line for each of the first; a single error is returned unchanged.
Error joinErrors(const std::vector<Error>& errors);

/// How to write sizes, for hints.
inline constexpr std::string_view kSizeHint = "a size is a number of bytes, or one with K, M or G, such as 32K";

}  // namespace whorl::sim
