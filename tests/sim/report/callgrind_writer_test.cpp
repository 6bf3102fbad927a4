// What other tools read of the costs of lines: the sums are the counts of the machine.
#include "sim/report/callgrind_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "sim/analysis/history_help.h"
#include "sim/replay/measuring.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"
#include "support/machines.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

using EventCounts = std::array<std::uint64_t, 7>;

struct CallgrindFile {
    std::map<std::string, EventCounts> lines;  ///< "mm.c:12 multiply"
    EventCounts totals{};
    EventCounts summary{};
};

/// As the documentation of the format has it: the lines of a function come after fl= and fn=.
CallgrindFile callgrindIn(const std::string& text) {
    CallgrindFile out;
    std::istringstream lines(text);
    std::string file;
    std::string function;
    const auto countsIn = [](std::istringstream& words) {
        EventCounts counts{};
        for (std::uint64_t& count : counts) words >> count;
        return counts;
    };
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        if (line.starts_with("fl=")) {
            file = line.substr(3);
        } else if (line.starts_with("fn=")) {
            function = line.substr(3);
        } else if (words >> first && first == "totals:") {
            out.totals = countsIn(words);
        } else if (first == "summary:") {
            out.summary = countsIn(words);
        } else if (!first.empty() && first[0] >= '0' && first[0] <= '9') {
            EXPECT_TRUE(out.lines.emplace(file + ':' + first + ' ' + function, countsIn(words)).second) << line;
        }
    }
    return out;
}

std::string callgrindOf(const sim::Run& run, Range range) {
    Progress progress;
    return callgrindText(run, range, progress).value();
}

TEST(CallgrindText, SumsAreTheCountsOfTheMachine) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const RandomRun random(static_cast<unsigned>(seed));
        const sim::Run& run = *random.run;
        const Range range = wholeOf(run.trace());
        const auto measures = run.measures();
        const CallgrindFile written = callgrindIn(callgrindOf(run, range));
        EventCounts sums{};
        for (const auto& [name, counts] : written.lines) {
            for (std::size_t e = 0; e < counts.size(); ++e) sums[e] += counts[e];
        }
        EXPECT_EQ(sums, written.totals);
        EXPECT_EQ(sums, written.summary);
        EXPECT_EQ(sums[0] + sums[1], measures->counters.accesses());
        EXPECT_EQ(sums[6], measures->cyclesOfAll());
        if (run.machine().levels.empty()) continue;
        EXPECT_EQ(sums[2], measures->counters.level(0).readMisses);
        EXPECT_EQ(sums[3], measures->counters.level(0).writeMisses);
    }
}

TEST(CallgrindText, EachLineHasItsOwn) {
    const auto run = built(ran("matmul:n=8"), loadMachine("paper").value());
    const CallgrindFile written = callgrindIn(callgrindOf(*run, wholeOf(run->trace())));
    const Table lines = tableBy(Grouping::line, *run->measures(), run->trace());
    ASSERT_EQ(written.lines.size(), lines.rows.size());
    for (const std::vector<Cell>& row : lines.rows) {
        const auto found = written.lines.find(std::get<std::string>(row[0]) + " ???");
        ASSERT_NE(found, written.lines.end()) << std::get<std::string>(row[0]);
        const EventCounts& counts = found->second;
        const auto count = [&](std::string_view key) {
            return std::get<std::uint64_t>(row[columnOf(lines.columns, key)]);
        };
        EXPECT_EQ(counts[0] + counts[1], count("accesses"));
        EXPECT_EQ(counts[2] + counts[3], count("L1_misses"));
        EXPECT_EQ(counts[4] + counts[5], count("L2_misses"));
        EXPECT_EQ(counts[6], count("cycles"));
    }
}

TEST(CallgrindText, OfARangeIsWhatBelongsToIt) {
    const auto run = built(ran("mergesort:n=40"), loadMachine("paper").value());
    const Tick middle{run->trace().size() / 3};
    const EventCounts all = callgrindIn(callgrindOf(*run, wholeOf(run->trace()))).totals;
    const EventCounts first = callgrindIn(callgrindOf(*run, {Tick{0}, middle})).totals;
    const EventCounts rest = callgrindIn(callgrindOf(*run, {middle, Tick{run->trace().size()}})).totals;
    for (std::size_t e = 0; e < all.size(); ++e) EXPECT_EQ(first[e] + rest[e], all[e]);
}

}  // namespace
}  // namespace whorl::sim::test
