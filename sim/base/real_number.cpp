#include "sim/base/real_number.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace whorl::sim {

std::optional<double> realNumber(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
    double value = 0;
#ifdef __cpp_lib_to_chars
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = error == std::errc() && stop == text.data() + text.size();
#else
    const std::string copy(text);
    char* stop = nullptr;
    value = std::strtod(copy.c_str(), &stop);  // a page has but one locale
    const bool isWhole = stop == copy.c_str() + copy.size();
#endif
    return isWhole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace whorl::sim
