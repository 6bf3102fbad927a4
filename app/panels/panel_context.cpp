#include "app/panels/panel_context.h"

#include <cmath>

#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

double timeOf(const Position& position, const PanelContext& c) {
    return position.in(static_cast<double>(c.trace().size()), c.context.player.position());
}

}  // namespace

command::Seek PanelContext::ofOpenRun(const command::Seek& seek) const {
    return run == 0 ? seek : command::Seek{openRunTime(session, run, timeOf(seek.position, *this))};
}

void PanelContext::queue(const command::Range& range) const {
    if (run == 0) return queue(Command(range));
    const auto in = [&](const Position& t) { return openRunTime(session, run, timeOf(t, *this)); };
    queue(Command(command::Range{in(range.from), in(range.to)}));
}

void PanelContext::queue(const command::TimeSeen& seen) const {
    if (run == 0) return queue(Command(seen));
    const scene::TimeSpan in = openRunSeen(session, run, {timeOf(seen.from, *this), timeOf(seen.to, *this)});
    queue(Command(command::TimeSeen{in.from, in.to}));
}

void PanelContext::queue(const command::ViewRange& range) const {
    if (run == 0) return queue(Command(range));
    const auto in = [&](const Position& t) { return std::round(openRunTime(session, run, timeOf(t, *this))); };
    queue(Command(command::ViewRange{range.view, in(range.from), in(range.to)}));
}

}  // namespace whorl::app
