// whorl stats --sweep: many machines, one trace that all of them share, several at a time.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "app/cli/input_options.h"
#include "app/cli/stats.h"
#include "app/cli/terminal.h"

namespace whorl::app {

namespace {

/// Measures the points of a sweep in threads of its own.
class Sweeping {
  public:
    Sweeping(std::shared_ptr<const sim::Trace> trace, sim::SweepResults& results, const StatsQuery& query,
             unsigned jobs)
        : trace_(std::move(trace)), results_(results), query_(query), progress_(jobs) {}

    /// Returns when all is done, or soon after it was cancelled.
    void work(sim::Progress& overall) {
        std::vector<std::thread> threads;
        threads.reserve(progress_.size());
        running_ = progress_.size();
        for (sim::Progress& progress : progress_) threads.emplace_back([this, &progress] { takePoints(progress); });
        overall.setTotal(kParts * results_.points.size());
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [&] { return running_ == 0; })) {
            overall.setDone(partsDone());
            if (!overall.cancelled()) continue;
            for (sim::Progress& progress : progress_) progress.cancel();
        }
        lock.unlock();
        for (std::thread& thread : threads) thread.join();
    }

  private:
    static constexpr std::uint64_t kParts = 1000;  ///< of the progress of a point

    void takePoints(sim::Progress& progress) {
        for (std::size_t i = next_++; i < results_.points.size() && !progress.cancelled(); i = next_++) {
            progress.setDone(0);
            sim::PointResult& point = results_.points[i];
            point.report = reportAt(point.point, progress);
            progress.setDone(0);
            ++done_;
        }
        const std::lock_guard lock(mutex_);
        if (--running_ == 0) ended_.notify_one();
    }

    sim::Expected<sim::Report> reportAt(std::uint64_t point, sim::Progress& progress) const {
        try {
            return results_.sweep.machineAt(point).and_then([&](const sim::MachineConfig& machine) {
                return reportFor(trace_, machine, results_.subject.stretch, query_, progress);
            });
        } catch (const std::bad_alloc&) {
            return sim::fail("", "there is not enough memory for this", "give fewer --jobs");
        }
    }

    std::uint64_t partsDone() const {
        double parts = 0;
        for (const sim::Progress& progress : progress_) parts += std::clamp(progress.fraction(), 0.0, 1.0);
        return kParts * done_ + static_cast<std::uint64_t>(kParts * parts);
    }

    std::shared_ptr<const sim::Trace> trace_;
    sim::SweepResults& results_;
    const StatsQuery& query_;
    std::vector<sim::Progress> progress_;  ///< one a thread
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint64_t> done_{0};
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_ = 0;
};

sim::Expected<sim::Sweep> sweepOf(const StatsOptions& options, const OpenRequest& request, const sim::Trace* trace) {
    auto machine = machineOf(request, trace);
    if (!machine) return tl::unexpected(machine.error());
    std::vector<sim::Axis> axes;
    axes.reserve(options.sweep.size());
    for (const std::string& words : options.sweep) {
        auto axis = sim::axisOf(words);
        if (!axis) return tl::unexpected(axis.error());
        axes.push_back(*std::move(axis));
    }
    return sim::Sweep::of(*std::move(machine), std::move(axes));
}

unsigned jobsFor(unsigned wanted, std::size_t points) {
    const unsigned jobs = wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::clamp<std::size_t>(points, 1, jobs));
}

/// The options that say what is told beside the counts, as they were given.
std::vector<std::string> wordsOf(const StatsOptions& options) {
    std::vector<std::string> words;
    if (options.kinds) words.emplace_back("kinds");
    for (const std::string& word : options.by) words.push_back("by " + word);
    for (const std::string& word : options.conflicts) words.push_back("conflicts " + word);
    if (options.missRatios) words.emplace_back("mrc");
    return words;
}

std::string textOf(const StatsOptions& options, const sim::SweepResults& results) {
    if (options.json) return sim::sweepAsJson(results);
    return options.csv ? sim::sweepAsCsv(results) : sim::sweepAsText(results);
}

}  // namespace

sim::Expected<void> sweepCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query) {
    if (!options.json && !options.csv && (query.needsLedger() || query.missRatios)) {
        return sim::fail("", "a sweep tells only counts in text", "use --json or --csv for the rest");
    }
    sim::Shard shard;
    if (!options.shard.empty()) {
        auto given = sim::shardOf(options.shard);
        if (!given) return tl::unexpected(given.error());
        shard = *given;
    }
    // Before the trace is read, for a slip should not cost that; and again when it may know its machine.
    if (const auto slip = sweepOf(options, request, nullptr); !slip) return tl::unexpected(slip.error());
    auto trace = readTrace(request);
    if (!trace) return tl::unexpected(trace.error());
    auto sweep = sweepOf(options, request, trace->get());
    if (!sweep) return tl::unexpected(sweep.error());
    auto stretch = stretchOf(options, **trace);
    if (!stretch) return tl::unexpected(stretch.error());
    sim::SweepResults results{
        .sweep = *std::move(sweep), .subject = sim::subjectOf(**trace, *stretch), .shard = shard, .points = {}};
    results.subject.told = wordsOf(options);
    const std::vector<std::uint64_t> points = results.sweep.pointsOf(shard);
    results.points.reserve(points.size());
    for (const std::uint64_t point : points) {
        results.points.push_back({point, tl::unexpected(sim::Error::byUser())});
    }
    Sweeping sweeping(*trace, results, query, jobsFor(options.jobs, results.points.size()));
    sim::Progress progress;
    withProgress(fmt::format("simulating {} machines", results.points.size()), progress,
                 [&] { sweeping.work(progress); });
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    return writeText(textOf(options, results), options.output);
}

}  // namespace whorl::app
