#include "sim/programs/pattern/pattern_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace whorl::sim {

namespace {

using Kind = PatternStatement::Kind;

/// A part of a formula, and how tightly its outermost sign binds.
struct Term {
    enum Bond : std::uint8_t { sum, product, factor };
    std::string text;
    Bond bond = factor;
};

Term ofConstant(std::int64_t value) {
    // The language has no word for the least number, whose opposite is too large.
    if (value == std::numeric_limits<std::int64_t>::min()) return {fmt::format("-{} - 1", -(value + 1)), Term::sum};
    return {fmt::format("{}", value), Term::factor};
}

std::string bound(Term term, Term::Bond least) {
    return term.bond < least ? "(" + std::move(term.text) + ")" : std::move(term.text);
}

/// What is combined from left to right needs no parentheses at its left.
Term infix(Term left, std::string_view sign, Term right, Term::Bond bond) {
    const auto next = static_cast<Term::Bond>(bond + 1);
    std::string text = bound(std::move(left), bond);
    text += fmt::format(" {} {}", sign, bound(std::move(right), next));
    return {std::move(text), bond};
}

Term infixed(FormulaCode code, Term left, Term right) {
    switch (code) {
        case FormulaCode::add:
            return infix(std::move(left), "+", std::move(right), Term::sum);
        case FormulaCode::subtract:
            return infix(std::move(left), "-", std::move(right), Term::sum);
        case FormulaCode::multiply:
            return infix(std::move(left), "*", std::move(right), Term::product);
        case FormulaCode::divide:
            return infix(std::move(left), "/", std::move(right), Term::product);
        case FormulaCode::remainder:
            return infix(std::move(left), "%", std::move(right), Term::product);
        default:
            return {fmt::format("{}({}, {})", code == FormulaCode::least ? "min" : "max", left.text, right.text),
                    Term::factor};
    }
}

class PatternWriter {
  public:
    explicit PatternWriter(const Pattern& pattern) : pattern_(pattern) {}

    std::string written() {
        const std::string body = statements(pattern_.body);
        return declarations() + body;
    }

  private:
    std::string statements(const std::vector<PatternStatement>& body) {
        std::string out;
        for (std::size_t s = 0; s < body.size(); ++s) {
            const bool isMore = s > 0 && continues(body, s);
            if (s > 0) out += isMore ? ", " : "; ";
            out += statement(body[s], isMore);
        }
        return out;
    }

    /// Whether a statement is one more access of the kind before it, so that a comma is enough.
    static bool continues(const std::vector<PatternStatement>& body, std::size_t s) {
        const PatternStatement& before = body[s - 1];
        return body[s].kind == Kind::access && before.kind == Kind::access && body[s].action == before.action;
    }

    std::string statement(const PatternStatement& of, bool isMore) {
        switch (of.kind) {
            case Kind::access:
                return isMore ? place(of.place) : fmt::format("{} {}", actionOf(of.action), place(of.place));
            case Kind::loop:
                return loop(of);
            case Kind::repeat:
                return fmt::format("repeat {} {}", formula(of.from), block(of.body));
            default:
                return fmt::format("cpu {} {}", formula(of.from), block(of.body));
        }
    }

    static std::string_view actionOf(PatternAction action) {
        constexpr std::array<std::string_view, 3> kWords = {"read", "write", "update"};
        return kWords[static_cast<std::size_t>(action)];
    }

    std::string loop(const PatternStatement& of) {
        std::string out = fmt::format("for {} in {}{}{}", of.variable, formula(of.from), of.isInclusive ? "..=" : "..",
                                      formula(of.to));
        if (of.step) out += " step " + formula(*of.step);
        variables_.push_back(&of.variable);
        out += " " + block(of.body);
        variables_.pop_back();
        return out;
    }

    std::string block(const std::vector<PatternStatement>& body) {
        return body.empty() ? "{ }" : fmt::format("{{ {} }}", statements(body));
    }

    std::string place(const PatternPlace& of) {
        if (!of.array) {
            return formula(of.indexes[0]) + (of.size == kPatternElement ? "" : fmt::format(" of {}", of.size));
        }
        if (std::find(named_.begin(), named_.end(), *of.array) == named_.end()) named_.push_back(*of.array);
        std::string out = pattern_.arrays[*of.array].name;
        for (const Formula& index : of.indexes) {
            if (index.first != index.end) out += fmt::format("[{}]", formula(index));
        }
        return out;
    }

    std::string formula(const Formula& of) {
        std::vector<Term> stack;
        const auto pop = [&] {
            Term term = std::move(stack.back());
            stack.pop_back();
            return term;
        };
        for (std::uint32_t s = of.first; s < of.end; ++s) {
            const FormulaStep& step = pattern_.steps[s];
            if (step.code == FormulaCode::constant) {
                stack.push_back(ofConstant(step.value));
            } else if (step.code == FormulaCode::variable) {
                stack.push_back({*variables_[static_cast<std::size_t>(step.value)], Term::factor});
            } else if (step.code == FormulaCode::negate) {
                stack.push_back({"-" + bound(pop(), Term::factor), Term::factor});
            } else if (step.code == FormulaCode::random) {
                stack.push_back({fmt::format("random({})", pop().text), Term::factor});
            } else {
                Term right = pop();
                stack.push_back(infixed(step.code, pop(), std::move(right)));
            }
        }
        return std::move(stack.back().text);
    }

    /// Arrays lie in memory in the order in which they are named. Those that would come in another order are declared,
    /// and what has a shape or a place of its own.
    std::string declarations() const {
        std::size_t count = pattern_.arrays.size();
        for (auto next = named_.end(); count > 0 && !isDeclared(pattern_.arrays[count - 1]); --count) {
            const auto found = std::find(named_.begin(), next, count - 1);
            if (found == next) break;
            next = found;
        }
        std::string out;
        for (std::size_t a = 0; a < count; ++a) out += declaration(pattern_.arrays[a]) + "; ";
        return out;
    }

    static bool isDeclared(const PatternArray& array) {
        return array.hasExtents || array.elementSize != kPatternElement || array.align != 0 || array.address;
    }

    static std::string declaration(const PatternArray& array) {
        std::string out = "array " + array.name;
        for (std::size_t d = 0; array.hasExtents && d < array.dimensions; ++d) {
            out += fmt::format("[{}]", array.extents[d]);
        }
        if (array.elementSize != kPatternElement) out += fmt::format(" of {}", array.elementSize);
        if (array.align != 0) out += fmt::format(" align {}", array.align);
        if (array.address) out += fmt::format(" at {:#x}", *array.address);
        return out;
    }

    const Pattern& pattern_;
    std::vector<const std::string*> variables_;  ///< those of the loops around
    std::vector<std::uint32_t> named_;           ///< arrays, in the order in which the statements name them
};

}  // namespace

std::string asText(const Pattern& pattern) {
    return PatternWriter(pattern).written();
}

}  // namespace whorl::sim
