// The history of a trace that contains a recording: computed by hand, and against that of the run which the recording
// was made from.
#include <fmt/format.h>

#include "sim/analysis/history_help.h"
#include "sim/programs/program.h"
#include "sim/report/chiron_writer.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

using Kind = RecordedEvent::Kind;

RecordedEvent event(Kind kind, std::uint8_t level, std::uint8_t cache, std::uint64_t access, std::uint64_t cycles,
                    std::uint64_t address, bool privately = false, std::uint64_t other = 0) {
    return {.kind = kind,
            .level = level,
            .cache = cache,
            .privately = privately,
            .access = Tick{access},
            .cycles = cycles,
            .address = ByteAddress{address},
            .other = ByteAddress{other}};
}

/// Two CPUs share a block of 16 bytes.
Trace counterOfTwo() {
    TraceBuilder b("shared");
    b.newObject(test::object("counter", 0x100, 8));
    b.add(test::access(Op::read, 0x100, 4, 0, b.site("a.c", 1)));
    b.add(test::access(Op::write, 0x104, 4, 1, b.site("a.c", 2)));
    b.add(test::access(Op::read, 0x100, 4, 0, b.site("a.c", 1)));
    b.add(test::access(Op::read, 0x200, 4, 0, b.site("a.c", 3)));
    Recording r;
    r.blockSize = {16, 16};
    r.caches = {2, 1};
    r.events = {event(Kind::load, 1, 0, 0, 10, 0x100, true),
                event(Kind::load, 0, 0, 0, 12, 0x100, true),
                event(Kind::wait, 0, 0, 0, 40, 0x100),
                event(Kind::invalidate, 0, 0, 1, 50, 0x100),
                event(Kind::load, 0, 1, 1, 51, 0x104, true),
                event(Kind::wait, 0, 1, 1, 20, 0x104, true),
                event(Kind::load, 0, 0, 2, 70, 0x100),
                event(Kind::wait, 0, 0, 2, 15, 0x100),
                event(Kind::replace, 0, 0, 3, 90, 0x200, false, 0x100),
                event(Kind::load, 0, 0, 3, 90, 0x200)};
    b.keep(r);
    return b.finish();
}

std::string told(const HistoryLevel& level) {
    std::string out;
    std::size_t c = 0;
    for (std::uint32_t s = 0; s < level.stays.size(); ++s) {
        const Stay& stay = level.stays[s];
        out += fmt::format("{:x}@{} {}-{} {}", level.blocks[stay.block].block.value * level.blockSize, stay.cache,
                           stay.from, stay.to, static_cast<int>(stay.leaving));
        out += fmt::format(" {}:{}", stay.from, "SEM"[static_cast<int>(stay.holding)]);
        for (; c < level.changes.size() && level.changes[c].stay == s; ++c) {
            out += fmt::format(" {}:{}", level.changes[c].at, "SEM"[static_cast<int>(level.changes[c].holding)]);
        }
        out += "; ";
    }
    return out;
}

TEST(RecordedHistory, IsWhatTheEventsSay) {
    const auto h = historyOf(counterOfTwo());
    ASSERT_EQ(h->levels.size(), 2u);
    EXPECT_EQ(told(h->levels[0]),
              "100@0 12-50 2 12:E; 100@0 70-90 1 70:S; 100@1 51-90 0 51:M 70:S; 200@0 90-90 0 90:S; ");
    EXPECT_EQ(told(h->levels[1]), "100@0 10-90 0 10:E; ");
    EXPECT_EQ(h->levels[0].blocks[h->levels[0].stays[1].by].block.value, 0x20u);
    EXPECT_EQ(h->begin, 10u);
    EXPECT_EQ(h->end, 90u);
    EXPECT_EQ(h->cycles(), 75u);
    ASSERT_EQ(h->objects.size(), 2u);
    EXPECT_EQ(h->objects[0].cycles, 75u);
    EXPECT_EQ(h->sources[0].cycles, 55u);
    EXPECT_EQ(h->levels[0].blocks[0].cost, 75u);
}

TEST(RecordedHistory, OfARangeCoversThatRangeOnly) {
    const auto h = historyOf(counterOfTwo(), {Tick{1}, Tick{3}});
    EXPECT_EQ(h->begin, 50u);
    EXPECT_EQ(h->end, 90u);
    EXPECT_EQ(h->cycles(), 35u);
    EXPECT_EQ(told(h->levels[0]), "100@0 50-50 2 50:E; 100@0 70-90 0 70:S; 100@1 51-90 0 51:M 70:S; ");
    EXPECT_EQ(h->levels[0].stays[0].in, Stay::kNever);
    EXPECT_EQ(told(h->levels[1]), "100@0 50-90 0 50:E; ");
    EXPECT_EQ(h->starts, (std::vector<Cycles>{51, 70}));
}

TEST(RecordedHistory, BeginsInTheMiddleOfAProgram) {
    TraceBuilder b("middle");
    b.add(test::access(Op::write, 0x100, 4, 1));
    Recording r;
    r.blockSize = {16, 32};
    r.caches = {2, 1};
    r.events = {event(Kind::invalidate, 0, 0, 0, 50, 0x100, true), event(Kind::load, 0, 1, 0, 60, 0x100, true)};
    b.keep(r);
    const auto h = historyOf(b.finish());
    EXPECT_EQ(told(h->levels[0]), "100@0 50-50 2 50:M; 100@1 60-60 0 60:M; ");
    EXPECT_EQ(h->levels[0].stays[0].in, Stay::kNever);
    EXPECT_TRUE(h->levels[0].stays[0].dirty);
}

TEST(RecordedHistory, IsNullWithoutARecording) {
    EXPECT_EQ(historyOf(test::parsed("R 0x1000 4\n")), nullptr);
}

/// A machine's events as a recording.
Recording recordingOf(const sim::Run& run) {
    const MachineConfig& machine = run.machine();
    Recording out;
    for (std::size_t l = 0; l < 2; ++l) {
        out.blockSize[l] = machine.levels[l].block;
        out.caches[l] = machine.caches(l);
    }
    Simulator state = run.stateAt(Tick{0});
    const Tick end{run.trace().size()};
    run.trace().forEach(Tick{0}, end, [&](Tick t, const Access& a) {
        EventList events;
        const Cycles at = state.clock(a.cpu);
        state.step(a, events);
        for (const Event& e : events) {
            if (e.level > 1) continue;
            const ByteAddress base{e.block.value * machine.levels[e.level].block};
            RecordedEvent r = event(Kind::load, e.level, e.cache, t.value, at, base.value);
            if (e.kind == EventKind::fill) out.events.push_back(r);
            r.privately = e.dirty;
            r.kind = e.kind == EventKind::eviction ? Kind::replace : Kind::invalidate;
            r.other = base;
            if (e.kind == EventKind::eviction || e.kind == EventKind::invalidation) out.events.push_back(r);
        }
        out.events.push_back(event(Kind::wait, 0, a.cpu, t.value, state.clock(a.cpu) - at, a.address.value));
    });
    return out;
}

void expectSame(const History& recorded, const History& played) {
    EXPECT_EQ(recorded.from, played.from);
    EXPECT_EQ(recorded.to, played.to);
    EXPECT_EQ(recorded.cycles(), played.cycles());
    ASSERT_EQ(recorded.objects.size(), played.objects.size());
    for (std::size_t i = 0; i < played.objects.size(); ++i) {
        EXPECT_EQ(recorded.objects[i].cycles, played.objects[i].cycles);
        EXPECT_EQ(recorded.objects[i].accesses, played.objects[i].accesses);
    }
    for (std::size_t l = 0; l < 2; ++l) {
        const HistoryLevel& a = recorded.levels[l];
        const HistoryLevel& b = played.levels[l];
        ASSERT_EQ(a.stays.size(), b.stays.size());
        for (std::size_t s = 0; s < a.stays.size(); ++s) {
            EXPECT_EQ(a.blocks[a.stays[s].block].block, b.blocks[b.stays[s].block].block);
            EXPECT_EQ(a.stays[s].in, b.stays[s].in);
            EXPECT_EQ(a.stays[s].out, b.stays[s].out);
            EXPECT_EQ(a.stays[s].cache, b.stays[s].cache);
            EXPECT_EQ(a.stays[s].source, b.stays[s].source);
            EXPECT_EQ(a.stays[s].object, b.stays[s].object);
            EXPECT_EQ(a.stays[s].cost, b.stays[s].cost);
            EXPECT_EQ(a.stays[s].dirty, b.stays[s].dirty);
        }
        ASSERT_EQ(a.blocks.size(), b.blocks.size());
        for (std::size_t i = 0; i < a.blocks.size(); ++i) EXPECT_EQ(a.blocks[i].cost, b.blocks[i].cost);
    }
}

TEST(RecordedHistory, HasTheStaysAndCostsOfTheRun) {
    MachineConfig machine = withCpus(parseGeometry("128/2/16, 512/2/32").value(), 4);
    machine.levels[1].latency = 9;
    machine.memoryLatency = 80;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        std::mt19937_64 random(seed);
        std::vector<Access> accesses;
        for (int i = 0; i < 600; ++i) {
            accesses.push_back(test::access(random() % 3 == 0 ? Op::write : Op::read, random() % 1024 / 4 * 4, 4,
                                            static_cast<std::uint8_t>(random() % 4)));
        }
        const auto plain = test::shared(test::traceOf(accesses));
        const auto run = test::built(plain, machine);
        TraceParts parts = plain->parts();
        parts.recording = std::make_shared<const Recording>(recordingOf(*run));
        const Trace recorded(std::move(parts));
        Progress progress;
        for (const auto& [from, to] : {std::pair(0u, 600u), {100u, 400u}, {599u, 600u}, {0u, 1u}, {300u, 300u}}) {
            const Range range{Tick{from}, Tick{to}};
            SCOPED_TRACE(fmt::format("{} to {}", from, to));
            expectSame(*historyOf(recorded, range), *historyOf(*run, range, progress));
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

}  // namespace
/// What a user sees of a stay, as text.
std::string told(const HistoryLevel& level, const Stay& s) {
    return fmt::format("{:#x} in {} by {} {}-{} ({}-{}) {} {:#x} waited {}", level.blocks[s.block].block.value, s.cache,
                       s.cpu, s.in.value, s.out.value, s.from, s.to, static_cast<int>(s.leaving), s.address.value,
                       s.cost);
}

TEST(RecordedHistory, OfWhatWhorlWritesIsThatOfTheRun) {
    Progress progress;
    const auto spec = parseProgramSpec("vecadd:chunk=1");
    const auto trace = test::shared(*runProgram(*spec, progress));
    const MachineConfig machine = *loadMachine(spec->program->machine);
    const auto run = test::built(trace, machine);
    const std::string path = testing::TempDir() + "/recorded_history.chiron";
    ASSERT_TRUE(writeChiron(*trace, machine, path, progress));
    const auto back = readTrace(path, {}, progress);
    ASSERT_TRUE(back) << back.error().sentence();
    const auto recorded = historyOf(*back);
    ASSERT_NE(recorded, nullptr);
    const auto played = historyOf(*run, test::wholeOf(*trace), progress);
    EXPECT_EQ(recorded->begin, played->begin);
    EXPECT_EQ(recorded->end, played->end);
    EXPECT_EQ(recorded->cycles(), played->cycles());
    ASSERT_EQ(recorded->words.size(), played->words.size());
    for (std::size_t i = 0; i < played->words.size(); ++i) {
        ASSERT_EQ(recorded->words[i].address, played->words[i].address);
        ASSERT_EQ(recorded->words[i].cycles, played->words[i].cycles) << i;
    }
    ASSERT_EQ(recorded->sources.size(), played->sources.size());
    for (std::size_t i = 0; i < played->sources.size(); ++i) {
        ASSERT_EQ(recorded->sources[i].cycles, played->sources[i].cycles) << i;
    }
    EXPECT_EQ(recorded->sourceWords.to, played->sourceWords.to);
    for (std::size_t l = 0; l < 2; ++l) {
        const HistoryLevel& a = recorded->levels[l];
        const HistoryLevel& b = played->levels[l];
        ASSERT_EQ(a.stays.size(), b.stays.size());
        for (std::size_t s = 0; s < b.stays.size(); ++s) ASSERT_EQ(told(a, a.stays[s]), told(b, b.stays[s]));
    }
}

}  // namespace whorl::sim
