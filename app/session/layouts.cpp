#include "app/session/layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/session/settings.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// The settings that a layout has, in the order in which they are applied: a lecture hides the panels.
constexpr std::array<std::string_view, 10> kSettings = {
    "lecture", "panels", "caption", "strip", "heat", "legend", "explain", "block-colours", "class-colours", "solid"};

const Layout* layoutNamed(std::span<const Layout> layouts, std::string_view name) {
    const auto found = std::ranges::find_if(layouts, [&](const Layout& l) { return sim::sameName(l.name, name); });
    return found == layouts.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Layout> shippedLayouts() {
    static const std::vector<Layout> kShipped = {
        {"lecture", {"arrange row(rings*3,table:0*2)", "lecture on", "explain off"}},
        {"find my misses",
         {"arrange row(column(source*3,phases*2)*3,column(rings*3,object*2)*2)", "lecture off", "panels on",
          "caption off", "strip miss-kinds", "heat misses", "legend on"}},
        {"sharing",
         {"arrange row(column(block:0,cycles)*3,column(rings*3,object*2)*2)", "lecture off", "panels on", "caption off",
          "strip miss-kinds", "block-colours cpu", "class-colours on"}},
        {"memory map",
         {"arrange row(memory*3,column(memory-live,cache-live:0)*2)", "lecture off", "panels on", "caption off",
          "strip regions", "cell-metric memory misses 0"}},
        {"film", {"arrange auto(rings)", "lecture off", "panels off", "caption on", "legend off", "explain off"}},
    };
    return kShipped;
}

bool isShipped(std::string_view layout) {
    return layoutNamed(shippedLayouts(), layout) != nullptr;
}

std::vector<Layout> layoutsOf(const Session& session) {
    std::vector<Layout> all = session.layouts;
    all.insert(all.end(), shippedLayouts().begin(), shippedLayouts().end());
    return all;
}

sim::Expected<void> showLayout(Session& session, std::string_view name) {
    const std::vector<Layout> all = layoutsOf(session);
    const Layout* const layout = layoutNamed(all, name);
    if (layout == nullptr) {
        std::vector<std::string> names;
        names.reserve(all.size());
        for (const Layout& known : all) names.push_back(known.name);
        return sim::fail("", fmt::format("there is no layout {}", sim::quotedText(name)),
                         "the layouts are " + sim::joinNames(names));
    }
    // All of it or nothing: a file may have been written by hand.
    Commands commands;
    for (const std::string& text : layout->commands) commands.push_back(WHORL_TRY(parseCommand(text)));
    for (const Command& command : commands) command.applyTo(session);
    return {};
}

Layout layoutOf(const Session& session, std::string name) {
    Layout layout{std::move(name), {"arrange " + textOf(session.viewSettings.tiling(session.pictureSize))}};
    for (const std::string_view id : kSettings) {
        const Setting& setting = settingNamed(id);
        layout.commands.push_back(textOf(setting, setting.value.get(session)));
    }
    return layout;
}

sim::Expected<void> checkLayoutName(std::string_view name) {
    std::size_t at = 0;
    while (at < name.size()) {
        const std::size_t length = sim::printableLength(name.substr(at));
        if (length == 0) break;
        at += length;
    }
    if (name.empty() || at < name.size() || name.size() > Layout::kMaxName) {
        return sim::fail("", fmt::format("{} cannot name a layout", sim::quotedText(name)),
                         fmt::format("use letters, digits and blanks, at most {} bytes", Layout::kMaxName));
    }
    if (!isShipped(name)) return {};
    return sim::fail("", fmt::format("the layout {} comes with Whorl", name), "choose another name");
}

}  // namespace whorl::app
