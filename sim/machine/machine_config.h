// A machine: the levels of its memory hierarchy, from the CPU outward. Plain data; soundness is checked by `check`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace whorl::sim {

struct LevelConfig {
    std::string name;          ///< "L1"
    std::uint64_t size = 0;    ///< bytes
    std::uint32_t ways = 1;    ///< any number from 1; need not be a power of two
    std::uint32_t block = 64;  ///< bytes, a power of two

    std::uint32_t sets() const { return static_cast<std::uint32_t>(size / (std::uint64_t{ways} * block)); }
    std::uint64_t blocks() const { return size / block; }
    bool operator==(const LevelConfig&) const = default;
};

/// Replacement is LRU, writes are write-back and write-allocate, and levels are neither inclusive nor exclusive; every
/// CPU shares every level.
struct MachineConfig {
    std::string name;
    std::vector<LevelConfig> levels;  ///< from the CPU outward, at least one
    std::uint32_t cpus = 1;           ///< 1 to 64

    bool operator==(const MachineConfig&) const = default;
};

inline constexpr std::size_t kMaxLevels = 8;
inline constexpr std::uint64_t kMaxBlocksPerLevel = std::uint64_t{1} << 24;

/// The machine itself if it is sound; else an error that names the level and the reason. `where` opens the message.
Expected<MachineConfig> checked(MachineConfig machine, const std::string& where);

/// "32K/8/64, 1M/16/64": size/ways/block from the CPU outward; sizes in bytes or with K, M, G.
Expected<MachineConfig> parseGeometry(std::string_view text);

/// A machine from JSON text: {"name": "...", "levels": [{"name": "L1", "size": "32K", "ways": 8, "block": 64}]}.
/// The machine may also have "cpus", and "note" and "source" for people. Names may be left out: levels are L1, L2, …
/// then. All faults come in one error, a line each, with their JSON paths; `file` opens each line.
Expected<MachineConfig> parseMachineJson(std::string_view json, const std::string& file);

/// What a person writes after --machine: a preset's name, a geometry, or the path of a JSON file.
Expected<MachineConfig> machineFrom(const std::string& words);

/// The presets that are compiled in, in order of name.
std::vector<std::string> presetNames();

/// "32K/8/64, 1M/16/64": what parseGeometry reads.
std::string geometryOf(const MachineConfig& machine);
/// "32K", "1M", "1536": a number of bytes in the largest unit that divides it.
std::string bytesAsWords(std::uint64_t bytes);

}  // namespace whorl::sim
