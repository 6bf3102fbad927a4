#include "sim/replay/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/replay/past.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/filter.h"

namespace whorl::sim {

namespace {

constexpr std::string_view kAccesses = ", accesses ";  ///< between the name of a whole trace and the stretch of it

/// What follows on each level from one tick of a run to another.
std::vector<LevelPast> levelsBetween(const Run& run, const Run::Resumed& from, const Run::Resumed& to) {
    std::vector<LevelPast> levels(run.machine().levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const MissKindList& kinds = (*run.kinds())[l];
        for (std::uint64_t i = from.kinds.missed()[l]; i < to.kinds.missed()[l]; ++i)
            levels[l].kinds.push_back(kinds[i]);
        const StayUseList& uses = (*run.uses())[l];
        const std::uint64_t end = to.machine.counters().level(l).fills;
        for (std::uint64_t i = from.machine.counters().level(l).fills; i < end; ++i) levels[l].uses.push_back(uses[i]);
    }
    return levels;
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

Expected<std::shared_ptr<const Trace>> excerptOf(const Run& run, Range range) {
    const Trace& whole = run.trace();
    const auto looksAhead = [](const LevelConfig& level) { return level.policy == Policy::opt; };
    if (std::any_of(run.machine().levels.begin(), run.machine().levels.end(), looksAhead)) {
        return fail(whole.name(), "a part of a trace has no future for the policy OPT", "choose another policy");
    }
    TraceFilter filter;
    filter.ticks = range;
    const Run::Resumed from = run.resumeAt(range.from);
    const auto& outer = whole.parts().excerpt;
    Excerpt excerpt{.first = Tick{(outer ? outer->first.value : 0) + range.from.value},
                    .whole = outer ? outer->whole : whole.size(),
                    .machine = machineAsJson(run.machine()),
                    .past = packedPast(from.machine.hierarchy(), useAt(run, range.from),
                                       levelsBetween(run, from, run.resumeAt(range.to)))};
    TraceParts parts = WHORL_TRY(filtered(whole, filter, whole.name())).takeParts();
    parts.cpus = whole.cpus();
    parts.accessesOff = whole.accessesOff();  // what lies around the range is told by the excerpt
    parts.windows.reset();
    leaveOtherTimesOut(parts);
    // It is called by the whole's, also a part of a part.
    if (outer) parts.name.resize(std::min(parts.name.size(), parts.name.rfind(kAccesses)));
    parts.name += fmt::format("{}{} to {}", kAccesses, excerpt.first.value, excerpt.first.value + range.size());
    parts.excerpt = std::make_shared<const Excerpt>(std::move(excerpt));
    return std::make_shared<const Trace>(std::move(parts));
}

}  // namespace whorl::sim
