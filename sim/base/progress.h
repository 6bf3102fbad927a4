// Progress of a long job, and its cancellation. Shared between the worker thread and the display thread. A job of
// several parts, which may be done at the same time, gives each a progress of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace whorl::sim {

class Progress {
  public:
    Progress() = default;
    /// That of a part that is this share of a job, for the thread that does the part. What it tells is added to the
    /// progress of the job, which never runs backwards, even if the part starts anew; the rest of its share when it
    /// ends. It is cancelled with the job, which must have called split().
    Progress(Progress& job, double share) : job_(&job), share_(share) {}
    ~Progress() {
        if (!cancelled()) tell(1);
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// From now on parts tell the progress: see above.
    void split() {
        setTotal(kShares);
        setDone(0);
    }

    /// Units are the job's own (bytes, accesses); a total of 0 means unknown, as for standard input.
    void setTotal(std::uint64_t total) { total_.store(total, std::memory_order_relaxed); }
    void setDone(std::uint64_t done) {
        done_.store(done, std::memory_order_relaxed);
        tell(fraction());
    }
    void advance(std::uint64_t by) {
        done_.fetch_add(by, std::memory_order_relaxed);
        tell(fraction());
    }
    /// Begins a job of this length.
    void start(std::uint64_t total) {
        setTotal(total);
        setDone(0);
    }
    /// The next job is part `part`, from 0, of `parts` equal parts of a whole.
    void startPart(std::size_t part, std::size_t parts) {
        start(0);
        part_.store(part, std::memory_order_relaxed);
        parts_.store(parts, std::memory_order_relaxed);
    }

    /// The number of accesses read so far: shown where the total is unknown.
    void setAccesses(std::uint64_t accesses) { accesses_.store(accesses, std::memory_order_relaxed); }

    std::uint64_t accesses() const { return accesses_.load(std::memory_order_relaxed); }
    std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
    std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }
    /// From 0 to 1; negative if the total is unknown.
    double fraction() const {
        const auto all = total();
        const auto parts = parts_.load(std::memory_order_relaxed);
        if (all == 0 && parts == 1) return -1.0;
        const double ofPart = all == 0 ? 0.0 : static_cast<double>(std::min(done(), all)) / static_cast<double>(all);
        return (static_cast<double>(part_.load(std::memory_order_relaxed)) + ofPart) / static_cast<double>(parts);
    }

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const {
        return cancelled_.load(std::memory_order_relaxed) || (job_ != nullptr && job_->cancelled());
    }

  private:
    static constexpr std::uint64_t kShares = std::uint64_t{1} << 32;  ///< units of a job that was split

    /// Adds to the progress of the job what this part has done since it told last.
    void tell(double fraction) {
        if (job_ == nullptr) return;
        const auto units = static_cast<std::uint64_t>(std::clamp(fraction, 0.0, 1.0) * share_ * kShares);
        std::uint64_t told = told_.load(std::memory_order_relaxed);
        while (units > told) {
            if (told_.compare_exchange_weak(told, units, std::memory_order_relaxed)) job_->advance(units - told);
        }
    }

    std::atomic<std::uint64_t> done_{0};
    std::atomic<std::uint64_t> total_{0};
    std::atomic<std::uint64_t> accesses_{0};
    std::atomic<std::size_t> part_{0};
    std::atomic<std::size_t> parts_{1};
    std::atomic<bool> cancelled_{false};
    Progress* job_ = nullptr;             ///< null: this is no part
    double share_ = 1;                    ///< of the job
    std::atomic<std::uint64_t> told_{0};  ///< units of the job
};

}  // namespace whorl::sim
