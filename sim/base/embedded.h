// The files that are compiled into the program: the listings of the built-in programs and the preset machines.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace whorl::sim {

/// Each file's name without its folder, and its text. The build generates this: see cmake/embed.cmake.
std::span<const std::pair<std::string_view, std::string_view>> embeddedFiles();

/// One of them, name and text, which live as long as the program; both empty when there is none of that name.
inline std::pair<std::string_view, std::string_view> embeddedFile(std::string_view name) {
    for (const auto& file : embeddedFiles()) {
        if (file.first == name) return file;
    }
    return {};
}

}  // namespace whorl::sim
