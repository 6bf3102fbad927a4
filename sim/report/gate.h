// Limits on the figures of a comparison, for tests that fail when a program gets worse.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/comparison.h"
#include "sim/base/error.h"
#include "sim/report/comparison_report.h"

namespace whorl::sim {

/// A condition under which a comparison fails. "L1.misses>+2%" holds if the second has over 2 % more misses than the
/// first, "L1.misses>+100" if it has over 100 more misses, "L1.misses>5000" if it has over 5 000 misses. The sign < is
/// for fewer, and - for a number below that of the first.
struct FigureLimit {
    std::string words;   ///< as written
    std::string figure;  ///< the key of a figure: "L1_misses"
    bool isMost = true;  ///< the figure may not be above the limit; false: not below it
    enum class Of { value, difference, percent };
    Of of = Of::value;
    double limit = 0;

    /// Whether a figure is beyond it. More than nothing is beyond each share of it.
    bool isExceededBy(const ComparedFigure& compared) const;
};

/// An error if the words are not a limit.
Expected<FigureLimit> parseFigureLimit(std::string_view words);

/// The limits that are exceeded, with the reasons. An error if a figure is not known, or one of the two has none.
/// `things`: those of each kind, among which the reason names the one that changed most.
Expected<std::vector<ExceededLimit>> exceededLimits(std::span<const FigureLimit> limits, const Comparison& comparison,
                                                    std::span<const ComparedThings> things);

}  // namespace whorl::sim
