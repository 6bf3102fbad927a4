// Helpers to run programs in tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/programs/program.h"

namespace whorl::sim {

/// An ordinary array that counts its accesses.
template <class T>
struct Plain {
    std::vector<T> values;
    int columns = 1;
    std::uint64_t asked = 0;
    T& operator()(int i) {
        ++asked;
        return values.at(static_cast<std::size_t>(i));
    }
    T& operator()(int i, int k) { return (*this)(i * columns + k); }
};

inline Trace ran(const std::string& spec) {
    Progress progress;
    auto parsed = parseProgramSpec(spec);
    if (!parsed) throw std::runtime_error(parsed.error().sentence());
    auto trace = runProgram(*parsed, progress);
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return *std::move(trace);
}

/// The name of the region that an access touches.
inline std::string regionOf(const Trace& trace, const Access& access) {
    const std::size_t index = trace.regionAt(access.address);
    return index < trace.regions().size() ? trace.regions()[index].name : "nowhere";
}

/// The file that a program's accesses come from.
inline const SourceFile& listingOf(const Trace& trace) {
    return trace.files()[trace.site(TraceCursor(trace).at(Tick{0}).site).file];
}

/// The source line of an access, as text.
inline std::string lineOf(const Trace& trace, const Access& access) {
    const Site& site = trace.site(access.site);
    return site.line == 0 ? "" : std::string(trace.files()[site.file].lines[site.line - 1]);
}

}  // namespace whorl::sim
