// Which windows of a long trace to play for an estimate of what a change of it costs or saves, and how far from the
// truth the estimate may be.
//
// A window is a segment of the trace, drawn with a probability that is half by its length and half by the cycles that
// it loses: most of what can be saved is where most is lost. The estimators are those of sampling with unequal
// probabilities, after M. H. Hansen and W. N. Hurwitz, On the theory of sampling from finite populations, Annals of
// Mathematical Statistics 14 (1943); the ratio estimate and its variance after W. G. Cochran, Sampling Techniques, 3rd
// ed. (1977), chapters 6 and 9A. Caches are warmed up before each window, from the state after the one before it
// (stitching: D. A. Wood, M. D. Hill and R. E. Kessler, A model for estimating trace-sample miss ratios, SIGMETRICS
// 1991).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/analysis/stalls.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// How a trace is sampled.
struct SamplePlan {
    std::uint64_t segment = Trace::kChunk;     ///< accesses of a window
    std::size_t draws = 64;                    ///< windows; fewer where some are drawn several times
    std::uint64_t warmUp = 2 * Trace::kChunk;  ///< accesses played before a window, without being counted, at first
};

/// A number that is the true one, or within some distance of it in 95 of 100 cases.
struct Estimate {
    double value = 0;
    double within = 0;  ///< 0: it is the true one
};

struct SampleWindow {
    Tick from;          ///< where its warm-up begins
    Range counted;      ///< accesses that count
    double chance = 1;  ///< the probability that a draw gives it
    std::size_t draws = 1;
};

class LossSample {
  public:
    /// The whole range as one window, without error.
    explicit LossSample(Range all) : windows_{{.from = Tick{0}, .counted = all}}, draws_(1) {}
    /// Windows of a trace in which stalls were measured by segments; the same for the same trace and plan.
    LossSample(const Trace& trace, const Stalls& stalls, const SamplePlan& plan);

    /// Ascending and disjoint, with their warm-ups.
    const std::vector<SampleWindow>& windows() const { return windows_; }
    /// The accesses that are played.
    std::uint64_t played() const;
    /// The sum over the whole trace of what each window has.
    double sumOf(std::span<const double> values) const;
    /// The sum over the whole trace of `after`, where that of `before` is known to be `all`: with R, the ratio of the
    /// two estimated sums, and the differences d = (after - R before) / chance of the n draws, it is R all, within t
    /// sqrt(Σ d² / (n (n - 1))) / sumOf(before) all, and t is Student's for n - 1 degrees of freedom. Without `before`
    /// in any window it is the sum of `after`, within its own deviation.
    Estimate after(std::span<const double> before, std::span<const double> after, double all) const;

  private:
    std::vector<SampleWindow> windows_;
    std::size_t draws_ = 0;
};

}  // namespace whorl::sim
