#include "app/panels/panel_context.h"

#include <cmath>

#include "app/session/beside.h"

namespace whorl::app {

command::Seek PanelContext::ofOpenRun(const command::Seek& seek) const {
    return whole == nullptr ? seek : command::Seek{openRunTime(*whole, run, seek.position)};
}

void PanelContext::queue(const command::Range& range) const {
    const auto in = [&](double t) { return whole == nullptr ? t : openRunTime(*whole, run, t); };
    queue(Command(command::Range{in(range.from), in(range.to)}));
}

void PanelContext::queue(const command::TimeSeen& seen) const {
    if (whole == nullptr) return queue(Command(seen));
    const scene::TimeSpan in = openRunSeen(*whole, run, {seen.from, seen.to});
    queue(Command(command::TimeSeen{in.from, in.to}));
}

void PanelContext::queue(const command::ViewRange& range) const {
    const auto in = [&](sim::Tick t) {
        const auto time = static_cast<double>(t.value);
        return whole == nullptr ? t
                                : sim::Tick{static_cast<std::uint64_t>(std::llround(openRunTime(*whole, run, time)))};
    };
    queue(Command(command::ViewRange{range.view, in(range.from), in(range.to)}));
}

}  // namespace whorl::app
