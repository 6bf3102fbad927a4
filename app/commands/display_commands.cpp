#include "app/commands/display_commands.h"

#include <fmt/format.h>

#include "app/commands/prompt_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/settings.h"
#include "app/tours/presenting.h"

namespace whorl::app {

namespace {

/// Cycles by `by` steps through all CPUs together (0) and each CPU alone (its number from 1).
void turnCpu(Session& session, std::uint32_t by) {
    if (!session.opened.run || session.opened.run->machine().cpus == 1) return;
    const std::uint32_t choices = session.opened.run->machine().cpus + 1;
    const std::uint32_t next = ((session.cpu ? *session.cpu + 1 : 0) + by) % choices;
    session.cpu = next == 0 ? std::nullopt : std::optional(next - 1);
}

}  // namespace

namespace command {

void apply(Session& session, const PanelSize& command) {
    const Setting& size = settingKept(fmt::format("panels/{}", wordOf(command.edge)));
    setTo(session, size, command.size);
}

void apply(Session& session, const Help& command) {
    turn(session.help, command.on);
}

void apply(Session& session, const Costs& command) {
    turn(session.overlays.costs, command.on);
}

void apply(Session& session, const CostsBy& command) {
    // What is not yet seen is seen first.
    if (session.overlays.costs || command.tab) chooseOrNext(session.overlays.costTab, command.tab);
    session.overlays.costs = true;
}

void apply(Session& session, const Sharing& command) {
    Overlays& overlays = session.overlays;
    bool isShown = overlays.showsCosts(sharingTab());
    const bool wasShown = isShown;
    turn(isShown, command.on);
    if (isShown == wasShown) return;
    overlays.costs = isShown;
    overlays.costTab = sharingTab();
}

void apply(Session& session, const Cpu& command) {
    session.cpu.reset();
    if (command.cpu) turnCpu(session, *command.cpu + 1);
}

void apply(Session& session, const CpuNext&) {
    turnCpu(session, 1);
}

void apply(Session& session, const CpuPrevious&) {
    turnCpu(session, session.opened.run ? session.opened.run->machine().cpus : 0);
}

void apply(Session& session, const Focus& command) {
    session.focus = command.field;
    if (command.field == Field::lookUp) session.lookUp.open = true;
    if (command.field == Field::input || command.field == Field::machine) session.panels = true;
}

void apply(Session& session, const Dismiss&) {
    session.error.clear();
    session.message.clear();
    session.welcome = false;
}

void apply(Session& session, const Close&) {
    if (session.prompt.isOpen()) {
        apply(session, AskClose{});
    } else if (session.help) {
        session.help = false;
    } else if (!session.changedOnDisk.empty()) {
        session.changedOnDisk.clear();
    } else if (!session.error.empty() || !session.message.empty() || session.welcome) {
        apply(session, Dismiss{});
    } else if (session.overlays.regionColour) {
        session.overlays.regionColour.reset();
    } else if (session.lookUp.open) {
        apply(session, LookUpClose{});
    } else if (session.overlays.picture) {
        session.overlays.picture = false;
    } else if (session.overlays.costs) {
        session.overlays.costs = false;
    } else if (session.prediction) {
        session.prediction.reset();
    } else if (session.talk.list) {
        session.talk.list = false;
    } else if (session.talk.on) {
        endTalk(session);
    } else if (session.selected || session.viewSettings.hasPicks()) {
        apply(session, SelectNone{});
    } else {
        session.range.reset();
    }
}

}  // namespace command
}  // namespace whorl::app
