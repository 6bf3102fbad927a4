// The savings of a layout change, in words.
#pragma once

#include <cstddef>
#include <string>

#include "sim/analysis/what_if.h"

namespace whorl::sim {

/// A table for a terminal, with the first `top` regions, objects and classes.
std::string whatIfAsText(const WhatIf& whatIf, std::size_t top);

}  // namespace whorl::sim
