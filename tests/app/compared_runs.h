// Runs beside each other, for tests.
#pragma once

#include <vector>

#include "app/session/beside.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"

namespace whorl::app {

inline Opened openedFor(const OpenRequest& request) {
    sim::Progress progress;
    Opened opened = open(request, nullptr, progress).value();
    opened.run->build(progress);
    return opened;
}

/// The first is the open run.
inline Session comparedRuns(const std::vector<OpenRequest>& requests) {
    Session s;
    enterRun(s, openedFor(requests[0]));
    for (std::size_t i = 1; i < requests.size(); ++i) {
        Beside beside{.opened = openedFor(requests[i])};
        beside.lines = linesOfBoth(s.opened.run->trace(), beside.opened.run->trace());
        enterBeside(s, std::move(beside));
    }
    return s;
}

}  // namespace whorl::app
