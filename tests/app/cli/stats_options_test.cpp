// Nothing that is asked of whorl stats is dropped silently: every option of the parser, alone and with every other, on
// files that could be counted while they are read and on kept ones, on machines without a level, with one and with
// eight, of 1 and 64 CPUs, as text, CSV and JSON. Each is printed, or refused in a sentence.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "app/cli/input_options.h"
#include "app/cli/option_parser.h"
#include "app/cli/subcommands.h"
#include "sim/machine/machine_config.h"
#include "sim/report/chiron_writer.h"
#include "sim/trace/reader.h"
#include "support/folder.h"

namespace whorl::app {
namespace {

using Words = std::vector<std::string>;

bool isIn(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Ran {
    int status;
    std::string out;
    std::string err;
};

Ran ran(const Words& words) {
    OptionParser program("whorl", "", "");
    addStatsCommand(program);
    Words all{"whorl", "stats"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = program.run(static_cast<int>(argv.size()), argv.data());
    std::string out = testing::internal::GetCapturedStdout();
    // On a busy computer, progress is told, too.
    std::istringstream lines(testing::internal::GetCapturedStderr());
    std::string err;
    for (std::string line; std::getline(lines, line);) err += isIn(line, " …") ? "" : line + '\n';
    return {status, std::move(out), std::move(err)};
}

/// Those of whorl stats that are not of every command with an input.
std::vector<OptionFacts> ownOptions() {
    OptionParser program("whorl", "", "");
    addStatsCommand(program);
    InputOptions input;
    OptionParser& other = program.addCommand("other", "");
    addInputOptions(other, input, true);
    std::vector<OptionFacts> own = program.facts().commands.front().options;
    const std::vector<OptionFacts> common = program.facts().commands.back().options;
    std::erase_if(own, [&](const OptionFacts& option) {
        return std::any_of(common.begin(), common.end(), [&](auto& known) { return known.names == option.names; });
    });
    return own;
}

enum class Form : std::uint8_t { text, csv, json };

/// An option as it is given, and by what its part of the output is known: nothing where it has none.
struct Asked {
    std::string option;
    Words words;
    std::string title = {};   ///< in text
    std::string key = {};     ///< in JSON
    std::string column = {};  ///< in CSV: of the table
};

/// Whether the output has what was asked for. In CSV, counts have a row for each, and a table a column.
bool isPrinted(const Asked& asked, const std::string& out, Form form) {
    if (form == Form::text) return isIn(out, asked.title);
    if (form == Form::json) return isIn(out, asked.key);
    const std::string header = ',' + out.substr(0, out.find('\n')) + ',';
    return asked.column.empty() || isIn(header, ',' + asked.column + ',') || isIn(out, ',' + asked.column + ',');
}

std::string titleOf(const std::string& thing) {
    if (thing == "caller") return "function and caller";
    return thing == "cpu" ? "CPU" : thing;
}

/// The ways to give an option; none for one that this test does not know.
std::vector<Asked> waysOf(const OptionFacts& option) {
    const std::string& name = option.names.back();
    std::vector<Asked> ways;
    if (name == "--by") {
        for (std::string value : option.choices) {
            if (value.ends_with(':')) value += "L1";
            const std::string thing = value == "source" ? "line" : value.substr(0, value.find(':'));
            const std::string column = thing == "call" ? "path" : thing;
            ways.push_back({name, {name, value}, "By " + titleOf(thing), "\"by_" + thing, column});
        }
    } else if (name == "--conflicts") {
        ways = {{name, {name, "region"}, "Regions that conflict", "\"region_conflicts\"", "by_first"},
                {name, {name, "object"}, "Objects that conflict", "\"object_conflicts\"", "by_first"}};
    } else if (name == "--critical-path") {
        ways = {{name, {name, "source"}, "cycles, by source", "\"path_by_source\"", "source"},
                {name, {name, "object"}, "cycles, by object", "\"path_by_object\"", "object"},
                {name, {name, "segments"}, "The critical path of", "\"path_segments\"", "cpu"}};
    }
    const std::map<std::string, Asked> others = {
        {"--from", {name, {name, "1"}}},
        {"--to", {name, {name, "60"}}},
        {"--kinds", {name, {name}, "compulsory", "compulsory\":", "compulsory"}},
        {"--utilization", {name, {name}, "used", "used", {}}},
        {"--costs", {name, {name}, "What each CPU spent its cycles on", "\"costs\"", "access_cycles"}},
        {"--callers", {name, {"--by", "function", name}, "By function and caller", "\"by_caller\"", "called_from"}},
        {"--callgrind", {name, {name, testing::TempDir() + "whorl.callgrind"}}},
        {"--mrc", {name, {name}, "Miss ratios of fully", "\"mrc\"", "miss_ratio"}},
        {"--top", {name, {name, "3"}}},
        {"--recorded", {name, {name}, "as recorded", "\"recorded\"", "loads"}},
        {"--sweep", {name, {name, "memory_latency=100,200"}, "memory_latency", "memory_latency", "memory_latency"}},
        {"--shard", {name, {name, "2/2"}, "200", "\"shard\"", {}}},
        {"--jobs", {name, {name, "1"}}}};
    if (const auto other = others.find(name); other != others.end()) ways.push_back(other->second);
    return ways;
}

/// What may be refused.
bool isValid(const std::string& refusal) {
    static const Words kReasons = {"a CSV file holds one table",
                                   "as text, a sweep has counts only",
                                   "about caches, and the machine has none",
                                   "is for the points of a sweep",
                                   "the critical path is that of the whole run",
                                   "exclude each other",
                                   "--callgrind is about one machine",
                                   "there is no level \"L1\"; the machine has no cache",
                                   "this trace has no recorded events"};
    const bool isSentence = refusal.starts_with("whorl: ") && refusal.ends_with("\n") &&
                            std::count(refusal.begin(), refusal.end(), '\n') == 1;
    return isSentence &&
           std::any_of(kReasons.begin(), kReasons.end(), [&](auto& reason) { return isIn(refusal, reason); });
}

class StatsOptions : public testing::Test {
  protected:
    StatsOptions() {
        for (const OptionFacts& option : ownOptions()) {
            const std::string& name = option.names.back();
            if (name == "--json" || name == "--csv" || name == "--output" || name == "--help") continue;
            options_.push_back(waysOf(option));
            EXPECT_FALSE(options_.back().empty()) << "this test lacks a case for " << name;
        }
    }

    /// A trace of so many CPUs, and where its CPUs conflict and share.
    std::string traceOf(int cpus) const {
        std::string text = "region A 0x1000 512 8 rows=64\nregion B 0x2000 512 8 rows=64\n";
        for (int i = 0; i < 64; ++i) {
            text += fmt::format("{} {:#x} 8 cpu={} a.c:{}\n", "RWM"[i % 3],
                                (i % 2 == 0 ? 0x1000 : 0x2000) + 8 * (i * 7 % 64), i % cpus, i % 9 + 1);
        }
        return folder_.put(fmt::format("t{}.txt", cpus), text);
    }
    std::string machineOf(int levels) const {
        std::string list;
        for (int l = 0; l < levels; ++l)
            list += fmt::format("{}{{\"size\":{},\"ways\":2,\"block\":16}}", l == 0 ? "" : ",", 64 << l);
        return folder_.put(fmt::format("m{}.json", levels), fmt::format("{{\"levels\":[{}]}}", list));
    }

    /// Asks for these, and expects that they are printed or refused. Returns whether they are printed.
    bool asks(const Words& input, const std::vector<const Asked*>& all, Form form) {
        Words words = input;
        for (const Asked* asked : all) words.insert(words.end(), asked->words.begin(), asked->words.end());
        if (form != Form::text) words.emplace_back(form == Form::csv ? "--csv" : "--json");
        const Ran done = ran(words);
        const std::string said = fmt::format("whorl stats {}", fmt::join(words, " "));
        if (done.status != 0) {
            EXPECT_TRUE(isValid(done.err)) << said << "\n" << done.err;
            EXPECT_EQ(done.out, "") << said;
            return false;
        }
        EXPECT_EQ(done.err, "") << said;
        // A point of a sweep can be refused, too.
        if (isIn(done.out, "about caches, and the machine has none")) return false;
        for (const Asked* asked : all) {
            EXPECT_TRUE(isPrinted(*asked, done.out, form)) << said << " has no " << asked->option << "\n" << done.out;
        }
        return true;
    }

    /// Each way alone, and each option with each other, by ways that take turns.
    void asksAll(const Words& input) {
        for (const Form form : {Form::text, Form::csv, Form::json}) {
            for (const std::vector<Asked>& ways : options_) {
                for (const Asked& asked : ways) printed_ += asks(input, {&asked}, form) ? 1 : 0;
            }
            for (std::size_t a = 0; a < options_.size(); ++a) {
                for (std::size_t b = a + 1; b < options_.size(); ++b, ++turn_) {
                    const Asked& first = options_[a][turn_ % options_[a].size()];
                    const Asked& second = options_[b][turn_ / 3 % options_[b].size()];
                    printed_ += asks(input, {&first, &second}, form) ? 1 : 0;
                }
            }
        }
    }

    sim::test::Folder folder_;
    std::vector<std::vector<Asked>> options_;
    std::size_t turn_ = 0;
    std::size_t printed_ = 0;
};

/// On a machine of so many CPUs and levels.
class StatsOptionsOn : public StatsOptions, public testing::WithParamInterface<std::tuple<int, int>> {};

TEST_P(StatsOptionsOn, EachIsPrintedOrRefusedInASentence) {
    const auto [cpus, levels] = GetParam();
    const std::string trace = traceOf(cpus);
    const std::string machine = machineOf(levels);
    asksAll({trace, "-m", machine});
    // A file that names memory has the trace kept.
    asksAll({trace, "-m", machine, "--regions", folder_.put("named.txt", "region C 0x9000 64\n")});
    EXPECT_GT(printed_, 300u);
}

INSTANTIATE_TEST_SUITE_P(Machines, StatsOptionsOn, testing::Combine(testing::Values(1, 64), testing::Values(0, 1, 8)),
                         [](const auto& of) {
                             return fmt::format("Of{}CpusAnd{}Levels", std::get<0>(of.param), std::get<1>(of.param));
                         });

/// A recording that is told, with all else.
TEST_F(StatsOptions, OfARecordingIsPrintedOrRefusedInASentence) {
    sim::Progress progress;
    const auto trace = sim::readTrace(traceOf(2), {}, progress);
    ASSERT_TRUE(trace.has_value());
    auto machine = sim::loadMachine("64/2/16, 256/2/16");
    ASSERT_TRUE(machine.has_value());
    const std::string file = folder_.at("t.chiron");
    ASSERT_TRUE(sim::writeChiron(*trace, *machine, file, progress).has_value());
    for (const Form form : {Form::text, Form::csv, Form::json}) {
        for (const std::vector<Asked>& ways : options_) {
            for (const Asked& asked : ways) {
                printed_ += asks({file, "--recorded"}, {&asked}, form) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(printed_, 20u);
}

}  // namespace
}  // namespace whorl::app
