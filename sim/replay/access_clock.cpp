#include "sim/replay/access_clock.h"

#include <algorithm>
#include <cmath>

#include "sim/cache/cost.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

AccessClock::AccessClock(std::shared_ptr<const Run> run)
    : run_(std::move(run)),
      overview_(run_->overview()),
      size_(run_->trace().size()),
      perAccess_(size_ == 0 ? 0 : static_cast<double>(overview_.cycles(0, size_)) / static_cast<double>(size_)) {}

void AccessClock::read(std::uint64_t bucket) {
    const std::uint64_t length = overview_.accessesPerBucket();
    if (!starts_.empty() && first_ == bucket * length) return;
    first_ = bucket * length;
    starts_.assign(1, overview_.cycles(0, first_));
    CallingObserver costs(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick, const PackedAccess&, std::span<const Event> events) {
            starts_.push_back(starts_.back() + costOf(events, run_->machine()));
        });
    });
    Simulator machine = run_->stateAt(Tick{first_});
    Progress progress;
    replay(run_->trace(), machine, {Tick{first_}, Tick{std::min(first_ + length, size_)}}, costs, progress);
}

double AccessClock::cyclesAt(double t) {
    const auto at = static_cast<std::uint64_t>(std::clamp(t, 0.0, static_cast<double>(size_)));
    if (at == size_) return perAccess_ * static_cast<double>(size_);
    read(at / overview_.accessesPerBucket());
    const std::uint64_t i = at - first_;
    return std::lerp(static_cast<double>(starts_[i]), static_cast<double>(starts_[i + 1]), t - std::floor(t));
}

double AccessClock::accessesAt(double cycles) {
    const std::uint64_t length = overview_.accessesPerBucket();
    const auto startOf = [&](std::uint64_t bucket) {
        return static_cast<double>(overview_.cycles(0, std::min(bucket * length, size_)));
    };
    if (cycles < 0) return 0;
    const std::uint64_t buckets = (size_ + length - 1) / length;
    if (cycles >= startOf(buckets)) return static_cast<double>(size_);
    // Find the last bucket that begins no later than `cycles`.
    std::uint64_t low = 0;
    for (std::uint64_t high = buckets; low + 1 < high;) {
        const std::uint64_t middle = (low + high) / 2;
        (startOf(middle) <= cycles ? low : high) = middle;
    }
    read(low);
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), static_cast<Cycles>(cycles));
    const auto i = static_cast<std::uint64_t>(next - starts_.begin()) - 1;
    const auto start = static_cast<double>(starts_[i]);
    return static_cast<double>(first_ + i) + (cycles - start) / (static_cast<double>(starts_[i + 1]) - start);
}

double AccessClock::later(double t, double accesses) {
    return perAccess_ == 0 ? t + accesses : accessesAt(cyclesAt(t) + accesses * perAccess_);
}

double accessCycles(const Snapshot& snapshot) {
    Cycles cycles = 0;
    for (std::uint32_t cpu = 0; cpu < snapshot.now.machine().cpus; ++cpu) cycles += snapshot.now.clock(cpu);
    const Step* const current = snapshot.current();
    if (current == nullptr) return static_cast<double>(cycles);
    const double left = static_cast<double>(snapshot.begun().value) - snapshot.t;
    return static_cast<double>(cycles) - left * static_cast<double>(costOf(current->events, snapshot.now.machine()));
}

}  // namespace whorl::sim
