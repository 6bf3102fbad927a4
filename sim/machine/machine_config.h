// A machine: its CPUs and the levels of its memory hierarchy, from the CPU outward. Plain data; `checked` validates it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/machine/policies.h"

namespace whorl::sim {

/// The relation between a level's blocks and those of the nearer levels it serves.
enum class Inclusion : std::uint8_t {
    none,       ///< nothing
    inclusive,  ///< it holds all their blocks: what it evicts is invalidated there too
    exclusive,  ///< it holds only blocks evicted by the next nearer level; a hit moves the block there
};

enum class Prefetcher : std::uint8_t { none, nextLine, stride };

/// Coherence protocol of private caches: write-invalidate, with (MESI) or without (MSI) an exclusive state for a sole
/// clean copy.
enum class Protocol : std::uint8_t { none, msi, mesi };

struct LevelConfig {
    std::string name;          ///< "L1"
    std::uint64_t size = 0;    ///< bytes
    std::uint32_t ways = 1;    ///< 1 to kMaxWays; need not be a power of two
    std::uint32_t block = 64;  ///< bytes, a power of two

    std::uint32_t sharedBy = 0;  ///< CPUs per cache of this level; 0: all CPUs share one
    Policy policy = Policy::lru;
    std::uint64_t seed = 1;     ///< seed of the random policy
    bool writeThrough = false;  ///< writes go to the next level at once; blocks are never dirty
    bool allocate = true;       ///< a write miss fetches the block
    Inclusion inclusion = Inclusion::none;
    Prefetcher prefetch = Prefetcher::none;
    std::uint32_t degree = 1;   ///< blocks per prefetch
    std::uint32_t latency = 0;  ///< cycles of a lookup, hit or miss

    std::uint32_t sets() const { return static_cast<std::uint32_t>(size / (std::uint64_t{ways} * block)); }
    std::uint64_t blocks() const { return size / block; }
    /// Whether a write may go on to the next level at once.
    bool passesWrites() const { return writeThrough || !allocate; }
    /// Bytes of one way: addresses at this distance compete for the same set.
    std::uint64_t wayBytes() const { return std::uint64_t{sets()} * block; }
    bool operator==(const LevelConfig&) const = default;
};

/// Each CPU's cache of page translations; LRU.
struct TlbConfig {
    std::uint32_t entries = 0;  ///< 0: no TLB
    std::uint32_t ways = 1;
    std::uint32_t page = 4096;  ///< page size in bytes, a power of two
    std::uint32_t walk = 0;     ///< cycles of a page walk, on a miss

    bool operator==(const TlbConfig&) const = default;
};

/// Memory of bounded size. Its frames hold pages; the least recently used page makes room for a new one.
struct MemoryConfig {
    std::uint64_t size = 0;     ///< bytes; 0: unbounded, and no page is ever missing
    std::uint32_t page = 4096;  ///< page size in bytes, a power of two; equals that of the TLB if there is one
    std::uint32_t fault = 0;    ///< cycles of a page fault

    bool isBounded() const { return size != 0; }
    std::uint32_t frames() const { return static_cast<std::uint32_t>(size / page); }
    bool operator==(const MemoryConfig&) const = default;
};

/// Counting conventions of other well-known simulators that differ from Whorl's; each switch selects one.
struct Conventions {
    bool writebackFirst = false;    ///< on a miss the victim is written back before the next level is accessed
    bool modifyCountsOnce = false;  ///< the write half of a modify does not count as an access
    bool straddleCountsOnce =
        false;  ///< an access that straddles blocks counts once per level: as a miss if any block missed
    bool fullWriteFetches = true;  ///< a write miss fetches the block even if all of it is overwritten

    bool operator==(const Conventions&) const = default;
};

/// Bytes that memory transfers at a time where there is no cache: a machine without levels.
inline constexpr std::uint32_t kMemoryWord = 8;

/// A machine. Two machines are equal if their whole descriptions are, including the texts.
struct MachineConfig {
    std::string name;
    std::string note;                 ///< description and remarks; may be empty
    std::string source;               ///< source of the values; may be empty
    std::vector<LevelConfig> levels;  ///< from the CPU outward; with none, every access goes to memory
    std::uint32_t cpus = 1;           ///< 1 to 64
    Protocol protocol = Protocol::mesi;
    std::uint32_t memoryLatency = 0;     ///< cycles
    std::uint32_t upgradeLatency = 0;    ///< cycles to gain write permission for a block that others may hold
    std::uint32_t writebackLatency = 0;  ///< cycles that a write-back stalls the CPU
    MemoryConfig memory;
    TlbConfig tlb;
    Conventions conventions;

    /// The number of caches of a level.
    std::uint32_t caches(std::size_t level) const {
        const std::uint32_t shared = levels[level].sharedBy;
        return shared == 0 ? 1 : cpus / shared;
    }
    /// The index of the cache that a CPU uses.
    std::uint32_t cacheOf(std::size_t level, std::uint32_t cpu) const {
        const std::uint32_t shared = levels[level].sharedBy;
        return shared == 0 ? 0 : cpu / shared;
    }
    /// The CPUs that use a cache are those from firstCpu() up to, but not including, endCpu().
    std::uint32_t firstCpu(std::size_t level, std::uint32_t cache) const { return levels[level].sharedBy * cache; }
    std::uint32_t endCpu(std::size_t level, std::uint32_t cache) const {
        const std::uint32_t shared = levels[level].sharedBy;
        return shared == 0 ? cpus : firstCpu(level, cache) + shared;
    }
    /// The bytes that a CPU requests at a time: a block of the nearest level, or a word of memory if there is no cache.
    std::uint32_t blockBytes() const { return levels.empty() ? kMemoryWord : levels.front().block; }
    /// The cycles of the lookup that begins every access; 0 if there is no cache.
    std::uint32_t lookUp() const { return levels.empty() ? 0 : levels.front().latency; }
    /// The name of a level; "memory" for the number of levels.
    std::string levelName(std::size_t level) const { return level < levels.size() ? levels[level].name : "memory"; }
    /// Bytes of a page: the TLB's if there is one, else memory's, which has a default.
    std::uint64_t pageBytes() const { return tlb.entries > 0 ? tlb.page : memory.page; }
    /// The index of a level's first cache among the caches of all levels, from the CPU outward.
    std::size_t firstCache(std::size_t level) const {
        std::size_t before = 0;
        for (std::size_t l = 0; l < level; ++l) before += caches(l);
        return before;
    }
    /// Whether a level has several caches that a protocol keeps coherent.
    bool isCoherent(std::size_t level) const { return protocol != Protocol::none && caches(level) > 1; }
    /// Whether any level is coherent.
    bool isCoherent() const {
        for (std::size_t l = 0; l < levels.size(); ++l) {
            if (isCoherent(l)) return true;
        }
        return false;
    }
    /// Whether a prefetcher learns from the instructions that make the accesses.
    bool learnsFromSites() const {
        for (const LevelConfig& level : levels) {
            if (level.prefetch == Prefetcher::stride) return true;
        }
        return false;
    }
    bool operator==(const MachineConfig&) const = default;
};

inline constexpr std::size_t kMaxLevels = 8;
inline constexpr std::uint32_t kMaxWays = 32767;
inline constexpr std::uint64_t kMaxBlocksPerLevel = std::uint64_t{1} << 24;  ///< summed over all its caches
inline constexpr std::uint32_t kMaxTlbEntries = 65536;
inline constexpr std::uint64_t kMaxFrames = std::uint64_t{1} << 30;
inline constexpr std::uint32_t kMaxDegree = 16;
inline constexpr std::uint32_t kMaxLatency = 1'000'000;    ///< cycles
inline constexpr std::uint32_t kMaxFault = 1'000'000'000;  ///< cycles

/// Validates a machine. Returns it, or an error that lists every problem on a line of its own, with the level and the
/// reason. `where` starts each line.
Expected<MachineConfig> checked(MachineConfig machine, const std::string& where);

/// The machine with at least `cpus` CPUs, rounded up so that every level's groups are complete; limited to 64, and to
/// the complete groups that fit. The result is not validated: it may have too many caches.
MachineConfig withCpus(MachineConfig machine, std::uint32_t cpus);

/// Parses "32K/8/64, 1M/16/64": size/ways/block from the CPU outward; sizes in bytes or with K, M, G; "full" as ways is
/// one set. Also "s4E2b4", as in courses after CS:APP: the bits of the set index, the ways, the bits of the offset.
/// Levels are private to a CPU, except that the last of several is shared by all.
Expected<MachineConfig> parseGeometry(std::string_view text);

/// The longest description of a machine in JSON, in bytes.
inline constexpr std::uint64_t kMaxMachineText = std::uint64_t{1} << 20;

/// Parses a machine from JSON; docs/machines.md documents the keys. An error lists every problem on a line of its own
/// with its JSON path; `file` starts each line.
Expected<MachineConfig> parseMachineJson(std::string_view json, const std::string& file);

/// Formats a valid machine as JSON that parseMachineJson reads back as an equal machine. Default values are left out.
std::string machineAsJson(const MachineConfig& machine);

/// Sets one value of a machine, given as on the command line: "L2.policy=fifo", "cpus=4", "protocol=msi",
/// "tlb.entries=64". Keys and values are those of the JSON files. A level key without a level ("ways=4") applies to the
/// first level; level names are case-insensitive, and "*" stands for all levels. "levels=2" keeps that many from the
/// CPU outward, or adds those that are missing. "tlb.entries" adds a TLB if there is none, and keeps a fully
/// associative one fully associative; "memory.size" bounds the memory. The TLB and memory have one page size; setting
/// either sets both. Nothing else changes. The result is not validated.
Expected<MachineConfig> withValue(MachineConfig machine, std::string_view assignment);

/// The value that withValue would change, as text: "fifo" for "L2.policy". Nothing for a key that the machine does not
/// have, and for "*".
std::optional<std::string> valueIn(const MachineConfig& machine, std::string_view place);

/// The values of a sweep: a list "1,2,4,8", a range by factor "16K:1M:x2" or by step "1:8:+1", or a list that contains
/// ranges. The end of a range is included if it is reached exactly. Sizes are formatted as sizes (32K). At most 10000
/// values.
Expected<std::vector<std::string>> parseSweepValues(std::string_view text);

/// The name of this computer's own caches, see host_machine.h.
inline constexpr std::string_view kHostMachine = "host";

/// Loads the machine named by the argument of --machine: a preset, `host`, a geometry, or the path of a JSON file.
Expected<MachineConfig> loadMachine(const std::string& words);
/// Whether these words name this computer's own caches.
bool namesHost(std::string_view words);

/// Whether `loadMachine` takes these words for the path of a file.
bool namesMachineFile(const std::string& words);

/// The names of the built-in presets, sorted; `host` is not included.
std::vector<std::string> presetNames();

/// "32K/8/64, 1M/16/64", as read by parseGeometry; "no cache" for a machine without levels.
std::string geometryOf(const MachineConfig& machine);
/// "32K", "1M", "1536": a number of bytes in the largest unit that divides it.
std::string formatBytes(std::uint64_t bytes);

}  // namespace whorl::sim
