#include "sim/replay/past.h"

#include <utility>

#include "sim/base/compact_bytes.h"
#include "sim/cache/stored_state.h"
#include "sim/replay/totals/ledger_builder.h"

namespace whorl::sim {

namespace {

/// A list of small numbers, one a byte.
template <class Number>
std::string bytesOf(const std::vector<Number>& list) {
    FieldWriter out;
    for (const Number number : list) out.number(static_cast<std::uint64_t>(number));
    return out.take();
}

}  // namespace

std::string packedPast(const Hierarchy& hierarchy, const BlockUse& use, const std::vector<LevelPast>& levels) {
    FieldWriter out;
    out.text(StoredState::of(hierarchy));
    out.text(use.packed());
    for (const LevelPast& level : levels) {
        out.text(bytesOf(level.kinds));
        out.text(bytesOf(level.uses));
    }
    return out.take();
}

std::vector<StayUseList> Past::usesFor(const Counters& counters) const {
    std::vector<StayUseList> all = *uses;
    for (std::size_t l = 0; l < all.size(); ++l) {
        // Lists of a file that is not sound may be too short.
        const std::uint64_t fills = counters.level(l).fills;
        if (all[l].size() < fills) all[l].set(fills - 1, 0);
        all[l].finish();
    }
    return all;
}

std::optional<Past> pastOf(const Trace& trace, const MachineConfig& machine) {
    const std::shared_ptr<const Excerpt>& excerpt = trace.parts().excerpt;
    if (excerpt == nullptr || excerpt->machine != machineAsJson(machine)) return std::nullopt;
    FieldReader in(excerpt->past);
    Past past{.machine = Simulator(machine), .kinds = {}, .uses = {}, .use = {}};
    if (!past.machine.restore(in.view())) return std::nullopt;
    past.use = std::make_shared<const std::string>(in.text());
    BlockUse use(machine);
    if (!use.unpack(*past.use) || !use.isOf(past.machine.hierarchy())) return std::nullopt;
    std::vector<MissKindList> kinds(machine.levels.size());
    std::vector<StayUseList> uses;
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        FieldReader listed(in.view());
        while (listed.hasMore()) kinds[l].add(static_cast<MissKind>(listed.number(kMissKinds - 1)));
        FieldReader used(in.view());
        StayUseList& list = uses.emplace_back(machine.levels[l].block);
        while (used.hasMore()) list.set(list.size(), static_cast<std::uint32_t>(used.number(machine.levels[l].block)));
        if (!listed.isValid() || !used.isValid()) return std::nullopt;
    }
    if (!in.done()) return std::nullopt;
    past.kinds = std::make_shared<const std::vector<MissKindList>>(std::move(kinds));
    past.uses = std::make_shared<const std::vector<StayUseList>>(std::move(uses));
    return past;
}

Simulator startOf(const Trace& trace, const MachineConfig& machine, const Future& future) {
    auto past = pastOf(trace, machine);
    return past ? std::move(past->machine) : Simulator(machine, future);
}

LedgerBuilder ledgerBuilderFor(const Trace& trace, const MachineConfig& machine, const std::optional<Past>& past) {
    if (!past) return {machine, trace};
    std::vector<std::uint64_t> missed(machine.levels.size(), 0);
    return {machine, trace, MissKindReader(past->kinds, std::move(missed)),
            StayUseReader(past->uses, past->machine.counters())};
}

}  // namespace whorl::sim
