#include "sim/programs/pattern/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/programs/pattern/fault.h"

namespace whorl::sim {

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void tooLarge(const FormulaStep& step) {
    throwFault(step.at, "the result does not fit into 64 bits", "use smaller numbers");
}

/// The quotient, rounded down. The divisor is not 0, and the quotient fits.
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The remainder, with the sign of the divisor.
std::int64_t remainder(std::int64_t a, std::int64_t b) {
    if (b == -1) return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t combined(const FormulaStep& step, std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    bool fits = true;
    switch (step.code) {
        case FormulaCode::add:
            fits = !__builtin_add_overflow(a, b, &out);
            break;
        case FormulaCode::subtract:
            fits = !__builtin_sub_overflow(a, b, &out);
            break;
        case FormulaCode::multiply:
            fits = !__builtin_mul_overflow(a, b, &out);
            break;
        case FormulaCode::divide:
        case FormulaCode::remainder:
            if (b == 0) throwFault(step.at, fmt::format("{} is divided by 0", a), "divide by another number");
            fits = a != kMin || b != -1 || step.code == FormulaCode::remainder;
            if (fits) out = step.code == FormulaCode::divide ? quotient(a, b) : remainder(a, b);
            break;
        case FormulaCode::least:
            out = std::min(a, b);
            break;
        default:
            out = std::max(a, b);
            break;
    }
    if (!fits) tooLarge(step);
    return out;
}

}  // namespace

std::int64_t Calculator::value(const Formula& formula, std::span<const std::int64_t> variables) {
    stack_.clear();
    for (std::uint32_t i = formula.first; i < formula.end; ++i) {
        const FormulaStep& step = steps_[i];
        if (step.code == FormulaCode::constant) {
            stack_.push_back(step.value);
        } else if (step.code == FormulaCode::variable) {
            stack_.push_back(variables[static_cast<std::size_t>(step.value)]);
        } else {
            take(step);
        }
    }
    return stack_.back();
}

void Calculator::take(const FormulaStep& step) {
    const std::int64_t last = stack_.back();
    if (step.code == FormulaCode::negate) {
        if (last == kMin) tooLarge(step);
        stack_.back() = -last;
    } else if (step.code == FormulaCode::random) {
        stack_.back() = randomBelow(last, step.at);
    } else {
        stack_.pop_back();
        stack_.back() = combined(step, stack_.back(), last);
    }
}

std::int64_t Calculator::randomBelow(std::int64_t bound, std::uint32_t at) {
    if (bound < 1) {
        throwFault(at, fmt::format("there is no random number from 0 to below {}", bound), "give a number from 1");
    }
    return static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(bound));
}

}  // namespace whorl::sim
