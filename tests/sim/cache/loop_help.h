// Shared by the tests of the loops that play batches: random accesses, and the comparison of events.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/cache/event.h"
#include "sim/trace/access.h"

namespace whorl::sim::test {

using Random = std::mt19937;

inline std::uint32_t among(Random& random, std::uint32_t from, std::uint32_t to) {
    return from + static_cast<std::uint32_t>(random() % (to - from + 1));
}

/// Accesses at the start of the address space; `anywhere`: in some cases at its end.
inline std::vector<PackedAccess> someAccesses(Random& random, std::size_t count, bool anywhere = false) {
    std::vector<PackedAccess> accesses;
    accesses.reserve(count);
    const std::uint32_t range = 1u << among(random, 6, 15);
    const std::uint64_t base = anywhere && random() % 4 == 0 ? 0 - std::uint64_t{range} - 400 : 0;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        at = random() % 3 == 0 ? random() % range : (at + 8) % range;
        Access a;
        a.address = ByteAddress{base + at};
        a.size = random() % 50 == 0 ? 300 : among(random, 1, 16);
        a.op = random() % 3 == 0 ? Op::write : Op::read;
        a.unrecorded = random() % 64 == 0;
        accesses.emplace_back(a);
    }
    return accesses;
}

inline bool isSame(const Event& a, const Event& b) {
    const bool hasWay = a.kind != EventKind::miss && a.kind != EventKind::memory;
    return a.kind == b.kind && a.level == b.level && a.cache == b.cache && a.write == b.write && a.dirty == b.dirty &&
           a.demand == b.demand && a.useful == b.useful && a.together == b.together && a.half == b.half &&
           a.cause == b.cause && (!hasWay || a.way == b.way) && a.set == b.set && a.block == b.block &&
           a.access == b.access;
}

}  // namespace whorl::sim::test
