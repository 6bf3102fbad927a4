#include "sim/analysis/range_overview.h"

#include <utility>

#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger_builder.h"

namespace whorl::sim {

namespace {

Overview emptyOverview(const Run& run, Range range) {
    return {run.machine().levels.size(), run.trace().regions().size() + 1, Overview::kMaxBuckets, range.size(),
            range.from.value};
}

class Summing final : public Observer {
  public:
    Summing(const Run& run, Range range, Run::Resumed& from)
        : builder_(run.machine(), run.trace(), std::move(from.kinds), std::move(from.uses)),
          overview_(emptyOverview(run, range)),
          before_(from.machine.counters().memory) {}

    Wants wants() const override { return builder_.wants(); }
    Tick nextStop(Tick from) const override { return overview_.endAfter(from); }
    void take(const Batch& batch) override {
        builder_.take(batch);
        done_ = batch.first.value + batch.accesses.size();
        const MemoryCounters& memory = batch.after.counters.memory;
        sums_.memory = {memory.reads - before_.reads, memory.writes - before_.writes};
        if (done_ < overview_.nextEnd()) return;
        builder_.sumUp(sums_);
        overview_.add(sums_);
    }
    Overview finished() {
        builder_.sumUp(sums_);
        overview_.finish(done_, sums_);
        return std::move(overview_);
    }

  private:
    LedgerBuilder builder_;
    Overview overview_;
    MemoryCounters before_;  ///< the range
    Overview::Sums sums_;
    std::uint64_t done_ = 0;
};

}  // namespace

std::uint64_t overviewStep(std::uint64_t accesses) {
    return Overview(0, 0, Overview::kMaxBuckets, accesses).accessesPerBucket();
}

std::shared_ptr<const Overview> overviewOf(const Run& run, Range range, Progress& progress) {
    Run::Resumed from = run.resumeAt(range.from);
    Summing summing(run, range, from);
    if (!replay(run.trace(), from.machine, range, summing, progress)) return nullptr;
    return std::make_shared<const Overview>(summing.finished());
}

}  // namespace whorl::sim
