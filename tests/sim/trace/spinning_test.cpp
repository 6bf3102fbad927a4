// Waiting by reading, in traces that say by hand who waits.
#include "sim/trace/spinning.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kFlag = 0x1000;
constexpr std::uint64_t kStack = 0x8000;

class Story {
  public:
    /// The program counter 0x100 is that of the waiting read.
    Story& read(std::uint8_t cpu, std::uint64_t address, std::uint64_t pc = 0x100) {
        return add(Op::read, cpu, address, pc, false);
    }
    Story& write(std::uint8_t cpu, std::uint64_t address, std::uint64_t pc = 0x200) {
        return add(Op::write, cpu, address, pc, false);
    }
    Story& modify(std::uint8_t cpu, std::uint64_t address, std::uint64_t pc = 0x300) {
        add(Op::read, cpu, address, pc, false);
        return add(Op::write, cpu, address, pc, true);
    }
    Story& sync(std::uint8_t cpu, SyncKind kind) {
        log_.add({.at = Tick{builder_.size()}, .cpu = cpu, .kind = kind, .object = 0});
        return *this;
    }
    Spinning found() {
        if (!log_.empty()) builder_.keep(std::move(log_));
        const Trace trace = builder_.finish();
        Progress progress;
        const Spinning found = spinningIn(trace, progress).value();
        pc_ = trace.site(found.site).pc.value;
        return found;
    }
    /// Of the last found().
    std::uint64_t pc() const { return pc_; }

  private:
    Story& add(Op op, std::uint8_t cpu, std::uint64_t address, std::uint64_t pc, bool isModify) {
        Access a = test::access(op, address, 4, cpu);
        a.site = builder_.siteAt(ByteAddress{pc});
        a.modify = isModify;
        builder_.add(a);
        return *this;
    }

    TraceBuilder builder_{"t"};
    SyncLog log_;
    std::uint64_t pc_ = 0;
};

TEST(Spinning, IsReadingUntilAnotherWrites) {
    Story story;
    for (int i = 0; i < 100; ++i) story.read(0, kFlag);
    for (int i = 0; i < 10; ++i) story.write(1, 0x2000 + 64 * i);
    for (int i = 0; i < 50; ++i) story.read(0, kFlag);
    story.write(1, kFlag).read(0, kFlag);
    const Spinning found = story.found();
    EXPECT_EQ(found.accesses, 150u);
    EXPECT_EQ(found.times, 1u);
    EXPECT_EQ(story.pc(), 0x100u);
}

TEST(Spinning, MayDoTheSameThingsBetweenItsReads) {
    Story story;
    for (int i = 0; i < 40; ++i) {
        for (int k = 0; k < 10; ++k) story.write(0, kStack + 8 * k).read(0, kStack + 8 * k, 0x104 + 4 * k);
        story.read(0, kFlag);
    }
    story.write(1, kFlag).read(0, kFlag);
    EXPECT_EQ(story.found().accesses, 39 * 21 + 1u) << "from the first read of the flag on";
    EXPECT_EQ(story.pc(), 0x100u);
}

TEST(Spinning, IsAsManyReadsAsThatAtLeast) {
    Story story;
    for (std::uint64_t i = 0; i < Spinning::kMinReads; ++i) story.read(0, kFlag);
    story.write(1, kFlag);
    EXPECT_EQ(story.found().accesses, Spinning::kMinReads);
}

TEST(Spinning, MayEndInSleep) {
    Story story;
    for (int i = 0; i < 100; ++i) story.read(0, kFlag);
    for (int i = 0; i < 5; ++i) story.write(0, kStack + 64 * i);
    story.write(1, kFlag).read(0, kFlag);
    EXPECT_EQ(story.found().accesses, 100u);
}

TEST(Spinning, AtALockByTestAndSetIsTold) {
    Story story;
    story.modify(1, kFlag);
    for (int i = 0; i < 40; ++i) story.modify(0, kFlag);
    story.write(1, kFlag).modify(0, kFlag);
    EXPECT_EQ(story.found().accesses, 80u);
    EXPECT_EQ(story.pc(), 0x300u);
}

TEST(Spinning, IsNotWhatOnlyLooksLikeIt) {
    const auto none = [](const char* what, Story& story) { EXPECT_EQ(story.found().times, 0u) << what; };
    Story few;
    for (std::uint64_t i = 0; i + 1 < Spinning::kMinReads; ++i) few.read(0, kFlag);
    few.write(1, kFlag).read(0, kFlag);
    none("a few reads", few);
    Story counter;
    for (int i = 0; i < 100; ++i) counter.modify(0, kFlag);
    for (int i = 0; i < 100; ++i) counter.modify(1, kFlag);
    none("a counter that all modify", counter);
    Story racing;
    for (int i = 0; i < 100; ++i) racing.read(0, kFlag).write(0, kFlag);
    racing.read(1, kFlag).write(1, kFlag);
    none("a counter that a CPU reads and writes", racing);
    Story working;
    for (int i = 0; i < 100; ++i) working.read(0, kFlag).read(0, 0x20000 + 64 * i);
    working.write(1, kFlag).read(0, kFlag);
    none("reading on the way through other memory", working);
    Story neighbour;
    for (int i = 0; i < 100; ++i) neighbour.read(0, kFlag);
    neighbour.write(1, kFlag + 4).read(0, kFlag);
    none("other bytes are written", neighbour);
    Story own;
    for (int i = 0; i < 100; ++i) own.read(0, kFlag);
    own.write(0, kFlag).read(0, kFlag);
    none("it writes them itself", own);
    Story logged;
    for (int i = 0; i < 100; ++i) logged.read(0, kFlag);
    logged.sync(0, SyncKind::arrive).write(1, kFlag);
    none("what it waits for is known", logged);
    Story gone;
    for (int i = 0; i < 100; ++i) gone.read(0, kFlag);
    for (std::uint64_t i = 0; i < Spinning::kWindow; ++i) gone.read(0, 0x20000 + 64 * i);
    gone.write(1, kFlag);
    none("it had gone on before", gone);
}

/// A write that is twice seen is counted once; the rest is told when it ends.
TEST(Spinning, CountsEachAccessOnce) {
    Story story;
    for (int i = 0; i < 64; ++i) story.read(0, kFlag);
    story.write(1, kFlag).write(1, kFlag);
    for (int i = 0; i < 64; ++i) story.read(0, kFlag);
    story.write(1, kFlag);
    const Spinning found = story.found();
    EXPECT_EQ(found.accesses, 128u);
    EXPECT_EQ(found.times, 2u);
}

TEST(Spinning, NeverExceedsTheAccesses) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        std::mt19937 random(seed);
        Story story;
        std::uint64_t accesses = 0;
        for (int i = 0; i < 2000; ++i) {
            const auto cpu = static_cast<std::uint8_t>(random() % 4);
            const std::uint64_t address = kFlag + random() % 4 * 4;
            for (std::uint64_t n = random() % 60; n > 0; --n, ++accesses) story.read(cpu, address);
            if (random() % 2 == 0) story.write(cpu, address), ++accesses;
        }
        EXPECT_LE(story.found().accesses, accesses);
    }
}

}  // namespace
}  // namespace whorl::sim
