// The values that built-in programs record: what an access reads is what was written there last.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "sim/programs/programs_support.h"
#include "sim/replay/snapshot.h"
#include "sim/report/sentence.h"

namespace whorl::sim {
namespace {

TEST(ProgramValues, AReadGivesWhatWasWrittenLast) {
    for (const Program& program : programs()) {
        const Trace trace = ran(program.name);
        std::unordered_map<std::uint64_t, double> memory;
        std::uint64_t known = 0;
        std::uint64_t compared = 0;
        std::uint64_t wrong = 0;
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick tick, const Access& access) {
            const auto value = trace.valueAt(tick);
            known += value ? 1 : 0;
            const auto before = memory.find(access.address.value);
            if (!access.isWrite() && value && before != memory.end()) {
                ++compared;
                wrong += before->second == *value ? 0 : 1;
            }
            if (value) {
                memory[access.address.value] = *value;
            } else {
                memory.erase(access.address.value);
            }
        });
        EXPECT_EQ(wrong, 0u) << program.name << ", of " << compared;
        EXPECT_GT(10 * known, 7 * trace.size()) << program.name << ": " << known << " of " << trace.size();
    }
}

TEST(ProgramValues, ASumIsWrittenAsItWasRead) {
    const Trace trace = ran("conflict:n=16");
    for (std::uint64_t i = 0; i + 2 < trace.size(); i += 3) {
        EXPECT_EQ(trace.valueAt(Tick{i + 2}), *trace.valueAt(Tick{i}) + *trace.valueAt(Tick{i + 1})) << i;
    }
    EXPECT_EQ(trace.valueAt(Tick{trace.size()}), std::nullopt);
}

TEST(ProgramValues, StandInTheSentence) {
    const auto run = test::built(ran("arrayinit:n=4"), *loadMachine("paper"));
    SnapshotReader reader(run);
    const std::string words = sentenceFor(*reader.at(1, {.steps = 1}).current(), run->trace(), run->machine());
    EXPECT_TRUE(words.starts_with("write a[0] = 1, line ")) << words;
    const auto sorts = test::built(ran("bubblesort:n=256"), *loadMachine("paper"));
    const Trace& sorted = sorts->trace();
    SnapshotReader all(sorts);
    bool isLarge = false;
    for (std::uint64_t n = 1; n < 40; ++n) {
        const std::string of =
            sentenceFor(*all.at(static_cast<double>(n), {.steps = 1}).current(), sorted, sorts->machine());
        EXPECT_EQ(of.find("e+"), std::string::npos) << of;
        isLarge |= sorted.valueAt(Tick{n - 1}).value_or(0) >= 1e6;
    }
    EXPECT_TRUE(isLarge);
}

}  // namespace
}  // namespace whorl::sim
