// Runs patterns in tests.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/programs/pattern/pattern.h"
#include "sim/programs/program.h"
#include "support/traces.h"

namespace whorl::sim::test {

/// The trace of a pattern that is sound.
inline Trace patternTrace(const std::string& text) {
    Progress progress;
    auto trace = parsePattern(text, "p").and_then([&](const Pattern& p) { return runPattern(p, "p", progress); });
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return *std::move(trace);
}

/// What is wrong with a pattern, or with running it; empty if nothing is.
inline std::string wrongIn(const std::string& text) {
    Progress progress;
    auto trace = parsePattern(text, "p").and_then([&](const Pattern& p) { return runPattern(p, "p", progress); });
    return refusalOf(trace, "");
}

inline std::vector<std::uint64_t> addressesOf(const std::string& text) {
    std::vector<std::uint64_t> all;
    for (const Access& a : accessesIn(patternTrace(text))) all.push_back(a.address.value);
    return all;
}

}  // namespace whorl::sim::test
