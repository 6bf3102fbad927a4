// Completes a command line: what the word that is being typed can be.
#pragma once

#include <span>
#include <string>

#include "app/cli/command_facts.h"
#include "app/cli/value_candidates.h"

namespace whorl::app {

struct Completion {
    Candidates candidates;
    /// Where files are wanted: the beginning of the word that is not a part of their names, such as "--regions=".
    std::string beforeFile = {};
};

/// `words` are those after the program's name; the last is to be completed, and may be empty.
Completion completionOf(const CommandFacts& program, std::span<const std::string> words);

}  // namespace whorl::app
