#include "app/cli/command_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace whorl::app {

namespace {

/// In the order of ValueKind.
constexpr std::array kValueNames = std::to_array<std::string_view>(
    {"VALUE",   "NUMBER",    "INPUT", "MACHINE", "KEY=VALUE", "VALUE",  "VALUE", "PLACE",
     "PLACE",   "FILE:LINE", "LEVEL", "NUMBER",  "VIEW",      "METRIC", "SCENE", "TOUR",
     "COMMAND", "FILE",      "FILE",  "FOLDER",  "PROGRAM",   "VALUE"});
static_assert(kValueNames.size() == static_cast<std::size_t>(ValueKind::argument) + 1);

}  // namespace

std::string valueName(const OptionFacts& option) {
    if (option.isPositional) return option.names.front();
    if (option.isOneOf) return fmt::format("{}", fmt::join(option.choices, "|"));
    return std::string(kValueNames.at(static_cast<std::size_t>(option.kind)));
}

const OptionFacts* optionNamed(const CommandFacts& command, std::string_view name) {
    for (const OptionFacts& option : command.options) {
        if (option.isPositional) continue;
        if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
    }
    return nullptr;
}

}  // namespace whorl::app
