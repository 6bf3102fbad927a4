#include "app/cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "app/session/position.h"
#include "sim/base/text.h"
#include "sim/trace/reader.h"

namespace whorl::app {

namespace {

struct NamedSize {
    std::string_view name;
    PixelSize size;
};
constexpr std::array<NamedSize, 4> kNamedSizes = {
    {{"16:9", {1920, 1080}}, {"1:1", {1080, 1080}}, {"9:16", {1080, 1920}}, {"4k", {3840, 2160}}}};

}  // namespace

sim::Expected<PixelSize> parseSize(const std::string& text) {
    for (const NamedSize& named : kNamedSizes) {
        if (named.name == text) return named.size;
    }
    PixelSize size;
    int used = 0;
    const bool read = std::sscanf(text.c_str(), "%dx%d%n", &size.width, &size.height, &used) == 2;
    if (read && static_cast<std::size_t>(used) == text.size() && size.width >= 16 && size.height >= 16 &&
        size.width <= 8192 && size.height <= 8192) {
        return size;
    }
    return sim::fail("", fmt::format("--size \"{}\" is not a size", text),
                     "use WxH from 16x16 to 8192x8192, such as 1280x720, or 16:9, 1:1, 9:16 or 4k");
}

std::vector<std::string> usualSizes() {
    std::vector<std::string> sizes = {"1280x720", "1920x1080", "2560x1440", "3840x2160"};
    for (const NamedSize& named : kNamedSizes) sizes.emplace_back(named.name);
    return sizes;
}

sim::Expected<double> parseTime(const std::string& option, const std::string& text, std::uint64_t end) {
    const auto position = Position::from(text);
    auto t = position && !position->isRelative() ? positionFrom(text, 0, static_cast<double>(end))
                                                 : tl::unexpected(sim::Error{});
    if (t) return t;
    return sim::fail("", fmt::format("{} \"{}\" is not a position in this trace", option, text),
                     fmt::format("use a number from 0 to {}, the number of accesses, a share such as 50%, or \"end\"{}",
                                 end, sim::formatNamed(text) ? "; --format names the format" : ""));
}

sim::Expected<double> sceneTime(double at, std::uint64_t end) {
    if (at >= 0 && at <= static_cast<double>(end)) return at;
    return sim::fail("",
                     fmt::format("the scene's time {} is not a position in this trace, which has {} accesses", at, end),
                     "give another one with --at or --from");
}

sim::Expected<sim::Tick> parseTick(const std::string& option, const std::string& text, std::uint64_t end) {
    const auto t = WHORL_TRY(parseTime(option, text, end));
    if (t != std::floor(t) && !Position::from(text)->isShare()) {
        return sim::fail("", fmt::format("{} \"{}\" is within an access", option, text), "use a whole number");
    }
    return sim::Tick{static_cast<std::uint64_t>(t)};
}

sim::Expected<sim::CollisionsOf> parseCollisionsOf(const std::string& text) {
    const auto of = sim::collisionsNamed(text);
    if (!of) return sim::fail("", fmt::format("--by \"{}\" is not valid", text), "use region, object or class");
    return *of;
}

std::vector<std::string> collisionWords() {
    std::vector<std::string> words;
    for (const auto of : {sim::CollisionsOf::region, sim::CollisionsOf::object, sim::CollisionsOf::className}) {
        words.emplace_back(sim::wordFor(of));
    }
    return words;
}

sim::Expected<std::size_t> levelNamed(const std::string& name, const sim::MachineConfig& machine) {
    std::vector<std::string> levels;
    for (const sim::LevelConfig& level : machine.levels) levels.push_back(level.name);
    return levelNamed(name, levels);
}

sim::Expected<std::size_t> levelNamed(const std::string& name, const std::vector<std::string>& levels) {
    const auto at = std::find_if(levels.begin(), levels.end(),
                                 [&](const std::string& level) { return sim::sameName(level, name); });
    if (at != levels.end()) return static_cast<std::size_t>(at - levels.begin());
    return sim::fail(
        "", fmt::format("there is no level \"{}\"", name),
        levels.empty() ? "the machine has no cache" : fmt::format("the machine has {}", fmt::join(levels, ", ")));
}

}  // namespace whorl::app
