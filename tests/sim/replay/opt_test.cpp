// The OPT policy, also with several CPUs: no sequence of evictions misses less often.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "sim/replay/simulator.h"
#include "sim/trace/trace_builder.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

constexpr std::uint32_t kBlock = 4;

/// What happens to one set of one cache.
struct Happens {
    std::uint64_t block;
    bool taken;  ///< another CPU's write or a page that leaves takes the block away; otherwise it is requested
};

/// The fewest misses of a set of `ways` ways that evicts what it likes, by trying everything.
std::uint64_t fewestMisses(const std::vector<Happens>& all, std::size_t ways) {
    std::map<std::set<std::uint64_t>, std::uint64_t> reached = {{{}, 0}};  // by content: the fewest misses until then
    for (const Happens& h : all) {
        std::map<std::set<std::uint64_t>, std::uint64_t> next;
        const auto reach = [&](const std::set<std::uint64_t>& content, std::uint64_t misses) {
            const auto [at, isNew] = next.try_emplace(content, misses);
            if (!isNew) at->second = std::min(at->second, misses);
        };
        for (const auto& [content, misses] : reached) {
            std::set<std::uint64_t> with = content;
            if (h.taken) {
                with.erase(h.block);
                reach(with, misses);
            } else if (content.contains(h.block)) {
                reach(content, misses);
            } else if (content.size() < ways) {
                with.insert(h.block);
                reach(with, misses + 1);
            } else {
                for (const std::uint64_t victim : content) {
                    std::set<std::uint64_t> changed = content;
                    changed.erase(victim);
                    changed.insert(h.block);
                    reach(changed, misses + 1);
                }
            }
        }
        reached = std::move(next);
    }
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
    for (const auto& [content, misses] : reached) fewest = std::min(fewest, misses);
    return fewest;
}

MachineConfig machineOf(std::mt19937_64& random) {
    MachineConfig machine;
    machine.cpus = 1 + static_cast<std::uint32_t>(random() % 4);
    machine.protocol = random() % 2 == 0 ? Protocol::mesi : Protocol::msi;
    const std::uint32_t sets = 1 + static_cast<std::uint32_t>(random() % 3);
    const std::uint32_t ways = 1 + static_cast<std::uint32_t>(random() % 3);
    machine.levels = {{.name = "L1", .size = std::uint64_t{sets} * ways * kBlock, .ways = ways, .block = kBlock}};
    machine.levels[0].sharedBy = machine.cpus % 2 == 0 && random() % 3 == 0 ? 2 : 1;
    machine.levels[0].policy = Policy::opt;
    machine.levels[0].writeThrough = random() % 4 == 0;
    if (random() % 2 == 0) {
        // Caches that are private up to the second level compete for its larger blocks.
        machine.levels.push_back({.name = "L2", .size = 4 * 2 * kBlock, .ways = 2, .block = 2 * kBlock});
        machine.levels[1].sharedBy = random() % 2 == 0 ? machine.levels[0].sharedBy : 0;
        machine.levels[1].prefetch = random() % 3 == 0 ? Prefetcher::nextLine : Prefetcher::none;
    }
    if (random() % 3 == 0) machine.memory = {.size = 4 * kBlock, .page = 2 * kBlock};
    return machine;
}

/// The size of the blocks for which the caches of two CPUs compete; 0 when it is the same cache.
std::uint32_t unitOf(const MachineConfig& machine, std::uint32_t a, std::uint32_t b) {
    std::uint32_t unit = 0;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (machine.cacheOf(l, a) != machine.cacheOf(l, b)) unit = machine.levels[l].block;
    }
    return unit;
}

/// The pages in memory, the most recently used first.
class Pages {
  public:
    explicit Pages(const MemoryConfig& memory) : memory_(memory) {}

    /// Uses the page of a block. Returns the page that leaves for it.
    std::optional<std::uint64_t> use(std::uint64_t block) {
        if (!memory_.isBounded()) return std::nullopt;
        const std::uint64_t page = block * kBlock / memory_.page;
        held_.remove(page);
        held_.push_front(page);
        if (held_.size() <= memory_.frames()) return std::nullopt;
        const std::uint64_t last = held_.back();
        held_.pop_back();
        return last;
    }

  private:
    MemoryConfig memory_;
    std::list<std::uint64_t> held_;
};

std::uint64_t fewestMisses(const MachineConfig& machine, const std::vector<Access>& accesses) {
    const LevelConfig& level = machine.levels[0];
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Happens>> sets;
    Pages pages(machine.memory);
    for (const Access& a : accesses) {
        const std::uint64_t block = a.address.value / kBlock;
        if (const auto left = pages.use(block)) {
            const std::uint64_t blocks = machine.memory.page / kBlock;
            for (std::uint32_t cache = 0; cache < machine.caches(0); ++cache) {
                for (std::uint64_t b = *left * blocks; b < (*left + 1) * blocks; ++b) {
                    sets[{cache, b % level.sets()}].push_back({b, true});
                }
            }
        }
        sets[{machine.cacheOf(0, a.cpu), block % level.sets()}].push_back({block, false});
        for (std::uint32_t cpu = 0; a.isWrite() && cpu < machine.cpus; cpu += level.sharedBy) {
            const std::uint32_t unit = unitOf(machine, a.cpu, cpu);
            if (unit == 0) continue;
            for (std::uint64_t b = a.address.value / unit * unit / kBlock, n = 0; n < unit / kBlock; ++b, ++n) {
                sets[{machine.cacheOf(0, cpu), b % level.sets()}].push_back({b, true});
            }
        }
    }
    std::uint64_t sum = 0;
    for (const auto& [set, all] : sets) sum += fewestMisses(all, level.ways);
    return sum;
}

std::uint64_t missesOf(const MachineConfig& machine, const std::vector<Access>& accesses) {
    TraceBuilder builder("opt");
    for (const Access& a : accesses) builder.add(a);
    const Trace trace = builder.finish();
    Progress progress;
    Simulator simulator(machine, *futureOf(machine, trace, progress));
    for (const Access& a : accesses) simulator.step(a);
    return simulator.counters().level(0).misses();
}

TEST(Opt, MissesAsRarelyAsAnySequenceOfEvictions) {
    std::mt19937_64 random(12);
    std::uint64_t beaten = 0;
    for (std::uint64_t round = 0; round < testRounds(1500); ++round) {
        const auto machine = checked(machineOf(random), "");
        ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
        std::vector<Access> accesses;
        const std::uint64_t blocks = 3 + random() % 6;
        for (int i = 0; i < 60; ++i) {
            accesses.push_back({.address = ByteAddress{kBlock * (random() % blocks)},
                                .op = random() % 3 == 0 ? Op::write : Op::read,
                                .cpu = static_cast<std::uint8_t>(random() % machine->cpus)});
        }
        const std::uint64_t misses = missesOf(*machine, accesses);
        ASSERT_EQ(misses, fewestMisses(*machine, accesses)) << "round " << round;
        MachineConfig lru = *machine;
        lru.levels[0].policy = Policy::lru;
        beaten += missesOf(lru, accesses) > misses ? 1 : 0;
    }
    EXPECT_GT(beaten, testRounds(1500) / 4);
}

}  // namespace
}  // namespace whorl::sim
