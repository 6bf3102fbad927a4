// Conditions on figures: of a comparison, for tests that fail when a program gets worse, and of one run, for the grade
// of a program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/comparison.h"
#include "sim/analysis/figures.h"
#include "sim/base/error.h"
#include "sim/report/comparison_report.h"
#include "sim/report/document.h"

namespace whorl::sim {

/// A condition on a figure. "L1.misses>+2%" holds if the second of two runs has over 2 % more misses than the first,
/// "L1.misses>+100" if it has over 100 more misses, "L1.misses>5000" if it has over 5 000 misses. The signs < and <=
/// are for fewer, and - for a number below that of the first.
struct FigureCondition {
    std::string words;     ///< as written
    std::string figure;    ///< the key of a figure: "L1_misses"
    bool isAbove = true;   ///< the sign is > or >=
    bool isEqual = false;  ///< the sign is >= or <=
    enum class Of { value, difference, percent };
    Of of = Of::value;
    double limit = 0;

    /// More than nothing is beyond each share of it.
    bool holdsFor(const ComparedFigure& compared) const;
};

/// An error if the words are not a condition.
Expected<FigureCondition> parseFigureCondition(std::string_view words);

/// The conditions that hold, with the reasons. An error if a figure is not known, or one of the two has none. `things`:
/// those of each kind, among which the reason names the one that changed most.
Expected<std::vector<ExceededLimit>> exceededLimits(std::span<const FigureCondition> limits,
                                                    const Comparison& comparison,
                                                    std::span<const ComparedThings> things);

/// What a program that is graded must keep to, and whether it did.
struct GradedLimit {
    std::string limit;  ///< "L1.misses<=500"
    std::string words;  ///< "L1 misses: 287"
    std::uint64_t value = 0;
    bool isKept = false;
};

struct Grade {
    std::string program;
    std::string machine;
    std::uint64_t accesses = 0;
    int status = 0;  ///< exit status of the program
    std::vector<GradedLimit> limits;

    /// All limits are kept, and the program ended well.
    bool isPassed() const;
};

/// The conditions must be about values. An error if a figure is not known.
Expected<std::vector<GradedLimit>> gradedLimits(std::span<const FigureCondition> limits,
                                                std::span<const Figure> figures);

/// A sentence for each limit, and whether all are kept. JSON: {"passed", "program", "machine", "accesses", "status",
/// "limits": [{"limit", "value", "passed"}]}.
Document gradeDocument(Grade grade);

}  // namespace whorl::sim
