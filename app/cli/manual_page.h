// Manual pages, in the man macros of roff, made of what commands say of themselves.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_facts.h"

namespace whorl::app {

struct ManualPage {
    std::string file;  ///< "whorl-frame.1"
    std::string text;
};

/// The page of the program and those of its commands, all in section 1. `version` is that of Whorl, `date` the day from
/// which it is, as in "2026-11-24".
std::vector<ManualPage> manualPages(const CommandFacts& program, const std::string& version, const std::string& date);

}  // namespace whorl::app
