#include "app/session/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/report.h"

namespace whorl::app {

sim::Range rangeBetween(double a, double b, std::uint64_t size) {
    const auto end = static_cast<double>(size);
    const double first = std::clamp(std::floor(std::min(a, b)), 0.0, std::max(0.0, end - 1));
    const double last = std::clamp(std::ceil(std::max(a, b)), first + 1, std::max(first + 1, end));
    return {sim::Tick{static_cast<std::uint64_t>(first)}, sim::Tick{static_cast<std::uint64_t>(last)}};
}

std::string inWords(const sim::Range& range) {
    return fmt::format("accesses {} – {} ({})", sim::grouped(range.from.value), sim::grouped(range.to.value),
                       sim::grouped(range.size()));
}

std::string partInWords(const sim::Range& range, const sim::Trace& trace) {
    return range.size() == trace.size() ? std::string() : ", " + inWords(range);
}

}  // namespace whorl::app
