#include "sim/reference/compare.h"

#include <gtest/gtest.h>

#include <numeric>

#include <algorithm>

namespace whorl::sim::compare {

namespace {

reference::Happening happeningOf(const Event& e) {
    using reference::What;
    constexpr What kWhat[] = {What::hit,          What::miss,      What::fill,    What::eviction,  What::writeback,
                              What::invalidation, What::downgrade, What::upgrade, What::moved,     What::prefetch,
                              What::writeThrough, What::memory,    What::tlbMiss, What::pageFault, What::pageOut};
    return {.what = kWhat[static_cast<std::size_t>(e.kind)],
            .level = e.level,
            .cache = e.cache,
            .block = e.block.value,
            .write = e.write,
            .dirty = e.dirty,
            .demand = e.demand,
            .inclusion = e.cause == Cause::inclusion,
            .paging = e.cause == Cause::paging,
            .frame = e.set.value,
            .bytes = e.kind == EventKind::writeThrough ? e.bytes() : 0};
}

}  // namespace

std::string lineOf(const Event& e) {
    return reference::lineOf(happeningOf(e));
}

std::string lineOf(const MissAt& miss, MissKind kind) {
    return reference::lineOf(reference::Miss{.tick = miss.tick,
                                             .level = miss.level,
                                             .cache = miss.cache,
                                             .block = miss.block,
                                             .kind = static_cast<reference::MissKind>(kind)});
}

std::string firstDifference(const std::vector<std::string>& fast, const std::vector<std::string>& slow) {
    const auto [f, s] = std::mismatch(fast.begin(), fast.end(), slow.begin(), slow.end());
    if (f == fast.end() && s == slow.end()) return "";
    std::string text;
    for (auto line = f - std::min<std::ptrdiff_t>(8, f - fast.begin()); line != f; ++line) text += *line + "\n";
    text += "fast: " + (f == fast.end() ? "(nothing)" : *f) + "\n";
    return text + "slow: " + (s == slow.end() ? "(nothing)" : *s) + "\n";
}

void expectSameCounts(const Simulator& fast, const reference::Reference& slow) {
    const Counters& counters = fast.counters();
    const reference::Tally& tally = slow.tally();
    const MachineConfig& machine = fast.machine();
    EXPECT_EQ(counters.reads, tally.reads());
    EXPECT_EQ(counters.writes, tally.writes());
    EXPECT_EQ(counters.memory.reads, tally.memoryReads());
    EXPECT_EQ(counters.memory.writes, tally.memoryWrites());
    for (std::size_t cpu = 0; cpu < machine.cpus; ++cpu) {
        EXPECT_EQ(fast.clock(static_cast<std::uint32_t>(cpu)), tally.clock(cpu)) << "CPU " << cpu;
        if (!counters.tlbMisses.empty()) {
            EXPECT_EQ(counters.tlbMisses[cpu], tally.tlb(cpu).misses);
        }
        if (!counters.pageFaults.empty()) {
            EXPECT_EQ(counters.pageFaults[cpu], tally.pages(cpu).faults);
            EXPECT_EQ(counters.pageWritebacks[cpu], tally.pages(cpu).writtenBack);
        }
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        for (std::size_t i = 0; i < machine.caches(l); ++i) {
            const CacheCounters& f = counters.cache(l, i);
            const reference::CacheCounts s = tally.cache(l, i);
            EXPECT_EQ(f.reads, s.reads);
            EXPECT_EQ(f.writes, s.writes);
            EXPECT_EQ(f.readMisses, s.readMisses);
            EXPECT_EQ(f.writeMisses, s.writeMisses);
            EXPECT_EQ(f.fills, s.fills);
            EXPECT_EQ(f.evictions, s.evictions);
            EXPECT_EQ(f.writebacks, s.writebacks);
            EXPECT_EQ(f.invalidations, s.invalidations);
            EXPECT_EQ(f.backInvalidations, s.backInvalidations);
            EXPECT_EQ(f.pagedOut, s.pagedOut);
            EXPECT_EQ(f.downgrades, s.downgrades);
            EXPECT_EQ(f.upgrades, s.upgrades);
            EXPECT_EQ(f.moves, s.moves);
            EXPECT_EQ(f.prefetches, s.prefetches);
            EXPECT_EQ(f.usefulPrefetches, s.usefulPrefetches);
            EXPECT_EQ(f.writeThroughs, s.writeThroughs);
            EXPECT_EQ(f.writeThroughBytes, s.writeThroughBytes);
        }
    }
}

void expectSameContents(const Hierarchy& fast, const reference::Machine& slow) {
    for (std::size_t l = 0; l < fast.levels(); ++l) {
        for (std::uint32_t i = 0; i < fast.caches(l); ++i) {
            const Cache& cache = fast.cache(l, i);
            const reference::Cache& held = slow.cache(l, i);
            std::size_t resident = 0;
            for (std::uint32_t s = 0; s < cache.sets(); ++s) {
                std::vector<std::uint64_t> leaving(cache.occupied(SetIndex{s}));
                for (const Line& line : cache.lines(SetIndex{s})) {
                    if (!line.valid) continue;
                    ++resident;
                    ASSERT_LT(line.rank, leaving.size());
                    leaving[leaving.size() - 1 - line.rank] = line.block.value;
                    ASSERT_TRUE(held.holds(line.block.value));
                    const reference::Held& other = held.at(line.block.value);
                    EXPECT_EQ(line.dirty, other.dirty);
                    EXPECT_EQ(line.prefetched, other.prefetched);
                    const bool isCoherent = fast.machine().protocol != Protocol::none && fast.caches(l) > 1;
                    if (isCoherent) {
                        EXPECT_EQ(line.owned, other.owned);
                    }
                }
                EXPECT_EQ(leaving, held.orderOfEviction(s)) << "level " << l << " set " << s;
            }
            EXPECT_EQ(resident, held.blocks().size());
        }
    }
}

void expectSamePages(const Hierarchy& fast, const reference::Machine& slow) {
    if (const PageTable* pages = fast.pages()) {
        ASSERT_EQ(pages->held(), slow.frames().size());
        for (std::uint32_t frame = 0; frame < pages->held(); ++frame) {
            EXPECT_EQ(pages->pageIn(frame).value, slow.frames()[frame].page) << "frame " << frame;
            EXPECT_EQ(pages->isDirty(frame), slow.frames()[frame].dirty) << "frame " << frame;
        }
        if (pages->isFull()) {
            EXPECT_EQ(pages->nextFrame(), slow.oldestFrame());
        }
    }
    for (std::uint32_t cpu = 0; cpu < fast.machine().cpus; ++cpu) {
        const Cache* tlb = fast.tlb(cpu);
        for (std::uint32_t s = 0; tlb != nullptr && s < tlb->sets(); ++s) {
            std::vector<std::uint64_t> held(tlb->occupied(SetIndex{s}));
            for (const Line& line : tlb->lines(SetIndex{s})) {
                if (line.valid) held.at(line.rank) = line.block.value;
            }
            EXPECT_EQ(held, slow.tlb(cpu, s)) << "CPU " << cpu << " set " << s;
        }
    }
}

void expectLedgerAddsUp(const Ledger& ledger, const Simulator& fast, const MachineConfig& machine,
                        const reference::Reference& slow) {
    std::uint64_t cycles = 0;
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) cycles += fast.clock(cpu);
    const auto total = [](const TallyTable& table, auto&& value) {
        std::uint64_t sum = 0;
        for (std::size_t row = 0; row < table.rows(); ++row) sum += value(row);
        return sum;
    };
    for (const TallyTable* table : {&ledger.sites, &ledger.owners, &ledger.objects, &ledger.cpus}) {
        EXPECT_EQ(total(*table, [&](std::size_t row) { return table->cycles(row); }), cycles);
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            for (std::size_t k = 0; k < kMissKinds; ++k) {
                const auto kind = static_cast<MissKind>(k);
                const auto expected =
                    static_cast<std::uint64_t>(std::count_if(slow.misses().begin(), slow.misses().end(), [&](auto& m) {
                        return m.counts && m.level == l && static_cast<std::size_t>(m.kind) == k;
                    }));
                EXPECT_EQ(total(*table, [&](std::size_t row) { return table->misses(row, l, kind); }), expected);
                EXPECT_EQ(ledger.misses(machine, l, kind), expected);
            }
        }
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        std::uint64_t ofAllKinds = 0;
        for (std::size_t k = 0; k < kMissKinds; ++k) ofAllKinds += ledger.misses(machine, l, static_cast<MissKind>(k));
        EXPECT_EQ(ofAllKinds, fast.counters().level(l).misses());
        const auto used = slow.uses().used()[l];
        const StaySum expected{.fills = used.size(),
                               .usedBytes = std::accumulate(used.begin(), used.end(), std::uint64_t{0})};
        EXPECT_EQ(ledger.staysAt(machine, l), expected);
        for (const TallyTable* table : {&ledger.sites, &ledger.owners, &ledger.objects, &ledger.cpus}) {
            StaySum sum;
            for (std::size_t row = 0; row < table->rows(); ++row) sum += table->stays(row, l);
            EXPECT_EQ(sum, expected);
        }
    }
    std::uint64_t evictions = 0;
    for (const auto& [conflict, count] : ledger.regionConflicts) evictions += count;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) evictions -= fast.counters().level(l).evictions;
    EXPECT_EQ(evictions, 0u);
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) EXPECT_EQ(ledger.cpus.cycles(cpu), fast.clock(cpu));
}

}  // namespace whorl::sim::compare
