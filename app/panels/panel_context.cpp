#include "app/panels/panel_context.h"

#include <cmath>

#include "app/session/beside.h"

namespace whorl::app {

namespace {

double timeOf(const Position& position, const PanelContext& c) {
    return position.in(static_cast<double>(c.trace().size()), c.session.player.position());
}

}  // namespace

command::Seek PanelContext::ofOpenRun(const command::Seek& seek) const {
    return whole == nullptr ? seek : command::Seek{openRunTime(*whole, run, timeOf(seek.position, *this))};
}

void PanelContext::queue(const command::Range& range) const {
    if (whole == nullptr) return queue(Command(range));
    const auto in = [&](const Position& t) { return openRunTime(*whole, run, timeOf(t, *this)); };
    queue(Command(command::Range{in(range.from), in(range.to)}));
}

void PanelContext::queue(const command::TimeSeen& seen) const {
    if (whole == nullptr) return queue(Command(seen));
    const scene::TimeSpan in = openRunSeen(*whole, run, {timeOf(seen.from, *this), timeOf(seen.to, *this)});
    queue(Command(command::TimeSeen{in.from, in.to}));
}

void PanelContext::queue(const command::ViewRange& range) const {
    if (whole == nullptr) return queue(Command(range));
    const auto in = [&](const Position& t) { return std::round(openRunTime(*whole, run, timeOf(t, *this))); };
    queue(Command(command::ViewRange{range.view, in(range.from), in(range.to)}));
}

}  // namespace whorl::app
