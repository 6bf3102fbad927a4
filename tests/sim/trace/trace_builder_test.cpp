#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "sim/base/jobs.h"
#include "sim/trace/trace_help.h"
#include "support/threads.h"

namespace whorl::sim::test {
namespace {

TEST(TraceBuilder, KeepsAccessesAsTheyWere) {
    TraceBuilder builder("mm");
    const SiteId site = builder.site("mm.c", 12);
    const std::vector<Access> all = {access(Op::read, 0x1000, 8, 0, site), access(Op::write, ~0ull - 4, 4, 63),
                                     access(Op::read, 0, kMaxAccessSize)};
    for (const Access& a : all) builder.add(a);
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.name(), "mm");
    ASSERT_EQ(trace.size(), 3u);
    EXPECT_EQ(trace.reads(), 2u);
    EXPECT_EQ(trace.writes(), 1u);
    EXPECT_EQ(trace.cpus(), 64u);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(TraceCursor(trace).at(Tick{i}), all[i]);
}

TEST(TraceBuilder, CrossesChunks) {
    TraceBuilder builder("long");
    const std::uint64_t n = 2 * Trace::kChunk + 3;
    for (std::uint64_t i = 0; i < n; ++i) builder.add(access(Op::read, i * 8, 8));
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.size(), n);
    std::uint64_t next = Trace::kChunk - 2;
    trace.forEach(Tick{next}, Tick{n}, [&](Tick t, const Access& a) {
        EXPECT_EQ(t.value, next);
        EXPECT_EQ(a.address.value, next * 8);
        ++next;
    });
    EXPECT_EQ(next, n);
}

/// Keeps packs up to a number of them.
class SmallStore final : public PackStore {
  public:
    explicit SmallStore(std::size_t packs) : packs_(packs) {}
    std::string_view keep(std::string_view pack) override {
        if (kept_.size() >= packs_) return {};
        return kept_.emplace_back(pack);
    }

  private:
    std::size_t packs_;
    std::deque<std::string> kept_;
};

/// A trace of `n` accesses that may be packed in a thread of its own, into a store that holds `packs` packs.
Trace built(std::size_t n, std::size_t packs, bool inTwo) {
    TraceBuilder builder("t");
    builder.keepIn(std::make_shared<SmallStore>(packs));
    const auto add = [&] {
        std::mt19937_64 random(9);
        for (std::size_t i = 0; i < n; ++i) {
            if (i % 5000 == 0) builder.expectRegion(ByteAddress{0x100008 + i}, 40);
            builder.add(access(random() % 3 == 0 ? Op::write : Op::read, 0x100000 + random() % n, 4, random() % 3));
        }
        EXPECT_TRUE(builder.isStoreFull() || builder.size() == n);
        builder.flush();
    };
    if (!inTwo) {
        add();
    } else {
        inTwoThreads<AccessPiece>(
            inThreads, 4,
            [&](Handover<AccessPiece>& there) {
                builder.packElsewhere(there);
                add();
            },
            [&](AccessPiece& piece) { builder.pack(piece); });
        builder.packHere();
    }
    EXPECT_EQ(builder.isStoreFull(), packs * Trace::kChunk < n);
    return builder.finish();
}

TEST(TraceBuilder, PacksInAThreadOfItsOwnAsInOne) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{5}, std::size_t{4096}, std::size_t{70'000}, std::size_t{200'000}}) {
        const Trace one = built(n, 100, false);
        const Trace two = built(n, 100, true);
        EXPECT_EQ(two.size(), n);
        EXPECT_EQ(accessesOf(two), accessesOf(one));
        EXPECT_EQ(two.writes(), one.writes());
        EXPECT_EQ(regionsOf(two), regionsOf(one));
    }
}

TEST(TraceBuilder, OfAFullStoreKeepsWhatCameBefore) {
    constexpr std::size_t kPacks = 2;
    for (const bool inTwo : {false, true}) {
        const Trace trace = built(5 * Trace::kChunk, kPacks, inTwo);
        ASSERT_EQ(trace.size(), kPacks * Trace::kChunk);
        std::uint64_t writes = 0;
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { writes += a.isWrite() ? 1 : 0; });
        EXPECT_EQ(trace.writes(), writes);
    }
}

TEST(TraceBuilder, IsEmptyAfterFinish) {
    TraceBuilder builder("first");
    builder.addRegion(region("A", 0x1000, 64));
    builder.newObject(object("o", 0x2000, 64));
    builder.site("a.c", 1);
    builder.add(access(Op::read, 0x1000, 4));
    EXPECT_EQ(builder.finish().size(), 1u);
    EXPECT_EQ(builder.size(), 0u);
    EXPECT_FALSE(builder.deleteObject(ByteAddress{0x2000}));
    builder.add(access(Op::write, 0x9000, 4));
    const Trace second = builder.finish();
    EXPECT_EQ(accessesOf(second), "W 9000 4");
    EXPECT_EQ(regionsOf(second), "memory 9000+16");
    EXPECT_TRUE(second.files().empty());
}

TEST(TraceBuilder, GivesTheSameSiteForTheSameLine) {
    TraceBuilder builder("sites");
    const SiteId a1 = builder.site("a.c", 1);
    const SiteId a2 = builder.site("a.c", 2);
    const SiteId b1 = builder.site("b.c", 1);
    EXPECT_EQ(builder.site("a.c", 1), a1);
    EXPECT_NE(a1, a2);
    EXPECT_NE(a1, b1);
    EXPECT_EQ(builder.site("a.c", 0), SiteId{});
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.site(SiteId{}).line, 0u);
    EXPECT_EQ(trace.files()[trace.site(b1).file].path, "b.c");
    EXPECT_EQ(trace.site(a2).line, 2u);
}

TEST(TraceBuilder, CutsSourceTextIntoLines) {
    TraceBuilder builder("source");
    builder.sourceText("a.c", "int a;\r\n\nint b;");
    builder.sourceText("b.c", "x\n");
    builder.sourceText("none.c", "");
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.files()[0].lines, SourceText("int a;\n\nint b;"));
    EXPECT_EQ(trace.files()[1].lines, SourceText("x"));
    EXPECT_TRUE(trace.files()[2].lines.empty());
}

TEST(TraceBuilder, LeavesOutWhatComesWhileOff) {
    TraceBuilder builder("off");
    builder.add(access(Op::read, 0x10, 4));
    builder.recording(false);
    builder.mark("inside");
    builder.add(access(Op::write, 0x5000, 4));
    builder.recording(true);
    builder.add(access(Op::read, 0x20, 4));
    const Trace trace = builder.finish();
    EXPECT_EQ(accessesOf(trace), "R 10 4, R 20 4");
    EXPECT_EQ(trace.accessesOff(), 1u);
    EXPECT_EQ(trace.writes(), 0u);
    EXPECT_EQ(regionsOf(trace), "memory 10+32");
    ASSERT_EQ(trace.marks().size(), 1u);
    EXPECT_EQ(trace.marks()[0].at, Tick{1});
}

TEST(TraceBuilder, RefusesRegionsThatOverlap) {
    TraceBuilder builder("regions");
    EXPECT_TRUE(builder.addRegion(region("A", 0x1000, 0x100)));
    EXPECT_TRUE(builder.addRegion(region("B", 0x1100, 0x100)));
    EXPECT_TRUE(builder.addRegion(region("C", 0xfff, 1)));
    std::string other;
    EXPECT_FALSE(builder.addRegion(region("D", 0x10ff, 1), &other));
    EXPECT_EQ(other, "A");
    EXPECT_FALSE(builder.addRegion(region("D", 0x1180, 0x1000), &other));
    EXPECT_EQ(other, "B");
    EXPECT_FALSE(builder.addRegion(region("D", 0x0, 0x1000), &other));
    EXPECT_EQ(other, "C");
    EXPECT_FALSE(builder.addRegion(region("D", 0x1000, 0x100)));
    EXPECT_EQ(regionsOf(builder.finish()), "C fff+1, A 1000+256, B 1100+256");
}

TEST(Trace, FindsRegionsAndPlaces) {
    TraceBuilder builder("places");
    Region matrix = region("B", 0x1000, 512);
    matrix.elementSize = 8;
    matrix.rows = 8;
    matrix.columns = 8;
    builder.addRegion(matrix);
    builder.addRegion(region("tail", 0x1200, 16));
    builder.newObject(object("n1", 0x1208, 4));
    builder.add(access(Op::read, 0x1000, 8));
    builder.deleteObject(ByteAddress{0x1208});
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.regionAt(ByteAddress{0x0fff}), 2u);
    EXPECT_EQ(trace.regionAt(ByteAddress{0x1000}), 0u);
    EXPECT_EQ(trace.regionAt(ByteAddress{0x11ff}), 0u);
    EXPECT_EQ(trace.regionAt(ByteAddress{0x1200}), 1u);
    EXPECT_EQ(trace.regionAt(ByteAddress{0x1210}), 2u);
    EXPECT_EQ(trace.placeOf(ByteAddress{0x10c7}, Tick{0}), "B[3][0]");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1209}, Tick{0}), "n1+0x1");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1209}, Tick{1}), "tail+0x9");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x9000}, Tick{0}), "0x9000");
}

TEST(Objects, AreFoundByTheirLives) {
    TraceBuilder builder("lives");
    EXPECT_TRUE(builder.newObject(object("a", 0x1000, 32)));
    builder.add(access(Op::read, 0x1000, 4));  // tick 0
    EXPECT_TRUE(builder.deleteObject(ByteAddress{0x1000}));
    builder.add(access(Op::read, 0x1000, 4));  // tick 1: of no object
    EXPECT_TRUE(builder.newObject(object("b", 0x1000, 16)));
    EXPECT_TRUE(builder.newObject(object("c", 0x1010, 16)));
    builder.add(access(Op::read, 0x1000, 4));  // tick 2
    const Trace trace = builder.finish();
    const auto nameAt = [&](std::uint64_t a, std::uint64_t t) {
        const Object* o = trace.objectAt(ByteAddress{a}, Tick{t});
        return o == nullptr ? std::string("none") : o->name;
    };
    EXPECT_EQ(nameAt(0x101f, 0), "a");
    EXPECT_EQ(nameAt(0x1000, 1), "none");
    EXPECT_EQ(nameAt(0x1000, 2), "b");
    EXPECT_EQ(nameAt(0x1010, 2), "c");
    EXPECT_EQ(nameAt(0x1020, 2), "none");
    EXPECT_EQ(nameAt(0x0fff, 2), "none");
}

TEST(Objects, CannotShareMemoryWhileTheyLive) {
    TraceBuilder builder("shared");
    EXPECT_TRUE(builder.newObject(object("a", 0x1000, 32)));
    EXPECT_FALSE(builder.newObject(object("same", 0x1000, 8)));
    EXPECT_FALSE(builder.newObject(object("inside", 0x1010, 8)));
    EXPECT_FALSE(builder.newObject(object("around", 0x0ff0, 64)));
    EXPECT_TRUE(builder.newObject(object("behind", 0x1020, 8)));
    EXPECT_TRUE(builder.newObject(object("before", 0x0ff0, 16)));
    EXPECT_FALSE(builder.deleteObject(ByteAddress{0x1008}));
    EXPECT_TRUE(builder.deleteObject(ByteAddress{0x1000}));
    EXPECT_FALSE(builder.deleteObject(ByteAddress{0x1000}));
    EXPECT_TRUE(builder.newObject(object("inside", 0x1010, 8)));
}

TEST(Objects, AgreeWithASearchOfAllLives) {
    std::mt19937 random(7);
    TraceBuilder builder("many");
    std::map<std::uint64_t, bool> alive;
    for (int i = 0; i < 4000; ++i) {
        const std::uint64_t base = 0x1000 + random() % 64 * 8;
        if (random() % 3 == 0) {
            if (builder.deleteObject(ByteAddress{base})) alive.erase(base);
        } else if (builder.newObject(object(fmt::format("o{}", i), base, random() % 5 * 8))) {
            alive[base] = true;
        }
        if (random() % 2 == 0) builder.add(access(Op::read, base, 1));
    }
    const Trace trace = builder.finish();
    ASSERT_GT(trace.objects().size(), 500u);
    int found = 0;
    for (int i = 0; i < 20000; ++i) {
        const ByteAddress a{0x0ff0 + random() % 0x240};
        const Tick t{random() % (trace.size() + 1)};
        const Object* expected = nullptr;
        for (const Object& o : trace.objects()) {
            if (o.contains(a, t)) expected = &o;
        }
        ASSERT_EQ(trace.objectAt(a, t), expected) << a.value << " at " << t.value;
        found += expected != nullptr ? 1 : 0;
    }
    EXPECT_GT(found, 5000);
}

TEST(Footprint, HasTheGranulesOfAccessesAcrossPages) {
    TraceBuilder builder("footprint");
    builder.add(access(Op::read, 0x3f8, 16));
    builder.add(access(Op::read, 0x80000, 0x900));
    const Trace trace = builder.finish();
    const auto blocks = [&](std::uint64_t from, std::uint64_t to) {
        return trace.footprint().touchedBlocks(ByteAddress{from}, ByteAddress{to}, 16).size();
    };
    EXPECT_EQ(blocks(0, 0x3ff), 1u);
    EXPECT_EQ(blocks(0, 0x400), 2u);
    EXPECT_EQ(blocks(0x400, 0xfff), 1u);
    EXPECT_EQ(blocks(0x80000, 0x8ffff), 0x90u);
    EXPECT_EQ(blocks(0, ~0ull), 0x92u);
}

}  // namespace
}  // namespace whorl::sim::test
