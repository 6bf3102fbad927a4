// The files that are compiled into the program: the listings of the built-in programs and the preset machines.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace whorl::sim {

/// Each file's name without its folder, and its text. The build generates this: see cmake/embed.cmake.
std::span<const std::pair<std::string_view, std::string_view>> embeddedFiles();

/// The text of one of them; empty when there is none of that name.
inline std::string_view embeddedFile(std::string_view name) {
    for (const auto& [fileName, text] : embeddedFiles()) {
        if (fileName == name) return text;
    }
    return {};
}

}  // namespace whorl::sim
