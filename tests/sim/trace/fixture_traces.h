// The traces in tests/sim/trace/fixtures, made anew. What a file of any version holds must never change, so neither may
// these.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {

/// Numbers that look random.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}

    /// A number below `limit`.
    std::uint64_t below(std::uint64_t limit) {
        state_ = state_ * 6364136223846793005 + 1442695040888963407;
        return (state_ >> 33) % limit;
    }

  private:
    std::uint64_t state_;
};

/// All that a .whorl file can hold, in two chunks.
inline Trace fixtureWithEverything() {
    TraceBuilder builder("everything");
    builder.machine("{\"levels\": []}");
    builder.addModule({.path = "/bin/true", .base = ByteAddress{0x400000}, .size = 0x1000});
    builder.sourceText("loop.c", "for (;;)\n    a[i] = b[i];\n");
    Region shaped = region("A", 0x10000, 64 * 32 * 8);
    shaped.elementSize = 8;
    shaped.rows = 64;
    shaped.columns = 32;
    builder.addRegion(shaped);
    builder.addRegion(region("größe", 0x80000, 0x1000));
    builder.workBeforeEach(2);
    const SiteId load = builder.site("loop.c", 2);
    const SiteId store = builder.siteAt(ByteAddress{0x400010});
    Numbers numbers(1);
    for (std::uint64_t i = 0; i < 70000; ++i) {
        if (i % 20000 == 0) builder.mark("round " + std::to_string(i));
        if (i % 10000 == 5) builder.newObject(object("node " + std::to_string(i), 0x200000 + i, 48));
        if (i % 20000 == 10005) builder.deleteObject(ByteAddress{0x200000 + i - 10000});
        if (i % 1000 == 7) builder.delay(i % 7, i % 3 == 0 ? Tick{i - 1} : Delay::kNoAccess);
        const auto cpu = static_cast<std::uint8_t>(i % 3);
        Access a = access(Op::read, 0x10000 + i % 2048 * 8, 8, cpu, load);
        if (i % 4 == 3) a = access(Op::write, 0x200000 + numbers.below(500) * 16, 4, cpu, store);
        if (i % 100 == 50) a.unrecorded = true;
        if (i % 100 == 51) a.modify = a.isWrite();
        builder.add(a, 1000 + i * 3);
    }
    return builder.finish();
}

/// A list of 2500 nodes, walked 240 times, in ten chunks.
inline Trace fixtureOfList() {
    constexpr std::uint64_t kNodes = 2500;
    std::vector<std::uint64_t> order(kNodes);
    Numbers numbers(2);
    for (std::uint64_t i = 0; i < kNodes; ++i) {
        const std::uint64_t other = numbers.below(i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    TraceBuilder builder("list");
    const SiteId site = builder.siteAt(ByteAddress{0x401000});
    for (std::uint64_t i = 0; i < kNodes * 240; ++i) {
        builder.add(access(Op::read, 0x4a00000 + order[i % kNodes] * 32, 8, 0, site));
    }
    return builder.finish();
}

/// Lookups of 500 nodes all over memory, in random order, each followed by what hangs on the node: since version 2 that
/// takes a dictionary.
inline Trace fixtureOfLookups() {
    constexpr std::uint64_t kNodes = 500;
    Numbers numbers(3);
    std::vector<std::uint64_t> places(2 * kNodes);
    for (std::uint64_t& p : places) p = (numbers.below(1u << 30) << 12 | numbers.below(512) * 8) + 0x1000;
    TraceBuilder builder("lookups");
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t node = numbers.below(kNodes);
        builder.add(access(Op::read, places[node], 8));
        builder.add(access(Op::write, places[node + kNodes], 4));
    }
    return builder.finish();
}

struct Fixture {
    std::string name;
    std::function<Trace()> make;
};

inline std::vector<Fixture> fixtures() {
    return {{"everything", fixtureWithEverything}, {"list", fixtureOfList}, {"lookups", fixtureOfLookups}};
}

}  // namespace whorl::sim::test
