// Expressions in tours: numbers, quantities by name, + - * / and parentheses; and claims, which compare two of them.
// They compute real numbers; those of patterns (sim/programs/pattern) are whole.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/report/quantities.h"

namespace whorl::app {

/// What a name stands for, or why it stands for nothing.
using NamedQuantity = std::function<sim::Expected<sim::Quantity>(std::string_view name)>;

/// Computes an expression. A sum or difference with a share is a share; after a `%` at the end, any result is one.
/// Errors, of a text that is no expression, of names, of a division by 0, tell the character at which they are.
sim::Expected<sim::Quantity> valueOf(std::string_view expression, const NamedQuantity& named);

/// What a claim compares.
struct TriedClaim {
    sim::Quantity left;
    sim::Quantity right;
    std::string sign;  ///< "==", "!=", "<", "<=", ">" or ">="
    bool holds = false;
};
/// Computes both sides of a claim, "L1.misses < accesses / 4". Numbers that agree in nine digits are equal.
sim::Expected<TriedClaim> triedClaim(std::string_view claim, const NamedQuantity& named);

/// Whether a text is an expression, or a claim, that names a quantity: `{4}` would be a number typed by hand. Which
/// quantities there are is not known here.
sim::Expected<void> checkExpression(std::string_view expression);
sim::Expected<void> checkClaim(std::string_view claim);

}  // namespace whorl::app
