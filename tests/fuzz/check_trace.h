// What the fuzzers require of a trace, whatever it was made of.
#pragma once

#include <cstdint>

#include "fuzz/check.h"
#include "sim/trace/trace.h"

namespace whorl {

/// What can be guaranteed of a malicious file: regions and accesses need not fit together.
inline void checkTrace(const sim::Trace& trace) {
    check(trace.size() > 0 && trace.writes() <= trace.size());
    const auto& regions = trace.regions();
    check(!regions.empty());
    for (std::size_t i = 0; i < regions.size(); ++i) {
        check(regions[i].size > 0 && regions[i].base <= regions[i].last());
        check(i == 0 || regions[i - 1].last() < regions[i].base);
    }
    std::uint64_t n = 0;
    trace.forEach(sim::Tick{0}, sim::Tick{trace.size()}, [&](sim::Tick t, const sim::Access& a) {
        check(a.size > 0 && a.size - 1 <= ~a.address.value && a.cpu < trace.cpus());
        const sim::Site& site = trace.site(a.site);
        check(a.site.value < trace.sites().size() && (site.line == 0 || site.file < trace.files().size()));
        check(!trace.placeOf(a.address, t).empty() || trace.regionAt(a.address) < regions.size() ||
              trace.objectAt(a.address, t) != nullptr);
        ++n;
    });
    check(n == trace.size());
}

}  // namespace whorl
