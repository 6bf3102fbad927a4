#include "app/commands/selection_commands.h"

#include <algorithm>

#include "app/commands/lookup.h"
#include "app/session/transitions.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using TargetKind = scene::Target::Kind;

/// What was selected and picked before gives way. But a cell stays picked while something in it is chosen, as in the
/// list of what lived there.
void choose(Session& session, const Selection& selection, const std::optional<PickedMemory>& memory = {}) {
    ViewSettings& picks = session.viewSettings;
    session.selected = selection;
    picks.object.reset();
    picks.stay.reset();
    picks.sourceIsNewer = false;
    const bool isInCell = picks.place && memory && session.opened.run &&
                          holds(*picks.place, memory->from, memory->bytes, session.opened.run->machine());
    if (!isInCell) picks.place.reset();
}

/// A selection in the picture also applies to the lists.
void select(Session& session, const Selection& selection) {
    choose(session, selection);
    const scene::Target& target = selection.target;
    if (target.kind == TargetKind::region) {
        session.region = target.region;
        session.pair.reset();
    }
    if (target.kind == TargetKind::cpu && session.opened.run && session.opened.run->machine().cpus > 1) {
        session.cpu = session.cpu == target.cpu ? std::nullopt : std::optional<std::uint32_t>(target.cpu);
    }
}

/// Selecting the selected value again deselects it.
template <class T>
void toggle(std::optional<T>& chosen, const T& now) {
    chosen = chosen == now ? std::nullopt : std::optional(now);
}

}  // namespace

namespace command {

void apply(Session& session, const Select& command) {
    select(session, blockAt(command.address));
}

void apply(Session& session, const SelectPart& command) {
    if (session.opened.run && exists(command.target, *session.opened.run)) select(session, selectionOf(command.target));
}

void apply(Session& session, const Touch& command) {
    session.touched.reset();
    if (session.opened.run && exists(command.target, *session.opened.run)) session.touched = command.target;
}

void apply(Session& session, const SelectNone&) {
    session.selected.reset();
    session.viewSettings.clearPicks();
}

void apply(Session& session, const LookUp& command) {
    if (!session.opened.run) return;
    LookUpField& field = session.lookUp;
    field.text = command.text;
    const auto found = lookUp(session, command.text);
    field.found = found.has_value();
    field.answer = found ? found->words : found.error().sentence() + ".";
    if (!found) {
        session.refused = field.answer;
        // The field keeps the keyboard focus, so that the text can be corrected.
        if (field.open) session.focus = Field::lookUp;
        return;
    }
    if (found->object) {
        apply(session, PickObject{*found->object});
    } else if (found->selection) {
        select(session, *found->selection);
    }
    if (found->line) session.line = found->line;
}

void apply(Session& session, const LookUpClose&) {
    session.lookUp.open = false;
    if (session.focus == Field::lookUp) session.focus = Field::none;  // the field is gone
}

void apply(Session& session, const Watch& command) {
    const std::uint64_t block = session.opened.run ? session.opened.run->machine().blockBytes() : 1;
    const auto known = std::find_if(session.watched.begin(), session.watched.end(), [&](sim::ByteAddress watched) {
        return watched.value / block == command.address.value / block;
    });
    if (known != session.watched.end()) {
        session.watched.erase(known);
    } else {
        session.watched.push_back(command.address);
    }
}

void apply(Session& session, const WatchSelected&) {
    if (const auto byte = session.marked()) {
        apply(session, Watch{*byte});
    } else {
        refuse(session, "Nothing to watch: select a block first, by a click or with /.");
    }
}

void apply(Session& session, const WatchNone&) {
    session.watched.clear();
}

void apply(Session& session, const PickRegion& command) {
    if (!session.opened.run || command.region > session.opened.run->trace().regions().size()) return;
    toggle(session.region, command.region);
    session.pair.reset();
    const bool wasShown = session.selected && session.selected->target.kind == TargetKind::region;
    if (session.region) {
        session.selected = regionAt(*session.region);
    } else if (wasShown) {
        session.selected.reset();
    }
}

void apply(Session& session, const PickPair& command) {
    toggle(session.pair, RegionPair{command.culprit, command.victim});
}

void apply(Session& session, const PickSource& command) {
    if (!session.opened.run || command.site >= session.opened.run->trace().sites().size()) return;
    const std::vector<sim::Site>& sites = session.opened.run->trace().sites();
    const sim::Site& site = sites[command.site];
    // A history identifies a source line by its first site.
    const sim::Trace& trace = session.opened.run->trace();
    const auto first =
        std::find_if(sites.begin(), sites.end(), [&](const auto& s) { return areOfOneLine(trace, s, site); });
    session.viewSettings.source = SourcePick{static_cast<std::uint32_t>(first - sites.begin())};
    session.viewSettings.sourceIsNewer = true;
    // Of a library whose lines are unknown, the line that called it is shown, if that is known.
    const sim::Site* const shown = site.line != 0 ? &site : sim::calledFrom(trace, site);
    session.line.reset();
    if (shown != nullptr) session.line = SourceLine{shown->file, shown->line};
}

void apply(Session& session, const PickObject& command) {
    const auto memory = session.opened.run ? memoryOf(command.object, session.opened.run->trace()) : std::nullopt;
    choose(session, blockAt(command.object.address), memory);
    session.viewSettings.object = command.object;
    session.viewSettings.sourceIsNewer = false;
}

void apply(Session& session, const PickStay& command) {
    session.viewSettings.stay = command.stay;
    session.viewSettings.sourceIsNewer = false;
    session.viewSettings.place.reset();
    session.selected = blockAt(command.address);
}

}  // namespace command
}  // namespace whorl::app
