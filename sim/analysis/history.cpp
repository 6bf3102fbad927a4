#include "sim/analysis/history.h"

#include <algorithm>
#include <cmath>

namespace whorl::sim {

Cycles History::cycles() const {
    Cycles sum = 0;
    for (const CostNode& node : sources) sum += node.cycles;
    return sum;
}

Cycles History::cyclesAt(double t) const {
    const double at = (std::clamp(t, static_cast<double>(from.value), static_cast<double>(to.value)) -
                       static_cast<double>(from.value)) /
                      static_cast<double>(stride);
    const auto i = static_cast<std::size_t>(at);
    if (i >= starts.size()) return end;
    const Cycles next = i + 1 < starts.size() ? starts[i + 1] : end;
    const double more = (at - std::floor(at)) * static_cast<double>(next - starts[i]);
    return starts[i] + static_cast<Cycles>(more);
}

Tick History::tickAt(Cycles at) const {
    const auto after = std::upper_bound(starts.begin(), starts.end(), at);
    if (after == starts.begin()) return from;
    const auto i = static_cast<std::size_t>(after - starts.begin()) - 1;
    const Cycles next = after == starts.end() ? end : *after;
    const Cycles span = std::max<Cycles>(1, next - starts[i]);
    const std::uint64_t left = to.value - from.value - i * stride;
    const std::uint64_t more = std::min(stride, left) * std::min(at - starts[i], span) / span;
    return Tick{from.value + i * stride + more};
}

}  // namespace whorl::sim
