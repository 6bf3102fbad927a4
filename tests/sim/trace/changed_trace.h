// Traces whose memory layout tests change.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/trace_random.h"

namespace whorl::sim::test {

/// The trace with changes that are valid ("shift:A:64").
inline Expected<Trace> changed(const SharedTrace& trace, const std::vector<std::string>& texts) {
    std::vector<LayoutChange> changes;
    for (const std::string& text : texts) changes.push_back(parseLayoutChange(text).value());
    Progress progress;
    return mapped(trace, changes, progress);
}

}  // namespace whorl::sim::test
