// The reference against examples worked by hand, and the laws that hold for every program.
#include "sim/reference/reference.h"

#include <gtest/gtest.h>

#include "sim/reference/examples.h"

namespace whorl::reference {
namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

TEST(Reference, DoesWhatWasWorkedOutByHand) {
    for (const Example& example : examples()) {
        const Reference reference(example.machine, example.accesses);
        EXPECT_EQ(joined(linesOf(reference.told())), joined(example.lines)) << example.name;
    }
}

TEST(Reference, ClassifiesMissesAsWorkedOutByHand) {
    for (const Example& example : examples()) {
        if (example.kinds.empty()) continue;
        const Reference reference(example.machine, example.accesses);
        std::vector<std::string> kinds;
        for (const Miss& miss : reference.misses()) kinds.push_back(lineOf(miss));
        EXPECT_EQ(joined(kinds), joined(example.kinds)) << example.name;
    }
}

TEST(Reference, TakesTheCyclesWorkedOutByHand) {
    for (const Example& example : examples()) {
        const Reference reference(example.machine, example.accesses);
        for (std::size_t cpu = 0; cpu < example.clocks.size(); ++cpu) {
            EXPECT_EQ(reference.tally().clock(cpu), example.clocks[cpu]) << example.name << ", CPU " << cpu;
        }
    }
}

TEST(Reference, MissesAsOftenAsTheTextBooksSay) {
    for (const FaultCount& count : faultCounts()) {
        const Reference reference(machineOf(count), accessesOf(count));
        EXPECT_EQ(reference.tally().cache(0, 0).readMisses, count.faults)
            << "policy " << static_cast<int>(count.policy) << " with " << count.frames << " frames";
    }
}

}  // namespace
}  // namespace whorl::reference
