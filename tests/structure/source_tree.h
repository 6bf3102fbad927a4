#pragma once

// The files of the tree, as the rules see them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::structure {

struct File {
    std::string name;  // from the root, with forward slashes
    std::string text;

    bool isIn(std::string_view folder) const { return name.starts_with(folder); }
    bool isHeader() const { return name.ends_with(".h"); }
    bool isCode() const { return isHeader() || name.ends_with(".cpp"); }
    bool isOfTheProgram() const { return isIn("sim/") || isIn("render/") || isIn("app/"); }
    // "sim/base/error.h:12", for the position of a character of the text.
    std::string at(std::size_t offset) const;
};

// All files that belong to the project, by name: not build output, nor the files that git and editors keep beside it.
std::vector<File> filesOf(const std::filesystem::path& root);

// The text without comments and without the content of string and character literals; line numbers are kept.
std::string withoutComments(std::string_view text);

}  // namespace whorl::structure
