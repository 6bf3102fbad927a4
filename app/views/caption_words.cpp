#include "app/views/caption_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/session/selection.h"
#include "app/views/comparison_words.h"
#include "sim/replay/access_clock.h"
#include "sim/report/sentence.h"
#include "sim/report/table.h"

namespace whorl::app {

std::string accessInWords(const sim::Step& step, const RunContext& context) {
    const sim::Run& run = *context.opened.run;
    const double pace = context.paceNow();
    if (pace <= kReadablePace) return sim::sentenceFor(step, run.trace(), run.machine());
    constexpr double kSeconds = 4;
    const auto together = static_cast<std::uint64_t>(std::ceil(kSeconds * pace));
    const std::uint64_t from = step.tick.value / together * together;
    return sim::sentenceForMany({sim::Tick{from}, sim::Tick{from + together}}, run.trace());
}

std::optional<sim::Range> summedRange(const Session& session) {
    std::optional<sim::Range> range;
    for (const ViewId& view : session.viewSettings.shown) {
        if (view.kind != ViewId::Kind::memory && view.kind != ViewId::Kind::cache) return std::nullopt;
        const sim::Range whole{sim::Tick{0}, sim::Tick{session.opened.run->trace().size()}};
        range = session.viewSettings.cellsOf(view).range.value_or(session.range.value_or(whole));
    }
    return range;
}

std::string positionInWords(const Shown& shown) {
    if (const auto range = summedRange(shown.session)) return "of " + inWords(*range);
    if (isCompared(shown.session)) return fmt::format("{}", fmt::join(circumstances(shown), "; "));
    const FrameComposer& rings = shown.runs.open()->composer();
    const sim::Snapshot& snapshot = rings.picture()->snapshot;
    const std::uint64_t all = shown.session.opened.run->trace().size();
    // Padded to the width of the final counts, so that the following words do not move.
    return fmt::format("{} of {} accesses, {} access cycles so far",
                       sim::asWideAs(sim::grouped(snapshot.begun().value), sim::grouped(all)), sim::grouped(all),
                       sim::asWideAs(sim::grouped(static_cast<std::uint64_t>(sim::accessCycles(snapshot))),
                                     sim::grouped(rings.overview().cycles(0, all))));
}

std::vector<std::string> machinesInWords(const Shown& shown) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < (isCompared(shown.session) ? shown.runs.size() : 1); ++i) {
        const sim::MachineConfig& machine = shown.runs.at(i)->run()->machine();
        const bool isNamed = !machine.name.empty() && machine.name != sim::geometryOf(machine);
        const std::string name = isNamed ? "machine " + machine.name : "machine";
        if (shown.runs.size() > 2 && !all.empty()) break;
        const std::string words =
            shown.runs.size() > 2 && isCompared(shown.session) ? name : name + ": " + sim::geometryOf(machine);
        if (std::find(all.begin(), all.end(), words) == all.end()) all.push_back(words);
    }
    return all;
}

}  // namespace whorl::app
