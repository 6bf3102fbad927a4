// Matches times of two traces by their source lines: the n-th execution of a line in one belongs to the n-th execution
// of the same line, by file and number, in the other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/trace/trace.h"

namespace whorl::sim {

/// A monotone map from the time axis of one trace onto that of another. Of all pairs of executions, the most that are
/// in the same order in both are exact (the longest increasing subsequence); in between, and before the first and
/// after the last, it is linear. A trace is mapped onto itself by the identity. In a long trace only every k-th
/// execution of a line is paired.
class LineMatch {
  public:
    /// Pairs kept at most.
    static constexpr std::uint64_t kMaxPairs = std::uint64_t{1} << 20;

    /// Costs a pass through both traces.
    LineMatch(const Trace& a, const Trace& b, std::uint64_t mostPairs = kMaxPairs);

    /// Whether any line is executed in both; if not, the map is linear from start to end.
    bool any() const { return pairs_.size() > 2; }
    /// Maps time t in a to a time in b, in accesses; each from 0 to the length of its trace.
    double at(double t) const;
    /// Maps time t in b to a time in a: the inverse of at().
    double back(double t) const;

  private:
    using Pair = std::pair<std::uint64_t, std::uint64_t>;
    std::vector<Pair> pairs_;  ///< ascending in both; the first is the start of both traces, the last their end
};

}  // namespace whorl::sim
