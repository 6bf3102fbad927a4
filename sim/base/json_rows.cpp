#include "sim/base/json_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/text.h"

namespace whorl::sim::row {

std::optional<double> NumberRule::in(const JsonPlace& place) const {
    if (place.value.is_number()) {
        const auto given = place.value.get<double>();
        if (given >= least && given <= most) return given;
    }
    place.isNot(what, hint);
    return std::nullopt;
}

NumberRule seconds(double least, double most) {
    return {.least = least,
            .most = most,
            .what = "a number of seconds",
            .hint = fmt::format("give a number from {:g} to {:g}", least, most)};
}

nlohmann::ordered_json plain(double number) {
    constexpr double kMaxWhole = 9e15;  // from about here on, a double cannot represent every whole number
    if (std::abs(number) > kMaxWhole || std::trunc(number) != number) return number;
    return static_cast<std::int64_t>(number);
}

bool isTextIn(const JsonPlace& place, const std::string& ifEmpty) {
    if (!place.value.is_string()) return place.isNot("a text", "put it in quotes");
    const bool isEmpty = trimmed(place.value.get_ref<const std::string&>()).empty();
    return !isEmpty || ifEmpty.empty() || place.fault("is empty", ifEmpty);
}

bool isFlagIn(const JsonPlace& place, std::string_view hint) {
    return place.value.is_boolean() ||
           place.fault(shownValue(place.value) + " is neither true nor false", std::string(hint));
}

bool isListOfTexts(const nlohmann::json& value) {
    return value.is_array() && std::ranges::all_of(value, [](const nlohmann::json& text) { return text.is_string(); });
}

}  // namespace whorl::sim::row
