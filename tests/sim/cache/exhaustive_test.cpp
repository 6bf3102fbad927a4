// Exhaustive tests of coherence on small machines: the fast simulator in every reachable state, and after every string
// of accesses up to a length.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "sim/reference/compare.h"
#include "sim/reference/laws.h"
#include "sim/reference/small_machines.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {
namespace {

using reference::Copy;
using reference::SmallMachine;

/// The contents of the caches, level by level; allocates nothing when there is enough room.
void listCopies(const Hierarchy& hierarchy, std::vector<Copy>& copies) {
    copies.clear();
    for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
        for (std::uint32_t index = 0; index < hierarchy.caches(level); ++index) {
            const Cache& cache = hierarchy.cache(level, index);
            for (std::uint32_t s = 0; s < cache.sets(); ++s) {
                const SetIndex set{s};
                for (std::uint32_t w = 0; w < cache.ways(); ++w) {
                    const WayIndex way{w};
                    if (cache.blockIn(set, way).value == Cache::kNoBlock) continue;
                    copies.push_back({.level = level,
                                      .cache = index,
                                      .block = cache.blockIn(set, way).value,
                                      .dirty = cache.has(set, way, Cache::dirty),
                                      .owned = cache.has(set, way, Cache::owned)});
                }
            }
        }
    }
}

// --- every state
// ------------------------------------------------------------------------------------------------------

/// The two simulators, which must stay equal.
struct Pair {
    explicit Pair(const MachineConfig& machine) : fast(machine), slow(machine) {}

    Simulator fast;
    reference::Machine slow;
};

char letterOf(bool dirty, bool owned) {
    return dirty ? (owned ? 'M' : 'm') : (owned ? 'E' : 'S');
}

/// The pages in the frames and in the TLBs. Of two frames, the next determines the order.
std::string pagesOf(const Hierarchy& hierarchy) {
    std::string state;
    const PageTable* pages = hierarchy.pages();
    if (pages == nullptr) return state;
    for (std::uint32_t frame = 0; frame < pages->held(); ++frame) {
        state += std::to_string(pages->pageIn(frame).value) + (pages->isDirty(frame) ? 'd' : 'c');
    }
    state += '>' + std::to_string(pages->nextFrame());
    for (std::uint32_t cpu = 0; cpu < hierarchy.machine().cpus; ++cpu) {
        for (const Line& line : hierarchy.tlb(cpu)->lines(SetIndex{0})) {
            state += ' ' + (line.valid ? std::to_string(line.block.value) : "-");
        }
    }
    return state + ' ';
}

/// What their future depends on, with LRU: which blocks are present, with their flags and order of eviction, and the
/// pages.
std::string stateOf(const Pair& pair) {
    std::string state = pagesOf(pair.fast.hierarchy());
    for (std::size_t level = 0; level < pair.fast.hierarchy().levels(); ++level) {
        for (std::uint32_t index = 0; index < pair.fast.hierarchy().caches(level); ++index) {
            const Cache& cache = pair.fast.hierarchy().cache(level, index);
            const reference::Cache& slow = pair.slow.cache(level, index);
            for (std::uint32_t set = 0; set < cache.sets(); ++set) {
                std::vector<Line> lines = cache.lines(SetIndex{set});
                std::erase_if(lines, [](const Line& line) { return !line.valid; });
                std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.rank > b.rank; });
                for (const Line& line : lines) {
                    state += std::to_string(line.block.value) + letterOf(line.dirty, line.owned);
                }
                state += '/';
                for (const std::uint64_t block : slow.orderOfEviction(set)) {
                    state += std::to_string(block) + letterOf(slow.at(block).dirty, slow.at(block).owned);
                }
                state += ' ';
            }
        }
    }
    return state;
}

/// Plays an access on both; empty when their events are equal and no law is broken.
std::string faultAfter(const Access& access, Pair& pair) {
    EventList events;
    pair.fast.step(access, events);
    std::vector<std::string> did;
    for (const Event& e : events) did.push_back(compare::lineOf(e));
    std::string fault = compare::firstDifference(did, linesOf(pair.slow.access(access)));
    std::vector<Copy> copies;
    listCopies(pair.fast.hierarchy(), copies);
    if (fault.empty()) fault = reference::brokenLaw(pair.fast.machine(), copies);
    if (fault.empty()) fault = reference::brokenLaw(pair.fast.machine(), copiesIn(pair.slow));
    return fault;
}

/// Continues from each new state with each access until there are no more: this covers strings of any length. Returns
/// the number of states.
std::size_t tryEveryState(const SmallMachine& small, std::uint64_t words) {
    const std::vector<Access> accesses = reference::accessesOfAll(small.machine.cpus, words);
    std::deque<Pair> open = {Pair(small.machine)};
    std::set<std::string> known = {stateOf(open.front())};
    while (!open.empty()) {
        for (const Access& access : accesses) {
            Pair next = open.front();
            const std::string fault = faultAfter(access, next);
            EXPECT_EQ(fault, "") << small.name << ", after " << stateOf(open.front());
            if (testing::Test::HasFailure()) return known.size();
            if (!known.insert(stateOf(next)).second) continue;
            compare::expectSameContents(next.fast.hierarchy(), next.slow);
            compare::expectSamePages(next.fast.hierarchy(), next.slow);
            open.push_back(next);
        }
        open.pop_front();
    }
    return known.size();
}

TEST(Exhaustive, TwoCpusInEveryState) {
    for (const SmallMachine& small : reference::smallMachines(2)) {
        EXPECT_GT(tryEveryState(small, 3), 10u) << small.name;
        if (HasFailure()) return;
    }
}

TEST(Exhaustive, ThreeCpusInEveryState) {
    for (const SmallMachine& small : reference::smallMachines(3)) {
        EXPECT_GT(tryEveryState(small, 2), 10u) << small.name;
        if (HasFailure()) return;
    }
}

// One block that two CPUs share. MSI: II, IS, SI, SS, IM, MI. MESI: a sole reader owns it: II, IE, EI, SS, IM, MI.
TEST(Exhaustive, FindsTheStatesOfTheTextBook) {
    for (const sim::Protocol protocol : {sim::Protocol::msi, sim::Protocol::mesi}) {
        SmallMachine small = reference::smallMachines(2).front();
        small.machine.protocol = protocol;
        EXPECT_EQ(tryEveryState(small, 1), 6u);
    }
}

// --- every string
// -----------------------------------------------------------------------------------------------------

/// Plays every string of accesses up to a length. Simulators are preallocated, one per length, and copied into.
class Strings {
  public:
    Strings(const MachineConfig& machine, std::uint64_t words, std::size_t length)
        : machine_(machine),
          accesses_(reference::accessesOfAll(machine.cpus, words)),
          after_(length + 1, Simulator(machine)) {}

    void playAll() { playFrom(0); }
    std::uint64_t played() const { return played_; }

  private:
    void playFrom(std::size_t length) {
        for (const Access& access : accesses_) {
            Simulator& next = after_[length + 1];
            next = after_[length];
            next.step(access);
            ++played_;
            listCopies(next.hierarchy(), copies_);
            ASSERT_EQ(oneWriterOrManyReaders(machine_, copies_), "");
            ASSERT_EQ(inclusion(machine_, copies_), "");
            if (length + 2 < after_.size()) playFrom(length + 1);
            if (testing::Test::HasFatalFailure()) return;
        }
    }

    const MachineConfig& machine_;
    std::vector<Access> accesses_;
    std::vector<Simulator> after_;  ///< by the number of accesses played
    std::vector<Copy> copies_;
    std::uint64_t played_ = 0;
};

TEST(Exhaustive, TwoCpusAfterEveryString) {
    for (const SmallMachine& small : reference::smallMachines(2)) {
        const bool far = small.name == "shared, inclusive, of pairs, MESI";
        Strings strings(small.machine, 2, far ? 8 : 5);
        strings.playAll();
        ASSERT_FALSE(HasFailure()) << small.name;
        // 8 + 8² + …, as there are eight accesses to choose from.
        EXPECT_EQ(strings.played(), far ? 19173960u : 37448u);
    }
}

TEST(Exhaustive, ThreeCpusAfterEveryString) {
    for (const SmallMachine& small : reference::smallMachines(3)) {
        const bool far = small.name == "two private levels and a shared one, MSI";
        Strings strings(small.machine, 2, far ? 6 : 4);
        strings.playAll();
        ASSERT_FALSE(HasFailure()) << small.name;
        EXPECT_EQ(strings.played(), far ? 3257436u : 22620u);
    }
}

}  // namespace
}  // namespace whorl::sim
