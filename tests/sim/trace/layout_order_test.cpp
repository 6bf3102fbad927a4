// Arrays that are transposed, or split into their fields: by hand, and laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/trace/changed_trace.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/memory_names.h"

namespace whorl::sim::test {
namespace {

std::string after(const SharedTrace& trace, const std::vector<std::string>& changes) {
    return accessesOr(changed(trace, changes));
}

void expectPermutes(const ElementOrder& order, std::uint64_t bytes) {
    std::set<std::uint64_t> places;
    for (std::uint64_t offset = 0; offset < bytes; ++offset) places.insert(order.of(offset));
    EXPECT_EQ(places.size(), bytes);
    EXPECT_EQ(*places.rbegin(), bytes - 1);
    EXPECT_EQ(order.of(0), 0u);
    EXPECT_EQ(order.of(bytes - 1), bytes - 1) << "an array keeps its ends";
    for (std::uint64_t offset = 0; offset < bytes; ++offset) EXPECT_EQ(order.before(order.of(offset)), offset);
}

TEST(ElementOrder, TwiceTransposedIsTheSame) {
    const ElementOrder there = ElementOrder::transposed(3, 5, 8);
    const ElementOrder back = ElementOrder::transposed(5, 3, 8);
    expectPermutes(there, 3 * 5 * 8 + 4);
    EXPECT_EQ(there.of((1 * 5 + 2) * 8 + 3), (2 * 3 + 1) * 8u + 3) << "(1, 2) is where (2, 1) is";
    for (std::uint64_t offset = 0; offset < 3 * 5 * 8 + 4; ++offset) EXPECT_EQ(back.of(there.of(offset)), offset);
    EXPECT_TRUE(there.keepsTogether(8, 16));
    EXPECT_FALSE(there.keepsTogether(8, 17));
}

TEST(ElementOrder, TilesAreInOnePiece) {
    for (const auto& [rows, columns, tile] : {std::array{6, 8, 2}, std::array{7, 5, 3}, std::array{4, 4, 9}}) {
        const auto n = static_cast<std::uint64_t>(rows * columns);
        const auto order = ElementOrder::blocked(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                                                 4, static_cast<std::uint64_t>(tile));
        expectPermutes(order, 4 * n + 3);
        // From tile to tile as they are read, and within each by rows.
        std::uint64_t next = 0;
        for (int top = 0; top < rows; top += tile) {
            for (int left = 0; left < columns; left += tile) {
                for (int i = top; i < std::min(top + tile, rows); ++i) {
                    for (int j = left; j < std::min(left + tile, columns); ++j, next += 4) {
                        EXPECT_EQ(order.of(static_cast<std::uint64_t>(4 * (i * columns + j))), next);
                    }
                }
            }
        }
        EXPECT_TRUE(order.keepsTogether(4, 8));
        EXPECT_FALSE(order.keepsTogether(4, 9));
    }
}

TEST(ElementOrder, FieldsGetArrays) {
    // char tag; double x; float y; and 4 bytes to the next.
    const std::vector<StructField> fields = {{"tag", 0, 1}, {"x", 8, 8}, {"y", 16, 4}};
    const ElementOrder order = ElementOrder::split(10, 24, fields);
    expectPermutes(order, 240 + 7);
    for (std::uint64_t i = 0; i < 10; ++i) {
        EXPECT_EQ(order.of(24 * i), i);
        EXPECT_EQ(order.of(24 * i + 9), 80 + 8 * i + 1);
        EXPECT_EQ(order.of(24 * i + 16), 160 + 4 * i);
        EXPECT_TRUE(order.keepsTogether(24 * i + 8, 24 * i + 16));
        EXPECT_FALSE(order.keepsTogether(24 * i + 8, 24 * i + 17));
    }
    const ElementOrder equal = ElementOrder::split(10, 20, 8);
    expectPermutes(equal, 200);
    EXPECT_EQ(equal.of(3 * 20 + 9), 80 + 3 * 8 + 1u);
    EXPECT_EQ(equal.of(3 * 20 + 17), 160 + 3 * 4 + 1u) << "the last has what is left";
}

TEST(ElementOrder, WhatOverlapsStaysTogether) {
    const std::vector<StructField> fields = {{"i", 0, 4}, {"d", 0, 8}, {"half", 4, 8}, {"z", 16, 4}};
    const ElementOrder order = ElementOrder::split(4, 20, fields);
    expectPermutes(order, 80);
    EXPECT_TRUE(order.keepsTogether(0, 12));
    EXPECT_EQ(order.of(20 + 16), 4 * 16 + 4u);
}

constexpr std::string_view kMatrix =
    "region A 0x1000 48 4 rows=4 cols=3\n"
    "region B 0x2000 64 4 rows=16\n"
    "R 0x1000 4\nR 0x100c 4\nW 0x1006 2\nR 0x2000 4\nR 0x2010 4\nR 0x2024 8 cpu=1\n";

TEST(LayoutOrder, NamesMeanWhatIsShown) {
    for (const std::string change : {"transpose:A", "block:A:2", "transpose:B:4"}) {
        const auto trace = changed(shared(kMatrix), {change});
        for (std::uint64_t a = 0x1000; a < 0x1030; ++a) {
            const std::string place = trace->placeOf(ByteAddress{a}, Tick{0});
            const auto named = memoryNamed(place, *trace);
            ASSERT_TRUE(named && *named) << change << ": " << place;
            EXPECT_LE((*named)->from.value, a) << change << ": " << place;
            EXPECT_GT((*named)->from.value + (*named)->bytes, a) << change << ": " << place;
        }
    }
}

TEST(LayoutOrder, TransposesARegion) {
    const SharedTrace trace = shared(kMatrix);
    EXPECT_EQ(after(trace, {"transpose:A"}), "R 1000 4, R 1004 4, W 1012 2, R 2000 4, R 2010 4, R 2024 8 cpu=1");
    EXPECT_EQ(after(trace, {"transpose:A", "transpose:A"}), accessesOf(*trace));
    EXPECT_EQ(shapesOf(*changed(trace, {"transpose:A"})), "A 1000+48 4 3x4 0; B 2000+64 4 16x0 0; ");
    EXPECT_EQ(changed(trace, {"transpose:A"})->placeOf(ByteAddress{0x1012}, Tick{0}), "A[0][1]")
        << "as the program says";
    EXPECT_EQ(shapesOf(*changed(trace, {"transpose:A", "transpose:A"})), shapesOf(*trace));
    // B has no columns of its own.
    EXPECT_EQ(after(trace, {"transpose:B:4"}), "R 1000 4, R 100c 4, W 1006 2, R 2000 4, R 2004 4, R 2018 8 cpu=1");
    EXPECT_EQ(after(trace, {"transpose:B:4", "transpose:B"}), accessesOf(*trace));
    EXPECT_EQ(after(trace, {"transpose:B:2:8"}), "R 1000 4, R 100c 4, W 1006 2, R 2000 4, R 2008 4, R 2014 8 cpu=1");
    EXPECT_EQ(changed(trace, {"transpose:A"})->name(), "t, with A transposed");
    EXPECT_EQ(changed(trace, {"transpose:A"})->padding(), 0u);
    // In tiles of two rows, (1, 0) follows (0, 1).
    EXPECT_EQ(after(trace, {"block:A:2"}), "R 1000 4, R 1008 4, W 1006 2, R 2000 4, R 2010 4, R 2024 8 cpu=1");
    EXPECT_EQ(after(trace, {"block:B:2"}), "t: \"B\" has no known rows and columns; name a two-dimensional array");
}

/// Particles of 24 bytes: x, y and tag.
SharedTrace particles() {
    TraceBuilder builder("particles");
    Region p = region("p", 0x1000, 10 * 24);
    p.elementSize = 24;
    p.rows = 10;
    p.type = std::make_shared<const ElementType>(ElementType{"P", 24, {{"x", 0, 8}, {"y", 8, 8}, {"tag", 16, 1}}});
    builder.addRegion(p);
    builder.addRegion(region("next", 0x1000 + 240, 16));
    for (std::uint64_t i = 0; i < 10; ++i) {
        builder.add(access(Op::read, 0x1000 + 24 * i, 8));
        builder.add(access(Op::write, 0x1000 + 24 * i + 16, 1, 1));
        builder.add(access(Op::read, 0x1000 + 240, 4));
    }
    return shared(builder);
}

TEST(LayoutOrder, SplitKeepsSizesAndOrder) {
    const SharedTrace trace = particles();
    const auto split = changed(trace, {"split:p"});
    ASSERT_TRUE(split.has_value()) << split.error().sentence();
    EXPECT_EQ(split->size(), trace->size());
    TraceCursor cursor(*split);
    trace->forEach(Tick{0}, Tick{trace->size()}, [&](Tick t, const Access& a) {
        Access expected = a;
        const std::uint64_t i = t.value / 3;
        if (t.value % 3 == 0) expected.address = ByteAddress{0x1000 + 8 * i};
        if (t.value % 3 == 1) expected.address = ByteAddress{0x1000 + 160 + i};
        EXPECT_EQ(cursor.at(t), expected) << t.value;
    });
    EXPECT_EQ(shapesOf(*split), "p 1000+240 1 0x0 0; next 10f0+16 1 0x0 0; ");
    EXPECT_EQ(after(trace, {"split:p:8"}), after(trace, {"split:p:8:24"}));
    EXPECT_EQ(changed(trace, {"split:p", "split:p"}).error().what, "the elements of \"p\" have no known fields");
}

/// A loop over (i, j) follows the elements; what clears or copies the whole does not.
TEST(LayoutOrder, WhatFillsOrCopiesKeepsItsOrder) {
    const auto traceWith = [](const std::string& function) {
        TraceBuilder builder("filled");
        Region a = region("A", 0x1000, 64);
        a.elementSize = 4;
        a.rows = a.columns = 4;
        builder.addRegion(a);
        for (std::uint64_t i = 0; i < 4; ++i) {
            Access step = access(Op::write, 0x1000 + 4 * i, 4);
            step.site = builder.siteAt(ByteAddress{0x40});
            builder.add(step);
        }
        builder.locate(builder.siteAt(ByteAddress{0x40}), "", 0, function);
        return shared(builder);
    };
    const std::string kept = "W 1000 4, W 1004 4, W 1008 4, W 100c 4";
    const std::string moved = "W 1000 4, W 1010 4, W 1020 4, W 1030 4";
    for (const std::string function : {"__memset_avx2_unaligned_erms", "memmove", "std::__fill_a1<double*, double>",
                                       "std::__uninitialized_default_n_1<true>::__uninit_default_n<int*, unsigned>"}) {
        EXPECT_EQ(after(traceWith(function), {"transpose:A"}), kept) << function;
        EXPECT_EQ(after(traceWith(function), {"split:A:2"}), kept) << function;
    }
    for (const std::string function : {"fill", "setAll", "std::sort<int*>", ""}) {
        EXPECT_EQ(after(traceWith(function), {"transpose:A"}), moved) << function;
    }
}

/// A constructor that clears x and y at once walks over all elements; in arrays of x and of y it still does.
TEST(LayoutOrder, AccessesToSeveralFieldsStay) {
    const SharedTrace trace =
        shared("region p 0x1000 32 8 rows=4\nW 0x1000 8\nW 0x1008 8\nR 0x1008 4\nR 0x100c 4\nR 0x100a 4\n");
    EXPECT_EQ(after(trace, {"split:p:4"}), "W 1000 8, W 1008 8, R 1004 4, R 1014 4, R 100a 4");
}

TEST(LayoutOrder, SaysWhatCannotBe) {
    const SharedTrace trace = shared(kMatrix);
    EXPECT_EQ(after(trace, {"transpose:B"}),
              "t: it is not known how many columns \"B\" has; give them: transpose:NAME:COLUMNS, or "
              "transpose:NAME:COLUMNS:ELEMENT");
    EXPECT_EQ(after(trace, {"transpose:B:1024G:1024G"}),
              "t: \"B\" has no row of 1099511627776 elements of 1099511627776 bytes; use at most 0 columns");
    EXPECT_EQ(after(trace, {"split:B"}),
              "t: the elements of \"B\" have no known fields; give the size of a field: split:NAME:FIELD, or "
              "split:NAME:FIELD:ELEMENT");
    EXPECT_EQ(after(trace, {"split:B:4"}), "t: the elements of \"B\" have 4 bytes, and no fields of 4; use fewer");
    EXPECT_EQ(after(trace, {"split:B:4:64"}), "t: \"B\" has only one element of 64 bytes; split an array");
    const SharedTrace objects =
        shared("region heap 0x1000 256 8 rows=32\nnew a Node 0x1010 16\nnew b Node 0x1020 8\nW 0x1008 8\nW 0x1010 8\n");
    EXPECT_EQ(after(objects, {"transpose:heap:4"}),
              "t: \"a\" lies in memory of \"heap\", and would be torn apart; transpose or split something else");
    EXPECT_EQ(after(objects, {"split:a:2"}), "W 1008 8, W 1010 8") << "in words of 4 bytes";
}

/// Any array in any trace: bytes never meet, nothing else moves, and the inverse leads back.
TEST(LayoutOrder, LawsHoldForAnyTrace) {
    int made = 0;
    for (unsigned seed = 0; seed < 80; ++seed) {
        const auto original = shared(randomTrace(seed));
        for (const Region& r : original->regions()) {
            const std::string thing = fmt::format("{:#x}", r.base.value);
            const bool splits = seed % 2 == 0;
            const std::string text = splits ? fmt::format("split:{}:{}:{}", thing, 1 + seed % 5, 6 + seed % 9)
                                            : fmt::format("transpose:{}:{}:{}", thing, 1 + seed % 7, 1 + seed % 11);
            const auto trace = changed(original, {text});
            if (!trace) {
                EXPECT_FALSE(trace.error().hint.empty()) << text;
                continue;
            }
            ++made;
            SCOPED_TRACE(fmt::format("seed {}, {}", seed, text));
            ASSERT_EQ(regionsOf(*trace), regionsOf(*original));
            std::set<std::uint64_t> places;
            for (std::uint64_t byte = r.base.value; byte <= r.last().value; ++byte) {
                const ByteAddress now = trace->map()->of(ByteAddress{byte});
                places.insert(now.value);
                ASSERT_TRUE(r.contains(now) || original->objects().size() > 0);
            }
            ASSERT_EQ(places.size(), r.size);
            ASSERT_EQ(trace->map()->of(ByteAddress{r.base.value - 1}).value, r.base.value - 1);
            ASSERT_EQ(trace->size(), original->size());
            if (splits) continue;
            const std::uint64_t rows = r.size / (1 + seed % 11) / (1 + seed % 7);
            const auto back = changed(original, {text, fmt::format("transpose:{}:{}:{}", thing, rows, 1 + seed % 11)});
            const bool isInverse = rows > 0 && r.size / (1 + seed % 11) / rows == 1 + seed % 7;
            if (back && isInverse && trace->objects().empty()) expectEqual(*back, *original);
        }
    }
    EXPECT_GT(made, 30);
}

}  // namespace
}  // namespace whorl::sim::test
