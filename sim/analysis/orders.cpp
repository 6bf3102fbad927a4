#include "sim/analysis/orders.h"

#include "sim/replay/measuring.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/virtual_time.h"

namespace whorl::sim {

bool hasOtherOrder(const Trace& trace) {
    return trace.isInVirtualTime() || goesByVirtualTime(trace);
}

Expected<OrderNote> noteOnOrder(const Trace& trace, const Trace* other, const MachineConfig& machine,
                                Progress& progress) {
    OrderNote note{.isVirtual = trace.isInVirtualTime(), .cpus = trace.cpus(), .accesses = trace.size()};
    const Trace* const recorded = note.isVirtual ? other : &trace;
    if (recorded != nullptr) {
        progress.startPart(0, 2);
        note.spinning = spinningIn(*recorded, progress);
        if (!note.spinning) return tl::unexpected(Error::byUser());
        const Site& site = recorded->site(note.spinning->site);
        if (isNamed(site)) note.spinsAt = siteName(*recorded, site);
    }
    if (other != nullptr) {
        progress.startPart(1, 2);
        const auto grown = WHORL_TRY(grownFor(machine, *other));
        note.other = sharingCostsOf(*other, grown, progress);
        if (!note.other) return tl::unexpected(Error::byUser());
    }
    return note;
}

}  // namespace whorl::sim
