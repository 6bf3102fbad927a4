// Loops of a pattern that lie directly in each other, where they may run in any order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

/// Loops whose bounds do not depend on each other, with accesses for which their order does not matter, but for the
/// order in which sums are added. They are those of a pattern, which must outlive this.
struct LoopNest {
    std::vector<const PatternStatement*> loops;  ///< the outermost first
    std::size_t around = 0;                      ///< variables of the loops around them
    /// What the innermost loop does. An access beside it is made in each of its turns: what it reads is read again, and
    /// what is written after it is a sum, which is kept in memory.
    std::vector<PatternStatement> body;
};

/// The nest of `count` loops that begins with `outer`; nothing where so many do not lie directly in each other, or
/// where the order may matter: where an array that is written is accessed by several formulas, or by one with several
/// of the variables, unless it is only updated; where random numbers are drawn, where CPUs alternate, and where
/// addresses are accessed beside a write.
std::optional<LoopNest> permutableNest(const PatternStatement& outer, std::size_t around, std::size_t count,
                                       const FormulaSteps& steps);

/// The steps of a formula.
std::span<const FormulaStep> stepsOf(const Formula& formula, const FormulaSteps& steps);

/// Whether a formula has a variable with at least this number.
bool varies(const Formula& formula, std::size_t from, const FormulaSteps& steps);

}  // namespace whorl::sim
