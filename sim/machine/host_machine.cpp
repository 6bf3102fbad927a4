#include "sim/machine/host_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/machine/config_schema.h"

namespace whorl::sim {
namespace {

// The caches as the Linux kernel lists them in files, with a folder for each cache of each CPU. Nothing is completed or
// corrected in this part: kernels omit unknown values, and virtual machines may list anything.

/// A cache as a CPU sees it. A number is 0 if it is not listed or malformed.
struct ListedCache {
    std::uint32_t level = 0;
    std::uint64_t size = 0;  ///< bytes
    std::uint32_t ways = 0;  ///< kernels also list 0 for a fully associative cache
    std::uint32_t sets = 0;
    std::uint32_t block = 0;           ///< bytes
    std::vector<std::uint32_t> users;  ///< online CPUs that share the cache, sorted; empty if not listed
};

struct ListedCpu {
    std::uint32_t id = 0;
    std::vector<ListedCache> caches;  ///< the data caches, from the CPU outward, one per level
};

namespace fs = std::filesystem;

/// The maximum size of a kernel file in bytes, beyond that of any known processor.
constexpr std::uint64_t kMaxKernelFile = std::uint64_t{16} << 20;

/// Ranges of CPU ids, both ends included.
using IdRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool contains(const IdRanges& ranges, std::uint32_t id) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& r) { return r.first <= id && id <= r.second; });
}

/// The first line of a file; empty if it cannot be read.
std::string lineIn(const fs::path& path) {
    const std::string text = readSmallFile(path.string(), kMaxKernelFile, "a cache").value_or("");
    return std::string(trimmed(std::string_view(text).substr(0, text.find('\n'))));
}

/// A 32-bit number; 0 for anything else.
std::uint32_t numberFrom(std::string_view words) {
    const auto number = wholeNumber(words);
    return number && *number <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(*number) : 0;
}

/// Takes the text before the first comma off `words`.
std::string_view takeItem(std::string_view& words) {
    const std::size_t comma = words.find(',');
    const std::string_view item = trimmed(words.substr(0, comma));
    words = comma == std::string_view::npos ? std::string_view() : words.substr(comma + 1);
    return item;
}

/// Parses "0-3,8"; nothing if it is empty or malformed.
std::optional<IdRanges> rangesFrom(std::string_view words) {
    IdRanges ranges;
    while (!words.empty()) {
        const std::string_view item = takeItem(words);
        const std::size_t dash = item.find('-');
        const auto first = wholeNumber(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : wholeNumber(item.substr(dash + 1));
        constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
        if (!first || !last || *first > *last || *last > kMax) return std::nullopt;
        ranges.emplace_back(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last));
    }
    return ranges.empty() ? std::nullopt : std::optional(ranges);
}

/// Parses "00000001,0000000f": a bit for each id, 32 per word, the highest first. Nothing if it is empty or malformed.
std::optional<IdRanges> rangesFromMap(std::string_view words) {
    IdRanges ranges;
    auto left = static_cast<std::uint32_t>(std::count(words.begin(), words.end(), ',')) + 1;
    while (!words.empty()) {
        const std::string_view item = takeItem(words);
        std::uint32_t bits = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), bits, 16);
        if (item.empty() || error != std::errc() || end != item.data() + item.size()) return std::nullopt;
        --left;
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((bits >> i & 1) != 0) ranges.emplace_back(32 * left + i, 32 * left + i);
        }
    }
    return ranges.empty() ? std::nullopt : std::optional(ranges);
}

/// The folders named `prefix` followed by a number, by that number.
std::map<std::uint32_t, fs::path> numbered(const fs::path& folder, std::string_view prefix) {
    std::map<std::uint32_t, fs::path> out;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const auto number = wholeNumber(std::string_view(name).substr(prefix.size()));
        if (number && *number <= std::numeric_limits<std::uint32_t>::max())
            out.emplace(static_cast<std::uint32_t>(*number), at->path());
    }
    return out;
}

std::vector<std::uint32_t> usersOf(const fs::path& cache, const std::vector<std::uint32_t>& online) {
    auto ranges = rangesFrom(lineIn(cache / "shared_cpu_list"));
    if (!ranges) ranges = rangesFromMap(lineIn(cache / "shared_cpu_map"));
    std::vector<std::uint32_t> users;
    if (!ranges) return users;
    std::copy_if(online.begin(), online.end(), std::back_inserter(users),
                 [&](std::uint32_t id) { return contains(*ranges, id); });
    return users;
}

/// The cache in such a folder, if it holds data.
std::optional<ListedCache> cacheIn(const fs::path& folder, const std::vector<std::uint32_t>& online) {
    const std::string type = lineIn(folder / "type");
    const std::uint32_t level = numberFrom(lineIn(folder / "level"));
    if ((type != "Data" && type != "Unified") || level == 0) return std::nullopt;
    return ListedCache{.level = level,
                       .size = parseBytes(lineIn(folder / "size")).value_or(0),
                       .ways = numberFrom(lineIn(folder / "ways_of_associativity")),
                       .sets = numberFrom(lineIn(folder / "number_of_sets")),
                       .block = numberFrom(lineIn(folder / "coherency_line_size")),
                       .users = usersOf(folder, online)};
}

std::vector<ListedCache> cachesIn(const fs::path& folder, const std::vector<std::uint32_t>& online) {
    std::vector<ListedCache> caches;
    for (const auto& [index, path] : numbered(folder, "index")) {
        if (auto cache = cacheIn(path, online)) caches.push_back(*std::move(cache));
    }
    const auto isNearer = [](const ListedCache& a, const ListedCache& b) { return a.level < b.level; };
    const auto isSameLevel = [](const ListedCache& a, const ListedCache& b) { return a.level == b.level; };
    std::stable_sort(caches.begin(), caches.end(), isNearer);
    caches.erase(std::unique(caches.begin(), caches.end(), isSameLevel), caches.end());
    return caches;
}

/// The fields of /proc/cpuinfo for one CPU, or for the first CPU listed if it has none.
std::map<std::string, std::string> cpuinfoOf(const std::string& path, std::uint32_t cpu) {
    std::map<std::string, std::string> first;
    std::map<std::string, std::string> fields;
    const std::string text = readSmallFile(path, kMaxKernelFile, "processors").value_or("");
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string key(trimmed(line.substr(0, colon)));
        if (key == "processor") {
            if (fields.contains(key) && numberFrom(fields[key]) == cpu) return fields;
            if (first.empty()) first = fields;
            fields.clear();
        }
        fields.emplace(key, trimmed(line.substr(colon + 1)));
    }
    const bool isIt = fields.contains("processor") && numberFrom(fields["processor"]) == cpu;
    return isIt || first.empty() ? fields : first;
}

/// The online CPUs for which data caches are listed, by id; empty if there are none.
std::vector<ListedCpu> listedCpus(const KernelFiles& files) {
    const auto folders = numbered(files.cpus, "cpu");
    const auto listed = rangesFrom(lineIn(fs::path(files.cpus) / "online"));
    std::vector<std::uint32_t> online;
    for (const auto& [id, folder] : folders) {
        if (!listed || contains(*listed, id)) online.push_back(id);
    }
    std::vector<ListedCpu> cpus;
    for (const std::uint32_t id : online) {
        ListedCpu cpu{.id = id, .caches = cachesIn(folders.at(id) / "cache", online)};
        if (!cpu.caches.empty()) cpus.push_back(std::move(cpu));
    }
    return cpus;
}

/// The kernel's name for the processor of a CPU: "AMD EPYC 7B13"; empty if it has none.
std::string processorName(const KernelFiles& files, std::uint32_t cpu) {
    const auto fields = cpuinfoOf(files.cpuinfo, cpu);
    for (const char* key : {"model name", "cpu model", "uarch", "cpu"}) {
        const auto field = fields.find(key);
        if (field != fields.end() && !field->second.empty()) return field->second;
    }
    // Arm kernels give no name, only the numbers of the designer and of the design.
    const auto implementer = fields.find("CPU implementer");
    const auto part = fields.find("CPU part");
    if (implementer == fields.end() || part == fields.end()) return {};
    return fmt::format("Arm processor (implementer {}, part {})", implementer->second, part->second);
}

// The machine that they make.

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
