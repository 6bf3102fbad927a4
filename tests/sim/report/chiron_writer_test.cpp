// A Chiron trace written by Whorl is read back: the trace, and what the machine did for it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/reference/random_cases.h"
#include "sim/replay/clock.h"
#include "sim/replay/measures.h"
#include "sim/replay/simulator.h"
#include "sim/report/chiron_writer.h"
#include "sim/trace/trace_random.h"

namespace whorl::sim::test {
namespace {

constexpr auto kNever = ~std::uint64_t{0};

std::string writing(const Trace& trace, const MachineConfig& machine, const std::string& path) {
    Progress progress;
    return refusalOf(writeChiron(trace, machine, path, progress), "written");
}

MachineConfig machineOf(std::string_view json) {
    auto machine = parseMachineJson(json, "test");
    EXPECT_TRUE(machine) << machine.error().sentence();
    return machine ? *machine : MachineConfig{};
}

Trace read(const std::string& path) {
    Progress progress;
    auto trace = readTrace(path, {}, progress);
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return *std::move(trace);
}

/// Two CPUs with L1 caches of two sets, and an L2 cache for both.
constexpr std::string_view kSmall = R"({"name": "small", "cpus": 2, "memory_latency": 37, "upgrade_latency": 10,
    "levels": [{"size": 64, "ways": 1, "block": 32, "latency": 0},
               {"size": 256, "ways": 2, "block": 64, "latency": 20, "shared_by": 2}]})";

TEST(ChironWriter, WritesWhatTheMachineDoes) {
    TraceBuilder builder("by hand");
    const SiteId seven = builder.site("a.c", 7);
    const SiteId nine = builder.site("b c.c", 9);
    builder.addRegion(region("A", 0x80, 128));
    builder.newObject(object("n", 0x40, 8));
    builder.workBeforeEach(3);
    builder.add(access(Op::read, 0x40, 4, 0, seven));
    builder.add(access(Op::write, 0x44, 4, 1, nine));
    builder.deleteObject(ByteAddress{0x40});
    builder.mark("then");
    builder.add(access(Op::read, 0x80, 8, 0));
    builder.add(access(Op::read, 0xc0, 8, 0));
    builder.add(access(Op::read, 0x84, 4, 1));
    builder.add(access(Op::write, 0x84, 4, 1));
    const Folder folder;
    const Trace trace = builder.finish();
    ASSERT_EQ(writing(trace, machineOf(kSmall), folder.at("t")), "written");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"t", "t.files"}));
    EXPECT_EQ(bytesOf(folder.at("t.files")), "a.c\nb c.c\n");
    const std::string text = bytesOf(folder.at("t"));
    const std::size_t body = text.find("\ni 32\n") + 1;
    EXPECT_EQ(text.substr(0, 37), "# name \"by hand\"\n# machine { \"name\": ");
    EXPECT_EQ(text.substr(body),
              "i 32\ni 64\ni 2\ni 1\n"
              "# region n 0x40 8\n"
              "# region A 0x80 128\n"
              "c n 100 10 0 Node\n"
              "r 100 0 1000007 4\n"
              "m 100 0 1 1000007\n"
              "m 100 0 2 1000007\n"
              "h 100 0 2 1000007 60\n"
              "h 100 0 1 1000007 60\n"
              "R 100 0 1000007 57\n"
              "w 104 1 2000009 4\n"
              "m 104 1 1 2000009\n"
              "f 100 0 1 2000009 3\n"
              "h 104 1 1 2000009 23\n"
              "W 104 1 2000009 20\n"
              "d 100 0\n"
              "# mark then\n"
              "r 200 0 0 10\n"
              "m 200 0 1 0\n"
              "m 200 0 2 0\n"
              "h 200 0 2 0 120\n"
              "h 200 0 1 0 120\n"
              "R 200 0 0 57\n"
              "r 300 0 0 10\n"
              "m 300 0 1 0\n"
              "m 300 0 2 0\n"
              "h 300 0 2 0 180\n"
              "b 300 0 1 0 180 200\n"
              "h 300 0 1 0 180\n"
              "R 300 0 0 57\n"
              "r 204 1 0 4\n"
              "m 204 1 1 0\n"
              "a 204 1 1 0 46 100\n"
              "h 204 1 1 0 46\n"
              "R 204 1 0 20\n"
              "w 204 1 0 4\n"
              "# time 3 180\n");
    expectEqual(read(folder.at("t")), trace);
}

/// The machine's events, derived naively from the simulator's.
std::vector<RecordedEvent> eventsOf(const Trace& trace, const MachineConfig& machine, const Future& future) {
    using Kind = RecordedEvent::Kind;
    std::vector<RecordedEvent> out;
    Simulator simulator(machine, future);
    Clock clock(trace, machine.cpus);
    EventList events;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        events.clear();
        simulator.step(a, events);
        Cycles cost = 0;
        for (const Event& e : events) cost += costOf(e, machine);
        Cycles now = clock.take(t, a.cpu, cost);
        // From a block of a level to what the access requests of it, byte by byte.
        const auto asked = [&](const Event& e) {
            const std::uint64_t size = machine.levels[e.level].block;
            for (std::uint64_t byte = a.address.value; byte - a.address.value < a.size; ++byte) {
                if (byte / size == e.block.value) return ByteAddress{byte};
            }
            return ByteAddress{e.block.value * size};
        };
        std::size_t unfilled = out.size();
        for (const Event& e : events) {
            now += costOf(e, machine);
            const ByteAddress block{e.block.value * (e.level < 2 ? machine.levels[e.level].block : 1)};
            RecordedEvent told{.kind = Kind::load, .level = e.level, .cache = e.cache, .access = t, .cycles = now};
            if (e.kind == EventKind::fill) {
                const Cache& cache = simulator.hierarchy().cache(e.level, e.cache);
                const bool alone = machine.caches(e.level) == 1;
                told.address = asked(e);
                told.privately = alone || (machine.protocol != Protocol::none && cache.holds(e.block) &&
                                           cache.has(e.set, WayIndex{cache.find(e.block)}, Cache::owned));
                // Evictions get the block that they made room for only now.
                for (std::size_t i = unfilled; i < out.size(); ++i) {
                    const bool isFor = out[i].kind == Kind::replace && out[i].level == e.level &&
                                       out[i].cache == e.cache && out[i].address.value == kNever;
                    if (isFor) out[i].address = asked(e);
                }
            } else if (e.kind == EventKind::eviction) {
                told.kind = Kind::replace;
                told.address = ByteAddress{kNever};
                told.other = block;
                told.privately = e.dirty;
            } else if (e.kind == EventKind::invalidation) {
                told.kind = Kind::invalidate;
                told.address = block;
                told.privately = e.dirty;
            } else if (e.kind == EventKind::upgrade) {
                told.kind = Kind::protect;
                told.address = asked(e);
            } else {
                continue;
            }
            out.push_back(told);
        }
        if (cost == 0) return;
        out.push_back({.kind = Kind::wait, .level = 0, .cache = a.cpu, .privately = a.isWrite(), .access = t});
        out.back().cycles = cost;
        out.back().address = a.address;
    });
    return out;
}

std::string told(const RecordedEvent& e) {
    return fmt::format("kind {} L{}/{} {} @{} t={} {:o} {:o}", static_cast<int>(e.kind), e.level + 1, e.cache,
                       e.privately ? "!" : ".", e.access.value, e.cycles, e.address.value, e.other.value);
}

/// A trace with objects, marks and work between its accesses, made of the accesses of a random case.
Trace glyph(const std::vector<Access>& accesses, unsigned seed) {
    std::mt19937_64 random(seed);
    TraceBuilder builder(fmt::format("case {}", seed));
    builder.workBeforeEach(random() % 3);
    builder.addRegion(region("grid \"1\"", 5000, 64));
    std::uint64_t tick = 0;
    for (const Access& a : accesses) {
        const std::uint64_t base = random() % 32 * 32;
        if (random() % 8 == 0) builder.newObject(object(fmt::format("n {}", random() % 9), base, 1 + random() % 32));
        if (random() % 8 == 0) builder.deleteObject(ByteAddress{base});
        if (random() % 40 == 0) builder.mark("m " + std::to_string(tick));
        if (random() % 9 == 0) builder.delay(random() % 50, tick > 4 ? Tick{tick - 3} : Delay::kNoAccess);
        Access with = a;
        with.site = builder.site(a.site.value % 2 == 0 ? "even.c" : "a dir/odd.c", a.site.value);
        builder.add(with);
        ++tick;
    }
    return builder.finish();
}

/// The case's machine, if it can be adapted to one that the format can express.
std::optional<MachineConfig> tellable(MachineConfig machine) {
    if (machine.levels.size() != 2) return std::nullopt;
    machine.levels[0].sharedBy = machine.cpus == 1 ? 0 : 1;
    if (machine.levels[1].inclusion == Inclusion::exclusive) machine.levels[1].inclusion = Inclusion::none;
    auto sound = checked(machine, {});
    return sound ? std::optional(*sound) : std::nullopt;
}

TEST(ChironWriter, WhatIsWrittenIsReadBack) {
    const Folder folder;
    int cases = 0;
    for (unsigned seed = 1; cases < 60; ++seed) {
        const auto random = reference::randomCase(seed, 300);
        const auto machine = tellable(random.machine);
        if (!machine) continue;
        ++cases;
        SCOPED_TRACE(seed);
        const Trace trace = glyph(random.trace, seed);
        ASSERT_EQ(writing(trace, *machine, folder.at("t")), "written");
        const Trace back = read(folder.at("t"));
        expectEqual(back, trace);
        ASSERT_EQ(back.name(), trace.name());
        ASSERT_EQ(shapesOf(back), shapesOf(trace));
        TraceCursor cursor(back);
        trace.forEach(Tick{0}, Tick{trace.size()},
                      [&](Tick t, const Access& a) { ASSERT_EQ(cursor.at(t).modify, a.modify); });

        const auto again = parseMachineJson(back.machine(), "machine");
        ASSERT_TRUE(again) << again.error().sentence();
        ASSERT_EQ(*again, *machine);
        Progress progress;
        const auto future = futureOf(*machine, trace, progress);
        ASSERT_NE(back.recording(), nullptr);
        EXPECT_EQ(back.recording()->blockSize[1], machine->levels[1].block);
        EXPECT_EQ(back.recording()->caches[1], machine->caches(1));
        const auto expected = eventsOf(trace, *machine, *future);
        const auto& events = back.recording()->events;
        for (std::size_t i = 0; i < std::min(events.size(), expected.size()); ++i) {
            ASSERT_EQ(told(events[i]), told(expected[i])) << "event " << i;
        }
        ASSERT_EQ(events.size(), expected.size());

        Simulator first(*machine, *future);
        Simulator second(*again, *futureOf(*again, back, progress));
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { first.step(a); });
        back.forEach(Tick{0}, Tick{back.size()}, [&](Tick, const Access& a) { second.step(a); });
        ASSERT_EQ(first.counters(), second.counters());
        for (std::uint32_t cpu = 0; cpu < machine->cpus; ++cpu) ASSERT_EQ(first.clock(cpu), second.clock(cpu));
    }
}

TEST(ChironWriter, WhatIsNotRecordedIsNotAnAccessButMovesBlocks) {
    TraceBuilder builder("t");
    builder.keepUnrecorded();
    builder.add(access(Op::read, 0x40, 4));
    builder.recording(false);
    builder.add(access(Op::write, 0x80, 4, 1));
    builder.recording(true);
    builder.add(access(Op::read, 0x80, 4, 1));
    const Folder folder;
    ASSERT_EQ(writing(builder.finish(), machineOf(kSmall), folder.at("t")), "written");
    const Trace back = read(folder.at("t"));
    EXPECT_EQ(accessesOf(back), "R 40 4, R 80 4 cpu=1");
    std::string loads;
    for (const RecordedEvent& e : back.recording()->events) {
        loads += fmt::format("{}/{}@{} ", static_cast<int>(e.kind), e.cache, e.access.value);
    }
    EXPECT_EQ(loads, "0/0@0 0/0@0 4/0@0 0/0@0 0/1@0 ");
}

TEST(ChironWriter, SaysWhichMachinesItCannotExpress) {
    const Trace trace = parsed("R 0x10\nR 0x20 cpu=1\n");
    const Folder folder;
    const std::string hint = "; name a machine of the kind with --machine; paradigm is one";
    const auto told = [&](std::string_view geometry, std::string_view setting = {}) {
        MachineConfig machine = *parseGeometry(geometry);
        if (!setting.empty()) machine = *checked(*withValue(machine, setting), {});
        return writing(trace, machine, folder.at("t"));
    };
    const std::string start = folder.at("t") + ": ";
    EXPECT_EQ(told("1K/2/64"), start + "a Chiron trace has two levels of caches, and the machine has 1" + hint);
    EXPECT_EQ(told("1K/2/64, 2K/2/64, 4K/2/64"),
              start + "a Chiron trace has two levels of caches, and the machine has 3" + hint);
    EXPECT_EQ(told("1K/2/64, 2K/2/64", "L1.shared_by=all"),
              start + "in a Chiron trace each CPU has an L1 cache, and here 2 CPUs have 1" + hint);
    EXPECT_EQ(told("1K/2/64, 2K/2/64", "L2.inclusion=exclusive"),
              start + "a Chiron trace cannot describe exclusive levels" + hint);
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
    EXPECT_EQ(told("1K/2/64, 2K/2/64"), "written");
}

TEST(ChironWriter, LeavesNothingHalfWritten) {
    const Folder folder;
    const Trace trace = parsed("R 0x10 a.c:1\n");
    folder.put("t", "old");
    Progress progress;
    progress.cancel();
    const auto stopped = writeChiron(trace, machineOf(kSmall), folder.at("t"), progress);
    ASSERT_FALSE(stopped);
    EXPECT_TRUE(stopped.error().cancelled);
    EXPECT_EQ(bytesOf(folder.at("t")), "old");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"t"});
    EXPECT_EQ(writing(trace, machineOf(kSmall), folder.at("none/t")),
              folder.at("none/t") + ": there is no such folder");
    EXPECT_EQ(writing(trace, machineOf(kSmall), "/dev/null"), "written");
    EXPECT_EQ(writing(trace, machineOf(kSmall), folder.at("t.gz")), "written");
    EXPECT_EQ(accessesOf(read(folder.at("t.gz"))), "R 10 4 a.c:1");
}

TEST(ChironWriter, OddNamesComeBack) {
    const Trace trace = randomTrace(7);
    const Folder folder;
    ASSERT_EQ(writing(trace, machineOf(kSmall), folder.at("t")), "written");
    expectEqual(read(folder.at("t")), trace);
    EXPECT_EQ(shapesOf(read(folder.at("t"))), shapesOf(trace));
}

}  // namespace
}  // namespace whorl::sim::test
