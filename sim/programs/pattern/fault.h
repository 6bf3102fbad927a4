// An error in a pattern, thrown to leave a deeply nested parser or loop. Never leaves this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.h"

namespace whorl::sim {

struct PatternFault {
    std::uint32_t at;  ///< offset in the text
    std::string what;
    std::string hint;
};

/// The fault as an error at file:line:column, in characters.
Error errorOf(const PatternFault& fault, std::string_view text, const std::string& file);

[[noreturn]] inline void throwFault(std::uint32_t at, std::string what, std::string hint) {
    throw PatternFault{at, std::move(what), std::move(hint)};
}

}  // namespace whorl::sim
