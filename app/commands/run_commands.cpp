#include "app/commands/run_commands.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/session/transitions.h"
#include "sim/base/text.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

void openNext(Session& session, OpenRequest request) {
    session.error.clear();
    session.requests.add(request::Open{std::move(request)});
}

/// What is opened next, or is open.
OpenRequest nextRequest(const Session& session) {
    const auto* const next = session.requests.next<request::Open>();
    return next == nullptr ? session.opened.request : *next;
}

/// "l1.ways" of "L1.ways=4": names of levels are the same in small letters.
std::string keyOf(const std::string& assignment) {
    std::string key(sim::trimmed(std::string_view(assignment).substr(0, assignment.find('='))));
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return key;
}

/// A program's spec with another value of one option. Options that have no effect beside it are left out.
sim::Expected<std::string> withOption(const std::string& input, const std::string& name, const std::string& value) {
    auto spec = WHORL_TRY(sim::parseProgramSpec(input));
    spec.options[name] = value;
    for (const sim::ProgramOption& option : spec.program->options) {
        const std::size_t equals = option.onlyWith.find('=');
        if (equals == std::string::npos) continue;
        const std::string condition = option.onlyWith.substr(0, equals);
        const auto given = spec.options.find(condition);
        std::string has;
        for (const sim::ProgramOption& other : spec.program->options) {
            if (other.name == condition) has = given == spec.options.end() ? other.defaultValue : given->second;
        }
        if (has != option.onlyWith.substr(equals + 1)) spec.options.erase(option.name);
    }
    std::string changed = sim::specAsText(spec);
    WHORL_TRY(sim::parseProgramSpec(changed));
    return changed;
}

}  // namespace

namespace command {

void apply(Session& session, const Open& command) {
    OpenRequest request = nextRequest(session);
    request.input = command.input;
    // A machine that was chosen stays; values of another input's own machine do not.
    if (request.machine.empty()) request.settings.clear();
    request.changes.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Machine& command) {
    OpenRequest request = nextRequest(session);
    request.machine = command.machine;
    request.settings.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Set& command) {
    OpenRequest request = nextRequest(session);
    const std::string key = keyOf(command.assignment);
    std::erase_if(request.settings, [&](const std::string& setting) { return keyOf(setting) == key; });
    request.settings.push_back(command.assignment);
    openNext(session, std::move(request));
}

void apply(Session& session, const Option& command) {
    OpenRequest request = nextRequest(session);
    auto changed = withOption(request.input, command.name, command.value);
    if (!changed) {
        session.refused = session.error = changed.error().sentence();
        return;
    }
    request.input = *std::move(changed);
    openNext(session, std::move(request));
    session.keepsPlace = true;
}

void apply(Session& session, const Live& command) {
    turn(session.overlays.live, command.on);
    if (session.overlays.live) session.panels = true;
}

void apply(Session& session, const Change& command) {
    // Several changes at once add up.
    OpenRequest request = nextRequest(session);
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

void apply(Session& session, const Exchange& command) {
    turn(session.exchanged, command.on);
}

void apply(Session& session, const Cancel&) {
    session.requests.add(request::Cancel{});
    // A request made in this frame has not begun, so there is no task to cancel.
    if (session.requests.take<request::Open>()) failOpening(session, sim::Error::byUser());
    session.requests.withdraw<request::OpenCompared>();
    session.requests.withdraw<request::ReadTour>();
    session.requests.withdraw<request::Film>();
    session.search.reset();
}

void apply(Session& session, const Quit&) {
    session.requests.add(request::Quit{});
}

}  // namespace command
}  // namespace whorl::app
