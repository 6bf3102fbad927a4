// Helpers to run programs in tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/runs.h"

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

using test::ran;

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
