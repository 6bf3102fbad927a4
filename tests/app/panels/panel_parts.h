// What a PanelContext refers to, for tests without a window.
#pragma once

#include "app/panels/panel_context.h"
#include "app/tasks/queued_runner.h"

namespace whorl::app {

struct PanelParts {
    QueuedRunner runner;
    RunViews runs{runner};
    QueryResults results;
    Fonts fonts;
    Commands commands;
    Edits edits;

    /// `session`: as the run sees it.
    PanelContext context(const Session& session, std::size_t run = 0, const Session* whole = nullptr) {
        return {.session = session,
                .opening = nullptr,
                .runs = runs,
                .results = results,
                .fonts = fonts,
                .scale = 1,
                .commands = commands,
                .edits = edits,
                .run = run,
                .whole = whole};
    }
};

}  // namespace whorl::app
