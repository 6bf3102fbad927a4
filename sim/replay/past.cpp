#include "sim/replay/past.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/compact_bytes.h"
#include "sim/cache/stored_state.h"
#include "sim/replay/run.h"
#include "sim/replay/snapshot.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/filter.h"

namespace whorl::sim {

namespace {

constexpr std::string_view kAccesses = ", accesses ";  ///< between the name of a whole trace and the stretch of it

/// A list of small numbers, one a byte.
template <class List>
std::string bytesOf(const List& list, std::uint64_t from, std::uint64_t to) {
    FieldWriter out;
    for (std::uint64_t i = from; i < to; ++i) out.number(static_cast<std::uint64_t>(list[i]));
    return out.take();
}

std::vector<std::uint64_t> fillsOf(const Counters& counters) {
    std::vector<std::uint64_t> fills;
    for (std::size_t l = 0; l < counters.levels(); ++l) fills.push_back(counters.level(l).fills);
    return fills;
}

/// The past as bytes: of a run at a tick, and of what follows in it up to another.
std::string pastAsBytes(const Run& run, Range range) {
    const Run::Resumed from = run.resumeAt(range.from);
    const Run::Resumed to = run.resumeAt(range.to);
    const auto filledBefore = fillsOf(from.machine.counters());
    const auto filled = fillsOf(to.machine.counters());
    FieldWriter out;
    out.text(StoredState::of(from.machine.hierarchy()));
    out.text(useAt(run, range.from).packed());
    for (std::size_t l = 0; l < filled.size(); ++l) {
        out.text(bytesOf((*run.kinds())[l], from.kinds.missed()[l], to.kinds.missed()[l]));
        out.text(bytesOf((*run.uses())[l], filledBefore[l], filled[l]));
    }
    return out.take();
}

/// Objects and marks of other times only take room. The last mark before the first access tells what it is part of.
void leaveOtherTimesOut(TraceParts& parts) {
    std::erase_if(parts.objects, [&](const Object& o) { return o.died.value == 0 || o.born.value >= parts.size; });
    std::erase_if(parts.marks, [&](const Mark& mark) { return mark.at.value >= parts.size; });
    const auto later =
        std::find_if(parts.marks.begin(), parts.marks.end(), [](const Mark& m) { return m.at > Tick{}; });
    if (later - parts.marks.begin() > 1) parts.marks.erase(parts.marks.begin(), later - 1);
}

}  // namespace

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

Expected<std::shared_ptr<const Trace>> excerptOf(const Run& run, Range range) {
    const Trace& whole = run.trace();
    const auto looksAhead = [](const LevelConfig& level) { return level.policy == Policy::opt; };
    if (std::any_of(run.machine().levels.begin(), run.machine().levels.end(), looksAhead)) {
        return fail(whole.name(), "a part of a trace has no future for the policy OPT", "choose another policy");
    }
    TraceFilter filter;
    filter.ticks = range;
    const auto& outer = whole.parts().excerpt;
    Excerpt excerpt{.first = Tick{(outer ? outer->first.value : 0) + range.from.value},
                    .whole = outer ? outer->whole : whole.size(),
                    .machine = machineAsJson(run.machine()),
                    .past = pastAsBytes(run, range)};
    TraceParts parts = WHORL_TRY(filtered(whole, filter, whole.name())).takeParts();
    parts.cpus = whole.cpus();
    parts.windows.reset();
    leaveOtherTimesOut(parts);
    // It is called by the whole's, also a part of a part.
    if (outer) parts.name.resize(std::min(parts.name.size(), parts.name.rfind(kAccesses)));
    parts.name += fmt::format("{}{} to {}", kAccesses, excerpt.first.value, excerpt.first.value + range.size());
    parts.excerpt = std::make_shared<const Excerpt>(std::move(excerpt));
    return std::make_shared<const Trace>(std::move(parts));
}

}  // namespace whorl::sim
