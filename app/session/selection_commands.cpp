#include "app/session/selection_commands.h"

#include <algorithm>

#include "app/session/lookup.h"
#include "app/session/transitions.h"

namespace whorl::app {

namespace {

using TargetKind = scene::Target::Kind;

/// A selection in the picture also applies to the lists.
void select(Session& session, const Selection& selection) {
    session.selected = selection;
    session.viewSettings.object.reset();
    session.viewSettings.stay.reset();
    session.viewSettings.place.reset();
    const scene::Target& target = selection.target;
    if (target.kind == TargetKind::region) {
        session.region = target.region;
        session.pair.reset();
    }
    if (target.kind == TargetKind::cpu && session.opened.run && session.opened.run->machine().cpus > 1) {
        session.cpu = session.cpu == target.cpu ? std::nullopt : std::optional<std::uint32_t>(target.cpu);
    }
}

/// Whether a place has bytes of what was picked.
bool isIn(const std::optional<sim::Place>& place, const std::optional<PickedMemory>& picked) {
    return place && place->kind == sim::Place::Kind::memory && picked &&
           sim::overlap(place->from, place->bytes, picked->from, picked->bytes);
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

void apply(Session& session, const SelectNone&) {
    session.selected.reset();
    session.viewSettings.place.reset();
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
    if (found->selection) select(session, *found->selection);
    if (found->line) session.line = found->line;
}

void apply(Session& session, const LookUpClose&) {
    session.lookUp.open = false;
    if (session.focus == Field::lookUp) session.focus = Field::none;  // it is not there any more
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
    session.viewSettings.source = SourcePick{command.site};
    session.viewSettings.sourceIsNewer = true;
    const sim::Site& site = session.opened.run->trace().sites()[command.site];
    if (site.line != 0) session.line = SourceLine{site.file, site.line};
}

void apply(Session& session, const PickObject& command) {
    session.viewSettings.object = command.object;
    session.viewSettings.sourceIsNewer = false;
    session.viewSettings.stay.reset();
    session.selected = blockAt(command.object.address);
    // A cell stays picked while something in it is.
    const auto memory = session.opened.run ? memoryOf(command.object, session.opened.run->trace()) : std::nullopt;
    if (!isIn(session.viewSettings.place, memory)) session.viewSettings.place.reset();
}

void apply(Session& session, const PickStay& command) {
    session.viewSettings.stay = command.stay;
    session.viewSettings.place.reset();
    session.selected = blockAt(command.address);
}

void apply(Session& session, const PickNone&) {
    session.viewSettings.clearPicks();
}

std::vector<CommandType> typesOf(SelectionCommands) {
    return SelectionCommands::types();
}

}  // namespace command
}  // namespace whorl::app
