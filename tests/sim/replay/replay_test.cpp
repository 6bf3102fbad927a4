// The loop that plays accesses: what observers of each kind receive, where batches end, progress, cancellation.
#include "sim/replay/replay.h"

#include <gtest/gtest.h>

#include "sim/replay/replay_help.h"

namespace whorl::sim {
namespace {

using Wants = Observer::Wants;

/// Checks that batches are contiguous, and counts accesses and events.
class Counting : public Observer {
  public:
    Counting(Wants wants, Tick from) : wants_(wants), next_(from) {}
    Wants wants() const override { return wants_; }
    void take(const Batch& batch) override {
        EXPECT_EQ(batch.first, next_);
        EXPECT_FALSE(batch.accesses.empty());
        next_.value += batch.accesses.size();
        EXPECT_EQ(batch.after.played, next_.value);
        ++batches;
        longest = std::max(longest, batch.accesses.size());
        for (const Event& e : batch.events) {
            if (e.kind == EventKind::miss) ++misses;
            if (e.kind == EventKind::hit && e.level == 0) ++hits;
        }
        for (const std::uint32_t hit : batch.events.hits()) apart += hit != EventList::kNoHit ? 1 : 0;
    }
    Tick next() const { return next_; }

    std::size_t batches = 0;
    std::size_t longest = 0;
    std::uint64_t misses = 0;
    std::uint64_t hits = 0;
    std::uint64_t apart = 0;

  private:
    Wants wants_;
    Tick next_;
};

TEST(Replay, GivesEachObserverWhatItWants) {
    const Trace trace = test::randomAccesses(70000);
    Progress progress;
    Simulator plain(test::twoLevels());
    ASSERT_TRUE(replay(trace, plain, {Tick{0}, Tick{70000}}, progress));
    const CacheCounters counted = plain.counters().level(0);
    for (const Wants wants : {Wants::hitsApart, Wants::events, Wants::oneByOne, Wants::live}) {
        Simulator state(test::twoLevels());
        Counting observer(wants, Tick{0});
        ASSERT_TRUE(replay(trace, state, {Tick{0}, Tick{70000}}, observer, progress));
        EXPECT_EQ(observer.next(), Tick{70000});
        EXPECT_TRUE(state == plain);
        EXPECT_EQ(observer.misses, counted.misses() + plain.counters().level(1).misses());
        EXPECT_EQ(observer.hits + observer.apart, counted.hits());
        EXPECT_EQ(observer.apart > 0, wants == Wants::hitsApart);
        EXPECT_EQ(observer.longest == 1, wants == Wants::oneByOne || wants == Wants::live);
    }
}

TEST(Replay, GoesOnWhereTheMachineIs) {
    const Trace trace = test::randomAccesses(70000);
    Progress progress;
    Simulator inOne(test::twoLevels());
    replay(trace, inOne, {Tick{0}, Tick{69000}}, progress);
    Simulator inTwo(test::twoLevels());
    replay(trace, inTwo, {Tick{0}, Tick{123}}, progress);
    progress.start(69000 - 123);
    Counting observer(Wants::events, Tick{123});
    replay(trace, inTwo, {Tick{123}, Tick{69000}}, observer, progress);
    EXPECT_TRUE(inOne == inTwo);
    EXPECT_EQ(progress.done(), progress.total());
}

TEST(Replay, EndsWithTheTrace) {
    const Trace trace = test::randomAccesses(100);
    Progress progress;
    Simulator state(test::twoLevels());
    Counting observer(Wants::events, Tick{0});
    EXPECT_TRUE(replay(trace, state, {Tick{0}, Tick{1000}}, observer, progress));
    EXPECT_EQ(observer.next(), Tick{100});
    EXPECT_TRUE(replay(trace, state, {Tick{100}, Tick{100}}, observer, progress));
    EXPECT_EQ(progress.done(), 100u);
}

TEST(Replay, EndsBatchesWhereTheObserverSays) {
    class Stopping final : public Counting {
      public:
        Stopping() : Counting(Wants::hitsApart, Tick{0}) {}
        Tick nextStop(Tick from) const override { return Tick{(from.value / 700 + 1) * 700}; }
        void take(const Batch& batch) override {
            Counting::take(batch);
            EXPECT_EQ((batch.first.value + batch.accesses.size() - 1) / 700, batch.first.value / 700);
        }
    };
    const Trace trace = test::randomAccesses(7000);
    Progress progress;
    Simulator state(test::twoLevels());
    Stopping observer;
    EXPECT_TRUE(replay(trace, state, {Tick{0}, Tick{7000}}, observer, progress));
    EXPECT_EQ(observer.batches, 10u);
}

TEST(Replay, IsCancelledBetweenBatches) {
    const Trace trace = test::randomAccesses(10000);
    Progress progress;
    Simulator state(test::twoLevels());
    CallingObserver observer(Wants::events, [&](const Batch&) { progress.cancel(); });
    EXPECT_FALSE(replay(trace, state, {Tick{0}, Tick{10000}}, observer, progress));
    EXPECT_EQ(state.played(), progress.done());
    EXPECT_LT(state.played(), 10000u);
    EXPECT_FALSE(replay(trace, state, {Tick{state.played()}, Tick{10000}}, progress));
}

TEST(Replay, NotifiesBeforeTheMachineChanges) {
    class Listening final : public Observer {
      public:
        explicit Listening(const Simulator& state) : state_(state) {}
        Wants wants() const override { return Wants::live; }
        void hear(const Event& e) override {
            ++heard;
            if (e.kind != EventKind::eviction || e.level != 0) return;
            EXPECT_TRUE(state_.hierarchy().cache(0).holds(e.block));
            evicted = e.block;
        }
        void take(const Batch& batch) override {
            told += batch.events.size();
            EXPECT_FALSE(evicted && batch.machine.hierarchy().cache(0).holds(*evicted));
            evicted.reset();
        }
        std::size_t heard = 0;
        std::size_t told = 0;
        std::optional<BlockAddress> evicted;

      private:
        const Simulator& state_;
    };
    const Trace trace = test::randomAccesses(3000);
    Progress progress;
    Simulator state(test::twoLevels());
    Listening observer(state);
    EXPECT_TRUE(replay(trace, state, {Tick{0}, Tick{3000}}, observer, progress));
    EXPECT_EQ(observer.heard, observer.told);
}

}  // namespace
}  // namespace whorl::sim
