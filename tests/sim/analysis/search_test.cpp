// Search results in a run against a linear search.
#include "sim/analysis/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/analysis/history_help.h"
#include "sim/reference/random_cases.h"
#include "sim/trace/trace_builder.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

/// The first tick after `from`, or the last before it, whose events make `is` true.
template <class Is>
std::optional<Tick> search(const sim::Run& run, Tick from, Direction direction, Is&& is) {
    Progress progress;
    Simulator state(run.machine(), *futureOf(run.machine(), run.trace(), progress));
    std::optional<Tick> found;
    run.trace().forEach(Tick{0}, Tick{run.trace().size()}, [&](Tick t, const Access& a) {
        EventList events;
        state.step(a, events);
        const bool isIt = std::any_of(events.begin(), events.end(), [&](const Event& e) { return is(a, e); });
        if (!isIt) return;
        if (direction == Direction::forward && t > from && !found) found = t;
        if (direction == Direction::backward && t < from) found = t;
    });
    return found;
}

TEST(FindEvent, EqualsPlainSearch) {
    for (const std::uint64_t seed : {0u, 6u}) {
        const reference::Case random = reference::randomCase(seed, 150);
        const auto run = test::built(test::traceOf(random.trace, 500 + testRounds(400)), random.machine);
        const std::uint64_t size = run->trace().size();
        const auto conflicts = run->measures()->ledger->regionConflicts;
        std::mt19937_64 dice(seed);
        for (std::uint64_t i = 0; i < 2 + testRounds(3); ++i) {
            const Tick from{i == 0 ? 0 : i == 1 ? size : dice() % size};
            const auto block = run->trace().regions().front().base;
            for (const Direction direction : {Direction::forward, Direction::backward}) {
                Progress progress;
                const auto expect = [&](const EventQuery& query, auto&& is, const char* what) {
                    EXPECT_EQ(findEvent(*run, query, from, direction, progress), search(*run, from, direction, is))
                        << what << " from " << from.value << " case " << seed;
                };
                expect(
                    {.kind = EventQuery::Kind::miss},
                    [](auto&, const Event& e) { return e.kind == EventKind::miss && e.level == 0; }, "miss");
                const std::uint32_t last = static_cast<std::uint32_t>(random.machine.levels.size() - 1);
                expect(
                    {.kind = EventQuery::Kind::miss, .level = static_cast<std::uint8_t>(last)},
                    [&](auto&, const Event& e) { return e.kind == EventKind::miss && e.level == last; }, "last");
                expect(
                    {.kind = EventQuery::Kind::eviction, .level = std::uint8_t{0}, .address = block},
                    [&](auto&, const Event& e) {
                        return (e.kind == EventKind::eviction || e.kind == EventKind::invalidation) && e.level == 0 &&
                               e.block.value == block.value / random.machine.levels[0].block;
                    },
                    "eviction");
                expect(
                    {.kind = EventQuery::Kind::transfer},
                    [](auto&, const Event& e) {
                        return e.kind == EventKind::downgrade ||
                               (e.kind == EventKind::invalidation && e.cause == Cause::coherence);
                    },
                    "transfer");
                const auto blockOf = [&](const Event& e) {
                    const std::uint64_t bytes = random.machine.levels[e.level % random.machine.levels.size()].block;
                    return ByteAddress{e.block.value * bytes};
                };
                const auto regionOf = [&](const Event& e) {
                    const std::uint64_t bytes = random.machine.levels[e.level % random.machine.levels.size()].block;
                    return regionOfBlock(run->trace(), blockOf(e), bytes);
                };
                const auto isEviction = [](const Event& e) {
                    return e.kind == EventKind::eviction || e.kind == EventKind::invalidation;
                };
                const Site& site = run->trace().sites()[1 + dice() % (run->trace().sites().size() - 1)];
                const EventQuery::Line line{site.file, site.line};
                const auto isOfLine = [&](const Access& a) {
                    const Site& own = run->trace().sites()[a.site.value];
                    return a.site.value != 0 && own.file == line.file && own.line == line.line;
                };
                expect(
                    {.kind = EventQuery::Kind::miss, .address = block},
                    [&](auto&, const Event& e) {
                        return e.kind == EventKind::miss && e.level == 0 &&
                               e.block.value == block.value / random.machine.levels[0].block;
                    },
                    "miss of a block");
                expect(
                    {.kind = EventQuery::Kind::eviction, .region = 0},
                    [&](auto&, const Event& e) { return isEviction(e) && regionOf(e) == 0; }, "eviction of a region");
                expect(
                    {.kind = EventQuery::Kind::miss, .line = line},
                    [&](const Access& a, const Event& e) {
                        return e.kind == EventKind::miss && e.level == 0 && isOfLine(a);
                    },
                    "miss by a line");
                expect(
                    {.kind = EventQuery::Kind::eviction, .line = line},
                    [&](const Access& a, const Event& e) { return isEviction(e) && isOfLine(a); },
                    "eviction by a line");
                expect(
                    {.kind = EventQuery::Kind::access, .region = 0},
                    [&](const Access& a, const Event&) { return run->trace().regionAt(a.address) == 0; },
                    "access to a region");
                expect(
                    {.kind = EventQuery::Kind::access, .line = line},
                    [&](const Access& a, const Event&) { return isOfLine(a); }, "access by a line");
                expect(
                    {.kind = EventQuery::Kind::access, .function = site.function},
                    [&](const Access& a, const Event&) {
                        return a.site.value != 0 && run->trace().sites()[a.site.value].function == site.function;
                    },
                    "access by a function");
                if (conflicts.empty()) continue;
                const Conflict pair = conflicts.begin()->first;
                expect(
                    {.kind = EventQuery::Kind::conflict, .region = pair.evictor, .victim = pair.victim},
                    [&](const Access& a, const Event& e) {
                        const std::uint64_t blockSize =
                            random.machine.levels[e.level % random.machine.levels.size()].block;
                        return e.kind == EventKind::eviction && run->trace().regionAt(a.address) == pair.evictor &&
                               regionOfBlock(run->trace(), ByteAddress{e.block.value * blockSize}, blockSize) ==
                                   pair.victim;
                    },
                    "conflict");
            }
        }
    }
}

TEST(FindEvent, PageFaults) {
    std::uint64_t seed = 0;
    while (!reference::randomCase(seed, 150).machine.memory.isBounded()) ++seed;
    const reference::Case random = reference::randomCase(seed, 150);
    const auto run = test::built(test::traceOf(random.trace, 3), random.machine);
    const auto isFault = [](auto&, const Event& e) { return e.kind == EventKind::pageFault; };
    for (std::uint64_t from = 0; from <= run->trace().size(); from += 13) {
        for (const Direction direction : {Direction::forward, Direction::backward}) {
            Progress progress;
            EXPECT_EQ(findEvent(*run, {.kind = EventQuery::Kind::pageFault}, Tick{from}, direction, progress),
                      search(*run, Tick{from}, direction, isFault))
                << "from " << from;
        }
    }
}

TEST(FindEvent, Marks) {
    const reference::Case random = reference::randomCase(2, 10);
    const auto run = test::built(test::traceOf(random.trace, 6), random.machine);  // marks at 10 and 40
    Progress progress;
    const EventQuery mark{.kind = EventQuery::Kind::mark};
    EXPECT_EQ(findEvent(*run, mark, Tick{0}, Direction::forward, progress), Tick{10});
    EXPECT_EQ(findEvent(*run, mark, Tick{10}, Direction::forward, progress), Tick{40});
    EXPECT_EQ(findEvent(*run, mark, Tick{40}, Direction::forward, progress), std::nullopt);
    EXPECT_EQ(findEvent(*run, mark, Tick{60}, Direction::backward, progress), Tick{40});
    EXPECT_EQ(findEvent(*run, mark, Tick{10}, Direction::backward, progress), std::nullopt);
}

}  // namespace
}  // namespace whorl::sim
