// The tree of calls, against stacks kept as they are: random programs that call, return, jump out, and switch threads.
#include "sim/capture/call_stacks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "support/rounds.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kPerFunction = 0x100;

std::uint32_t functionOf(std::uint64_t pc) {
    return static_cast<std::uint32_t>(pc / kPerFunction);
}
std::vector<CallStacks::Function> functionAt(std::uint64_t pc) {
    return {{.number = functionOf(pc)}};
}

struct PlainCall {
    std::uint64_t stack = 0;
    std::uint64_t pc = 0;
};

TEST(CallStacks, KnowWhatRuns) {
    for (unsigned seed = 0; seed < testRounds(60); ++seed) {
        std::mt19937_64 random(seed);
        TraceBuilder builder("calls");
        CallStacks stacks(builder, functionAt);
        std::map<std::uint64_t, std::vector<PlainCall>> threads;
        std::uint64_t thread = 0;
        std::vector<std::pair<std::uint32_t, std::vector<PlainCall>>> seen;  // a call, and the plain stack
        const std::uint64_t functions = 2 + random() % 6;
        std::map<std::uint64_t, std::uint64_t> made;  // by instruction
        for (int i = 0; i < 1000; ++i) {
            std::vector<PlainCall>& plain = threads[thread];
            const std::uint64_t stack = plain.empty() ? 0x10000 : plain.back().stack;
            switch (random() % 8) {
                case 0:
                case 1:
                case 2: {
                    const std::uint64_t pc = kPerFunction * (1 + random() % functions) + random() % 3;
                    plain.push_back({stack - 16, pc});
                    stacks.call(stack - 16, pc);
                    ++made[pc];
                    break;
                }
                case 3:
                case 4:
                case 5:
                    if (plain.empty()) break;
                    stacks.unwound(plain.back().stack + 8);
                    plain.pop_back();
                    break;
                case 6:  // a jump out of several calls, of which the next call tells
                    if (random() % 4 == 0)
                        plain.resize(random() % (plain.size() + 1));
                    else
                        break;
                    plain.push_back({(plain.empty() ? 0x10000 : plain.back().stack) - 16, kPerFunction});
                    stacks.call(plain.back().stack, kPerFunction);
                    ++made[kPerFunction];
                    break;
                default:
                    thread = random() % 3;
                    stacks.ofThread(thread);
                    break;
            }
            seen.emplace_back(stacks.running(), threads[thread]);
        }
        const std::vector<Call> calls = stacks.take();
        const auto& sites = builder.sites();
        for (const auto& [call, plain] : seen) {
            std::set<std::uint32_t> expected;
            for (const PlainCall& one : plain) expected.insert(functionOf(one.pc));
            std::set<std::uint32_t> running;
            std::multiset<std::uint32_t> chain;
            for (std::uint32_t c = call; c != kNoCall; c = calls[c].parent) {
                chain.insert(functionOf(sites[calls[c].site.value].pc.value));
                for (const SiteId around : calls[c].around) {
                    running.insert(functionOf(sites[around.value].pc.value));
                }
            }
            for (const std::uint32_t f : chain) {
                running.insert(f);
                EXPECT_EQ(chain.count(f), 1u);
            }
            EXPECT_EQ(running, expected);
            const std::uint64_t innermost = call == kNoCall ? 0 : sites[calls[call].site.value].pc.value;
            EXPECT_EQ(innermost, plain.empty() ? 0 : plain.back().pc);
        }
        std::map<std::uint64_t, std::uint64_t> counted;
        for (std::size_t c = 1; c < calls.size(); ++c) counted[sites[calls[c].site.value].pc.value] += calls[c].count;
        EXPECT_EQ(counted, made);
        EXPECT_EQ(stacks.merged(), 0u);
    }
}

TEST(CallStacks, EndlessRecursionTakesNoRoom) {
    TraceBuilder builder("calls");
    CallStacks stacks(builder, functionAt);
    for (std::uint64_t i = 0; i < 100'000; ++i) stacks.call(0x100000000 - 16 * i, kPerFunction * (1 + i % 3));
    EXPECT_LT(stacks.take().size(), 20u);
}

TEST(CallStacks, BeyondTheLimitTheOuterCallsAreKnown) {
    TraceBuilder builder("calls");
    // Each instruction is a function, so that each chain is another one.
    CallStacks stacks(
        builder, [](std::uint64_t pc) { return std::vector{CallStacks::Function{static_cast<std::uint32_t>(pc)}}; });
    for (std::uint64_t i = 0; i < 2 * CallStacks::kMaxCalls; ++i) {
        stacks.call(0x1000, 0x10000 + i);
        stacks.unwound(0x1008);
    }
    EXPECT_EQ(stacks.merged(), CallStacks::kMaxCalls + 1);
    EXPECT_EQ(stacks.running(), kNoCall);
    for (std::uint64_t i = 0; i < 2 * kMaxCallDepth; ++i) stacks.call(0x1000000 - 16 * i, 0x10000 + i);
    EXPECT_EQ(stacks.take().size(), CallStacks::kMaxCalls);
}

}  // namespace
}  // namespace whorl::sim
