#include "structure/source_tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace whorl::structure {
namespace {

namespace fs = std::filesystem;

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of the comment or literal that begins at `at`, if any; else `at`.
std::size_t endOfCommentOrLiteral(std::string_view text, std::size_t at) {
    const auto past = [&](std::string_view mark, std::size_t from) {
        return std::min(text.size(),
                        text.find(mark, from) == text.npos ? text.size() : text.find(mark, from) + mark.size());
    };
    if (text.substr(at, 2) == "//") return std::min(text.size(), text.find('\n', at));
    if (text.substr(at, 2) == "/*") return past("*/", at + 2);
    const bool inWord = at > 0 && isWord(text[at - 1]);
    if (text.substr(at, 2) == "R\"" && !inWord) {
        const std::size_t open = text.find('(', at);
        if (open == text.npos) return text.size();
        return past(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
    }
    // 1'000 is a number.
    if (text[at] != '"' && (text[at] != '\'' || inWord)) return at;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    return std::min(text.size(), end + 1);
}

}  // namespace

std::string File::at(std::size_t offset) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    return name + ":" + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

std::vector<File> filesOf(const fs::path& root) {
    std::vector<File> files;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
        const std::string leaf = at->path().filename().string();
        const bool hidden = leaf.starts_with(".") && leaf != ".ci" && leaf != ".clang-tidy" && leaf != ".clang-format";
        if (hidden || (at.depth() == 0 && leaf.starts_with("build"))) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file()) {
            std::ifstream in(at->path(), std::ios::binary);
            files.push_back({at->path().lexically_relative(root).generic_string(),
                             std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>())});
        }
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
    return files;
}

std::string withoutComments(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = endOfCommentOrLiteral(text, at);
        if (end == at) {
            out += text[at++];
            continue;
        }
        out += ' ';
        for (; at < end; ++at) {
            if (text[at] == '\n') out += '\n';
        }
    }
    return out;
}

}  // namespace whorl::structure
