// A trace whose accesses have calls that led to them.
#pragma once

#include <fmt/format.h>

#include <random>
#include <utility>
#include <vector>

#include "support/traces.h"

namespace whorl::sim::test {

/// Accesses by random instructions of 6 functions, some without lines, reached by random calls. `withCalls` false: the
/// same accesses, where nothing is known of calls.
inline Trace callingTrace(unsigned seed, bool withCalls = true, std::size_t accesses = 2000) {
    std::mt19937_64 random(seed);
    TraceBuilder builder("calls");
    constexpr std::uint64_t kFunctions = 6;
    const auto pcIn = [&](std::uint64_t function) {
        return ByteAddress{0x1000 * (function + 1) + 16 * (random() % 5)};
    };
    std::vector<Call> calls{Call{}};
    for (int c = 0; c < 30; ++c) {
        Call call{.parent = static_cast<std::uint32_t>(random() % calls.size()),
                  .site = builder.siteAt(pcIn(random() % kFunctions)),
                  .count = 1 + random() % 100};
        if (random() % 4 == 0) call.around.push_back(builder.siteAt(pcIn(random() % kFunctions)));
        calls.push_back(std::move(call));
    }
    std::vector<std::uint64_t> last(8);
    std::uint32_t call = 0;
    for (std::size_t i = 0; i < accesses; ++i) {
        if (random() % 4 == 0) call = static_cast<std::uint32_t>(random() % calls.size());
        const std::uint64_t function = random() % kFunctions;
        const SiteId site = builder.siteAt(pcIn(function), withCalls ? call : kNoCall);
        // Steps of their own, which a prefetcher learns.
        last[function] = random() % 8 == 0 ? random() % 0x4000 : last[function] + 8 * function;
        builder.add(access(random() % 3 == 0 ? Op::write : Op::read, last[function], 4,
                           static_cast<std::uint8_t>(random() % 2), site));
    }
    for (std::uint32_t s = 1; s < builder.sites().size(); ++s) {
        const std::uint64_t pc = builder.sites()[s].pc.value;
        const std::uint64_t function = pc / 0x1000 - 1;
        const bool isOfLibrary = function >= kFunctions - 2;
        builder.locate(SiteId{s}, isOfLibrary ? "" : "a.c",
                       isOfLibrary ? 0 : static_cast<std::uint32_t>(pc % 0x1000 / 16 + 10 * function + 1),
                       fmt::format("f{}", function));
    }
    if (withCalls) builder.keep(std::move(calls));
    return builder.finish();
}

}  // namespace whorl::sim::test
