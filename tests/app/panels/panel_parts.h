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

    PanelContext context(const Session& session) { return context(session, session.context(), 0); }
    /// `run`: whose tile is drawn.
    PanelContext context(const Session& session, const RunContext& context, std::size_t run) {
        return {.session = session,
                .context = context,
                .opening = nullptr,
                .runs = runs,
                .results = results,
                .fonts = fonts,
                .scale = 1,
                .commands = commands,
                .edits = edits,
                .run = run};
    }
};

}  // namespace whorl::app
