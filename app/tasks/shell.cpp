#include "app/tasks/shell.h"

#include <array>
#include <cstdio>

namespace whorl::app {

std::string shellQuoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

bool runInShell(const std::string& command, std::string& words) {
    FILE* const pipe = popen(("{ " + command + "\n} 2>&1 </dev/null").c_str(), "re");
    if (pipe == nullptr) return false;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) words.append(part.data(), n);
    return pclose(pipe) == 0;
}

}  // namespace whorl::app
