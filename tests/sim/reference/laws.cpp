#include "sim/reference/laws.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace whorl::reference {

namespace {

using sim::MachineConfig;

std::uint32_t firstCpu(const MachineConfig& machine, const Copy& copy) {
    return static_cast<std::uint32_t>(copy.cache) * machine.levels[copy.level].sharedBy;
}

/// The block of a farther level that holds this one.
std::uint64_t unitOf(const MachineConfig& machine, const Copy& copy, std::size_t level) {
    return copy.block / (machine.levels[level].block / machine.levels[copy.level].block);
}

/// Whether two caches, neither on the other's path to memory, hold parts of a unit for which they compete.
bool compete(const MachineConfig& machine, const Copy& a, const Copy& b) {
    const std::uint32_t cpuOfA = firstCpu(machine, a);
    const std::uint32_t cpuOfB = firstCpu(machine, b);
    const auto apart = [&](std::size_t level) {
        return machine.cacheOf(level, cpuOfA) != machine.cacheOf(level, cpuOfB);
    };
    std::size_t level = std::max(a.level, b.level);
    if (!apart(level)) return false;
    while (level + 1 < machine.levels.size() && apart(level + 1)) ++level;
    return unitOf(machine, a, level) == unitOf(machine, b, level);
}

bool isExclusive(const sim::LevelConfig& level) {
    return level.inclusion == sim::Inclusion::exclusive;
}

bool leaves(What what) {
    return what == What::eviction || what == What::invalidation || what == What::moved;
}

}  // namespace

std::string wordsFor(const Copy& c) {
    return "block " + std::to_string(c.block) + " in L" + std::to_string(c.level) + "." + std::to_string(c.cache) +
           (c.owned ? ", owned" : "") + (c.dirty ? ", dirty" : "");
}

std::vector<Copy> copiesIn(const Machine& machine) {
    std::vector<Copy> copies;
    for (std::size_t level = 0; level < machine.config().levels.size(); ++level) {
        for (std::size_t index = 0; index < machine.config().caches(level); ++index) {
            for (const auto& [block, held] : machine.cache(level, index).blocks()) {
                copies.push_back(
                    {.level = level, .cache = index, .block = block, .dirty = held.dirty, .owned = held.owned});
            }
        }
    }
    return copies;
}

std::string oneWriterOrManyReaders(const MachineConfig& machine, std::span<const Copy> copies) {
    if (machine.protocol == sim::Protocol::none) return {};
    const bool dirtyMoves = std::any_of(machine.levels.begin(), machine.levels.end(), isExclusive);
    for (const Copy& writer : copies) {
        if (!writer.owned && (!writer.dirty || dirtyMoves)) continue;
        for (const Copy& other : copies) {
            if (compete(machine, writer, other)) return wordsFor(writer) + ", and also " + wordsFor(other);
        }
    }
    return {};
}

std::string inclusion(const MachineConfig& machine, std::span<const Copy> copies) {
    const auto held = [&](std::size_t level, std::size_t cache, std::uint64_t block) {
        return std::any_of(copies.begin(), copies.end(),
                           [&](const Copy& c) { return c.level == level && c.cache == cache && c.block == block; });
    };
    for (std::size_t level = 1; level < machine.levels.size(); ++level) {
        if (machine.levels[level].inclusion != sim::Inclusion::inclusive) continue;
        for (const Copy& c : copies) {
            const std::size_t cache = machine.cacheOf(level, firstCpu(machine, c));
            if (c.level < level && !held(level, cache, unitOf(machine, c, level))) {
                return wordsFor(c) + ", but it is not in the inclusive level " + std::to_string(level);
            }
        }
    }
    return {};
}

std::string exclusion(const MachineConfig& machine, std::span<const Copy> copies) {
    for (const Copy& far : copies) {
        if (!isExclusive(machine.levels[far.level]) || isExclusive(machine.levels[far.level - 1])) continue;
        for (const Copy& near : copies) {
            if (near.level + 1 == far.level && near.block == far.block &&
                machine.cacheOf(far.level, firstCpu(machine, near)) == far.cache) {
                return wordsFor(near) + ", and also " + wordsFor(far) + ", which is exclusive";
            }
        }
    }
    return {};
}

std::string capacity(const MachineConfig& machine, std::span<const Copy> copies) {
    std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::uint32_t> inSet;
    for (const Copy& c : copies) {
        const std::uint64_t set = c.block % machine.levels[c.level].sets();
        if (++inSet[{c.level, c.cache, set}] > machine.levels[c.level].ways) {
            return wordsFor(c) + ": its set holds more than its ways";
        }
    }
    return {};
}

std::string residentPages(const MachineConfig& machine, std::span<const Page> frames, std::span<const Copy> copies) {
    if (!machine.memory.isBounded()) return {};
    if (frames.size() > machine.memory.frames()) return "more pages than frames";
    for (const Copy& c : copies) {
        const std::uint64_t page = c.block * machine.levels[c.level].block / machine.memory.page;
        const auto isIt = [&](const Page& p) { return p.page == page; };
        if (std::none_of(frames.begin(), frames.end(), isIt)) {
            return wordsFor(c) + ", but its page " + std::to_string(page) + " is not in memory";
        }
    }
    return {};
}

std::string brokenLaw(const MachineConfig& machine, std::span<const Copy> copies) {
    for (const auto law : {oneWriterOrManyReaders, inclusion, exclusion, capacity}) {
        if (std::string broken = law(machine, copies); !broken.empty()) return broken;
    }
    return {};
}

std::string residency(const MachineConfig& machine, std::span<const Happening> all, std::span<const Copy> copies) {
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> resident;
    for (std::size_t level = 0; level < machine.levels.size(); ++level) {
        for (std::size_t cache = 0; cache < machine.caches(level); ++cache) resident[{level, cache}] = 0;
    }
    for (const Happening& h : all) {
        if (h.what == What::fill) resident[{h.level, h.cache}] += 1;
        if (leaves(h.what)) resident[{h.level, h.cache}] -= 1;
    }
    for (const Copy& c : copies) resident[{c.level, c.cache}] -= 1;
    for (const auto& [cache, off] : resident) {
        if (off == 0) continue;
        return "L" + std::to_string(cache.first) + "." + std::to_string(cache.second) + " lacks " +
               std::to_string(off) + " blocks of those that came and did not leave";
    }
    return {};
}

std::string requests(const MachineConfig& machine, std::span<const sim::Access> accesses,
                     std::span<const Happening> all) {
    if (machine.conventions.modifyCountsOnce || !machine.conventions.fullWriteFetches) return {};
    std::uint64_t expected = 0;
    for (const sim::Access& a : accesses) {
        const std::uint64_t size = machine.levels.empty() ? kMemoryWord : machine.levels[0].block;
        expected += (a.address.value + a.size - 1) / size - a.address.value / size + 1;
    }
    std::vector<std::uint64_t> asked(machine.levels.size() + 1);
    std::vector<std::uint64_t> missed(machine.levels.size() + 1);
    for (const Happening& h : all) {
        const bool request = h.what == What::hit || h.what == What::miss || h.what == What::memory;
        if (!request || !h.demand) continue;
        asked[h.level] += 1;
        // A write without allocation is passed on, not as a demand of the CPU.
        const bool passedOn = h.write && h.level < machine.levels.size() && !machine.levels[h.level].allocate;
        if (h.what == What::miss && !passedOn) missed[h.level] += 1;
    }
    for (std::size_t level = 0; level <= machine.levels.size(); ++level) {
        const std::uint64_t due = level == 0 ? expected : missed[level - 1];
        if (asked[level] == due) continue;
        return "level " + std::to_string(level) + " was asked " + std::to_string(asked[level]) + " times, not " +
               std::to_string(due);
    }
    return {};
}

std::uint64_t missesAt(std::size_t level, std::span<const Happening> all) {
    std::uint64_t misses = 0;
    for (const Happening& h : all) misses += h.what == What::miss && h.level == level ? 1 : 0;
    return misses;
}

}  // namespace whorl::reference
