#include "sim/analysis/loss_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace whorl::sim {

namespace {

/// The quantile of 97.5 % of Student's distribution, by the expansion 26.7.5 of Abramowitz and Stegun, Handbook of
/// Mathematical Functions (1964); off by less than 0.1 % from 8 degrees of freedom on.
double student(double degrees) {
    constexpr double z = 1.959964;
    constexpr double z3 = z * z * z;
    constexpr double z5 = z3 * z * z;
    constexpr double z7 = z5 * z * z;
    return z + (z3 + z) / 4 / degrees + (5 * z5 + 16 * z3 + 3 * z) / 96 / (degrees * degrees) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / (degrees * degrees * degrees);
}

/// The start of the pack that holds an access: decoding begins there.
Tick startOfPack(const Trace& trace, std::uint64_t tick) {
    const std::size_t chunk = tick / Trace::kChunk;
    return Tick{(chunk - trace.accesses().placeOf(chunk).before) * Trace::kChunk};
}

}  // namespace

LossSample::LossSample(const Trace& trace, const Stalls& stalls, const SamplePlan& plan) : draws_(plan.draws) {
    const std::vector<Cycles>& lost = stalls.lostBySegment;
    const auto all = static_cast<double>(std::accumulate(lost.begin(), lost.end(), Cycles{0}));
    const auto size = static_cast<double>(trace.size());
    // One draw in each n-th part of the chances, at random within it: windows at equal distances might keep step with
    // the program.
    std::mt19937_64 random(1);
    std::vector<double> draws(draws_);
    for (std::size_t d = 0; d < draws_; ++d) {
        draws[d] = (static_cast<double>(d) + std::ldexp(static_cast<double>(random() >> 11), -53)) /
                   static_cast<double>(draws_);
    }
    auto next = draws.begin();
    double passed = 0;
    for (std::size_t s = 0; s < lost.size(); ++s) {
        const Tick from{s * stalls.segment};
        const Range counted{from, Tick{std::min(from.value + stalls.segment, trace.size())}};
        const double byLength = static_cast<double>(counted.size()) / size;
        const double chance = all == 0 ? byLength : (byLength + static_cast<double>(lost[s]) / all) / 2;
        SampleWindow window{.from = from, .counted = counted, .chance = chance, .draws = 0};
        passed += chance;
        for (; next != draws.end() && (*next < passed || s + 1 == lost.size()); ++next) ++window.draws;
        if (window.draws == 0) continue;
        const std::uint64_t warm = from.value - std::min(from.value, plan.warmUp);
        const Tick before = windows_.empty() ? Tick{0} : windows_.back().counted.to;
        window.from = std::max(stalls.segment < Trace::kChunk ? Tick{warm} : startOfPack(trace, warm), before);
        windows_.push_back(window);
    }
}

std::uint64_t LossSample::played() const {
    std::uint64_t sum = 0;
    for (const SampleWindow& window : windows_) sum += window.counted.to.value - window.from.value;
    return sum;
}

double LossSample::sumOf(std::span<const double> values) const {
    double sum = 0;
    for (std::size_t w = 0; w < windows_.size(); ++w) {
        sum += static_cast<double>(windows_[w].draws) * values[w] / windows_[w].chance;
    }
    return sum / static_cast<double>(draws_);
}

Estimate LossSample::after(std::span<const double> before, std::span<const double> after, double all) const {
    const double sumBefore = sumOf(before);
    const double sumAfter = sumOf(after);
    const bool isRatio = sumBefore > 0 && all > 0;
    const double scale = isRatio ? all / sumBefore : 1;
    Estimate out{.value = scale * sumAfter};
    if (draws_ < 2) return out;
    const double ratio = isRatio ? sumAfter / sumBefore : 0;
    double squares = 0;
    for (std::size_t w = 0; w < windows_.size(); ++w) {
        const double d = (after[w] - ratio * before[w]) / windows_[w].chance - (isRatio ? 0 : sumAfter);
        squares += static_cast<double>(windows_[w].draws) * d * d;
    }
    const auto n = static_cast<double>(draws_);
    out.within = scale * student(n - 1) * std::sqrt(squares / n / (n - 1));
    return out;
}

}  // namespace whorl::sim
