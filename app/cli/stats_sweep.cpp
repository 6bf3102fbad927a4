// whorl stats --sweep: many machines, one trace that all of them share, several at a time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "app/cli/stats.h"
#include "app/cli/sweep_options.h"
#include "app/cli/terminal.h"
#include "app/system/thread_pool.h"
#include "app/tasks/task.h"
#include "sim/base/byte_sink.h"
#include "sim/report/sweep_report.h"

namespace whorl::app {

namespace {

/// Measures the points of a sweep, several at a time. Returns when all are done, or soon after it is cancelled.
void measurePoints(const std::shared_ptr<const sim::Trace>& trace, sim::SweepResults& results, const StatsQuery& query,
                   unsigned jobs, sim::Progress& overall) {
    constexpr double kParts = 1000;  // steps of progress per point
    const auto reportAt = [&](std::uint64_t point, sim::Progress& progress) -> sim::Expected<sim::Report> {
        try {
            return results.sweep.machineAt(point).and_then([&](const sim::MachineConfig& machine) {
                return reportFor(trace, machine, results.subject.range, query, progress);
            });
        } catch (const std::bad_alloc&) {
            return sim::fail("", "there is not enough memory for this", "give fewer --jobs");
        }
    };
    ThreadPool pool(jobs);
    std::vector<Task<sim::Report>> tasks;
    tasks.reserve(results.points.size());
    for (const sim::PointResult& result : results.points) {
        tasks.emplace_back(pool,
                           [&, point = result.point](sim::Progress& progress) { return reportAt(point, progress); });
    }
    overall.setTotal(static_cast<std::uint64_t>(kParts) * tasks.size());
    while (!pool.waitUntilIdle(std::chrono::milliseconds(50))) {
        double parts = 0;
        for (const auto& task : tasks) parts += task.done() ? 1 : std::clamp(task.fraction(), 0.0, 1.0);
        overall.setDone(static_cast<std::uint64_t>(kParts * parts));
        if (!overall.cancelled()) continue;
        for (auto& task : tasks) task.cancel();
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) results.points[i].report = *tasks[i].take();
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
    auto sweep = sweepOf(options.sweep, request, trace.get());
    if (!sweep) return tl::unexpected(sweep.error());
    auto range = WHORL_TRY(rangeOf(options, *trace));
    sim::SweepResults results{
        .sweep = *std::move(sweep), .subject = sim::subjectOf(*trace, range), .shard = shard, .points = {}};
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

}  // namespace whorl::app
