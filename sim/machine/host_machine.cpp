#include "sim/machine/host_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/config_schema.h"

namespace whorl::sim {

namespace {

constexpr std::uint32_t kUsualBlock = 64;
constexpr std::uint32_t kUsualWays = 8;
constexpr std::string_view kInstead = "use a preset such as laptop, or a geometry such as 32K/8/64, 1M/16/64";

/// A CPU with its caches as levels, as the kernel lists them, except for assumptions and doubts.
struct Cpu {
    std::uint32_t id = 0;
    std::vector<LevelConfig> levels;
    std::vector<std::vector<std::uint32_t>> users;  ///< by level, as in ListedCache
    std::vector<std::string> assumed;               ///< parts of a sentence
    std::vector<std::string> doubts;                ///< sentences
    bool lacksNearest = false;                      ///< the size of the first cache is unknown
};

/// The number of CPUs that share each cache of a CPU, from the CPU outward.
using Sharing = std::vector<std::uint32_t>;

/// CPUs that have the same caches and share them in the same way.
struct Group {
    std::vector<const Cpu*> cpus;
    Sharing sharing;
};

/// The block size in bytes: as listed for the cache, or for a nearer one, or for any, or else the usual one.
std::uint32_t blockOf(const ListedCpu& cpu, std::size_t at) {
    const auto& caches = cpu.caches;
    if (caches[at].block != 0) return caches[at].block;
    if (at > 0) return blockOf(cpu, at - 1);
    const auto listed = std::find_if(caches.begin(), caches.end(), [](const ListedCache& c) { return c.block != 0; });
    return listed == caches.end() ? kUsualBlock : listed->block;
}

/// The listed size in bytes, or else the product of ways, sets and block; 0 if it is unknown.
std::uint64_t sizeOf(const ListedCache& cache, std::uint32_t block) {
    if (cache.size != 0) return cache.size;
    const std::uint64_t blocks = std::uint64_t{cache.ways} * cache.sets;
    return blocks <= std::numeric_limits<std::uint64_t>::max() / block ? blocks * block : 0;
}

/// The number of ways: as listed, or else derived from the number of sets, or else the usual one.
std::uint32_t waysOf(const ListedCache& cache, const LevelConfig& level, Cpu& cpu) {
    const std::uint64_t bytesOfAWay = std::uint64_t{cache.sets} * level.block;
    const bool fits = bytesOfAWay != 0 && level.size % bytesOfAWay == 0;
    const std::uint64_t ways = fits ? std::min<std::uint64_t>(level.size / bytesOfAWay, kAllWays - 1) : 0;
    if (cache.ways == 0 && fits) return static_cast<std::uint32_t>(ways);
    if (cache.ways == 0) cpu.assumed.push_back(fmt::format("{} ways in {}", kUsualWays, level.name));
    if (cache.ways != 0 && cache.sets != 0 && ways != cache.ways) {
        cpu.doubts.push_back(
            fmt::format("The {} sets listed for {} do not agree with its {} and {} ways, which are used.", cache.sets,
                        level.name, formatBytes(level.size), cache.ways));
    }
    return cache.ways == 0 ? kUsualWays : cache.ways;
}

/// Adds the cache of that index as a level, or leaves it out if its size is unknown.
void addLevel(const ListedCpu& listed, std::size_t at, Cpu& cpu) {
    const ListedCache& cache = listed.caches[at];
    LevelConfig level;
    level.name = fmt::format("L{}", cache.level);
    level.block = blockOf(listed, at);
    level.size = sizeOf(cache, level.block);
    if (level.size == 0) {
        cpu.doubts.push_back(fmt::format("{} is left out, as its size is not listed.", level.name));
        cpu.lacksNearest = cpu.lacksNearest || at == 0;
        return;
    }
    if (cache.block == 0) cpu.assumed.push_back(fmt::format("blocks of {} bytes in {}", level.block, level.name));
    level.ways = waysOf(cache, level, cpu);
    cpu.levels.push_back(std::move(level));
    cpu.users.push_back(cache.users);
}

Cpu cpuFrom(const ListedCpu& listed) {
    Cpu cpu{.id = listed.id};
    for (std::size_t i = 0; i < listed.caches.size(); ++i) addLevel(listed, i, cpu);
    for (std::size_t l = 0; l < cpu.levels.size(); ++l) {
        LevelConfig& level = cpu.levels[l];
        const LevelConfig usual = defaultLevel(l, cpu.levels.size());
        level.latency = usual.latency;
        level.sharedBy = usual.sharedBy;
        if (!cpu.users[l].empty()) continue;
        const char* sharers = level.sharedBy == 0 ? "shared by all" : "private to each thread";
        cpu.assumed.push_back(fmt::format("an {} {}", level.name, sharers));
    }
    return cpu;
}

/// The first CPU with the largest L1; of those, with the largest L2, and so on.
const Cpu& mostCapable(const std::vector<Cpu>& cpus) {
    const auto isLess = [](const LevelConfig& a, const LevelConfig& b) { return a.size < b.size; };
    return *std::max_element(cpus.begin(), cpus.end(), [&](const Cpu& a, const Cpu& b) {
        return std::lexicographical_compare(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(), isLess);
    });
}

/// The number of `cpus` that share each cache of one CPU.
Sharing sharingOf(const Cpu& cpu, const std::vector<const Cpu*>& cpus) {
    Sharing sharing;
    for (std::size_t l = 0; l < cpu.levels.size(); ++l) {
        const auto& users = cpu.users[l];
        const bool byAll = users.empty() && cpu.levels[l].sharedBy == 0;
        const auto shares = [&](const Cpu* other) {
            return byAll || other == &cpu || std::binary_search(users.begin(), users.end(), other->id);
        };
        sharing.push_back(static_cast<std::uint32_t>(std::count_if(cpus.begin(), cpus.end(), shares)));
    }
    return sharing;
}

/// The largest subset of `cpus` that share their caches in the same way. Leaving some CPUs out makes groups of others
/// smaller, hence the repetition.
Group alike(std::vector<const Cpu*> cpus) {
    while (true) {
        std::map<Sharing, std::vector<const Cpu*>> bySharing;
        for (const Cpu* cpu : cpus) bySharing[sharingOf(*cpu, cpus)].push_back(cpu);
        // Backwards: of equally large groups, take the one that shares more.
        const auto most = std::max_element(bySharing.rbegin(), bySharing.rend(), [](const auto& a, const auto& b) {
            return a.second.size() < b.second.size();
        });
        if (bySharing.size() == 1) return {std::move(cpus), most->first};
        cpus = most->second;
    }
}

/// The number of these CPUs that a machine can have, in complete groups of the farthest level where one fits.
std::uint32_t fitting(const Group& group) {
    if (group.cpus.size() <= kMaxCpus) return static_cast<std::uint32_t>(group.cpus.size());
    const auto fits = [](std::uint32_t sharers) { return sharers <= kMaxCpus; };
    const auto sharers = std::find_if(group.sharing.rbegin(), group.sharing.rend(), fits);
    return sharers == group.sharing.rend() ? kMaxCpus : kMaxCpus / *sharers * *sharers;
}

/// A last level that all of several CPUs share is shared by all, whatever number of CPUs a trace needs.
void setSharing(MachineConfig& machine, const Sharing& sharing) {
    const std::size_t count = machine.levels.size();
    for (std::size_t l = 0; l < count; ++l) {
        const bool byAll = sharing[l] > machine.cpus || (l > 0 && l + 1 == count && sharing[l] == machine.cpus);
        machine.levels[l].sharedBy = byAll ? 0 : sharing[l];
    }
}

/// The smallest number of CPUs that fills the sharing group of every cache. A trace with more CPUs gets as many as it
/// needs.
std::uint32_t completeGroup(const MachineConfig& machine) {
    std::uint32_t cpus = 1;
    for (const LevelConfig& level : machine.levels) cpus = std::lcm(cpus, std::max(level.sharedBy, 1u));
    return std::min(cpus, machine.cpus);
}

/// The geometries of other CPUs' caches, one for each kind: "32K/8/64, 2M/16/64".
std::string otherCaches(const std::vector<Cpu>& cpus, const Cpu& best) {
    std::vector<std::string> kinds;
    for (const Cpu& cpu : cpus) {
        if (cpu.levels == best.levels) continue;
        MachineConfig machine;
        machine.levels = cpu.levels;
        std::string kind = geometryOf(machine);
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(std::move(kind));
    }
    return fmt::format("{}", fmt::join(kinds, "; "));
}

/// "16 hardware threads", or "8 of its 16 hardware threads, without 8 that have other caches (32K/8/64, 2M/16/64)".
std::string threadsOf(std::uint32_t used, std::size_t alike, std::size_t ofBestKind, const std::vector<Cpu>& cpus,
                      const Cpu& best) {
    if (used == cpus.size()) return used == 1 ? "1 hardware thread" : fmt::format("{} hardware threads", used);
    std::vector<std::string> without;
    if (ofBestKind < cpus.size()) {
        without.push_back(
            fmt::format("{} that have other caches ({})", cpus.size() - ofBestKind, otherCaches(cpus, best)));
    }
    if (alike < ofBestKind) without.push_back(fmt::format("{} that share them otherwise", ofBestKind - alike));
    if (used < alike) {
        without.push_back(fmt::format("{} beyond the {} CPUs that a machine can have", alike - used, kMaxCpus));
    }
    return fmt::format("{} of its {} hardware threads, without {}", used, cpus.size(), joinNames(without));
}

std::string noteOf(const std::string& processor, const std::string& threads, const Cpu& best) {
    std::string note = fmt::format("{}: {}.", processor.empty() ? "A processor without a name" : processor, threads);
    for (const std::string& doubt : best.doubts) note += " " + doubt;
    std::vector<std::string> assumed = best.assumed;
    assumed.insert(assumed.end(), {"LRU", "write-back", "no inclusion", "MESI", "Whorl's usual latencies"});
    return note + fmt::format(" Assumed, as the kernel does not tell: {}.", joinNames(assumed));
}

}  // namespace

Expected<MachineConfig> hostMachine(const KernelFiles& files) {
    std::vector<Cpu> cpus;
    for (const ListedCpu& listed : listedCpus(files)) cpus.push_back(cpuFrom(listed));
    const std::string where(kHostMachine);
    if (cpus.empty()) {
        return fail(where, fmt::format("this computer's kernel does not list its caches under {}", files.cpus),
                    std::string(kInstead));
    }
    const Cpu& best = mostCapable(cpus);
    if (best.lacksNearest || best.levels.empty()) {
        return fail(where, fmt::format("this computer's kernel does not list the size of its L1 under {}", files.cpus),
                    std::string(kInstead));
    }
    std::vector<const Cpu*> ofBestKind;
    for (const Cpu& cpu : cpus) {
        if (cpu.levels == best.levels) ofBestKind.push_back(&cpu);
    }
    const Group group = alike(ofBestKind);
    MachineConfig machine = defaultMachine();
    machine.name = kHostMachine;
    machine.cpus = fitting(group);
    machine.levels = best.levels;
    setSharing(machine, group.sharing);
    const std::uint32_t threads = std::exchange(machine.cpus, completeGroup(machine));
    machine.note = noteOf(processorName(files, best.id),
                          threadsOf(threads, group.cpus.size(), ofBestKind.size(), cpus, best), best);
    machine.source = fmt::format("The Linux kernel, {}.", files.cpus);
    return machine;
}

std::vector<std::string> machineNames() {
    std::vector<std::string> names = presetNames();
    names.insert(names.begin(), std::string(kHostMachine));
    return names;
}

}  // namespace whorl::sim
