// How many rounds a test with random input plays. Where tests are slow (sanitizers) or many (CI), WHORL_TEST_SHARE in
// the environment gives the percentage of them that is enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace whorl {

/// `full` rounds, or that share of them, at least one. Likewise what a count over the rounds must exceed.
inline std::uint64_t testRounds(std::uint64_t full) {
    const char* const share = std::getenv("WHORL_TEST_SHARE");
    if (share == nullptr) return full;
    return std::max<std::uint64_t>(1, full * std::strtoull(share, nullptr, 10) / 100);
}

}  // namespace whorl
