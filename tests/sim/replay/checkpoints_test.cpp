// Checkpoints of random machines, thinned out more than once: each equals the state that was added, to the last bit.
#include "sim/replay/checkpoints.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "sim/reference/random_cases.h"
#include "support/rounds.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kSpacing = 8;

/// A trace on a machine, with all states at which a checkpoint may be kept.
class PlayedWithStates {
  public:
    PlayedWithStates(const MachineConfig& machine, const Trace& trace, std::size_t budget)
        : state_(withCpus(machine, trace.cpus()), futureFor(withCpus(machine, trace.cpus()), trace)),
          checkpoints_(state_, kSpacing, budget) {
        states_.emplace(0, state_);
        TraceCursor cursor(trace);
        EventList events;
        events.separateHits();
        for (std::uint64_t at = 0; at < trace.size();) {
            const auto batch = cursor.from(Tick{at}).first(std::min(kSpacing / 2, trace.size() - at));
            events.clear();
            state_.play(batch, &events);
            checkpoints_.take(events);
            at += batch.size();
            if (at % kSpacing == 0) states_.emplace(at, state_);
            if (checkpoints_.isDue(Tick{at})) checkpoints_.add(Tick{at}, state_, {at});
        }
    }

    const Checkpoints& checkpoints() const { return checkpoints_; }
    const Simulator& stateAt(Tick at) const { return states_.at(at.value); }

  private:
    static Future futureFor(const MachineConfig& machine, const Trace& trace) {
        Progress progress;
        return *futureOf(machine, trace, progress);
    }

    Simulator state_;
    Checkpoints checkpoints_;
    std::map<std::uint64_t, Simulator> states_;
};

void expectEachIsWhatWasAdded(const PlayedWithStates& played, std::uint64_t size, std::uint64_t seed) {
    for (std::uint64_t t = 0; t <= size; t += 3) {
        const Checkpoints::Kept kept = played.checkpoints().nearest(Tick{t});
        ASSERT_LE(kept.at.value, t);
        ASSERT_TRUE(kept.state == played.stateAt(kept.at)) << "seed " << seed << ", tick " << t;
        ASSERT_EQ(kept.missed[0], kept.at.value);
    }
}

TEST(Checkpoints, AreTheStatesThatWereAdded) {
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const reference::Case c = reference::randomCase(seed, 600);
        const Trace trace = test::traceOf(c.trace);
        const std::size_t budget = seed % 3 == 0 ? std::size_t{1} << 30 : std::size_t{2000} << seed % 5;
        const PlayedWithStates played(c.machine, trace, budget);
        expectEachIsWhatWasAdded(played, trace.size(), seed);
        if (HasFatalFailure()) return;
        if (seed % 3 == 0) {
            EXPECT_EQ(played.checkpoints().nearest(Tick{599}).at, Tick{592});
        }
    }
}

/// Reads and writes all over a range of memory, with small loops between.
std::vector<Access> someAccesses(std::size_t count, std::uint64_t base, std::uint64_t range) {
    std::mt19937_64 random(7);
    std::vector<Access> accesses(count);
    for (std::size_t i = 0; i < count; ++i) {
        accesses[i].address = ByteAddress{base + (i / 64 % 2 == 0 ? random() % range : i * 8 % 512)};
        accesses[i].op = random() % 4 == 0 ? Op::write : Op::read;
    }
    return accesses;
}

// Wide sets, whose order takes two bytes per way; blocks of one byte at the end of the address space, which have the
// longest tags.
TEST(Checkpoints, HoldWhateverACacheHolds) {
    MachineConfig wide;
    wide.levels = {{"L1", 2560, 40, 64}, {"L2", 64 * 1200, 1200, 64}};
    MachineConfig narrow;
    narrow.levels = {{"L1", 1, 1, 1}, {"L2", 9, 9, 1}};
    struct Row {
        MachineConfig machine;
        std::size_t accesses = 0;
        std::uint64_t base = 0;
        std::size_t budget = 0;
    };
    const std::uint64_t end = ~std::uint64_t{0};
    for (const Row& row : {Row{wide, 3000, end - (1 << 20), 1 << 20}, Row{narrow, 500, end - (1 << 20), 1 << 20},
                           Row{narrow, 500, end / 3, 1 << 16}}) {
        const Trace trace = test::traceOf(someAccesses(row.accesses, row.base, 1 << 19));
        const PlayedWithStates played(row.machine, trace, row.budget);
        expectEachIsWhatWasAdded(played, trace.size(), 0);
    }
}

// So many changes that some are stored completely, before and after thinning out.
TEST(Checkpoints, AreTheSameWhenSomeAreKeptWhole) {
    MachineConfig machine;
    machine.levels = {{"L1", 4096, 4, 64}, {"L2", 1 << 20, 8, 64}, {"L3", 6 << 20, 12, 64}};
    machine.levels[2].inclusion = Inclusion::exclusive;
    const auto accesses = someAccesses(1 << 18, 0x10000, 64 << 20);
    for (const std::size_t budget : {std::size_t{1} << 30, std::size_t{4} << 20}) {
        const Simulator start(machine);
        Simulator state = start;
        Checkpoints checkpoints(start, 1 << 13, budget);
        EventList events;
        std::vector<std::pair<Tick, Simulator>> states;
        for (std::uint64_t at = 0; at < accesses.size();) {
            events.clear();
            for (int i = 0; i < 1 << 10; ++i) state.step(accesses[at++], events);
            checkpoints.take(events);
            if (!checkpoints.isDue(Tick{at})) continue;
            checkpoints.add(Tick{at}, state, {});
            if (at % (1 << 15) == 0) states.emplace_back(at, state);
        }
        for (const auto& [at, expected] : states) {
            const Checkpoints::Kept kept = checkpoints.nearest(at);
            if (kept.at == at) {
                EXPECT_TRUE(kept.state == expected) << at.value;
            }
        }
        if (budget < std::size_t{1} << 30) {
            EXPECT_LT(checkpoints.bytes(), budget + 2 * start.bytes() + (std::size_t{4} << 20));
        }
    }
}

}  // namespace
}  // namespace whorl::sim
