// Commands of the shell, for what other programs do.
#pragma once

#include <string>

namespace whorl::app {

/// As a shell takes a word.
std::string shellQuoted(const std::string& word);

/// Runs a command without input. What it says, on both outputs, is added to `words`. Whether it succeeded.
bool runInShell(const std::string& command, std::string& words);

}  // namespace whorl::app
