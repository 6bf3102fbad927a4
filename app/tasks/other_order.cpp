#include "app/tasks/other_order.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/tasks/opening.h"

namespace whorl::app {

namespace {

/// The trace of a request in the other order; nothing if there is none.
sim::Expected<std::optional<sim::Trace>> inOtherOrder(OpenRequest request, const sim::Trace& trace,
                                                      sim::Progress& progress) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(request.input, unknown)) return std::nullopt;
    request.reading.order = trace.isInVirtualTime() ? sim::AccessOrder::recorded : sim::AccessOrder::virtualTime;
    auto other = traceOf(request, progress);
    if (!other && other.error().cancelled) return tl::unexpected(other.error());
    // The file may hold its accesses in virtual time, and may have changed since it was opened.
    const bool isOther = other && other->isInVirtualTime() != trace.isInVirtualTime() && other->size() == trace.size();
    return isOther ? std::optional(*std::move(other)) : std::nullopt;
}

}  // namespace

sim::Expected<std::optional<sim::OrderNote>> noteOnOrder(const OpenRequest& request, const sim::Trace& trace,
                                                         const sim::MachineConfig& machine, bool isWhole,
                                                         sim::Progress& progress) {
    if (!sim::hasOtherOrder(trace)) return std::nullopt;
    progress.split();
    std::optional<sim::Trace> other;
    if (isWhole) {
        sim::Progress reading(progress, 0.5);
        other = WHORL_TRY(inOtherOrder(request, trace, reading));
    }
    sim::Progress playing(progress, 0.5);
    return sim::noteOnOrder(trace, other ? &*other : nullptr, machine, playing);
}

}  // namespace whorl::app
