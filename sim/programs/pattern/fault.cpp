#include "sim/programs/pattern/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace whorl::sim {

Error errorOf(const PatternFault& fault, std::string_view text, const std::string& file) {
    const std::string_view before = text.substr(0, fault.at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n');
    const std::string_view ahead = before.substr(newline == std::string_view::npos ? 0 : newline + 1);
    // In UTF-8, all bytes of a character except the first have these bits.
    const auto column =
        std::count_if(ahead.begin(), ahead.end(), [](unsigned char c) { return (c & 0xc0u) != 0x80u; }) + 1;
    return {.where = fmt::format("{}:{}:{}", file, line, column), .what = fault.what, .hint = fault.hint};
}

}  // namespace whorl::sim
