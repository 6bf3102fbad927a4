#include "sim/replay/run.h"

#include <algorithm>

#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
/// What all notes together may take, all checkpoints, and the trace with both of them.
constexpr std::size_t kEventIndexBudget = 96 * kMegabyte;
constexpr std::size_t kCheckpointBudget = 192 * kMegabyte;
constexpr std::size_t kLeastCheckpoints = 64 * kMegabyte;
constexpr std::size_t kWholeBudget = 470 * kMegabyte;

std::size_t checkpointBudget(const Trace& trace) {
    std::size_t others = kEventIndexBudget;
    for (const std::string& chunk : trace.chunks()) others += chunk.size();
    const std::size_t left = kWholeBudget - std::min(kWholeBudget, others);
    return std::clamp(left, kLeastCheckpoints, kCheckpointBudget);
}
/// Accesses between checkpoints at first: a chunk, about 2 ms of replay.
constexpr std::uint64_t kFirstSpacing = Trace::kChunk;
/// Accesses between two publications of what is built: often enough to see it grow, seldom enough to cost nothing.
constexpr std::uint64_t kPublishEvery = std::uint64_t{1} << 18;
/// Accesses played at a time: their events stay in the processor's cache.
constexpr std::size_t kBatch = 2048;

/// Plays a stretch and hands every batch on: on(Tick, accesses, events).
template <class On>
bool playStretch(const Trace& trace, Simulator& state, Tick from, Tick to, Progress* progress, On&& on) {
    TraceCursor cursor(trace);
    EventList events;
    events.separateHits();
    for (std::uint64_t at = from.value; at < to.value;) {
        if (progress != nullptr && progress->cancelled()) return false;
        auto batch = cursor.from(Tick{at});
        batch = batch.first(std::min<std::uint64_t>({batch.size(), kBatch, to.value - at}));
        if (batch.empty()) return true;
        events.clear();
        state.play(batch, &events);
        on(Tick{at}, batch, events);
        at += batch.size();
        if (progress != nullptr) progress->setDone(at - from.value);
    }
    return true;
}

std::vector<Cycles> clocksOf(const Simulator& state) {
    std::vector<Cycles> clocks(state.machine().cpus);
    for (std::uint32_t cpu = 0; cpu < clocks.size(); ++cpu) clocks[cpu] = state.clock(cpu);
    return clocks;
}

}  // namespace

Run::Run(std::shared_ptr<const Trace> trace, MachineConfig machine)
    : trace_(std::move(trace)),
      machine_(withCpus(std::move(machine), trace_->cpus())),
      overview_(machine_.levels.size(), trace_->regions().size() + 1, Overview::kMaxBuckets, trace_->size()),
      eventIndex_(kEventIndexBudget),
      kinds_(std::make_shared<const std::vector<MissKindList>>(machine_.levels.size())),
      totals_(machine_) {
    checkpoints_ = std::make_shared<Checkpoints>(Simulator(machine_), kFirstSpacing, checkpointBudget(*trace_));
}

Run::~Run() = default;

bool Run::build(Progress& progress) {
    auto future = futureOf(machine_, *trace_, progress);
    if (!future) return false;
    progress.setTotal(trace_->size());
    progress.setDone(0);
    Simulator state(machine_, *future);
    LedgerBuilder ledgerBuilder(machine_, *trace_);
    {
        auto fromStart = std::make_shared<Checkpoints>(state, kFirstSpacing, checkpointBudget(*trace_));
        const std::lock_guard lock(mutex_);
        checkpoints_ = std::move(fromStart);
    }
    play(state, ledgerBuilder, progress);
    return complete();
}

void Run::play(Simulator& state, LedgerBuilder& ledgerBuilder, Progress& progress) {
    const std::uint64_t size = trace_->size();
    TraceCursor cursor(*trace_);
    EventList events;
    events.separateHits();
    Overview overview = overview_;
    Overview::Sums sums;
    std::uint64_t done = 0;
    if (size == 0) publish(state, ledgerBuilder, Tick{0});
    while (done < size && !progress.cancelled()) {
        auto batch = cursor.from(Tick{done});
        batch = batch.first(std::min<std::uint64_t>({batch.size(), kBatch, overview.nextEnd() - done}));
        events.clear();
        state.play(batch, &events);
        ledgerBuilder.take(Tick{done}, batch, events);
        checkpoints_->observe(events);
        done += batch.size();
        for (const auto& turned : ledgerBuilder.turned()) overview.turnTrue(turned.level, turned.tick);
        if (done == overview.nextEnd()) {
            ledgerBuilder.sumUp(sums);
            overview.add(sums);
        }
        if (done % Trace::kChunk == 0 || done == size) {
            const std::lock_guard lock(mutex_);
            eventIndex_.add(ledgerBuilder.entries());
            ledgerBuilder.entries().clear();
        }
        if (checkpoints_->isDue(Tick{done})) checkpoints_->add(Tick{done}, state, ledgerBuilder.missed());
        if (done % kPublishEvery == 0 || done == size) {
            ledgerBuilder.sumUp(sums);
            overview.finish(done, sums);
            {
                const std::lock_guard lock(mutex_);
                overview_ = overview;
            }
            publish(state, ledgerBuilder, Tick{done});
        }
        progress.setDone(done);
    }
}

void Run::publish(const Simulator& state, const LedgerBuilder& ledgerBuilder, Tick at) {
    const bool whole = at.value == trace_->size();
    auto kinds = std::make_shared<const std::vector<MissKindList>>(ledgerBuilder.kinds());
    std::shared_ptr<const Measures> measures;
    if (whole) {
        measures = std::make_shared<const Measures>(
            Measures{.counters = state.counters(), .ledger = ledgerBuilder.ledger(), .cycles = clocksOf(state)});
    }
    const std::lock_guard lock(mutex_);
    totals_ = state.counters();
    kinds_ = std::move(kinds);
    if (whole) measures_ = std::move(measures);
    built_.store(at.value, std::memory_order_release);
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

std::shared_ptr<const Checkpoints> Run::checkpoints() const {
    const std::lock_guard lock(mutex_);
    return checkpoints_;
}

Simulator Run::stateAt(Tick at, std::vector<std::uint64_t>* missed) const {
    Checkpoints::Kept from = checkpoints()->nearest(at);
    if (missed == nullptr) {
        playOn(from.state, from.at, at);
        return std::move(from.state);
    }
    *missed = std::move(from.missed);
    playStretch(*trace_, from.state, from.at, at, nullptr, [&](Tick, auto, const EventList& events) {
        for (const Event& e : events) {
            if (e.kind == EventKind::miss) ++(*missed)[e.level];
        }
    });
    return std::move(from.state);
}

/// Plays a state on from one tick to another, the fastest way there is.
void Run::playOn(Simulator& state, Tick from, Tick to) const {
    const CursorLoan loan(*trace_);
    for (std::uint64_t t = from.value; t < to.value;) {
        auto batch = loan.cursor().from(Tick{t});
        if (batch.empty()) break;
        batch = batch.first(std::min<std::uint64_t>(batch.size(), to.value - t));
        state.play(batch, nullptr);
        t += batch.size();
    }
}

std::shared_ptr<const std::vector<MissKindList>> Run::kinds() const {
    const std::lock_guard lock(mutex_);
    return kinds_;
}

std::optional<Measures> Run::between(Tick from, Tick to, Progress& progress) const {
    const std::shared_ptr<const Measures> whole = measures();
    const std::uint64_t inside = to.value - from.value;
    const std::uint64_t outside = trace_->size() - inside;
    if (!whole || inside <= outside) {
        progress.setTotal(inside);
        return replay(from, to, progress);
    }
    // The whole less what is before and after.
    progress.setTotal(outside);
    Measures out = *whole;
    for (const auto& [a, b] : {std::pair(Tick{0}, from), std::pair(to, Tick{trace_->size()})}) {
        if (a == b) continue;
        const std::optional<Measures> part = replay(a, b, progress);
        if (!part) return std::nullopt;
        out.counters -= part->counters;
        out.ledger -= part->ledger;
        for (std::size_t cpu = 0; cpu < out.cycles.size(); ++cpu) out.cycles[cpu] -= part->cycles[cpu];
    }
    return out;
}

/// Plays a stretch with books of its own, which are told the kinds of misses if they are known.
std::optional<Measures> Run::replay(Tick from, Tick to, Progress& progress) const {
    std::vector<std::uint64_t> missed;
    Simulator state = stateAt(from, &missed);
    const Simulator before = state;
    const auto known = kinds();
    LedgerBuilder ledgerBuilder(machine_, *trace_, *known, missed);
    const bool played =
        playStretch(*trace_, state, from, to, &progress,
                    [&](Tick at, auto batch, const EventList& events) { ledgerBuilder.take(at, batch, events); });
    if (!played) return std::nullopt;
    Measures out{.counters = state.counters(), .ledger = ledgerBuilder.ledger(), .cycles = clocksOf(state)};
    out.counters -= before.counters();
    for (std::uint32_t cpu = 0; cpu < out.cycles.size(); ++cpu) out.cycles[cpu] -= before.clock(cpu);
    return out;
}

std::size_t Run::bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = sizeof *this + eventIndex_.bytes() + checkpoints_->bytes();
    for (const MissKindList& kinds : *kinds_) sum += kinds.bytes();
    return sum;
}

}  // namespace whorl::sim
