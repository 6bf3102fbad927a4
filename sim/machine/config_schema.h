// The keys of a machine description. The JSON reader, the JSON writer and `withValue` share them, so that they accept
// the same words and report the same errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "sim/base/json_schema.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// A whole number, `true` or `false` in JSON; a text for anything else.
nlohmann::json jsonOfWords(std::string_view words);

/// Whether a key always takes a text: "name=4" sets the name "4".
inline bool hasText(std::string_view key) {
    return key == "name" || key == "note" || key == "source";
}

/// The keys with scalar values.
Fields<MachineConfig> machineFields();
Fields<LevelConfig> levelFields();
Fields<MemoryConfig> memoryFields();
Fields<TlbConfig> tlbFields();
Fields<Conventions> conventionFields();

/// The defaults for keys that a description leaves out.
MachineConfig defaultMachine();
LevelConfig defaultLevel(std::size_t index, std::size_t levels);
MemoryConfig defaultMemory();
TlbConfig defaultTlb();

/// Stands for the ways of a fully associative cache until its size is known; `resolveWays` then replaces it by the
/// number of blocks.
inline constexpr std::uint32_t kAllWays = ~std::uint32_t{0};
void resolveWays(LevelConfig& level);
void resolveWays(TlbConfig& tlb);

}  // namespace whorl::sim
