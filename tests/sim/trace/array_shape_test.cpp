// Arrays in their declared shape, under any layout: the way there and back, and names that stay.
#include "sim/trace/layout/array_shape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "sim/trace/changed_trace.h"
#include "support/rounds.h"
#include "support/traces.h"

namespace whorl::sim::test {
namespace {

SharedTrace arrays(std::uint64_t rows, std::uint64_t columns, std::uint32_t element) {
    TraceBuilder builder("arrays");
    const std::uint64_t size = rows * std::max<std::uint64_t>(1, columns) * element;
    Region before = region("before", 0xf00, 0x80);
    Region b = region("B", 0x1008, size);
    b.elementSize = element;
    b.rows = rows;
    b.columns = columns;
    Region next = region("next", 0x1008 + size, 64);
    for (const Region& r : {before, b, next}) {
        builder.addRegion(r);
        builder.add(access(Op::read, r.base.value, 1));
        builder.add(access(Op::write, r.last().value, 1));
    }
    return shared(builder);
}

/// Layouts of B, one after the other.
std::vector<std::string> randomLayouts(std::mt19937_64& dice, std::uint64_t columns, std::uint32_t element) {
    std::vector<std::string> layouts;
    for (std::uint64_t n = dice() % 3; n > 0; --n) {
        const std::uint64_t row = std::max<std::uint64_t>(1, columns) * element;
        const std::array<std::string, 6> all = {
            fmt::format("transpose:B:{}:{}", 1 + dice() % 5, element),  fmt::format("block:B:{}", 1 + dice() % 5),
            fmt::format("spread:B:{}:{}", row + 8 * (dice() % 4), row), fmt::format("pad:B:{}", 64u << dice() % 3),
            fmt::format("shift:before:{}", 8 * (dice() % 90)),          "align:B:64"};
        layouts.push_back(all[dice() % all.size()]);
    }
    return layouts;
}

TEST(ArrayShape, LeadsToEachElementAndBackUnderAnyLayout) {
    std::uint64_t moved = 0;
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        std::mt19937_64 dice(seed);
        const std::uint64_t rows = 1 + dice() % 9;
        const std::uint64_t columns = dice() % 4 == 0 ? 0 : 1 + dice() % 9;
        const auto element = static_cast<std::uint32_t>(4u << dice() % 3);
        const SharedTrace plain = arrays(rows, columns, element);
        const auto layouts = randomLayouts(dice, columns, element);
        const auto trace = changed(plain, layouts);
        if (!trace) continue;
        SCOPED_TRACE(fmt::format("seed {}: {} x {} x {}, {}", seed, rows, columns, element, fmt::join(layouts, " ")));
        const auto shape = ArrayShape::of(*trace, 1);
        ASSERT_TRUE(shape);
        ASSERT_EQ(shape->elements(), rows * std::max<std::uint64_t>(1, columns));
        std::map<std::uint64_t, std::uint64_t> elementOf;
        for (std::uint64_t e = 0; e < shape->elements(); ++e) {
            const std::uint64_t recorded = 0x1008 + e * element;
            ASSERT_EQ(shape->nameOf(e), plain->placeOf(ByteAddress{recorded}, Tick{0}));
            ASSERT_EQ(shape->touchedBy(ByteAddress{recorded + 1}, 2), (ArrayShape::Span{e, e}));
            for (std::uint32_t byte = 0; byte < element; ++byte) {
                const ByteAddress now = shape->addressOf(e, byte);
                ASSERT_TRUE(shape->now().contains(now));
                ASSERT_TRUE(elementOf.emplace(now.value, e).second) << "two bytes at " << now.value;
                ASSERT_EQ(shape->elementAt(now), e);
                ASSERT_EQ(shape->touchedNow(now, 1), (ArrayShape::Span{e, e}));
                moved += now.value != recorded + byte ? 1 : 0;
            }
        }
        std::set<std::uint64_t> seen;
        for (std::uint64_t byte = shape->now().base.value - 70; byte <= shape->now().last().value + 70; ++byte) {
            const auto found = shape->elementAt(ByteAddress{byte});
            const auto expected = elementOf.find(byte);
            ASSERT_EQ(found, expected == elementOf.end() ? std::nullopt : std::optional(expected->second)) << byte;
        }
        const std::uint64_t from = shape->now().base.value + dice() % shape->now().size;
        const std::uint64_t last = from + dice() % 40;
        std::set<std::uint64_t> expected;
        for (std::uint64_t byte = from; byte <= last; ++byte) {
            if (const auto at = elementOf.find(byte); at != elementOf.end()) expected.insert(at->second);
        }
        shape->forEachIn(ByteAddress{from}, ByteAddress{last}, [&](std::uint64_t e) { seen.insert(e); });
        ASSERT_EQ(seen, expected);
    }
    EXPECT_GT(moved, 1000u);
}

TEST(ArrayShape, SplitElementsAreFoundByAnyByte) {
    TraceBuilder builder("particles");
    Region p = region("p", 0x1000, 10 * 24);
    p.elementSize = 24;
    p.rows = 10;
    builder.addRegion(p);
    builder.add(access(Op::read, 0x1000, 8));
    const SharedTrace plain = shared(builder);
    const auto trace = changed(plain, {"split:p:8:24"});
    ASSERT_TRUE(trace.has_value());
    const auto shape = ArrayShape::of(*trace, 0);
    ASSERT_TRUE(shape);
    for (std::uint64_t e = 0; e < 10; ++e) {
        for (std::uint32_t byte = 0; byte < 24; ++byte) EXPECT_EQ(shape->elementAt(shape->addressOf(e, byte)), e);
    }
    EXPECT_EQ(shape->addressOf(3, 9).value, 0x1000u + 80 + 3 * 8 + 1);
}

TEST(ArrayShape, TheFirstArrayHasRowsAndColumnsIfOneHas) {
    EXPECT_EQ(firstArray(*shared("region a 0x1000 64 4 rows=16\nregion B 0x2000 64 4 rows=4 cols=4\nR 0x1000 4\n")),
              1u);
    EXPECT_EQ(firstArray(*shared("region h 0x800 64\nregion a 0x1000 64 4 rows=16\nR 0x1000 4\n")), 1u);
    EXPECT_EQ(firstArray(*shared("region h 0x800 64\nR 0x800 4\n")), std::nullopt);
}

}  // namespace
}  // namespace whorl::sim::test
