// Whole numbers that a pattern computes from the variables of its loops: formulas in postfix order, for a stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/programs/random_numbers.h"

namespace whorl::sim {

enum class FormulaCode : std::uint8_t {
    constant,
    variable,  ///< `value` is the variable's number
    add,
    subtract,
    multiply,
    divide,
    remainder,
    negate,
    least,
    greatest,
    random,
};

/// Pushes a number, or takes its operands from the stack and pushes the result.
struct FormulaStep {
    FormulaCode code = FormulaCode::constant;
    std::int64_t value = 0;
    std::uint32_t at = 0;  ///< offset in the text
};
using FormulaSteps = std::vector<FormulaStep>;

/// A part of a pattern's steps.
struct Formula {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::uint32_t at = 0;  ///< offset in the text
};

/// Computes formulas. Division rounds down, so that a remainder by a positive number is never negative. Random numbers
/// are the same for every calculator.
class Calculator {
  public:
    explicit Calculator(const FormulaSteps& steps) : steps_(steps) {}

    /// Throws a PatternFault if the result or a part of it does not fit into 64 bits, or something is divided by 0.
    std::int64_t value(const Formula& formula, std::span<const std::int64_t> variables);

  private:
    void take(const FormulaStep& step);
    std::int64_t randomBelow(std::int64_t bound, std::uint32_t at);

    const FormulaSteps& steps_;
    std::vector<std::int64_t> stack_;
    RandomNumbers random_{1};
};

}  // namespace whorl::sim
