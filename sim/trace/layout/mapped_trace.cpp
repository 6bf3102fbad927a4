#include "sim/trace/layout/mapped_trace.h"

#include <utility>

#include "sim/trace/layout/layout_step.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

std::size_t stepsOf(const Trace& trace) {
    return trace.map() == nullptr ? 0 : trace.map()->steps().size();
}

}  // namespace

bool isMoved(const Trace& view, const Trace& trace) {
    return stepsOf(view) != stepsOf(trace);
}

Expected<Trace> mapped(const std::shared_ptr<const Trace>& trace, const std::vector<LayoutChange>& changes,
                       Progress& progress) {
    if (changes.empty()) return *trace;
    TraceParts parts = trace->parts();
    AddressMap map = trace->map() == nullptr ? AddressMap() : *trace->map();
    for (const LayoutChange& change : changes) {
        auto step = WHORL_TRY(layoutStep(change, parts.regions, parts.objects, trace->name()));
        applyStep(step.map, parts.regions, parts.objects);
        map.add(std::move(step.map));
        parts.padding += step.padding;
        parts.name += (parts.changes.empty() ? ", with " : " and ") + inWords(change);
        parts.changes.push_back(change);
    }
    const bool movesNothing = map.steps().size() == stepsOf(*trace);
    parts.map = std::make_shared<const AddressMap>(std::move(map));
    parts.original = trace->original() == nullptr ? trace : trace->original();
    parts.recording.reset();
    if (progress.cancelled()) return tl::unexpected(Error::byUser());
    if (movesNothing) return Trace(std::move(parts));
    // Collect the footprint from the mapped accesses: pieces may cut granules, and accesses may extend beyond their
    // pieces.
    auto footprint = footprintOf(parts, progress);
    if (!footprint) return tl::unexpected(Error::byUser());
    parts.footprint = *std::move(footprint);
    return Trace(std::move(parts));
}

}  // namespace whorl::sim
