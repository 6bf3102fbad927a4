#include "sim/programs/access_recorder.h"

#include <algorithm>

#include "sim/base/embedded.h"

namespace whorl::sim {

Listing listingOf(std::string_view name) {
    constexpr std::string_view kOpen = "\n// listing\n";
    constexpr std::string_view kClose = "\n// end\n";
    const auto [file, whole] = embeddedFile(name);
    const std::size_t open = whole.find(kOpen);
    const std::size_t close = whole.find(kClose);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {file, {}, 1, 0};
    const std::size_t from = open + kOpen.size();
    const auto newlines = [](std::string_view text) {
        return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    };
    const std::string_view text = whole.substr(from, close + 1 - from);
    return {file, text, newlines(whole.substr(0, from)) + 1, newlines(text)};
}

}  // namespace whorl::sim
