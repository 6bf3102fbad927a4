// A machine: its CPUs and the levels of its memory hierarchy, from the CPU outward. Plain data; soundness is for
// `checked` to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/types.h"

namespace whorl::sim {

/// Which block a full set gives up. Invalid ways are always filled first.
enum class Policy : std::uint8_t {
    lru,       ///< the least recently used
    treePlru,  ///< follows a binary tree of bits away from recent uses
    fifo,      ///< the one filled the longest ago; hits are ignored
    mru,       ///< the most recently used
    random,    ///< drawn, with a seed
    srrip,     ///< static re-reference interval prediction, 2 bits (Jaleel et al., ISCA 2010)
    opt,       ///< the one that is asked for the latest (Belady 1966): looks into the future
};

/// What a level promises about the blocks of the nearer levels behind it.
enum class Inclusion : std::uint8_t {
    none,       ///< nothing
    inclusive,  ///< it holds all that they hold: what it evicts, they lose too
    exclusive,  ///< it holds only what the next nearer level has evicted: a hit moves the block there
};

enum class Prefetcher : std::uint8_t { none, nextLine, stride };

/// How private caches keep their copies in step: write-invalidate, with or without a state for a sole clean copy.
enum class Protocol : std::uint8_t { none, msi, mesi };

struct LevelConfig {
    std::string name;          ///< "L1"
    std::uint64_t size = 0;    ///< bytes
    std::uint32_t ways = 1;    ///< any number from 1; need not be a power of two
    std::uint32_t block = 64;  ///< bytes, a power of two

    std::uint32_t sharedBy = 0;  ///< CPUs to one cache of this level; 0: all share one
    Policy policy = Policy::lru;
    std::uint64_t seed = 1;     ///< of the random policy
    bool writeThrough = false;  ///< writes go on to the next level at once, and blocks are never dirty
    bool allocate = true;       ///< a write that misses brings the block in
    Inclusion inclusion = Inclusion::none;
    Prefetcher prefetch = Prefetcher::none;
    std::uint32_t degree = 1;   ///< blocks a prefetch
    std::uint32_t latency = 0;  ///< cycles to look here, hit or miss

    std::uint32_t sets() const { return static_cast<std::uint32_t>(size / (std::uint64_t{ways} * block)); }
    std::uint64_t blocks() const { return size / block; }
    bool operator==(const LevelConfig&) const = default;
};

/// The cache of page translations that each CPU has; LRU.
struct TlbConfig {
    std::uint32_t entries = 0;  ///< 0: there is none
    std::uint32_t ways = 1;
    std::uint32_t page = 4096;  ///< bytes, a power of two
    std::uint32_t walk = 0;     ///< cycles that a miss costs

    bool operator==(const TlbConfig&) const = default;
};

/// Where well-known simulators count otherwise than Whorl: each switch takes one of their ways.
struct Conventions {
    bool writebackFirst = false;      ///< on a miss the victim is written back before the next level is asked
    bool modifyCountsOnce = false;    ///< the write half of a modify is not an access of its own
    bool straddleCountsOnce = false;  ///< an access that straddles blocks counts once a level: a miss if one missed

    bool operator==(const Conventions&) const = default;
};

struct MachineConfig {
    std::string name;
    std::vector<LevelConfig> levels;  ///< from the CPU outward, at least one
    std::uint32_t cpus = 1;           ///< 1 to 64
    Protocol protocol = Protocol::mesi;
    std::uint32_t memoryLatency = 0;     ///< cycles
    std::uint32_t upgradeLatency = 0;    ///< cycles to gain a block for writing that others may read
    std::uint32_t writebackLatency = 0;  ///< cycles that a write-back stalls the CPU
    TlbConfig tlb;
    Conventions conventions;

    /// How many caches a level has.
    std::uint32_t caches(std::size_t level) const {
        const std::uint32_t shared = levels[level].sharedBy;
        return shared == 0 ? 1 : cpus / shared;
    }
    /// Which of them a CPU uses.
    std::uint32_t cacheOf(std::size_t level, std::uint32_t cpu) const {
        const std::uint32_t shared = levels[level].sharedBy;
        return shared == 0 ? 0 : cpu / shared;
    }
    /// Whether a level has several caches that a protocol keeps coherent.
    bool isCoherent(std::size_t level) const { return protocol != Protocol::none && caches(level) > 1; }
    /// Whether any level has.
    bool isCoherent() const {
        for (std::size_t l = 0; l < levels.size(); ++l) {
            if (isCoherent(l)) return true;
        }
        return false;
    }
    bool operator==(const MachineConfig&) const = default;
};

inline constexpr std::size_t kMaxLevels = 8;
inline constexpr std::uint32_t kMaxWays = 32767;
inline constexpr std::uint64_t kMaxBlocksPerLevel = std::uint64_t{1} << 24;  ///< of all its caches together
inline constexpr std::uint32_t kMaxTlbEntries = 65536;
inline constexpr std::uint32_t kMaxDegree = 16;
inline constexpr std::uint32_t kMaxLatency = 1'000'000;  ///< cycles

/// The machine itself if it is sound; else an error with all that is wrong, a line each, which names the level and the
/// reason. `where` opens each line.
Expected<MachineConfig> checked(MachineConfig machine, const std::string& where);

/// The machine with at least so many CPUs: rounded up so that every level's groups are whole. At most 64, and at most
/// as many whole groups as fit into that. The result is not yet checked: its caches may have become too many.
MachineConfig withCpus(MachineConfig machine, std::uint32_t cpus);

/// "32K/8/64, 1M/16/64": size/ways/block from the CPU outward; sizes in bytes or with K, M, G. Every CPU has caches of
/// its own, save at the last of several levels, which all share.
Expected<MachineConfig> parseGeometry(std::string_view text);

/// A machine from JSON text; docs/machines.md shows all that can stand in it. All faults come in one error, a line
/// each, with their JSON paths; `file` opens each line.
Expected<MachineConfig> parseMachineJson(std::string_view json, const std::string& file);

/// The machine as such a text, which parseMachineJson reads back as the same machine; what is at its default is left
/// out. The machine must be sound.
std::string machineAsJson(const MachineConfig& machine);

/// Changes one value of a machine, as on a command line: "L2.policy=fifo", "cpus=4", "protocol=msi", "tlb.entries=64".
/// The keys and words are those of the JSON files. A level's value without a level ("ways=4") is the first level's;
/// levels are called by their names, in upper or lower case, and "*" is all of them. Nothing else changes, but that
/// "tlb.entries" makes a TLB where there is none, and keeps a fully associative one so. The result is not yet checked.
Expected<MachineConfig> withValue(MachineConfig machine, std::string_view assignment);

/// The values that a sweep takes one after the other: a list "1,2,4,8", a range by factor "16K:1M:x2" or by step
/// "1:8:+1", or a list with ranges in it. The end of a range belongs to it when it is hit. Sizes stay sizes (32K).
/// At most 10000.
Expected<std::vector<std::string>> valuesOf(std::string_view text);

/// What a person writes after --machine: a preset's name, a geometry, or the path of a JSON file.
Expected<MachineConfig> machineFrom(const std::string& words);

/// The presets that are compiled in, in order of name.
std::vector<std::string> presetNames();

/// "32K/8/64, 1M/16/64": what parseGeometry reads.
std::string geometryOf(const MachineConfig& machine);
/// "32K", "1M", "1536": a number of bytes in the largest unit that divides it.
std::string bytesAsWords(std::uint64_t bytes);

}  // namespace whorl::sim
