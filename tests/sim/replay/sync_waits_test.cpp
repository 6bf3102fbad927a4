// How long CPUs wait for each other where a trace tells only in which order they did: worked by hand.

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "sim/replay/clock.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

/// Accesses and what happens between them; each access takes as long as it is told.
class Script {
  public:
    void access(std::uint8_t cpu, Cycles cost) {
        builder_.add({.address = ByteAddress{64}, .size = 4, .cpu = cpu});
        accesses_.push_back({cpu, cost});
    }
    void sync(std::uint8_t cpu, SyncKind kind, std::uint32_t object = 0) {
        syncs_.add({.at = Tick{builder_.size()}, .cpu = cpu, .kind = kind, .object = object});
    }
    /// Plays it; gives all waits.
    std::vector<Wait> play(std::uint32_t cpus) {
        builder_.keep(std::move(syncs_));
        trace_ = test::shared(builder_);
        Clock clock(*trace_, cpus);
        std::vector<Wait> waits;
        for (std::uint64_t t = 0; t < accesses_.size(); ++t) {
            clock.take(Tick{t}, accesses_[t].first, accesses_[t].second);
            waits.insert(waits.end(), clock.waits().begin(), clock.waits().end());
        }
        for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) ends.push_back(clock.now(cpu));
        return waits;
    }
    std::vector<Cycles> ends;

  private:
    TraceBuilder builder_{"script"};
    SyncLog syncs_;
    std::vector<std::pair<std::uint8_t, Cycles>> accesses_;
    std::shared_ptr<const Trace> trace_;
};

TEST(SyncWaits, WhoTakesALockWaitsUntilItWasUnlocked) {
    Script s;
    s.sync(0, SyncKind::lock);
    s.access(0, 30);
    s.sync(0, SyncKind::unlock);
    s.access(0, 5);
    s.access(1, 10);
    s.sync(1, SyncKind::lock);
    s.access(1, 7);
    EXPECT_EQ(s.play(2), (std::vector<Wait>{{.cpu = 1, .by = 0, .what = WaitFor::lock, .from = 10, .to = 30}}));
    EXPECT_EQ(s.ends, (std::vector<Cycles>{35, 37}));
}

TEST(SyncWaits, WhoComesLaterDoesNotWait) {
    Script s;
    s.sync(0, SyncKind::lock);
    s.access(0, 30);
    s.sync(0, SyncKind::unlock);
    s.access(1, 31);
    s.sync(1, SyncKind::lock);
    s.access(1, 7);
    s.sync(1, SyncKind::unlock);
    s.sync(1, SyncKind::lock);  // its own
    s.access(1, 1);
    EXPECT_TRUE(s.play(2).empty());
    EXPECT_EQ(s.ends[1], 39);
}

TEST(SyncWaits, AtABarrierAllWaitForTheLast) {
    Script s;
    for (int round = 0; round < 2; ++round) {
        const std::uint8_t slow = round == 0 ? 1 : 2;
        for (std::uint8_t cpu = 0; cpu < 3; ++cpu) {
            s.access(cpu, cpu == slow ? 50 : 10);
            s.sync(cpu, SyncKind::arrive);
        }
        // One may leave, and come to the next round, before others have left.
        for (std::uint8_t cpu = 0; cpu < 3; ++cpu) s.sync(cpu, SyncKind::leave);
    }
    for (std::uint8_t cpu = 0; cpu < 3; ++cpu) s.access(cpu, 1);
    EXPECT_EQ(s.play(3), (std::vector<Wait>{{.cpu = 0, .by = 1, .what = WaitFor::barrier, .from = 10, .to = 50},
                                            {.cpu = 2, .by = 1, .what = WaitFor::barrier, .from = 10, .to = 50},
                                            {.cpu = 0, .by = 2, .what = WaitFor::barrier, .from = 60, .to = 100},
                                            {.cpu = 1, .by = 2, .what = WaitFor::barrier, .from = 60, .to = 100}}));
    EXPECT_EQ(s.ends, (std::vector<Cycles>{101, 101, 101}));
}

TEST(SyncWaits, EventsAndSemaphores) {
    Script s;
    s.access(0, 20);
    s.sync(0, SyncKind::signal);
    s.sync(1, SyncKind::wait);  // a thread begins
    s.access(1, 5);
    s.access(0, 20);
    s.sync(1, SyncKind::take, 1);  // one was there from the beginning
    s.access(1, 1);
    s.sync(0, SyncKind::post, 1);
    s.sync(1, SyncKind::take, 1);
    s.access(1, 1);
    EXPECT_EQ(s.play(2),
              (std::vector<Wait>{{.cpu = 1, .by = 0, .from = 0, .to = 20}, {.cpu = 1, .by = 0, .from = 26, .to = 40}}));
    EXPECT_EQ(s.ends, (std::vector<Cycles>{40, 41}));
}

TEST(SyncWaits, AtomicAccessesAreOrderedButDoNotWait) {
    Script s;
    s.access(0, 50);
    s.access(1, 1);
    SyncLog log;
    log.add(Sync::after({Tick{0}, 0}, Tick{1}, 1));
    EXPECT_FALSE(log.hasWaits());
    EXPECT_TRUE(s.play(2).empty());
}

TEST(SyncWaits, AreKnownOfALogThatIsReadAgain) {
    SyncLog log;
    log.add({.at = Tick{0}, .cpu = 0, .kind = SyncKind::want, .object = 0});
    log.add({.at = Tick{0}, .cpu = 1, .kind = SyncKind::want, .object = 0});
    EXPECT_FALSE(log.hasWaits());
    log.add({.at = Tick{1}, .cpu = 0, .kind = SyncKind::lock, .object = 0});
    EXPECT_TRUE(log.hasWaits());
    SyncLog again;
    ASSERT_TRUE(SyncLog::read(log.bytes(), 3, 2, again));
    EXPECT_TRUE(again.hasWaits());
    EXPECT_EQ(again, log);
}

TEST(SyncWaits, AThreadAloneNeverWaits) {
    SyncLog log;
    log.add({.at = Tick{0}, .cpu = 3, .kind = SyncKind::lock, .object = 0});
    log.add({.at = Tick{1}, .cpu = 3, .kind = SyncKind::unlock, .object = 0});
    log.add({.at = Tick{2}, .cpu = 3, .kind = SyncKind::lock, .object = 0});
    EXPECT_FALSE(log.hasWaits());
    SyncLog again;
    ASSERT_TRUE(SyncLog::read(log.bytes(), 3, 4, again));
    EXPECT_FALSE(again.hasWaits());
}

}  // namespace
}  // namespace whorl::sim
