#include "app/session/run_commands.h"

namespace whorl::app {

namespace {

void openNext(Session& session, OpenRequest request) {
    session.error.clear();
    session.openNext = std::move(request);
}

}  // namespace

namespace command {

void apply(Session& session, const Open& command) {
    OpenRequest request = session.opened.request;
    request.input = command.input;
    request.machine.clear();
    request.settings.clear();
    request.changes.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Machine& command) {
    OpenRequest request = session.opened.request;
    request.machine = command.machine;
    request.settings.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Change& command) {
    // Several changes at once add up.
    OpenRequest request = session.openNext.value_or(session.opened.request);
    request.changes.push_back(command.change);
    openNext(session, std::move(request));
}

void apply(Session& session, const ChangeUndo& command) {
    OpenRequest request = session.opened.request;
    if (command.index < request.changes.size()) {
        request.changes.erase(request.changes.begin() + static_cast<std::ptrdiff_t>(command.index));
    }
    openNext(session, std::move(request));
}

void apply(Session& session, const Compare& command) {
    turn(session.viewSettings.compares, command.on);
}

void apply(Session& session, const Lock& command) {
    chooseOrNext(session.lock, command.by);
}

void apply(Session& session, const Exchange& command) {
    turn(session.exchanged, command.on);
}

void apply(Session& session, const Cures& command) {
    turn(session.viewSettings.cures, command.on);
}

void apply(Session& session, const Cancel&) {
    session.cancelRequested = true;
}

void apply(Session& session, const Quit&) {
    session.quit = true;
}

std::vector<CommandType> typesOf(RunCommands) {
    return RunCommands::types();
}

}  // namespace command
}  // namespace whorl::app
