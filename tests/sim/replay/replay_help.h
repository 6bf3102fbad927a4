// Shared by the tests of replay.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "sim/replay/snapshot.h"
#include "support/machines.h"
#include "support/runs.h"

namespace whorl::sim::test {

/// Accesses all over some 16 KiB; in the second half, by any of the CPUs.
inline Trace randomAccesses(std::uint64_t length, std::uint32_t cpus = 1) {
    TraceBuilder builder("random");
    std::mt19937_64 random(9);
    for (std::uint64_t i = 0; i < length; ++i) {
        const Op op = random() % 3 == 0 ? Op::write : Op::read;
        const auto cpu = static_cast<std::uint8_t>(i < length / 2 ? 0 : random() % cpus);
        builder.add(access(op, 0x1000 + random() % 0x4000, 4, cpu));
    }
    return builder.finish();
}

inline void expectSame(const Snapshot& a, const Snapshot& b) {
    EXPECT_TRUE(a.now == b.now);
    EXPECT_EQ(a.t, b.t);
    ASSERT_EQ(a.recent.size(), b.recent.size());
    for (std::size_t i = 0; i < a.recent.size(); ++i) {
        EXPECT_EQ(a.recent[i].tick, b.recent[i].tick);
        EXPECT_EQ(a.recent[i].access, b.recent[i].access);
        EXPECT_EQ(a.recent[i].kinds, b.recent[i].kinds);
        EXPECT_EQ(a.recent[i].events.size(), b.recent[i].events.size());
        EXPECT_EQ(a.recent[i].reorderings.size(), b.recent[i].reorderings.size());
    }
    ASSERT_EQ(a.window.size(), b.window.size());
    for (std::size_t i = 0; i < a.window.size(); ++i) {
        EXPECT_EQ(a.window[i].asked, b.window[i].asked);
        EXPECT_EQ(a.window[i].missed, b.window[i].missed);
        EXPECT_EQ(a.window[i].kinds, b.window[i].kinds);
    }
    EXPECT_EQ(a.flows.counts(), b.flows.counts());
}

}  // namespace whorl::sim::test
