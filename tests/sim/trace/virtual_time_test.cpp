#include "sim/trace/virtual_time.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/replay/measuring.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/trace_random.h"
#include "support/machines.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

Trace ordered(const Trace& trace) {
    Progress progress;
    auto made = inVirtualTime(trace, "t", progress);
    EXPECT_TRUE(made.has_value()) << made.error().sentence();
    return made ? std::move(*made) : Trace();
}

/// The CPUs of the accesses, a digit each.
std::string turnsOf(const Trace& trace) {
    std::string turns;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { turns += static_cast<char>('0' + a.cpu); });
    return turns;
}

/// Records what it is told.
class Recorder {
  public:
    void access(std::uint8_t cpu, std::uint64_t address = 0x1000) {
        builder_.add(test::access(Op::read, address, 4, cpu));
    }
    void sync(std::uint8_t cpu, SyncKind kind, std::uint32_t object) {
        log_.add({.at = Tick{builder_.size()}, .cpu = cpu, .kind = kind, .object = object});
    }
    void follow(Tick earlier, std::uint8_t other, std::uint8_t cpu) {
        log_.add(Sync::after({earlier, other}, Tick{builder_.size()}, cpu));
    }
    TraceBuilder& builder() { return builder_; }
    Trace finish() {
        builder_.keep(std::move(log_));
        return builder_.finish();
    }

  private:
    TraceBuilder builder_{"t"};
    SyncLog log_;
};

/// "00L000U11L11U": a digit is an access of a CPU; L, U, S, W, P, T, A and E are what the CPU of the digit before does,
/// all with one object.
Trace recordedAs(std::string_view words) {
    constexpr std::string_view kKinds = "LUSWPTAE";
    Recorder recorder;
    std::uint8_t cpu = 0;
    for (const char word : words) {
        if (const auto kind = kKinds.find(word); kind != std::string_view::npos) {
            recorder.sync(cpu, static_cast<SyncKind>(kind), 0);
        } else {
            recorder.access(cpu = static_cast<std::uint8_t>(word - '0'));
        }
    }
    return recorder.finish();
}

struct Hand {
    std::string recorded;
    std::string ordered;
};

class VirtualTimeByHand : public testing::TestWithParam<Hand> {};

TEST_P(VirtualTimeByHand, IsAsExpected) {
    EXPECT_EQ(turnsOf(ordered(recordedAs(GetParam().recorded))), GetParam().ordered);
}

INSTANTIATE_TEST_SUITE_P(Of, VirtualTimeByHand,
                         testing::Values(Hand{"0000", "0000"},                // one CPU
                                         Hand{"000111", "010101"},            // turns
                                         Hand{"000011", "010100"},            // one has more
                                         Hand{"0L000U01L11U1", "010000111"},  // the lock is free after four of CPU 0
                                         Hand{"0S01W11", "01011"},  // an event that has happened when it is waited for
                                         Hand{"000S1W11", "010011"},  // CPU 1 begins with an access and waits
                                         Hand{"000P1T11", "010011"},  // the same with a semaphore
                                         Hand{"0001T11", "010101"},   // a semaphore that held one
                                         Hand{"0A111A1E10E00", "010110101"}));

/// A CPU's program: accesses, each with a number of its own, and uses of locks and barriers.
struct Step {
    enum class What : std::uint8_t { access, lock, unlock, arrive, leave, post, take } what = What::access;
    std::uint32_t object = 0;
};

constexpr std::uint32_t kLocks = 3;
constexpr std::uint32_t kBarrier = 3;
constexpr std::uint32_t kSemaphore = 4;

std::deque<Step> randomProgram(std::mt19937_64& random, bool posts) {
    std::deque<Step> steps;
    const auto accesses = [&] {
        for (std::uint64_t n = random() % 5; n > 0; --n) steps.push_back({});
    };
    for (int round = 0; round < 4; ++round) {
        for (int part = 0; part < 3; ++part) {
            accesses();
            const auto lock = static_cast<std::uint32_t>(random() % kLocks);
            steps.push_back({Step::What::lock, lock});
            steps.push_back({});
            accesses();
            steps.push_back({Step::What::unlock, lock});
            steps.push_back({posts ? Step::What::post : Step::What::take, kSemaphore});
        }
        steps.push_back({});
        steps.push_back({Step::What::arrive, kBarrier});
        steps.push_back({Step::What::leave, kBarrier});
        steps.push_back({});
    }
    return steps;
}

/// Runs random programs by long turns, as a tool does that runs one thread at a time. The address of an access is its
/// number, and says what is known about it.
class RandomRun {
  public:
    struct Fact {
        int lock = -1;
        std::uint32_t section = 0;  ///< of that lock
        std::uint32_t round = 0;    ///< between barriers
    };

    RandomRun(std::mt19937_64& random, std::uint8_t cpus) {
        // As many post as take.
        for (std::uint8_t c = 0; c < cpus; ++c) programs_.push_back(randomProgram(random, c < cpus / 2));
        state_.resize(cpus);
        for (std::size_t left = cpus; left > 0;) {
            const auto cpu = static_cast<std::uint8_t>(random() % cpus);
            for (std::uint64_t turn = random() % 40; turn > 0 && !programs_[cpu].empty(); --turn) {
                if (!go(cpu)) break;
                if (programs_[cpu].empty()) --left;
            }
        }
    }

    Trace trace() { return recorder_.finish(); }
    const Fact& fact(ByteAddress address) const { return facts_[address.value / 8]; }

  private:
    struct State {
        Fact now;
    };
    std::vector<std::deque<Step>> programs_;
    std::vector<State> state_;
    std::vector<Fact> facts_;
    Recorder recorder_;
    std::array<int, kLocks> holder_{-1, -1, -1};
    std::array<std::uint32_t, kLocks> sections_{};
    std::uint32_t arrived_ = 0;
    std::uint32_t stock_ = 0;

    bool go(std::uint8_t cpu) {
        const Step step = programs_[cpu].front();
        State& state = state_[cpu];
        const auto cpus = static_cast<std::uint32_t>(programs_.size());
        if (step.what == Step::What::lock && holder_[step.object] >= 0) return false;
        if (step.what == Step::What::leave && arrived_ < (state.now.round + 1) * cpus) return false;
        if (step.what == Step::What::take && stock_ == 0) return false;
        programs_[cpu].pop_front();
        if (step.what == Step::What::access) {
            recorder_.access(cpu, 8 * facts_.size());
            facts_.push_back(state.now);
            return true;
        }
        recorder_.sync(cpu, kindOf(step.what), step.object);
        switch (step.what) {
            case Step::What::lock:
                holder_[step.object] = cpu;
                state.now.lock = static_cast<int>(step.object);
                state.now.section = ++sections_[step.object];
                break;
            case Step::What::unlock:
                holder_[step.object] = -1;
                state.now.lock = -1;
                break;
            case Step::What::arrive:
                ++arrived_;
                break;
            case Step::What::leave:
                ++state.now.round;
                break;
            case Step::What::post:
                ++stock_;
                break;
            default:
                --stock_;
        }
        return true;
    }

    static SyncKind kindOf(Step::What what) {
        switch (what) {
            case Step::What::lock:
                return SyncKind::lock;
            case Step::What::unlock:
                return SyncKind::unlock;
            case Step::What::arrive:
                return SyncKind::arrive;
            case Step::What::leave:
                return SyncKind::leave;
            case Step::What::post:
                return SyncKind::post;
            default:
                return SyncKind::take;
        }
    }
};

std::vector<std::vector<Access>> byCpu(const Trace& trace) {
    std::vector<std::vector<Access>> accesses(trace.cpus());
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { accesses[a.cpu].push_back(a); });
    return accesses;
}

TEST(VirtualTime, KeepsTheLawsOfTheProgram) {
    std::uint64_t moved = 0;
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        RandomRun run(random, static_cast<std::uint8_t>(2 * (1 + random() % 3)));
        const Trace recorded = run.trace();
        const Trace made = ordered(recorded);
        // The accesses of each CPU are what they were.
        ASSERT_EQ(byCpu(made), byCpu(recorded));
        moved += turnsOf(made) != turnsOf(recorded) ? 1 : 0;
        // Nobody is beyond a barrier that another has not reached; a lock has one section at a time.
        std::uint32_t round = 0;
        std::map<int, std::uint32_t> open;
        std::map<int, std::set<std::uint32_t>> past;
        made.forEach(Tick{0}, Tick{made.size()}, [&](Tick, const Access& a) {
            const RandomRun::Fact& fact = run.fact(a.address);
            EXPECT_GE(fact.round, round);
            round = std::max(round, fact.round);
            if (fact.lock < 0) return;
            std::uint32_t& now = open[fact.lock];
            if (now != fact.section) past[fact.lock].insert(now);
            now = fact.section;
            EXPECT_FALSE(past[fact.lock].contains(now));
        });
    }
    EXPECT_GT(moved, testRounds(290));
}

TEST(VirtualTime, AFollowComesAfterWhatItFollows) {
    Recorder recorder;
    for (int i = 0; i < 6; ++i) recorder.access(0);
    recorder.access(1);
    // What CPU 1 does next follows the fourth access of CPU 0, not what that did later.
    recorder.follow(Tick{3}, 0, 1);
    recorder.access(1);
    recorder.access(1);
    EXPECT_EQ(turnsOf(ordered(recorder.finish())), "010000101");
}

/// Threads that come by a lock of malloc in some order could have come in another; at a variable of the program's they
/// could not.
TEST(VirtualTime, TheLibrarysOwnVariablesOrderNobody) {
    for (const std::string module : {"/lib/x86_64-linux-gnu/libc.so.6", "build/libcount.so", ""}) {
        for (const bool isNamed : {false, true}) {
            Recorder recorder;
            TraceBuilder& builder = recorder.builder();
            if (!module.empty()) builder.addModule({.path = module, .base = ByteAddress{0x4000}, .size = 0x1000});
            if (isNamed) builder.addRegion(test::region("lock", 0x1000, 64));
            for (int i = 0; i < 4; ++i) recorder.access(0, 0x1000);
            recorder.follow(Tick{3}, 0, 1);
            for (int i = 0; i < 4; ++i) {
                builder.add(test::access(Op::write, 0x1000, 4, 1, builder.siteAt(ByteAddress{0x4010})));
            }
            const bool isItsOwn = module.ends_with("libc.so.6") && !isNamed;
            EXPECT_EQ(turnsOf(ordered(recorder.finish())), isItsOwn ? "01010101" : "00001111") << module;
        }
    }
}

TEST(VirtualTime, IsFair) {
    // Without anything to wait for, no CPU is ahead of another.
    std::mt19937_64 random(7);
    Recorder recorder;
    std::array<std::uint64_t, 4> counts{};
    for (int turn = 0; turn < 200; ++turn) {
        const auto cpu = static_cast<std::uint8_t>(random() % 4);
        for (int i = 0; i < 500; ++i) recorder.access(cpu);
        counts[cpu] += 500;
    }
    const std::uint64_t least = *std::min_element(counts.begin(), counts.end());
    const std::string turns = turnsOf(ordered(recorder.finish()));
    for (std::uint64_t i = 0; i < 4 * least; ++i) ASSERT_EQ(turns[i], static_cast<char>('0' + i % 4)) << i;
}

TEST(VirtualTime, MovesMarksAndLifetimesWithTheAccesses) {
    Recorder recorder;
    for (int i = 0; i < 4; ++i) recorder.access(0, 0x1000);
    recorder.builder().mark("half");
    for (int i = 0; i < 4; ++i) recorder.access(0, 0x2000);
    ASSERT_TRUE(recorder.builder().newObject(test::object("node", 0x3000, 64)));
    for (int i = 0; i < 4; ++i) recorder.access(1, 0x3000);
    ASSERT_TRUE(recorder.builder().deleteObject(ByteAddress{0x3000}));
    for (int i = 0; i < 4; ++i) recorder.access(1, 0x4000);
    const Trace made = ordered(recorder.finish());
    EXPECT_EQ(turnsOf(made), "0101010101010101");
    ASSERT_EQ(made.marks().size(), 1u);
    EXPECT_EQ(made.marks()[0].at, Tick{8});
    ASSERT_EQ(made.objects().size(), 1u);
    EXPECT_EQ(made.objects()[0].born, Tick{1});
    EXPECT_EQ(made.objects()[0].died, Tick{8});
    EXPECT_TRUE(made.isInVirtualTime());
}

TEST(VirtualTime, TracesWithEverythingStaySound) {
    for (unsigned seed = 0; seed < testRounds(40); ++seed) {
        const Trace trace = test::randomTrace(seed);
        if (!trace.timing().empty()) continue;
        const Trace made = ordered(trace);
        EXPECT_EQ(byCpu(made), byCpu(trace));
        EXPECT_EQ(made.objects().size(), trace.objects().size());
        EXPECT_EQ(made.marks().size(), trace.marks().size());
    }
}

TEST(VirtualTime, ATraceWithTimesIsRefused) {
    Recorder recorder;
    recorder.access(0);
    recorder.builder().delay(5);
    recorder.access(1);
    const Trace trace = recorder.finish();
    Progress progress;
    const auto made = inVirtualTime(trace, "t", progress);
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().sentence().find("times of their own"), std::string::npos);
}

/// The rest of the accesses would run without waiting.
TEST(AutomaticOrder, ChangesNothingWhereTheLogWasTooLong) {
    SyncLog log;
    std::uint64_t tick = 0;
    for (std::uint8_t cpu = 0; !log.isFull(); cpu ^= 1) {
        log.add({.at = Tick{tick}, .cpu = cpu, .kind = SyncKind::lock, .object = 0xfffffff0});
        tick += std::uint64_t{1} << 40;
    }
    TraceBuilder builder("t");
    for (const std::uint8_t cpu : {0, 0, 1, 1}) builder.add(test::access(Op::read, 0x1000, 4, cpu));
    builder.keep(std::move(log));
    EXPECT_FALSE(goesByVirtualTime(builder.finish()));
}

TEST(VirtualTime, TakesNoMoreMemoryThanAllowed) {
    std::mt19937_64 random(5);
    Recorder recorder;
    for (int i = 0; i < 200'000; ++i) recorder.access(i < 100'000 ? 0 : 1, random() % 0x1000000);
    const Trace trace = recorder.finish();
    Progress progress;
    const auto made = inVirtualTime(trace, "t", progress, trace.accesses().bytes() + 10'000);
    ASSERT_FALSE(made.has_value());
    EXPECT_NE(made.error().sentence().find("of memory"), std::string::npos) << made.error().sentence();
    EXPECT_TRUE(inVirtualTime(trace, "t", progress, 1 << 30).has_value());
}

TEST(SyncLog, GivesBackWhatItWasGiven) {
    std::mt19937_64 random(3);
    SyncLog log;
    std::vector<Sync> added;
    std::uint64_t tick = 0;
    for (int i = 0; i < 1000; ++i) {
        tick += random() % (1u << random() % 20);
        added.push_back({.at = Tick{tick},
                         .cpu = static_cast<std::uint8_t>(random() % 64),
                         .kind = static_cast<SyncKind>(random() % 8),  // a follow has rules of its own
                         .object = static_cast<std::uint32_t>(random() % 500)});
        log.add(added.back());
    }
    SyncLog read;
    ASSERT_TRUE(SyncLog::read(log.bytes(), tick, 64, read));
    EXPECT_EQ(read, log);
    EXPECT_EQ(read.size(), 1000u);
    SyncCursor cursor(read);
    for (const Sync& expected : added) {
        Sync sync;
        ASSERT_TRUE(cursor.next(sync));
        ASSERT_EQ(sync, expected);
    }
    EXPECT_FALSE(SyncLog::read(log.bytes(), tick - 1, 64, read));
    EXPECT_FALSE(SyncLog::read(log.bytes(), tick, 10, read));
    EXPECT_FALSE(SyncLog::read(log.bytes().substr(0, log.bytes().size() - 1), tick, 64, read));
}

TEST(SyncLog, IsInTheFile) {
    const Trace trace = recordedAs("0L000U01L11U1");
    const std::string path = testing::TempDir() + "/syncs.whorl";
    ASSERT_EQ(test::written(trace, path), "written");
    Progress progress;
    const auto back = readTrace(path, {}, progress);
    ASSERT_TRUE(back.has_value());
    ASSERT_NE(back->syncs(), nullptr);
    // In virtual time, unless asked otherwise.
    EXPECT_EQ(turnsOf(*back), turnsOf(ordered(trace)));
    ReadOptions options;
    options.order = AccessOrder::recorded;
    const auto recorded = readTrace(path, options, progress);
    ASSERT_TRUE(recorded.has_value());
    EXPECT_EQ(turnsOf(*recorded), turnsOf(trace));
    EXPECT_EQ(*recorded->syncs(), *trace.syncs());
    EXPECT_FALSE(canStream(path, {}, test::twoLevels()));
    EXPECT_TRUE(canStream(path, options, test::twoLevels()));
    // A file in virtual time stays so.
    ASSERT_EQ(test::written(*back, path), "written");
    const auto again = readTrace(path, {}, progress);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(again->isInVirtualTime());
    EXPECT_EQ(turnsOf(*again), turnsOf(*back));
}

Trace inAutomaticOrder(const Trace& trace) {
    Progress progress;
    auto made = inOrder(trace, AccessOrder::automatic, "t", progress);
    EXPECT_TRUE(made.has_value()) << made.error().sentence();
    return made ? std::move(*made) : Trace();
}

TEST(AutomaticOrder, IsVirtualTimeWhereItIsKnownWhereThreadsWaited) {
    const Trace trace = recordedAs("0L000U01L11U1");
    EXPECT_TRUE(goesByVirtualTime(trace));
    const Trace made = inAutomaticOrder(trace);
    EXPECT_TRUE(made.isInVirtualTime());
    EXPECT_EQ(turnsOf(made), turnsOf(ordered(trace)));
    // Twice changes nothing more.
    EXPECT_TRUE(inAutomaticOrder(made).sharesAccesses(made));
}

TEST(AutomaticOrder, ChangesNothingWithoutALogOfWaits) {
    Recorder delayed;
    delayed.sync(0, SyncKind::lock, 0);
    delayed.access(0);
    delayed.builder().delay(5);
    delayed.access(1);
    delayed.sync(1, SyncKind::lock, 0);
    TraceBuilder unknown("t");
    for (const std::uint8_t cpu : {0, 0, 1, 1}) unknown.add(test::access(Op::read, 0x1000, 4, cpu));
    Recorder follows;
    for (const std::uint8_t cpu : {0, 0, 1}) follows.access(cpu);
    follows.follow(Tick{0}, 0, 1);
    follows.access(1);
    const std::array<Trace, 5> traces = {recordedAs("0L000U"), recordedAs("000111"), unknown.finish(), follows.finish(),
                                         delayed.finish()};
    for (const Trace& trace : traces) {
        EXPECT_FALSE(goesByVirtualTime(trace));
        const Trace made = inAutomaticOrder(trace);
        EXPECT_FALSE(made.isInVirtualTime());
        EXPECT_TRUE(made.sharesAccesses(trace));
    }
}

/// What each CPU does with locks and the like: after how many of its accesses, and what. Follows are left out.
using Doings = std::map<std::uint8_t, std::vector<std::tuple<std::uint64_t, SyncKind, std::uint32_t>>>;

Doings doingsOf(const Trace& trace) {
    Doings doings;
    std::map<std::uint8_t, std::uint64_t> passed;
    SyncCursor cursor(*trace.syncs());
    Sync sync;
    bool has = cursor.next(sync);
    const auto take = [&](std::uint64_t tick) {
        for (; has && sync.at.value <= tick; has = cursor.next(sync)) {
            if (sync.kind != SyncKind::follow) doings[sync.cpu].emplace_back(passed[sync.cpu], sync.kind, sync.object);
        }
    };
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        take(t.value);
        ++passed[a.cpu];
    });
    take(trace.size());
    return doings;
}

/// They stay between the same accesses of their CPU, so that clocks can tell how long it waited.
TEST(VirtualTime, KeepsWhatEachCpuDoesBetweenItsAccesses) {
    std::mt19937 random(8);
    for (int i = 0; i < 200; ++i) {
        std::string words;
        for (unsigned k = 0; k < 5 + random() % 60; ++k) {
            words += static_cast<char>('0' + random() % 3);
            if (random() % 3 == 0) words += "LUSWPTAE"[random() % 8];
        }
        const Trace trace = recordedAs(words);
        const Trace again = ordered(trace);
        if (trace.cpus() == 1) continue;
        ASSERT_NE(again.syncs(), nullptr) << words;
        EXPECT_EQ(doingsOf(again), doingsOf(trace)) << words;
    }
}

}  // namespace
}  // namespace whorl::sim
