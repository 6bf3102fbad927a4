// Numbers with a fraction, read from text.
#pragma once

#include <optional>
#include <string_view>

namespace whorl::sim {

/// Parses a finite decimal number, such as -0.5 or 1e3, whatever the locale; nothing for any other text.
std::optional<double> realNumber(std::string_view text);

}  // namespace whorl::sim
