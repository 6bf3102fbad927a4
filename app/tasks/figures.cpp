#include "app/tasks/figures.h"

#include <algorithm>

#include "app/session/session.h"
#include "sim/analysis/history_of.h"
#include "sim/base/memory_budget.h"

namespace whorl::app {

namespace {

MissKindCounts kindsIn(const sim::Ledger& ledger, const sim::MachineConfig& machine) {
    MissKindCounts kinds(machine.levels.size());
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
            kinds[l][k] = ledger.misses(machine, l, static_cast<sim::MissKind>(k));
        }
    }
    return kinds;
}

}  // namespace

std::shared_ptr<const RangeFigures> figuresOf(const sim::Run& run, const sim::Range& range, sim::Progress& progress) {
    auto measures = run.between(range, progress);
    if (!measures) return nullptr;
    MissKindCounts kinds = kindsIn(*measures->ledger, run.machine());
    return std::make_shared<const RangeFigures>(RangeFigures{range, *std::move(measures), std::move(kinds)});
}

KindsSoFar kindsKnown(const sim::Overview& overview, sim::Tick at) {
    const std::uint64_t bucket = overview.accessesPerBucket();
    const std::uint64_t known = std::min<std::uint64_t>(at.value / bucket, overview.buckets()) * bucket;
    KindsSoFar out{.at = sim::Tick{known}, .kinds = MissKindCounts(overview.levels())};
    for (std::size_t l = 0; l < out.kinds.size(); ++l) out.kinds[l] = overview.share(l, 0, known).misses;
    return out;
}

std::shared_ptr<const KindsSoFar> kindsBefore(const sim::Run& run, KindsSoFar known, sim::Tick at,
                                              sim::Progress& progress) {
    if (known.at < at) {
        const auto rest = run.between({known.at, at}, progress);
        if (!rest) return nullptr;
        const MissKindCounts more = kindsIn(*rest->ledger, run.machine());
        for (std::size_t l = 0; l < more.size(); ++l) {
            for (std::size_t k = 0; k < sim::kMissKinds; ++k) known.kinds[l][k] += more[l][k];
        }
    }
    known.at = at;
    return std::make_shared<const KindsSoFar>(std::move(known));
}

bool canHappen(const sim::MachineConfig& machine, sim::MissKind kind) {
    const auto anyLevel = [&](auto&& is) {
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            if (is(l)) return true;
        }
        return false;
    };
    switch (kind) {
        case sim::MissKind::compulsory:
        case sim::MissKind::capacity:
            return true;
        case sim::MissKind::conflict:
            // Conflict misses are defined relative to a single set with LRU.
            return anyLevel([&](std::size_t l) {
                return machine.levels[l].sets() > 1 || machine.levels[l].policy != sim::Policy::lru || machine.cpus > 1;
            });
        case sim::MissKind::trueSharing:
        case sim::MissKind::falseSharing:
            return machine.protocol != sim::Protocol::none &&
                   anyLevel([&](std::size_t l) { return machine.caches(l) > 1; });
    }
    return true;
}

HistoryRequest historyRequestOf(const RunContext& context, const sim::Run& run) {
    return {context.range, context.viewSettings.recorded && run.trace().recording() != nullptr};
}

bool canMakeHistory(const sim::Run& run, const HistoryRequest& request) {
    if (request.recorded || run.complete()) return true;
    // Until its building has begun, the run lacks the future accesses that some policies need.
    const bool hasBegun = run.built().value > 0;
    return hasBegun && (!request.range || request.range->from <= run.built());
}

std::shared_ptr<const sim::History> historyFor(const sim::Run& run, const HistoryRequest& request,
                                               sim::Progress& progress) {
    const sim::Range range = request.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{run.trace().size()}});
    if (request.recorded && run.trace().recording()) return sim::historyOf(run.trace(), range);
    auto history = sim::historyOf(run, range, progress);
    sim::returnFreedMemory();
    return history;
}

}  // namespace whorl::app
