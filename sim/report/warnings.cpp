#include "sim/report/warnings.h"

#include <fmt/format.h>

#include "sim/report/report.h"

namespace whorl::sim {

namespace {

/// "1 access was left out", "2 accesses were left out".
std::string leftOut(std::uint64_t count, const char* one, const char* many) {
    return count == 1 ? fmt::format("1 {} was left out", one)
                      : fmt::format("{} {} were left out", grouped(count), many);
}

}  // namespace

std::vector<std::string> warningsOf(const Trace& trace) {
    std::vector<std::string> out = trace.losses();
    if (trace.skippedLines() != 0) out.push_back(leftOut(trace.skippedLines(), "malformed line", "malformed lines"));
    if (trace.accessesOff() != 0) out.push_back(leftOut(trace.accessesOff(), "access", "accesses"));
    return out;
}

}  // namespace whorl::sim
