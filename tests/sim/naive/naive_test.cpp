// The simulator against the one in Python beside this file, which was written from docs/machines.md alone: every count,
// every kind of miss and the use of blocks on random machines and traces.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "sim/reference/random_cases.h"
#include "sim/replay/measuring.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"
#include "support/source_folder.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kAccesses = 150;

/// A machine on one line.
std::string inOneLine(std::string json) {
    std::replace(json.begin(), json.end(), '\n', ' ');
    return json;
}

/// The input of the other simulator.
std::string asCase(std::uint64_t number, const reference::Case& random) {
    std::string out = fmt::format("case {}\nmachine {}\n", number, inOneLine(machineAsJson(random.machine)));
    for (const Access& a : random.trace) {
        out += fmt::format("{} {:x} {} {} {}\n",
                           !a.isWrite() ? 'R'
                           : a.modify   ? 'M'
                                        : 'W',
                           a.address.value, a.size, a.cpu, a.site.value);
    }
    return out + "end\n";
}

std::string countsOf(const CacheCounters& c) {
    return fmt::format(
        "reads={} writes={} read_misses={} write_misses={} fills={} evictions={} writebacks={} invalidations={} "
        "back_invalidations={} paged_out={} downgrades={} upgrades={} moves={} prefetches={} useful_prefetches={}",
        c.reads, c.writes, c.readMisses, c.writeMisses, c.fills, c.evictions, c.writebacks, c.invalidations,
        c.backInvalidations, c.pagedOut, c.downgrades, c.upgrades, c.moves, c.prefetches, c.usefulPrefetches);
}

std::string contentsOf(const Cache& cache, bool isCoherent) {
    std::map<std::uint64_t, std::string> blocks;
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        for (const Line& line : cache.lines(SetIndex{s})) {
            if (!line.valid) continue;
            blocks[line.block.value] = std::string(line.dirty ? "d" : "") + (line.owned && isCoherent ? "o" : "") +
                                       (line.prefetched ? "p" : "");
        }
    }
    std::string out;
    for (const auto& [block, state] : blocks) out += fmt::format(" {:x}:{}", block, state);
    return out;
}

std::string pagesOf(const Simulator& simulator) {
    std::string out;
    const Counters& counters = simulator.counters();
    for (std::size_t cpu = 0; cpu < counters.pageFaults.size(); ++cpu) {
        out += fmt::format("pages {} faults={} written_back={}\n", cpu, counters.pageFaults[cpu],
                           counters.pageWritebacks[cpu]);
    }
    const PageTable* pages = simulator.hierarchy().pages();
    for (std::uint32_t frame = 0; pages != nullptr && frame < pages->held(); ++frame) {
        out += fmt::format("frame {} {:x}{}\n", frame, pages->pageIn(frame).value, pages->isDirty(frame) ? ":d" : "");
    }
    return out;
}

/// What the other simulator should print.
std::string resultOf(std::uint64_t number, const reference::Case& random) {
    constexpr const char* kKinds[] = {"compulsory", "capacity", "conflict", "true", "false"};
    TraceBuilder builder("random");
    for (std::uint32_t line = 1; line < 512; ++line) builder.site("kernel.c", line);
    for (const Access& a : random.trace) builder.add(a);
    const Trace trace = builder.finish();
    Progress progress;
    Simulator simulator(random.machine, *futureOf(random.machine, trace, progress));
    LedgerBuilder ledgerBuilder(random.machine, trace);
    struct Miss {
        std::uint64_t access;
        Event event;
    };
    std::vector<Miss> misses;
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        ledgerBuilder.take(batch);
        for (const Event& e : batch.events) {
            if (e.kind == EventKind::miss) misses.push_back({batch.first.value + e.access, e});
        }
    });
    EXPECT_TRUE(replay(trace, simulator, test::wholeOf(trace), observer, progress));

    std::string out = fmt::format("case {}\n", number);
    std::vector<std::uint64_t> next(random.machine.levels.size(), 0);
    for (const Miss& miss : misses) {
        const Event& e = miss.event;
        const MissKind kind = ledgerBuilder.kinds()[e.level][next[e.level]++];
        out += fmt::format("miss {} L{}.{} {:x} {}\n", miss.access, e.level + 1, e.cache, e.block.value,
                           kKinds[static_cast<std::size_t>(kind)]);
    }
    const Counters& counters = simulator.counters();
    const Ledger ledger = ledgerBuilder.ledger();
    for (std::size_t l = 0, cache = 0; l < counters.levels(); ++l) {
        for (std::size_t i = 0; i < counters.cachesAt(l); ++i, ++cache) {
            out += fmt::format("L{}.{} {}\n", l + 1, i, countsOf(counters.cache(l, i)));
            std::array<std::uint64_t, kMissKinds> kinds{};
            for (const SetTally& set : ledger.sets[cache]) {
                for (std::size_t k = 0; k < kMissKinds; ++k) kinds[k] += set.misses[k];
            }
            out += fmt::format("kinds {}\nused {}\n", fmt::join(kinds, " "), ledger.stays[cache].usedBytes);
        }
    }
    out += fmt::format("memory reads={} writes={}\n", counters.memory.reads, counters.memory.writes);
    for (std::size_t cpu = 0; cpu < counters.tlbMisses.size(); ++cpu) {
        out += fmt::format("tlb {} {}\n", cpu, counters.tlbMisses[cpu]);
    }
    out += pagesOf(simulator);
    for (std::uint32_t cpu = 0; cpu < random.machine.cpus; ++cpu) {
        out += fmt::format("cycles {} {}\n", cpu, simulator.clock(cpu));
    }
    out += fmt::format("program reads={} writes={}\n", counters.reads, counters.writes);
    for (std::size_t l = 0; l < counters.levels(); ++l) {
        for (std::uint32_t i = 0; i < counters.cachesAt(l); ++i) {
            out += fmt::format("contents L{}.{}{}\n", l + 1, i,
                               contentsOf(simulator.hierarchy().cache(l, i), random.machine.isCoherent(l)));
        }
    }
    return out;
}

/// Where two texts differ first, with some lines before.
std::string firstDifference(const std::string& fast, const std::string& naive) {
    std::istringstream a(fast);
    std::istringstream b(naive);
    std::string before;
    for (std::string lineA, lineB;;) {
        const bool moreA = static_cast<bool>(std::getline(a, lineA));
        const bool moreB = static_cast<bool>(std::getline(b, lineB));
        if (!moreA && !moreB) return "";
        if (moreA != moreB || lineA != lineB) {
            return before + "  Whorl: " + (moreA ? lineA : "(the end)") + "\n  naive: " + (moreB ? lineB : "(the end)");
        }
        if (lineA.starts_with("case ")) before.clear();
        before += lineA + '\n';
    }
}

/// What the other simulator prints of cases.
std::string naiveOf(const std::string& cases) {
    const test::Folder folder;
    std::ofstream(folder.at("cases")) << cases;
    const std::string command = fmt::format("python3 '{}/tests/sim/naive/simulator.py' < '{}' > '{}'", sourceFolder(),
                                            folder.at("cases"), folder.at("result"));
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return test::bytesOf(folder.at("result"));
}

TEST(Naive, AgreesOnRandomMachines) {
    std::string expected;
    std::string cases;
    for (std::uint64_t seed = 20'000; seed < 20'000 + testRounds(1000); ++seed) {
        // One in twenty has no cache.
        const bool isUncached = seed % 20 == 0;
        const reference::Case random =
            isUncached ? reference::uncachedCase(seed, kAccesses) : reference::randomCase(seed, kAccesses);
        cases += asCase(seed, random);
        expected += resultOf(seed, random);
    }
    EXPECT_EQ(firstDifference(expected, naiveOf(cases)), "");
}

// --- the cache simulator of CS:APP's lab: one cache of 2^s sets, E ways and blocks of 2^b bytes, LRU, which an M
// accesses twice and an I not at all; hits, misses and evictions are counted

/// A 32 × 32 matrix of ints is transposed, the code that does it in between.
std::string transposition() {
    std::string out;
    for (unsigned i = 0; i < 32; ++i) {
        for (unsigned j = 0; j < 32; ++j) {
            out += fmt::format("I  00400{:03x},3\n L {:08x},4\nI  00400{:03x},4\n S {:08x},4\n", 0x600 + 4 * (j % 8),
                               0x602100 + 4 * (32 * i + j), 0x602 + 4 * (j % 8), 0x642100 + 4 * (32 * j + i));
        }
    }
    return out;
}

/// Bytes here and there, which are loaded, stored and modified.
std::string scattered() {
    std::string out;
    std::uint64_t at = 1;
    for (int i = 0; i < 3000; ++i) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        out += fmt::format(" {} {:x},1\n", "LSM"[(at >> 33) % 3], (at >> 40) % (i % 2 == 0 ? 64 : 4096));
    }
    return out;
}

MachineConfig labCache(unsigned setBits, std::uint64_t ways, unsigned blockBits) {
    return *parseGeometry(fmt::format("{}/{}/{}", ways << (setBits + blockBits), ways, 1u << blockBits));
}

/// "hits/misses/evictions" of a trace as lackey writes it.
std::string labCounts(const std::string& text, const MachineConfig& machine) {
    Progress progress;
    const auto trace = test::shared(text);
    const auto measures = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, false, progress);
    const CacheCounters c = measures->counters.level(0);
    return fmt::format("{}/{}/{}", c.hits(), c.misses(), c.evictions);
}

TEST(Naive, CountsAsTheCacheLabOfCsApp) {
    // By hand: sets 0 to 3 of two ways and 16 bytes. 0x00 misses; 0x08 hits; the M misses in set 1 and hits; 0x40
    // misses in set 0; 0x80 evicts 0x00 there; 0x44 hits; 0x04 evicts 0x80.
    const std::string byHand = "I  0400,3\n L 0,4\n S 8,4\n M 10,8\n L 40,1\nI  0404,3\n S 80,1\n L 44,4\n L 4,4\n";
    EXPECT_EQ(labCounts(byHand, labCache(2, 2, 4)), "3/5/2");
    std::string expected;
    std::string cases;
    std::uint64_t number = 0;
    for (const std::string& text : {byHand, transposition(), scattered()}) {
        const Trace parsed = test::parsed(text);
        for (const auto& [s, ways, b] : {std::array{1u, 1u, 1u},
                                         {4u, 2u, 4u},
                                         {2u, 1u, 4u},
                                         {2u, 1u, 3u},
                                         {2u, 2u, 3u},
                                         {2u, 4u, 3u},
                                         {5u, 1u, 5u},
                                         {0u, 8u, 4u}}) {
            reference::Case lab{.machine = labCache(s, ways, b), .trace = {}};
            parsed.forEach(Tick{0}, Tick{parsed.size()}, [&](Tick, const Access& a) { lab.trace.push_back(a); });
            cases += asCase(++number, lab);
            expected += resultOf(number, lab);
        }
    }
    EXPECT_EQ(firstDifference(expected, naiveOf(cases)), "");
    // These stand for all time; the naive simulator has counted them.
    EXPECT_EQ(labCounts(transposition(), labCache(5, 1, 5)), "868/1180/1148");
    EXPECT_EQ(labCounts(scattered(), labCache(2, 4, 3)), "2212/1833/1817");
}

}  // namespace
}  // namespace whorl::sim
