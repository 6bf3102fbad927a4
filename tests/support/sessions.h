// Sessions in which something is open, and what a user does there.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/bindings.h"
#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/compared_runs.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "app/tours/presenting.h"

namespace whorl::app {

inline Opened openedFor(const OpenRequest& request) {
    sim::Progress progress;
    Opened opened = open(request, nullptr, progress).value();
    opened.run->build(progress);
    return opened;
}

inline Session sessionFor(const OpenRequest& request) {
    Session s;
    s.opened = openedFor(request);
    return s;
}

/// The first is the open run.
inline Session comparedRuns(const std::vector<OpenRequest>& requests) {
    Session s;
    enterRun(s, openedFor(requests[0]));
    for (std::size_t i = 1; i < requests.size(); ++i) {
        ComparedRun beside{.opened = openedFor(requests[i])};
        beside.lines = linesOfBoth(s.opened.run->trace(), beside.opened.run->trace());
        enterCompared(s, std::move(beside));
    }
    return s;
}

/// A command in its text form.
inline void send(Session& session, const std::string& text) {
    const auto command = parseCommand(text);
    ASSERT_TRUE(command) << text;
    applyAll(session, {*command});
}

/// A key that is pressed.
inline void press(Session& session, std::string_view chord) {
    const Binding* binding = bindingForKey(chord, session);
    ASSERT_NE(binding, nullptr) << chord;
    binding->command.applyTo(session);
}

}  // namespace whorl::app
