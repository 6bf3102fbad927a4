// Progress of a long job, and its cancellation. Shared between the worker thread and the display thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace whorl::sim {

class Progress {
  public:
    /// Units are the job's own (bytes, accesses); a total of 0 means unknown, as for standard input.
    void setTotal(std::uint64_t total) { total_.store(total, std::memory_order_relaxed); }
    void setDone(std::uint64_t done) { done_.store(done, std::memory_order_relaxed); }
    void advance(std::uint64_t by) { done_.fetch_add(by, std::memory_order_relaxed); }
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
        const double ofPart = all == 0 ? 0.0 : static_cast<double>(done()) / static_cast<double>(all);
        return (static_cast<double>(part_.load(std::memory_order_relaxed)) + ofPart) / static_cast<double>(parts);
    }

    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> done_{0};
    std::atomic<std::uint64_t> total_{0};
    std::atomic<std::uint64_t> accesses_{0};
    std::atomic<std::size_t> part_{0};
    std::atomic<std::size_t> parts_{1};
    std::atomic<bool> cancelled_{false};
};

}  // namespace whorl::sim
