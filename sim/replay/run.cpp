#include "sim/replay/run.h"

#include <algorithm>
#include <utility>

#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger_builder.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
/// Memory budgets in bytes: of the event index, of all checkpoints, and of the trace with both.
constexpr std::size_t kEventIndexBudget = 96 * kMegabyte;
constexpr std::size_t kCheckpointBudget = 192 * kMegabyte;
constexpr std::size_t kMinCheckpoints = 64 * kMegabyte;
constexpr std::size_t kWholeBudget = 470 * kMegabyte;

std::size_t checkpointBudget(const Trace& trace) {
    const std::size_t others = kEventIndexBudget + trace.accesses().bytes();
    const std::size_t left = kWholeBudget - std::min(kWholeBudget, others);
    return std::clamp(left, kMinCheckpoints, kCheckpointBudget);
}
/// The initial number of accesses between checkpoints: a chunk, about 2 ms of replay.
constexpr std::uint64_t kFirstSpacing = Trace::kChunk;
/// The number of accesses between two publications of the run's state: often enough to show growth, rarely enough to
/// cost nothing.
constexpr std::uint64_t kPublishEvery = std::uint64_t{1} << 18;
/// The maximum number of stored states of the use of blocks; replaying from one takes some milliseconds.
constexpr std::size_t kMaxUses = 64;
/// Accesses after a stored state of the use of blocks before the next, for each of its bytes: so that storing states
/// takes little of the time of the run where caches are large and full.
constexpr std::uint64_t kAccessesPerUseByte = 2;

}  // namespace

/// Observes the replay that builds a run.
class Run::Builder final : public Observer {
  public:
    explicit Builder(Run& run)
        : run_(run),
          overview_(run.overview_),
          size_(run.trace_->size()),
          ledgerBuilder_(ledgerBuilderFor(*run.trace_, run.machine_, run.past_)),
          missed_(run.machine_.levels.size(), 0) {
        ledgerBuilder_.indexInto(entries_);
    }

    /// The next accesses, up to this tick, end a part of the building: what is built is published there.
    void endPartAt(Tick end) { endOfPart_ = end.value; }

    Wants wants() const override { return Wants::hitsApart; }
    /// Stops at the ends of the overview's buckets; chunks are multiples of buckets.
    Tick nextStop(Tick from) const override { return overview_.endAfter(from); }

    void watch(const Simulator& machine, const EventList& events) override {
        run_.checkpoints_->take(events);
        for (const Event& e : events) {
            if (e.kind == EventKind::miss) ++missed_[e.level];  // other events may be at memory
        }
        const Tick done{machine.played()};
        if (run_.checkpoints_->isDue(done)) run_.checkpoints_->add(done, machine, missed_);
    }

    void take(const Batch& batch) override {
        ledgerBuilder_.take(batch);
        const std::uint64_t done = batch.first.value + batch.accesses.size();
        for (const auto& turned : ledgerBuilder_.turned()) overview_.turnTrue(turned.level, turned.tick);
        if (done == overview_.nextEnd()) {
            sumUp(batch.after);
            overview_.add(sums_);
        }
        if (done % Trace::kChunk == 0 || done == size_) {
            const std::lock_guard lock(run_.mutex_);
            run_.eventIndex_.add(entries_);
            entries_.clear();
        }
        if (done % kPublishEvery == 0 || done == size_ || done == endOfPart_) publish(batch.after, done);
        if (!run_.past_ && done >= nextUse_ && done % kPublishEvery == 0 && done < size_) keepUse(done);
    }

    void sumUp(const MachineSums& machine) {
        ledgerBuilder_.sumUp(sums_);
        sums_.memory = machine.counters.memory;
    }

    void keepUse(std::uint64_t done) {
        auto packed = std::make_shared<const std::string>(ledgerBuilder_.use().packed());
        const std::lock_guard lock(run_.mutex_);
        std::vector<UseAt>& kept = run_.usesAt_;
        nextUse_ = done + std::max(useEvery_, kAccessesPerUseByte * packed->size());
        kept.push_back({Tick{done}, std::move(packed)});
        if (kept.size() < kMaxUses) return;
        useEvery_ *= 2;
        for (std::size_t i = 0; i < kept.size() / 2; ++i) kept[i] = std::move(kept[2 * i + 1]);
        kept.resize(kept.size() / 2);
    }

    void publish(const MachineSums& machine, std::uint64_t done) {
        sumUp(machine);
        overview_.finish(done, sums_);
        auto kinds =
            run_.past_ ? run_.past_->kinds : std::make_shared<const std::vector<MissKindList>>(ledgerBuilder_.kinds());
        std::shared_ptr<Measures> measures;
        std::shared_ptr<const std::vector<StayUseList>> uses;
        if (done == size_) {
            uses = std::make_shared<const std::vector<StayUseList>>(run_.past_ ? run_.past_->usesFor(machine.counters)
                                                                               : ledgerBuilder_.uses());
            measures = std::make_shared<Measures>(measuresOf(run_.machine_, machine, run_.trace_->hasTimes()));
            measures->ledger = std::make_shared<const Ledger>(ledgerBuilder_.ledger());
        }
        const std::lock_guard lock(run_.mutex_);
        overview_.passOnTo(run_.overview_);
        run_.totals_ = machine.counters;
        run_.kinds_ = std::move(kinds);
        run_.uses_ = std::move(uses);
        run_.measures_ = std::move(measures);
        run_.built_.store(done, std::memory_order_release);
    }

  private:
    Run& run_;
    Overview overview_;
    std::uint64_t size_;
    LedgerBuilder ledgerBuilder_;
    std::vector<IndexEntry> entries_;    ///< entries of the chunk being played
    std::vector<std::uint64_t> missed_;  ///< misses so far, by level; used by the thread that plays
    Overview::Sums sums_;
    std::uint64_t endOfPart_ = 0;             ///< the size where it is not built in parts
    std::uint64_t useEvery_ = kPublishEvery;  ///< at least so many accesses between two states of the use of blocks
    std::uint64_t nextUse_ = kPublishEvery;   ///< where the next is due
};

Run::Run(std::shared_ptr<const Trace> trace, MachineConfig machine)
    : trace_(std::move(trace)),
      machine_(withCpus(std::move(machine), trace_->cpus())),
      past_(pastOf(*trace_, machine_)),
      overview_(machine_.levels.size(), trace_->regions().size() + 1, Overview::kMaxBuckets, trace_->size()),
      eventIndex_(kEventIndexBudget),
      kinds_(std::make_shared<const std::vector<MissKindList>>(machine_.levels.size())),
      totals_(machine_) {
    checkpoints_ = std::make_shared<Checkpoints>(past_ ? past_->machine : Simulator(machine_), kFirstSpacing,
                                                 checkpointBudget(*trace_));
    if (past_) usesAt_.push_back({Tick{0}, past_->use});
}

Run::~Run() = default;

bool Run::build(Progress& progress, const ThreadRunner& threads) {
    return buildUntil(Tick{trace_->size()}, progress, threads);
}

/// The machine in the middle of the building, and what it has summed up so far.
struct Run::Building {
    Building(Run& run, Simulator start) : state(std::move(start)), builder(run) {}

    Simulator state;
    Builder builder;
    Tick done;
};

/// Null when cancelled.
std::unique_ptr<Run::Building> Run::beginBuilding(Progress& progress) {
    auto future = futureOf(machine_, *trace_, progress);
    if (!future) return nullptr;
    auto building = std::make_unique<Building>(*this, past_ ? past_->machine : Simulator(machine_, *future));
    if (!future->empty()) {  // all states know it
        auto fromStart = std::make_shared<Checkpoints>(building->state, kFirstSpacing, checkpointBudget(*trace_));
        const std::lock_guard lock(mutex_);
        checkpoints_ = std::move(fromStart);
    }
    if (trace_->size() == 0) building->builder.publish(building->state.sums(), 0);
    return building;
}

bool Run::buildUntil(Tick until, Progress& progress, const ThreadRunner& threads) {
    // Only published accesses count as built.
    const std::uint64_t published = (until.value + kPublishEvery - 1) / kPublishEvery * kPublishEvery;
    const Tick end{std::min(published, trace_->size())};
    const std::unique_ptr<Building> building = beginBuilding(progress);
    if (!building) return false;
    progress.start(end.value);
    replay(*trace_, building->state, {Tick{0}, end}, building->builder, progress, threads);
    return built() == end;
}

bool Run::buildPart(std::uint64_t accesses, Progress& progress) {
    if (measures() != nullptr) return true;
    if (!building_) {
        building_ = beginBuilding(progress);
        if (!building_) return false;
        progress.start(trace_->size());
    }
    // Whole chunks: an overview ends its steps there, and publishing costs more than many accesses.
    const std::uint64_t chunks = std::max<std::uint64_t>(1, accesses / Trace::kChunk);
    const Tick end{std::min(building_->done.value + chunks * Trace::kChunk, trace_->size())};
    building_->builder.endPartAt(end);
    if (!replay(*trace_, building_->state, {building_->done, end}, building_->builder, progress)) return false;
    building_->done = end;
    if (complete()) building_.reset();
    return true;
}

Overview Run::overview() const {
    const std::lock_guard lock(mutex_);
    return overview_;
}

Counters Run::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

std::shared_ptr<const Measures> Run::measures() const {
    const std::lock_guard lock(mutex_);
    return measures_;
}

std::shared_ptr<const std::vector<MissKindList>> Run::kinds() const {
    const std::lock_guard lock(mutex_);
    return kinds_;
}

std::shared_ptr<const std::vector<StayUseList>> Run::uses() const {
    const std::lock_guard lock(mutex_);
    return uses_;
}

Run::UseAt Run::useBefore(Tick at) const {
    const std::lock_guard lock(mutex_);
    const auto after = std::upper_bound(usesAt_.begin(), usesAt_.end(), at,
                                        [](Tick wanted, const UseAt& use) { return wanted < use.at; });
    return after == usesAt_.begin() ? UseAt{} : *(after - 1);
}

std::shared_ptr<const Checkpoints> Run::checkpoints() const {
    const std::lock_guard lock(mutex_);
    return checkpoints_;
}

Tick Run::checkpointBefore(Tick at) const {
    return checkpoints()->before(at);
}

Simulator Run::stateAt(Tick at) const {
    Checkpoints::Kept from = checkpoints()->nearest(at);
    Progress unwatched;
    replay(*trace_, from.state, {from.at, at}, unwatched);
    return std::move(from.state);
}

Run::Resumed Run::resumeAt(Tick at) const {
    Checkpoints::Kept from = checkpoints()->nearest(at);
    CallingObserver misses(Observer::Wants::hitsApart, [&](const Batch& batch) {
        for (const Event& e : batch.events) {
            if (e.kind == EventKind::miss) ++from.missed[e.level];  // other events may be at memory
        }
    });
    Progress unwatched;
    replay(*trace_, from.state, {from.at, at}, misses, unwatched);
    StayUseReader uses(this->uses(), from.state.counters());
    return {.machine = std::move(from.state),
            .kinds = MissKindReader(kinds(), std::move(from.missed)),
            .uses = std::move(uses)};
}

std::optional<Measures> Run::between(Range range, Progress& progress) const {
    const std::shared_ptr<const Measures> whole = measures();
    const std::uint64_t inside = range.size();
    const std::uint64_t outside = trace_->size() - inside;
    if (!whole || inside <= outside) {
        progress.start(inside);
        return measured(range, progress);
    }
    // Subtract the measures before and after the range from those of the whole trace.
    progress.start(outside);
    Measures out = *whole;
    auto ledger = std::make_shared<Ledger>(*whole->ledger);
    for (const Range part : {Range{Tick{0}, range.from}, Range{range.to, Tick{trace_->size()}}}) {
        if (part.size() == 0) continue;
        const std::optional<Measures> rest = measured(part, progress);
        if (!rest) return std::nullopt;
        out -= *rest;
        *ledger -= *rest->ledger;
    }
    out.ledger = std::move(ledger);
    return out;
}

/// Measures a range by replaying it.
std::optional<Measures> Run::measured(Range range, Progress& progress) const {
    Resumed from = resumeAt(range.from);
    const bool isTimed = trace_->hasTimes();
    const Measures before = measuresOf(from.machine, isTimed);
    LedgerBuilder ledgerBuilder(machine_, *trace_, std::move(from.kinds), std::move(from.uses));
    if (!replay(*trace_, from.machine, range, ledgerBuilder, progress)) return std::nullopt;
    Measures out = measuresOf(from.machine, isTimed);
    out -= before;
    out.ledger = std::make_shared<const Ledger>(ledgerBuilder.ledger());
    return out;
}

std::size_t Run::indexedChunks() const {
    const std::lock_guard lock(mutex_);
    return eventIndex_.chunks();
}

Outline Run::outline(std::size_t chunk) const {
    const std::lock_guard lock(mutex_);
    return eventIndex_.outline(chunk);
}

std::vector<IndexEntry> Run::entries(std::size_t chunk) const {
    {
        const std::lock_guard lock(mutex_);
        if (auto entries = eventIndex_.entries(chunk)) return *std::move(entries);
    }
    const Tick from{chunk * Trace::kChunk};
    Resumed state = resumeAt(from);
    LedgerBuilder ledgerBuilder(machine_, *trace_, std::move(state.kinds), std::move(state.uses));
    std::vector<IndexEntry> entries;
    ledgerBuilder.indexInto(entries);
    Progress unwatched;
    replay(*trace_, state.machine, {from, Tick{from.value + Trace::kChunk}}, ledgerBuilder, unwatched);
    return entries;
}

std::size_t Run::bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = sizeof *this + eventIndex_.bytes() + checkpoints_->bytes();
    for (const MissKindList& kinds : *kinds_) sum += kinds.bytes();
    for (const UseAt& use : usesAt_) sum += use.packed->size();
    for (std::size_t l = 0; uses_ != nullptr && l < uses_->size(); ++l) sum += (*uses_)[l].bytes();
    return sum;
}

}  // namespace whorl::sim
