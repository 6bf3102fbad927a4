#include "app/tours/expression.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/base/text.h"

namespace whorl::app {

namespace {

using sim::Quantity;

constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<=", ">=", "<", ">"};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool areEqual(double a, double b) {
    constexpr double kDigits = 1e-9;
    return a == b || std::abs(a - b) <= kDigits * std::max(std::abs(a), std::abs(b));
}

bool holds(double left, std::string_view sign, double right) {
    if (sign == "==") return areEqual(left, right);
    if (sign == "!=") return !areEqual(left, right);
    if (sign == "<=") return left <= right || areEqual(left, right);
    if (sign == ">=") return left >= right || areEqual(left, right);
    return !areEqual(left, right) && (sign == "<" ? left < right : left > right);
}

/// Computes a text from left to right, by recursive descent.
class ExpressionReader {
  public:
    /// `named`: null where only the form of the text is checked.
    ExpressionReader(std::string_view text, const NamedQuantity* named) : text_(text), named_(named) {}

    sim::Expected<Quantity> whole() {
        Quantity value = WHORL_TRY(sum());
        if (take("%")) value.isShare = true;
        WHORL_TRY(end("an expression ends here, or goes on with + - * /"));
        if (!std::isfinite(value.value)) return fault(0, "the result is too large", "name smaller quantities");
        return value;
    }
    sim::Expected<TriedClaim> claim() {
        TriedClaim out;
        out.left = WHORL_TRY(sum());
        for (const std::string_view sign : kComparisons) {
            if (out.sign.empty() && take(sign)) out.sign = sign;
        }
        if (out.sign.empty()) {
            return fault(at_, "nothing is compared", "a claim has one of == != < <= > >=, as in L1.misses == 64");
        }
        out.right = WHORL_TRY(sum());
        WHORL_TRY(end("a claim compares two expressions"));
        out.holds = holds(out.left.value, out.sign, out.right.value);
        return out;
    }
    /// How many quantities were named.
    std::size_t names() const { return names_; }

  private:
    tl::unexpected<sim::Error> fault(std::size_t at, std::string what, std::string hint) const {
        const std::size_t character = sim::characterCount(text_.substr(0, at)) + 1;
        return sim::fail({}, fmt::format("{}, character {}: {}", sim::quotedText(text_), character, std::move(what)),
                         std::move(hint));
    }
    sim::Expected<void> end(const char* expected) {
        skipBlanks();
        if (at_ == text_.size()) return {};
        return fault(at_, fmt::format("{} is not expected", sim::quotedText(text_.substr(at_))), expected);
    }
    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    bool take(std::string_view sign) {
        skipBlanks();
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }

    sim::Expected<Quantity> sum() {
        Quantity value = WHORL_TRY(product());
        while (true) {
            const bool adds = take("+");
            if (!adds && !take("-")) return value;
            const Quantity next = WHORL_TRY(product());
            value = {adds ? value.value + next.value : value.value - next.value, value.isShare || next.isShare};
        }
    }
    sim::Expected<Quantity> product() {
        Quantity value = WHORL_TRY(factor());
        while (true) {
            const bool multiplies = take("*");
            if (!multiplies && !take("/")) return value;
            const std::size_t sign = at_ - 1;
            const Quantity next = WHORL_TRY(factor());
            if (!multiplies && next.value == 0 && named_ != nullptr) {
                return fault(sign, "something is divided by 0", "name a quantity that is not 0 here");
            }
            value = {multiplies ? value.value * next.value : value.value / next.value, false};
        }
    }
    sim::Expected<Quantity> factor() {
        skipBlanks();
        const std::size_t from = at_;
        if (take("-")) {
            const Quantity value = WHORL_TRY(nested());
            return Quantity{-value.value, value.isShare};
        }
        if (take("(")) {
            const Quantity value = WHORL_TRY(nested(true));
            if (take(")")) return value;
            return fault(at_, "a parenthesis is open", "close it with )");
        }
        if (at_ < text_.size() && isDigit(text_[at_])) return number();
        if (at_ < text_.size() && isLetter(text_[at_])) return name();
        return fault(from, at_ == text_.size() ? "a value is missing" : "this is no value",
                     "give a number, or a quantity such as L1.misses");
    }
    /// A part of a factor, to a depth that the stack has room for.
    sim::Expected<Quantity> nested(bool isSum = false) {
        constexpr int kDeepest = 50;
        if (depth_ == kDeepest) return fault(at_, "this is nested too deeply", "leave out parentheses");
        ++depth_;
        const Quantity value = WHORL_TRY(isSum ? sum() : factor());
        --depth_;
        return value;
    }
    sim::Expected<Quantity> number() {
        const std::size_t from = at_;
        while (at_ < text_.size() && (isDigit(text_[at_]) || text_[at_] == '.')) ++at_;
        const std::string digits(text_.substr(from, at_ - from));
        char* stop = nullptr;
        const double value = std::strtod(digits.c_str(), &stop);
        if (*stop == '\0' && std::isfinite(value) && !digits.ends_with('.')) return Quantity{value};
        return fault(from, fmt::format("{} is no number", sim::quotedText(digits)), "write it as in 64 or 0.25");
    }
    sim::Expected<Quantity> name() {
        const std::size_t from = at_;
        while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '.')) ++at_;
        const std::string_view name = text_.substr(from, at_ - from);
        ++names_;
        if (name.ends_with('.') || name.find("..") != std::string_view::npos) {
            return fault(from, fmt::format("{} is no name", sim::quotedText(name)), "names are such as L1.misses");
        }
        if (named_ == nullptr) return Quantity{1};
        auto value = (*named_)(name);
        if (!value && value.error().cancelled) return value;
        if (!value) return fault(from, value.error().what, value.error().hint);
        if (std::isfinite(value->value)) return value;
        return fault(from, fmt::format("{} has no value here", name), "it is a ratio of what does not happen");
    }

    std::string_view text_;
    const NamedQuantity* named_;
    std::size_t at_ = 0;
    std::size_t names_ = 0;
    int depth_ = 0;
};

/// An error if an expression names nothing.
sim::Expected<void> checkNamed(const ExpressionReader& read, std::string_view text) {
    if (read.names() > 0) return {};
    return sim::fail({}, fmt::format("{} names no quantity", sim::quotedText(text)),
                     "name one, such as L1.misses, so that the number comes from the run");
}

}  // namespace

sim::Expected<Quantity> valueOf(std::string_view expression, const NamedQuantity& named) {
    return ExpressionReader(expression, &named).whole();
}

sim::Expected<TriedClaim> triedClaim(std::string_view claim, const NamedQuantity& named) {
    return ExpressionReader(claim, &named).claim();
}

sim::Expected<void> checkExpression(std::string_view expression) {
    ExpressionReader reader(expression, nullptr);
    WHORL_TRY(reader.whole());
    return checkNamed(reader, expression);
}

sim::Expected<void> checkClaim(std::string_view claim) {
    ExpressionReader reader(claim, nullptr);
    WHORL_TRY(reader.claim());
    return checkNamed(reader, claim);
}

}  // namespace whorl::app
