// A trace with another layout: computed by hand, and laws that hold for any trace and any change.
#include "sim/trace/layout/mapped_trace.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/trace/changed_trace.h"

namespace whorl::sim::test {
namespace {

using Kind = LayoutChange::Kind;
constexpr std::string_view kArrays =
    "region A 0x1000 64 4 rows=16\n"
    "region B 0x1040 64 4 rows=8 cols=2\n"
    "region C 0x9000 16\n"
    "R 0x1000 4\n"
    "R 0x103c 4\n"
    "W 0x1044 4 cpu=1\n"
    "R 0x9000 4\n";

/// The new addresses of the arrays, then the accesses, then what the last three access.
std::string arraysWith(const std::vector<std::string>& changes) {
    const auto trace = changed(shared(kArrays), changes);
    if (!trace) return trace.error().sentence();
    std::string out = regionsOf(*trace) + "; " + accessesOf(*trace) + ";";
    trace->forEach(Tick{1}, Tick{4}, [&](Tick t, const Access& a) { out += ' ' + trace->placeOf(a.address, t); });
    return out;
}

TEST(MappedTrace, MovesWhatIsNamedAndWhatIsInTheWay) {
    const std::string lastIsStill = ", R 9000 4; A[15] B[0][1] C+0x0";
    EXPECT_EQ(arraysWith({}), "A 1000+64, B 1040+64, C 9000+16; R 1000 4, R 103c 4, W 1044 4 cpu=1" + lastIsStill);
    // B keeps its offset in a page, and C is far enough away.
    EXPECT_EQ(arraysWith({"shift:A:64"}),
              "A 1040+64, B 2040+64, C 9000+16; R 1040 4, R 107c 4, W 2044 4 cpu=1" + lastIsStill);
    EXPECT_EQ(arraysWith({"shift:A:-64"}),
              "A fc0+64, B 1040+64, C 9000+16; R fc0 4, R ffc 4, W 1044 4 cpu=1" + lastIsStill);
    EXPECT_EQ(arraysWith({"align:B:4K"}),
              "A 1000+64, B 2000+64, C 9000+16; R 1000 4, R 103c 4, W 2004 4 cpu=1" + lastIsStill);
    EXPECT_EQ(arraysWith({"align:A:4K"}), arraysWith({}));
    EXPECT_EQ(arraysWith({"pad:A:128"}),
              "A 1000+64, B 2040+64, C 9000+16; R 1000 4, R 103c 4, W 2044 4 cpu=1" + lastIsStill);
    EXPECT_EQ(arraysWith({"pad:A:64"}), arraysWith({})) << "B begins at the next block already";
    EXPECT_EQ(arraysWith({"spread:A:64"}),
              "A 1000+1024, B 2040+64, C 9000+16; R 1000 4, R 13c0 4, W 2044 4 cpu=1" + lastIsStill);
    EXPECT_EQ(arraysWith({"spread:B:256"}),
              "A 1000+64, B 1040+4096, C 9000+16; R 1000 4, R 103c 4, W 1140 4 cpu=1" + lastIsStill);
    // Rows of 8 bytes: the elements keep their names.
    EXPECT_EQ(arraysWith({"spread:B:16:8"}),
              "A 1000+64, B 1040+128, C 9000+16; R 1000 4, R 103c 4, W 1044 4 cpu=1, R 9000 4; A[15] B[0][1] C+0x0");
    EXPECT_EQ(arraysWith({"shift:B:32K"}),
              "A 1000+64, B 9040+64, C a000+16; R 1000 4, R 103c 4, W 9044 4 cpu=1, R a000 4; A[15] B[0][1] C+0x0");
}

TEST(MappedTrace, ABytePickedInOneLayoutIsTheSameByteInAnother) {
    const auto before = shared(kArrays);
    const auto addressesOf = [](const Trace& trace) {
        std::vector<ByteAddress> all;
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { all.push_back(a.address); });
        return all;
    };
    for (const char* const change : {"shift:A:64", "align:B:4K", "spread:A:64", "spread:B:16:8", "transpose:B"}) {
        const auto after = changed(before, {change});
        const auto other = changed(before, {"shift:B:32K", "pad:A:128"});
        ASSERT_TRUE(after && other);
        for (std::size_t t = 0; t < before->size(); ++t) {
            const ByteAddress here = addressesOf(*before)[t];
            const ByteAddress there = addressesOf(*after)[t];
            EXPECT_EQ(sameByte(*before, *after, here), there) << change;
            EXPECT_EQ(sameByte(*after, *before, there), here) << change;
            EXPECT_EQ(sameByte(*after, *other, there), addressesOf(*other)[t]) << change;
        }
    }
}

TEST(MappedTrace, CountsThePaddingThatItAdds) {
    const auto paddingOf = [](const std::vector<std::string>& changes) {
        return changed(shared(kArrays), changes)->padding();
    };
    EXPECT_EQ(paddingOf({}), 0u);
    EXPECT_EQ(paddingOf({"align:B:128"}), 64u);
    EXPECT_EQ(paddingOf({"align:A:4K"}), 0u);
    EXPECT_EQ(paddingOf({"pad:A:128"}), 64u) << "not what B moves to make room";
    EXPECT_EQ(paddingOf({"pad:A:64"}), 0u);
    EXPECT_EQ(paddingOf({"spread:A:64"}), 16u * 60);
    EXPECT_EQ(paddingOf({"shift:A:64"}), 64u);
    EXPECT_EQ(paddingOf({"shift:C:-64"}), 0u) << "there was room";
    EXPECT_EQ(paddingOf({"align:B:128", "pad:B:128"}), 64u + 64);
    // Each instance but the first moves up by 60 more than the one before it.
    const auto objects =
        shared("new a Counter 0x1000 4\nnew b Counter 0x1004 4\nnew c Counter 0x1008 4\nW 0x1000 4\nW 0x1008 4\n");
    EXPECT_EQ(changed(objects, {"align:class:Counter:64"})->padding(), 120u);
    EXPECT_EQ(changed(objects, {"pad:class:Counter:64"})->padding(), 180u);
}

TEST(MappedTrace, MakesOneChangeAfterTheOther) {
    const std::string both = arraysWith({"shift:A:64", "shift:B:-64"});
    EXPECT_EQ(both,
              "A 1040+64, B 2000+64, C 9000+16; R 1040 4, R 107c 4, W 2004 4 cpu=1, R 9000 4; A[15] B[0][1] C+0x0");
    const SharedTrace original = shared(kArrays);
    const auto first = shared(*changed(original, {"shift:A:64"}));
    const auto second = changed(first, {"shift:B:-64"});
    const auto atOnce = changed(original, {"shift:A:64", "shift:B:-64"});
    expectEqual(*second, *atOnce);
    EXPECT_EQ(second->name(), "t, with A shifted by 64 and B shifted by -64");
    EXPECT_EQ(second->name(), atOnce->name());
    EXPECT_EQ(second->original(), original);
    EXPECT_EQ(second->changes(), atOnce->changes());
    EXPECT_TRUE(second->sharesAccesses(*original));
    EXPECT_EQ(&second->accesses(), &original->accesses()) << "the accesses are not copied";
    EXPECT_EQ(arraysWith({"spread:A:8", "spread:A:64"}), arraysWith({"spread:A:64"}));
}

constexpr std::string_view kObjects =
    "new q1 Quadrant 0x1000 12\n"
    "new q2 Quadrant 0x100c 12\n"
    "new other Node 0x1018 8\n"
    "W 0x1004 4\n"
    "W 0x1010 4 cpu=1\n"
    "R 0x1018 8\n";

std::string objectsWith(const std::vector<std::string>& changes) {
    const auto trace = changed(shared(kObjects), changes);
    if (!trace) return trace.error().sentence();
    std::string out;
    for (const Object& o : trace->objects()) out += fmt::format("{} {:x}+{}, ", o.name, o.base.value, o.size);
    return out + accessesOf(*trace);
}

TEST(MappedTrace, ChangesTheInstancesOfAClass) {
    EXPECT_EQ(objectsWith({"align:class:Quadrant:64"}),
              "q1 1000+12, q2 1040+12, other 2018+8, W 1004 4, W 1044 4 cpu=1, R 2018 8");
    EXPECT_EQ(objectsWith({"pad:class:Quadrant:64"}),
              "q1 1000+12, q2 1040+12, other 2018+8, W 1004 4, W 1044 4 cpu=1, R 2018 8");
    EXPECT_EQ(objectsWith({"shift:class:Quadrant:16"}),
              "q1 1010+12, q2 101c+12, other 2018+8, W 1014 4, W 1020 4 cpu=1, R 2018 8");
    EXPECT_EQ(objectsWith({"spread:q1:8"}), "q1 1000+24, q2 200c+12, other 2018+8, W 1008 4, W 2010 4 cpu=1, R 2018 8");
    EXPECT_EQ(objectsWith({"spread:class:Quadrant:32:6"}),
              "q1 1000+64, q2 104c+64, other 2018+8, W 1004 4, W 1050 4 cpu=1, R 2018 8");
    EXPECT_EQ(objectsWith({"align:0x1010:64"}),
              "q1 1000+12, q2 1040+12, other 2018+8, W 1004 4, W 1044 4 cpu=1, R 2018 8");
}

TEST(MappedTrace, MovesARegionWithWhatIsInIt) {
    const SharedTrace trace = shared(
        "region heap 0x1000 256\n"
        "new a Node 0x1010 16\n"
        "new b Node 0x1020 16\n"
        "W 0x1008 8\nW 0x1010 8\nW 0x1028 8\nW 0x1030 8\n");
    const auto whole = changed(trace, {"shift:heap:8"});
    EXPECT_EQ(accessesOf(*whole), "W 1010 8, W 1018 8, W 1030 8, W 1038 8");
    EXPECT_EQ(objectsOf(*whole), "a|Node 1018+16 0-18446744073709551615; b|Node 1028+16 0-18446744073709551615; ");
    // Inside it, room is made in whole pages: it grows.
    const auto inside = changed(trace, {"align:b:64"});
    EXPECT_EQ(accessesOf(*inside), "W 1008 8, W 1010 8, W 1048 8, W 2030 8");
    EXPECT_EQ(regionsOf(*inside), "heap 1000+4352");
    EXPECT_EQ(inside->regionAt(ByteAddress{0x1048}), 0u);
}

TEST(MappedTrace, MovesMemoryForTheWholeRun) {
    const SharedTrace again = shared(
        "new a Node 0x1000 16\nW 0x1000 4\ndel 0x1000\nnew b Node 0x1000 16\nW 0x1004 4\nnew c Leaf 0x2000 8\n"
        "W 0x2000 4\ndel 0x2000\nnew d Leaf 0x2004 8\nW 0x2008 4\n");
    EXPECT_EQ(accessesOf(*changed(again, {"shift:class:Node:32"})), "W 1020 4, W 1024 4, W 2000 4, W 2008 4");
    EXPECT_EQ(changed(again, {"shift:a:32"}).error().sentence(),
              "t: \"b\" uses memory of \"a\" at another time, and would move with it; change the region that they lie "
              "in, or their class if they have one in common");
    EXPECT_EQ(changed(again, {"shift:class:Leaf:32"}).error().what,
              "\"c\" uses memory of \"Leaf\" at another time, and would move with it");
    // Objects that share memory at different times move together.
    EXPECT_EQ(accessesOf(*changed(again, {"pad:class:Node:16K"})), "W 1000 4, W 1004 4, W 4000 4, W 4008 4");
}

TEST(MappedTrace, SaysWhatCannotBe) {
    EXPECT_EQ(arraysWith({"align:mid:64"}), "t: there is no region or object \"mid\"; there are A, B and C");
    EXPECT_EQ(objectsWith({"align:othr:64"}), "t: there is no region or object \"othr\"; did you mean \"other\"?");
    EXPECT_EQ(objectsWith({"align:Quadrant:64"}),
              "t: there is no region or object \"Quadrant\"; it is a class: write class:Quadrant");
    EXPECT_EQ(objectsWith({"align:class:Quadrat:64"}), "t: there is no class \"Quadrat\"; did you mean \"Quadrant\"?");
    EXPECT_EQ(arraysWith({"align:class:x:64"}), "t: there is no class \"x\"; it has no objects");
    EXPECT_EQ(
        arraysWith({"spread:C:64"}),
        "t: it is not known how large an element of \"C\" is; give it after the bytes: spread:NAME:BYTES:ELEMENT");
    EXPECT_EQ(arraysWith({"spread:A:2"}),
              "t: the elements of \"A\" have 4 bytes, which do not fit at 2 from one to the next; use 4 or more");
    EXPECT_EQ(arraysWith({"shift:B:-64"}),
              "t: \"B\" cannot be shifted down by 64 bytes: something lies there; use at most 0");
    EXPECT_EQ(arraysWith({"shift:C:-32K"}),
              "t: \"C\" cannot be shifted down by 32768 bytes: something lies there; use at most 32640");
    EXPECT_EQ(arraysWith({"shift:A:-64K"}),
              "t: with \"shift:A:-65536\", what lies at 0x1000 would be outside the address space; use fewer bytes");
    const SharedTrace high = shared("region top 0xffffffffff000000 4096\nR 0xffffffffff000000 8\n");
    EXPECT_EQ(accessesOf(*changed(high, {"align:top:64"})), "R ffffffffff000000 8");
    for (const char* text : {"shift:top:16M", "shift:top:1024G", "align:top:1024G", "spread:top:1024G:1"}) {
        EXPECT_NE(changed(high, {text}).error().what.find("would be outside the address space"), std::string::npos)
            << text;
    }
    const SharedTrace twice = shared("region x 0x1000 16\nregion x 0x2000 16\nR 0x1000\nR 0x2000\n");
    EXPECT_EQ(changed(twice, {"align:x:64"}).error().sentence(),
              "t: 2 things have the name \"x\"; name one by an address in it, such as 0x1000");
    Progress stopped;
    stopped.cancel();
    EXPECT_TRUE(mapped(twice, {*parseLayoutChange("align:0x1000:64")}, stopped).error().cancelled);
}

/// A recording calls a pointer as the array that it points to.
TEST(MappedTrace, ANameIsThatOfTheArrayRatherThanItsPointer) {
    const auto trace =
        changed(shared("region x 0x1000 8 8\nregion x 0x2010 64 8 rows=8\nR 0x1000\nR 0x2010\n"), {"align:x:64"});
    EXPECT_EQ(regionsOf(*trace), "x 1000+8, x 2040+64");
}

TEST(MappedTrace, KeepsAccessesThatStraddleWhole) {
    const auto trace = changed(shared("region A 0x1000 8 4\nregion B 0x1008 8\nR 0x1004 8\nR 0x1002 4\n"),
                               {"align:B:64", "spread:A:16"});
    EXPECT_EQ(accessesOf(*trace), "R 1010 8, R 1002 4");
    EXPECT_EQ(regionsOf(*trace), "A 1000+32, B 1040+8");
}

TEST(MappedTrace, IsWrittenAsItIsSeen) {
    TraceBuilder builder("stamped");
    builder.addRegion(region("A", 0x1000, 64));
    for (std::uint64_t i = 0; i < 70000; ++i) builder.add(access(Op::write, 0x1000 + i * 4 % 64, 4), 1000 + 3 * i);
    const auto original = shared(builder);
    const Trace trace = *changed(original, {"spread:A:64:4"});
    const Folder folder;
    ASSERT_EQ(written(trace, folder.at("a.whorl")), "written");
    Progress progress;
    const auto back = readTrace(folder.at("a.whorl"), {}, progress);
    ASSERT_TRUE(back.has_value()) << back.error().sentence();
    expectEqual(*back, trace);
    EXPECT_EQ(regionsOf(*back), "A 1000+1024");
    TraceCursor cursor(*back);
    const auto stamps = cursor.stamps(1);
    ASSERT_EQ(stamps.size(), 70000 - Trace::kChunk);
    EXPECT_EQ(stamps[5], 1000 + 3 * (Trace::kChunk + 5));
}

/// What a random change names: by an address, because names need not be unique.
struct Named {
    LayoutChange change;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

Named randomChange(const Trace& trace, std::mt19937_64& random) {
    Named out;
    out.change.kind = static_cast<Kind>(random() % 4);
    out.change.bytes = std::int64_t{1} << random() % 14;
    if (out.change.kind == Kind::shift) out.change.bytes = static_cast<std::int64_t>(random() % 9000) - 3000;
    if (out.change.kind == Kind::spread) {
        out.change.element = 1 + random() % 16;
        out.change.bytes = static_cast<std::int64_t>(out.change.element + random() % 80);
    }
    const std::size_t objects = trace.objects().size();
    const std::size_t pick = random() % (objects + trace.regions().size());
    const std::uint64_t base =
        pick < objects ? trace.objects()[pick].base.value : trace.regions()[pick - objects].base.value;
    const std::uint64_t size = pick < objects ? trace.objects()[pick].size : trace.regions()[pick - objects].size;
    out.change.thing = fmt::format("{:#x}", base);
    out.from = base;
    out.to = base + size;
    // An object at the start of a region is what the address names; and another may have another size.
    for (const Object& o : trace.objects()) {
        if (base - o.base.value < o.size) {
            out.from = o.base.value;
            out.to = o.base.value + o.size;
        }
    }
    return out;
}

std::set<std::uint64_t> touchedBytes(const Trace& trace) {
    std::set<std::uint64_t> bytes;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        for (std::uint64_t i = 0; i < a.size; ++i) bytes.insert(a.address.value + i);
    });
    return bytes;
}

void expectBytesKeepApart(const Trace& original, const Trace& trace) {
    std::uint64_t last = 0;
    bool first = true;
    for (const std::uint64_t byte : touchedBytes(original)) {
        const std::uint64_t now = trace.map()->of(ByteAddress{byte}).value;
        ASSERT_TRUE(first || now > last) << std::hex << byte << ": bytes keep their order, and so never meet";
        first = false;
        last = now;
        ASSERT_EQ(trace.regionAt(ByteAddress{now}), original.regionAt(ByteAddress{byte}));
    }
}

/// An access stays with its target; the target's object keeps its offset in a page, unless the object is named or part
/// of what is.
void expectAccessesFollow(const Trace& original, const Trace& trace, const Named& named) {
    TraceCursor cursor(trace);
    original.forEach(Tick{0}, Tick{original.size()}, [&](Tick t, const Access& a) {
        const Access now = cursor.at(t);
        Access expected = a;
        expected.address = trace.map()->of(a.address);
        ASSERT_EQ(now, expected);
        const Object* was = original.objectAt(a.address, t);
        const Object* is = trace.objectAt(now.address, t);
        ASSERT_EQ(was == nullptr ? -1 : was - original.objects().data(),
                  is == nullptr ? -1 : is - trace.objects().data());
        const bool isApart = a.address.value >= named.to || a.address.value < named.from;
        if (isApart && (was == nullptr || was->base.value >= named.to || was->base.value + was->size <= named.from)) {
            ASSERT_EQ(now.address.value % 4096, a.address.value % 4096);
        }
    });
}

/// A trace of the same accesses, recorded at their new addresses.
void expectFootprint(const Trace& trace) {
    FootprintBuilder builder;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { builder.touch(a.address, a.size); });
    const Footprint footprint = builder.finish();
    ASSERT_EQ(footprint.pages().size(), trace.footprint().pages().size());
    for (std::size_t i = 0; i < footprint.pages().size(); ++i) {
        ASSERT_EQ(footprint.pages()[i].index, trace.footprint().pages()[i].index);
        ASSERT_EQ(footprint.pages()[i].bits, trace.footprint().pages()[i].bits);
    }
}

TEST(MappedTrace, LawsHoldForAnyTraceAndAnyChange) {
    std::map<Kind, int> made;
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        const auto original = shared(randomTrace(seed));
        for (int i = 0; i < 6; ++i) {
            const Named named = randomChange(*original, random);
            SCOPED_TRACE(fmt::format("seed {}, {}", seed, asText(named.change)));
            Progress progress;
            const auto trace = mapped(original, {named.change}, progress);
            if (!trace) {
                // Only for lack of room, for shared memory, and for impossible elements.
                EXPECT_FALSE(trace.error().hint.empty());
                continue;
            }
            ++made[named.change.kind];
            const bool isSpread = named.change.kind == Kind::spread;
            expectBytesKeepApart(*original, *trace);
            expectAccessesFollow(*original, *trace, named);
            expectFootprint(*trace);
            if (named.change.kind == Kind::align) {
                EXPECT_EQ(trace->map()->of(ByteAddress{named.from}).value % named.change.bytes, 0u);
            }
            if (isSpread && named.to - named.from > named.change.element) {
                EXPECT_EQ(trace->map()->of(ByteAddress{named.from + named.change.element}).value -
                              trace->map()->of(ByteAddress{named.from}).value,
                          static_cast<std::uint64_t>(named.change.bytes));
            }
        }
    }
    for (const Kind kind : {Kind::shift, Kind::align, Kind::pad, Kind::spread}) EXPECT_GT(made[kind], 15);
}

TEST(MappedTrace, AndForSeveralChanges) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        const auto original = shared(randomTrace(seed));
        auto trace = original;
        Progress progress;
        for (int i = 0; i < 8; ++i) {
            const auto more = mapped(trace, {randomChange(*trace, random).change}, progress);
            if (more) trace = std::make_shared<const Trace>(*more);
        }
        ASSERT_NE(trace->map(), nullptr);
        expectBytesKeepApart(*original, *trace);
        expectFootprint(*trace);
        const auto atOnce = mapped(original, trace->changes(), progress);
        ASSERT_TRUE(atOnce.has_value());
        expectEqual(*atOnce, *trace);
        EXPECT_EQ(shapesOf(*atOnce), shapesOf(*trace));
        const Folder folder;
        for (const char* name : {"a.whorl", "a.trace"}) {
            ASSERT_EQ(written(*trace, folder.at(name)), "written");
            const auto back = readTrace(folder.at(name), {}, progress);
            ASSERT_TRUE(back.has_value()) << back.error().sentence();
            EXPECT_EQ(accessesOf(*back), accessesOf(*trace));
        }
    }
}

}  // namespace
}  // namespace whorl::sim::test
