// Sweeps: their points, their output, and that merged shards equal the whole, to the byte.
#include "sim/analysis/sweep.h"
#include "sim/replay/measuring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include "support/json.h"

#include "sim/report/json.h"
#include "sim/report/sweep_report.h"
#include "sim/report/tables.h"
#include "sim/trace/trace_help.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

std::shared_ptr<const Trace> strided(const std::string& name, std::uint64_t step) {
    TraceBuilder builder(name);
    for (std::uint64_t i = 0; i < 500; ++i) {
        builder.add(test::access(i % 3 == 0 ? Op::write : Op::read, 0x1000 + i * step % 0x2000, 4));
    }
    return test::shared(builder);
}

Sweep sweepOf(const std::vector<std::string>& words) {
    std::vector<Axis> axes;
    for (const std::string& word : words) axes.push_back(axisOf(word).value());
    return Sweep::of(parseGeometry("1K/2/32, 8K/4/32").value(), std::move(axes)).value();
}

enum class Body { counts, regions };

SweepResults sweptOver(const Sweep& sweep, const std::shared_ptr<const Trace>& trace, Shard shard, Body body) {
    const Range all = test::wholeOf(*trace);
    SweepResults results{.sweep = sweep, .subject = subjectOf(*trace, all), .shard = shard, .points = {}};
    for (const std::uint64_t point : sweep.pointsOf(shard)) {
        Progress progress;
        auto report = sweep.machineAt(point).and_then([&](const MachineConfig& m) {
            return measure(trace, m, all, body == Body::regions, progress).map([&](Measures figures) {
                Report out{.measures = std::move(figures)};
                if (body == Body::regions) out.tables.push_back(tableBy(Grouping::region, out.measures, *trace));
                return out;
            });
        });
        results.points.push_back({point, std::move(report)});
    }
    return results;
}

using Writer = std::string (*)(const SweepResults&);

/// 12 points, of which those with 3 sets are invalid.
const std::vector<std::string> kAxes = {"L1.size=512,1K,96", "L1.policy=lru,fifo", "L2.ways=4,8"};

std::vector<SweepPart> shardsOf(std::uint64_t count, Writer writer, Body body) {
    std::vector<SweepPart> parts;
    for (std::uint64_t i = 1; i <= count; ++i) {
        const auto results = sweptOver(sweepOf(kAxes), strided("t", 12), {i, count}, body);
        parts.push_back({fmt::format("part{}", i), writer(results)});
    }
    return parts;
}

std::string sentenceOf(const std::vector<SweepPart>& parts) {
    return test::refusalOf(merged(parts), "merged");
}

TEST(Axis, IsAKeyAndItsValues) {
    EXPECT_EQ(axisOf("L1.size = 16K:64K:x2, 1M")->key, "L1.size");
    EXPECT_EQ(axisOf("L1.size = 16K:64K:x2, 1M")->values, (std::vector<std::string>{"16K", "32K", "64K", "1M"}));
    EXPECT_NE(axisOf("L1.size").error().sentence().find("does not say what to sweep"), std::string::npos);
    EXPECT_NE(axisOf("=1").error().sentence().find("does not say what to sweep"), std::string::npos);
    EXPECT_EQ(axisOf("ways=1,2,1").error().sentence(), "ways: the value \"1\" comes twice; leave one out");
    EXPECT_NE(axisOf("ways=").error().sentence().find("empty value"), std::string::npos);
}

TEST(Shard, IsOneOfSome) {
    EXPECT_EQ(shardOf("2/3")->index, 2u);
    EXPECT_EQ(shardOf("2/3")->count, 3u);
    for (const char* wrong : {"", "1", "1/", "/2", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/9999999"}) {
        ASSERT_FALSE(shardOf(wrong)) << wrong;
        EXPECT_NE(shardOf(wrong).error().sentence().find("use i/n"), std::string::npos);
    }
}

TEST(Sweep, TheLastKeyChangesTheFastest) {
    const Sweep sweep = sweepOf({"L1.ways=1,2", "policy=lru,fifo,mru"});
    EXPECT_EQ(sweep.points(), 6u);
    EXPECT_EQ(sweep.valuesAt(0), (std::vector<std::string>{"1", "lru"}));
    EXPECT_EQ(sweep.valuesAt(1), (std::vector<std::string>{"1", "fifo"}));
    EXPECT_EQ(sweep.valuesAt(5), (std::vector<std::string>{"2", "mru"}));
    EXPECT_EQ(sweep.machineAt(4)->levels[0].ways, 2u);
    EXPECT_EQ(sweep.machineAt(4)->levels[0].policy, Policy::fifo);
    EXPECT_EQ(sweep.pointsOf({2, 4}), (std::vector<std::uint64_t>{1, 5}));
    EXPECT_TRUE(sweep.pointsOf({7, 8}).empty());
}

TEST(Sweep, RefusesWhatCannotBeSwept) {
    const auto refused = [](std::vector<Axis> axes) {
        return test::refusalOf(Sweep::of(parseGeometry("1K/2/32").value(), std::move(axes)), "");
    };
    EXPECT_NE(refused({{"L1.wys", {"1"}}}).find("did you mean \"ways\""), std::string::npos);
    EXPECT_NE(refused({{"ways", {"1"}}, {"ways", {"2"}}}).find("swept twice"), std::string::npos);
    const Axis many{"seed", axisOf("seed=1:5000:+1")->values};
    EXPECT_NE(refused({many, {"L1.seed", many.values}}).find("more than 1000000 points"), std::string::npos);
    EXPECT_EQ(refused({{"ways", {"1", "x"}}}), "") << "a value that does not fit is a result";
}

TEST(Sweep, AnUnsoundPointIsAResultAndStopsNoOther) {
    const auto results = sweptOver(sweepOf(kAxes), strided("t", 12), {}, Body::counts);
    const test::Json json(sweepAsJson(results));
    ASSERT_EQ(json["results"].size(), 12u);
    EXPECT_FALSE(json["sweep"].contains("shard"));
    EXPECT_EQ(json["sweep"]["axes"][1]["values"].dump(), R"(["lru","fifo"])");
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(json["results"][i]["point"], i + 1);
        EXPECT_EQ(json["results"][i].contains("error"), i >= 8) << i;
        EXPECT_EQ(json["results"][i].contains("report"), i < 8) << i;
    }
    EXPECT_EQ(json["results"][5]["values"]["L1.size"], "1K");
    EXPECT_EQ(json["results"][5]["report"]["accesses"], 500);
    const std::string text = sweepAsText(results);
    EXPECT_NE(text.find("L1 miss ratio"), std::string::npos);
    EXPECT_NE(text.find("\npoint 9: L1"), std::string::npos) << text;
}

TEST(Sweep, TextTellsPageFaultsWhereMemoryIsBounded) {
    const auto textOf = [](const std::string& axis) {
        return sweepAsText(sweptOver(sweepOf({axis}), strided("t", 12), {}, Body::counts));
    };
    EXPECT_EQ(textOf("L2.ways=4,8").find("page faults"), std::string::npos);
    const std::string text = textOf("memory.size=0,8K");
    // Two pages, touched in turn.
    EXPECT_NE(text.find("  page faults  "), std::string::npos) << text;
    EXPECT_NE(text.find("\n8K "), std::string::npos) << text;
    EXPECT_NE(text.find("            2  "), std::string::npos) << text;
}

/// Each machine has the columns of its own levels filled, and none is left out.
TEST(Sweep, MachinesOfDifferentLevelsHaveTheColumnsOfAll) {
    const Sweep sweep = sweepOf({"levels=2,0,3,1"});
    const auto text = sweepAsText(sweptOver(sweep, strided("t", 12), {}, Body::counts));
    EXPECT_NE(text.find("L1 miss ratio  L2 miss ratio  L3 miss ratio  memory reads"), std::string::npos) << text;
    const SweepResults results = sweptOver(sweep, strided("t", 12), {}, Body::regions);
    const std::string csv = sweepAsCsv(results);
    const auto rows = csvRecords(csv);
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t point = 0; point < 4; ++point) {
        const auto& counters = results.points[point].report->measures.counters;
        for (std::size_t l = 0; l < 3; ++l) {
            const auto& keys = rows[0].fields;
            const auto column = std::find(keys.begin(), keys.end(), fmt::format("L{}_misses", l + 1)) - keys.begin();
            ASSERT_LT(static_cast<std::size_t>(column), keys.size());
            const std::string expected = l < counters.levels() ? fmt::format("{}", counters.level(l).misses()) : "";
            EXPECT_EQ(rows[point + 1].fields[static_cast<std::size_t>(column)], expected) << "point " << point + 1;
        }
    }
}

TEST(Sweep, CsvHasAPointsValuesInEachOfItsRows) {
    const auto results = sweptOver(sweepOf(kAxes), strided("t", 12), {2, 3}, Body::counts);
    const std::string text = sweepAsCsv(results);
    const auto records = csvRecords(text);
    const std::vector<std::string> keys = {"sweep", "trace",   "points", "point", "L1.size", "L1.policy", "L2.ways",
                                           "error", "machine", "level",  "cache", "counter", "value"};
    EXPECT_EQ(records.front().fields, keys);
    EXPECT_EQ(records[1].fields[3], "2");
    EXPECT_EQ(records[1].fields[6], "8");
    EXPECT_EQ(records.back().fields[3], "11");
    EXPECT_NE(records.back().fields[7], "");
}

class Merging : public testing::TestWithParam<std::tuple<Writer, Body>> {};

TEST_P(Merging, ShardsAreTheWhole) {
    const auto [writer, body] = GetParam();
    const std::string whole = writer(sweptOver(sweepOf(kAxes), strided("t", 12), {}, body));
    for (const std::uint64_t count : {1u, 2u, 3u, 5u, 12u, 14u}) {
        std::vector<SweepPart> parts = shardsOf(count, writer, body);
        std::rotate(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count / 2), parts.end());
        const auto text = merged(parts);
        ASSERT_TRUE(text.has_value()) << text.error().sentence();
        EXPECT_EQ(*text, whole) << count;
    }
}

TEST_P(Merging, SaysWhatIsWrong) {
    const auto [writer, body] = GetParam();
    const auto one = [&, writer = writer, body = body](const std::vector<std::string>& axes, const std::string& name,
                                                       std::uint64_t step) {
        return writer(sweptOver(sweepOf(axes), strided(name, step), {2, 2}, body));
    };
    const SweepPart first{"a", writer(sweptOver(sweepOf(kAxes), strided("t", 12), {1, 2}, body))};
    EXPECT_EQ(sentenceOf({first}), "shard 2 of the 2 of the sweep is missing; measure it with --shard, and name all");
    EXPECT_EQ(sentenceOf({first, {"b", first.text}}), "b: point 1 is in a too; name each shard once");
    const auto wrong = [&](const std::vector<std::string>& axes, const std::string& name, std::uint64_t step) {
        return sentenceOf({first, {"b", one(axes, name, step)}});
    };
    EXPECT_EQ(wrong(kAxes, "t", 12), "merged");
    EXPECT_EQ(wrong(kAxes, "other", 12), "b: it is of another trace than a; merge only shards of one sweep");
    EXPECT_NE(wrong(kAxes, "t", 8).find("trace"), std::string::npos);
    EXPECT_NE(wrong({kAxes[0], kAxes[1]}, "t", 12).find("differ from those of a"), std::string::npos);
    EXPECT_NE(wrong({kAxes[0], kAxes[1], "L2.ways=4,16"}, "t", 12).find("differ from those of a"), std::string::npos);
    EXPECT_NE(sentenceOf({first, {"b", "hello"}}).find("b: "), std::string::npos);
    EXPECT_NE(sentenceOf({{"b", ""}}).find("b: this is not a part of a sweep"), std::string::npos);
    EXPECT_NE(sentenceOf({{"b", "{\"sweep\":{}}"}}).find("b: this is not a part of a sweep"), std::string::npos);
    EXPECT_NE(sentenceOf({}).find("nothing to merge"), std::string::npos);
}

TEST_P(Merging, NamesTheShardsThatAreMissing) {
    const auto [writer, body] = GetParam();
    const std::vector<SweepPart> parts = shardsOf(5, writer, body);
    // All sets of shards that leave some out; of 12 points each fifth has two or three.
    for (unsigned present = 1; present < 31; ++present) {
        std::vector<SweepPart> some;
        std::vector<std::string> missing;
        for (unsigned i = 0; i < 5; ++i) {
            if ((present >> i & 1u) != 0) {
                some.push_back(parts[i]);
            } else if (!missing.empty() && (present >> (i - 1) & 1u) == 0) {
                missing.back() = missing.back().substr(0, 1) + "-" + std::to_string(i + 1);
            } else {
                missing.push_back(std::to_string(i + 1));
            }
        }
        std::string list;
        for (const std::string& range : missing) list += (list.empty() ? "" : ",") + range;
        const bool one = missing.size() == 1 && missing[0].size() == 1;
        EXPECT_EQ(sentenceOf(some), (one ? "shard " : "shards ") + list + " of the 5 of the sweep " +
                                        (one ? "is missing; measure it" : "are missing; measure them") +
                                        " with --shard, and name all");
    }
}

TEST_P(Merging, CountsPointsWhereItCannotTellTheShards) {
    const auto [writer, body] = GetParam();
    // Of 12 points each of 12 shards has one.
    std::vector<SweepPart> parts = shardsOf(12, writer, body);
    parts.erase(parts.begin() + 6);
    EXPECT_EQ(sentenceOf(parts), "of the 12 points of the sweep, 7 is missing; name all of its shards");
    // Shards of two sizes.
    EXPECT_EQ(sentenceOf({shardsOf(2, writer, body)[0], shardsOf(4, writer, body)[1]}),
              "of the 12 points of the sweep, 4, 8 and 12 are missing; name all of its shards");
}

INSTANTIATE_TEST_SUITE_P(Forms, Merging,
                         testing::Combine(testing::Values(Writer{sweepAsJson}, Writer{sweepAsCsv}),
                                          testing::Values(Body::counts, Body::regions)));

TEST(Merging, TakesOneFormOnly) {
    const auto results = sweptOver(sweepOf(kAxes), strided("t", 12), {1, 2}, Body::counts);
    EXPECT_EQ(sentenceOf({{"a", sweepAsJson(results)}, {"b", sweepAsCsv(results)}}),
              "b: it is not of the same format as a; merge either JSON or CSV");
}

}  // namespace
}  // namespace whorl::sim
