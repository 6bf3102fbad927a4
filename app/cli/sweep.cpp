#include "app/cli/sweep.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <new>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/stats.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/threads.h"
#include "app/tasks/opening.h"
#include "app/tasks/task.h"
#include "sim/base/byte_sink.h"
#include "sim/base/byte_source.h"
#include "sim/base/input_file.h"
#include "sim/base/memory_budget.h"
#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/replay/joint_measures.h"
#include "sim/replay/measuring.h"
#include "sim/report/sweep_report.h"

namespace whorl::app {

sim::Expected<sim::Sweep> sweepOf(const std::vector<std::string>& words, const OpenRequest& request,
                                  const sim::Trace* trace) {
    auto machine = WHORL_TRY(machineOf(request, trace));
    std::vector<sim::Axis> axes;
    axes.reserve(words.size());
    for (const std::string& axisWords : words) axes.push_back(WHORL_TRY(sim::axisOf(axisWords)));
    return sim::Sweep::of(std::move(machine), std::move(axes));
}

sim::Expected<std::vector<OpenRequest>> requestsOf(const std::vector<std::string>& words, const OpenRequest& request,
                                                   std::uint64_t most) {
    const sim::Sweep sweep = WHORL_TRY(sweepOf(words, request, nullptr));
    if (sweep.points() > most) {
        return sim::fail("", fmt::format("--sweep has {} machines, and a picture room for {}", sweep.points(), most),
                         "give fewer values, or use whorl stats --sweep");
    }
    std::vector<OpenRequest> requests;
    for (std::uint64_t point = 0; point < sweep.points(); ++point) {
        WHORL_TRY(sweep.machineAt(point));
        OpenRequest& of = requests.emplace_back(request);
        const std::vector<std::string> values = sweep.valuesAt(point);
        for (std::size_t i = 0; i < values.size(); ++i) {
            of.settings.push_back(fmt::format("{}={}", sweep.axes()[i].key, values[i]));
        }
    }
    return requests;
}

// whorl stats --sweep: many machines, one trace that all of them share, several at a time.

namespace {

/// Points of a sweep that are measured in one pass over the trace: indices of results. Counts of machines that allow it
/// are measured together, in at least as many passes as there are jobs.
std::vector<std::vector<std::size_t>> passesOf(const sim::Trace& trace, const sim::SweepResults& results,
                                               const StatsQuery& query, std::size_t jobs) {
    constexpr std::size_t kMost = 16;  // whose caches fit in memory together
    std::vector<std::vector<std::size_t>> passes;
    std::map<std::uint32_t, std::vector<std::size_t>> together;  // by the block of the nearest level
    for (std::size_t i = 0; i < results.points.size(); ++i) {
        const auto machine =
            results.sweep.machineAt(results.points[i].point).and_then([&](const sim::MachineConfig& m) {
                return sim::grownFor(m, trace);
            });
        if (query.isNothing() && machine && sim::canMeasureJointly(trace, *machine)) {
            together[machine->levels[0].block].push_back(i);
        } else {
            passes.push_back({i});
        }
    }
    for (const auto& [block, all] : together) {
        const std::size_t parts = std::clamp((all.size() + kMost - 1) / kMost, std::min(jobs, all.size()), all.size());
        for (std::size_t part = 0; part < parts; ++part) {
            passes.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / parts),
                                all.begin() + static_cast<std::ptrdiff_t>(all.size() * (part + 1) / parts));
        }
    }
    return passes;
}

/// Measures the points of a pass.
void measurePass(const std::shared_ptr<const sim::Trace>& trace, sim::SweepResults& results,
                 const std::vector<std::size_t>& pass, const StatsQuery& query, sim::Progress& progress) {
    std::vector<sim::MachineConfig> machines;
    const auto fail = [&](const sim::Error& error) {
        for (const std::size_t i : pass) results.points[i].report = tl::unexpected(error);
    };
    for (const std::size_t i : pass) {
        auto machine = results.sweep.machineAt(results.points[i].point);
        if (!machine) return fail(machine.error());
        machines.push_back(*std::move(machine));
    }
    if (pass.size() == 1) {
        results.points[pass.front()].report =
            reportFor(trace, machines.front(), results.subject.range, query, progress);
        return;
    }
    for (sim::MachineConfig& machine : machines) machine = *sim::grownFor(machine, *trace);
    auto measures = sim::measureJointly(*trace, machines, results.subject.range, progress);
    if (!measures) return fail(measures.error());
    for (std::size_t i = 0; i < pass.size(); ++i) {
        results.points[pass[i]].report = countsReport(*trace, std::move((*measures)[i]), results.subject.range);
    }
}

/// Measures the points of a sweep, in several passes at a time. Returns when all are done, or soon after it is
/// cancelled.
void measurePoints(const std::shared_ptr<const sim::Trace>& trace, sim::SweepResults& results, const StatsQuery& query,
                   unsigned jobs, sim::Progress& overall) {
    constexpr double kParts = 1000;  // steps of progress per pass
    const auto passes = passesOf(*trace, results, query, jobs);
    const auto measured = [&](const std::vector<std::size_t>& pass, sim::Progress& progress) {
        try {
            measurePass(trace, results, pass, query, progress);
        } catch (const std::bad_alloc&) {
            for (const std::size_t i : pass) {
                results.points[i].report = sim::fail("", "there is not enough memory for this", "give fewer --jobs");
            }
        }
        return sim::Expected<bool>(true);
    };
    ThreadPool pool(jobs);
    std::vector<Task<bool>> tasks;
    tasks.reserve(passes.size());
    for (const auto& pass : passes) {
        tasks.emplace_back(pool, [&](sim::Progress& progress) { return measured(pass, progress); });
    }
    overall.setTotal(static_cast<std::uint64_t>(kParts) * tasks.size());
    while (!pool.waitUntilIdle(std::chrono::milliseconds(50))) {
        double parts = 0;
        for (const auto& task : tasks) parts += task.done() ? 1 : std::clamp(task.fraction(), 0.0, 1.0);
        overall.setDone(static_cast<std::uint64_t>(kParts * parts));
        if (!overall.cancelled()) continue;
        for (auto& task : tasks) task.cancel();
    }
}

unsigned jobsFor(unsigned wanted, std::size_t points) {
    const unsigned jobs = wanted != 0 ? wanted : ThreadPool::processors();
    return static_cast<unsigned>(std::clamp<std::size_t>(points, 1, jobs));
}

/// The options for what to report in addition to the counts, as they were given.
std::vector<std::string> wordsOf(const StatsQuery& query) {
    std::vector<std::string> words;
    if (query.kinds) words.emplace_back("kinds");
    if (query.use) words.emplace_back("utilization");
    for (const TableRequest& table : query.tables) words.push_back(table.words.substr(std::string("--").size()));
    return words;
}

std::string textOf(const StatsOptions& options, const sim::SweepResults& results) {
    if (options.answer.json) return sim::sweepAsJson(results);
    return options.answer.csv ? sim::sweepAsCsv(results) : sim::sweepAsText(results);
}

}  // namespace

sim::Expected<void> sweepCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query) {
    if (query.forPeople && !query.isNothing()) {
        return sim::fail("", "as text, a sweep has counts only", "use --json or --csv for the rest");
    }
    sim::Shard shard;
    if (!options.shard.empty()) {
        auto given = WHORL_TRY(sim::shardOf(options.shard));
        shard = given;
    }
    // Before the trace is read, so that an error does not cost that; and again when it may contain its machine.
    WHORL_TRY(sweepOf(options.sweep, request, nullptr));
    auto trace = WHORL_TRY(readTrace(request));
    auto sweep = WHORL_TRY(sweepOf(options.sweep, request, trace.get()));
    auto range = WHORL_TRY(rangeOf(options, *trace));
    sim::SweepResults results{
        .sweep = std::move(sweep), .subject = sim::subjectOf(*trace, range), .shard = shard, .points = {}};
    results.subject.extras = wordsOf(query);
    const std::vector<std::uint64_t> points = results.sweep.pointsOf(shard);
    results.points.reserve(points.size());
    for (const std::uint64_t point : points) {
        results.points.push_back({point, tl::unexpected(sim::Error::byUser())});
    }
    const unsigned jobs = jobsFor(options.jobs, results.points.size());
    sim::Progress progress;
    withProgress(fmt::format("simulating {} machines", results.points.size()), progress,
                 [&] { measurePoints(trace, results, query, jobs, progress); });
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    return sim::writeText(textOf(options, results), options.answer.output);
}

// whorl merge: merges the shards of a sweep.

namespace {

struct MergeOptions {
    std::vector<std::string> inputs;
    std::string output = "-";
};

/// Fails for what cannot have a part: a folder, or a device, which has no end.
sim::Expected<void> checkKind(const std::string& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0 || S_ISFIFO(info.st_mode)) return {};
    const std::string_view kind = sim::fileKind(info.st_mode);
    if (kind.empty()) return {};
    return sim::fail(path, fmt::format("this is {}", kind),
                     "expected what whorl stats --sweep … --json or --csv writes");
}

/// The text of a part, which may come from a pipe.
sim::Expected<std::string> textOf(const std::string& path, sim::MemoryBudget& budget, sim::Progress& progress) {
    constexpr std::size_t kBegin = std::size_t{1} << 10;
    WHORL_TRY(checkKind(path));
    auto file = WHORL_TRY(sim::openFile(path, progress));
    std::vector<char> piece(std::size_t{1} << 20);  // filled in part: a pipe gives some kilobytes at once
    std::string text;
    while (true) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        if (text.size() >= kBegin) {
            WHORL_TRY(sim::checkPart(path, std::string_view(text).substr(0, kBegin)));
        }
        const std::size_t n = WHORL_TRY(file->read(piece));
        if (n == 0) return text;
        text.append(piece.data(), n);
        // Twice, as a text that grows is held together with its copy.
        if (!budget.take(2 * n)) {
            return sim::fail(path, "the parts are too long to be merged",
                             fmt::format("{} is the most here", sim::bytesInWords(budget.most() / 2)));
        }
    }
}

sim::Expected<std::string> mergedFiles(const std::vector<std::string>& paths, sim::Progress& progress) {
    std::vector<sim::SweepPart> parts;
    parts.reserve(paths.size());
    sim::MemoryBudget budget;
    for (const std::string& path : paths) {
        progress.startPart(parts.size(), paths.size());
        parts.push_back({path, WHORL_TRY(textOf(path, budget, progress))});
    }
    return sim::merged(parts);
}

sim::Expected<void> mergeCommand(const MergeOptions& options) {
    WHORL_TRY(sim::checkOutput(options.output, options.inputs));
    return inProgress("merging", [&](sim::Progress& progress) { return mergedFiles(options.inputs, progress); })
        .and_then([&](const std::string& text) { return sim::writeText(text, options.output); });
}

}  // namespace

void addMergeCommand(OptionParser& program) {
    auto options = std::make_shared<MergeOptions>();
    OptionParser& command = program.addCommand("merge", "Merge the shards of a sweep (see stats --shard)");
    command.add("PARTS", options->inputs, "what whorl stats --sweep … --shard i/n wrote as JSON or as CSV",
                {.required = true, .kind = ValueKind::file});
    addOutputOption(command, options->output);
    command.addExample("Three parts of a sweep, which whorl stats has measured on three computers",
                       "whorl merge part1.json part2.json part3.json -o sweep.json");
    command.onRun([options] { return mergeCommand(*options); });
}

}  // namespace whorl::app
