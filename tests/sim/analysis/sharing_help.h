// Shared by the tests of sharing: counters that CPUs write in turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/runs.h"

namespace whorl::sim::test {

/// An object of no class.
inline Object counter(const std::string& name, std::uint64_t base, std::uint64_t size = 4) {
    return object(name, base, size, "");
}

/// In turn, `times` times, CPU i writes the i-th address.
inline void writeInTurn(TraceBuilder& b, const std::vector<std::uint64_t>& addresses, int times) {
    for (int n = 0; n < times; ++n) {
        for (std::size_t cpu = 0; cpu < addresses.size(); ++cpu) {
            b.add(access(Op::write, addresses[cpu], 4, static_cast<std::uint8_t>(cpu), b.site("a.c", 7)));
        }
    }
}

}  // namespace whorl::sim::test
