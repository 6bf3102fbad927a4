#include "app/session/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/real_number.h"
#include "sim/base/text.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

/// The number without the blanks, commas and apostrophes between its digits; nothing if it is none.
std::optional<double> numberFrom(std::string_view text) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isBetween = i > 0 && i + 1 < text.size() && (text[i] == ' ' || text[i] == ',' || text[i] == '\'');
        if (!isBetween) digits += text[i];
    }
    const bool begins = !digits.empty() && std::string_view("0123456789.").find(digits[0]) != std::string_view::npos;
    if (!begins || digits.find_first_not_of("0123456789.e+-") != std::string::npos) return std::nullopt;
    return sim::realNumber(digits);
}

/// How many accesses, or hundredths of all, a sign behind a number stands for; 0 for any other.
double unitOf(char sign) {
    switch (sign) {
        case '%':
            return 1;
        case 'k':
        case 'K':
            return 1e3;
        case 'm':
        case 'M':
            return 1e6;
        default:
            return 0;
    }
}

}  // namespace

sim::Expected<Position> Position::from(std::string_view text) {
    const std::string_view words = sim::trimmed(text);
    if (words == "start" || words == "begin") return Position();
    Position position;
    const char sign = words.empty() ? '\0' : words.front();
    if (sign == '+') position.way_ = Way::forward;
    if (sign == '-') position.way_ = Way::back;
    const std::string_view amount = words == "end" ? "100%" : sim::trimmed(words.substr(position.isRelative() ? 1 : 0));
    const double unit = amount.empty() ? 0 : unitOf(amount.back());
    const auto number = numberFrom(unit > 0 ? sim::trimmed(amount.substr(0, amount.size() - 1)) : amount);
    if (!number) {
        return sim::fail("", fmt::format("{} is not a position", sim::quotedText(words)),
                         "write a number of accesses such as 1200, a share such as 50%, +100, -100, start or end");
    }
    position.amount_ = *number * (unit > 0 ? unit : 1);
    position.isShare_ = amount.ends_with('%');
    return position;
}

std::string Position::text() const {
    return fmt::format("{}{}{}",
                       way_ == Way::none      ? ""
                       : way_ == Way::forward ? "+"
                                              : "-",
                       amount_, isShare_ ? "%" : "");
}

double Position::in(double size, double now) const {
    // A share is about a place, and not about the midst of a move.
    const double accesses = isShare_ ? std::ceil(size * amount_ / 100 - 0.5) : amount_;
    return way_ == Way::none ? accesses : way_ == Way::forward ? now + accesses : now - accesses;
}

sim::Expected<double> positionFrom(std::string_view text, double now, double size) {
    const auto position = WHORL_TRY(Position::from(text));
    const double at = position.in(size, now);
    if (position.isRelative()) return std::clamp(at, 0.0, size);
    if (at > size) {
        return sim::fail("", fmt::format("{} is beyond the end", sim::quotedText(sim::trimmed(text))),
                         fmt::format("this trace has {} accesses", sim::grouped(static_cast<std::uint64_t>(size))));
    }
    return at;
}

}  // namespace whorl::app
