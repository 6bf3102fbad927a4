#include "app/session/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

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
    const bool isPlain =
        std::all_of(digits.begin(), digits.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    const auto points = std::count(digits.begin(), digits.end(), '.');
    if (digits.empty() || !isPlain || points > 1 || digits == ".") return std::nullopt;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    double value = 0;
    for (std::size_t i = 0; i < point; ++i) value = 10 * value + (digits[i] - '0');
    double unit = 1;
    for (std::size_t i = point + 1; i < digits.size(); ++i) value += (unit /= 10) * (digits[i] - '0');
    return value;
}

/// How many accesses a sign behind a number stands for.
std::optional<double> unitOf(char sign, double size) {
    switch (sign) {
        case '%':
            return size / 100;
        case 'k':
        case 'K':
            return 1e3;
        case 'm':
        case 'M':
            return 1e6;
        default:
            return std::nullopt;
    }
}

/// "50%", "1.2K", "3M", "1200".
std::optional<double> amountFrom(std::string_view text, double size) {
    if (text.empty()) return std::nullopt;
    const std::optional<double> unit = unitOf(text.back(), size);
    const auto number = numberFrom(unit ? sim::trimmed(text.substr(0, text.size() - 1)) : text);
    if (!number) return std::nullopt;
    return *number * unit.value_or(1);
}

}  // namespace

sim::Expected<double> positionFrom(std::string_view text, double now, double size) {
    const std::string_view words = sim::trimmed(text);
    if (words == "start" || words == "begin") return 0.0;
    if (words == "end") return size;
    const bool isRelative = !words.empty() && (words.front() == '+' || words.front() == '-');
    const auto amount = amountFrom(isRelative ? sim::trimmed(words.substr(1)) : words, size);
    if (!amount) {
        return sim::fail("", fmt::format("{} is not a position", sim::quotedText(words)),
                         "write a number of accesses such as 1200, a share such as 50%, +100, -100, start or end");
    }
    if (isRelative) return std::clamp(words.front() == '+' ? now + *amount : now - *amount, 0.0, size);
    if (*amount > size) {
        return sim::fail("", fmt::format("{} is beyond the end", sim::quotedText(words)),
                         fmt::format("this trace has {} accesses", sim::grouped(static_cast<std::uint64_t>(size))));
    }
    return *amount;
}

}  // namespace whorl::app
