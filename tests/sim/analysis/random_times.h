// Histories with nothing but their times: accesses that take random numbers of cycles, some of them none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "sim/analysis/history.h"

namespace whorl::sim::test {

inline History randomTimes(std::mt19937_64& random, std::uint64_t accesses) {
    const auto below = [&](std::uint64_t n) { return random() % n; };
    History history;
    history.from = Tick{0};
    history.to = Tick{accesses};
    history.stride = 1 + below(4) * below(9);
    const std::uint64_t slow = 1 + below(300);
    const bool hasFree = below(2) == 0;
    Cycles now = below(3) * 1'000'003;
    history.begin = now;
    now += below(3);
    for (std::uint64_t t = 0; t < accesses; ++t) {
        if (t % history.stride == 0) history.starts.push_back(now);
        now += hasFree && below(3) == 0 ? 0 : 1 + below(slow);
    }
    history.end = now + below(5);
    return history;
}

}  // namespace whorl::sim::test
