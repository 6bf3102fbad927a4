// Changes of the layout as text, and the errors for invalid ones.
#include "sim/trace/layout/layout_change.h"
#include "support/refusal.h"

#include <gtest/gtest.h>

namespace whorl::sim::test {
namespace {

using Kind = LayoutChange::Kind;

std::string said(std::string_view text) {
    return refusalOf(parseLayoutChange(text), "taken");
}

TEST(LayoutChange, IsReadAsItIsWritten) {
    const auto expectSame = [](std::string_view text, const LayoutChange& change) {
        EXPECT_EQ(parseLayoutChange(text).value(), change) << text;
        EXPECT_EQ(asText(change), text);
    };
    expectSame("shift:B:-64", {.kind = Kind::shift, .thing = "B", .bytes = -64});
    expectSame("align:Quadrant 1:64", {.kind = Kind::align, .thing = "Quadrant 1", .bytes = 64});
    expectSame("pad:class:Quadrant:256", {.kind = Kind::pad, .thing = "Quadrant", .ofClass = true, .bytes = 256});
    expectSame("spread:a:64", {.kind = Kind::spread, .thing = "a", .bytes = 64});
    expectSame("spread:a:64:8", {.kind = Kind::spread, .thing = "a", .bytes = 64, .element = 8});
    expectSame("align:std::vector:64", {.kind = Kind::align, .thing = "std::vector", .bytes = 64});
    EXPECT_EQ(parseLayoutChange("shift:B:+4K")->bytes, 4096);
    expectSame("transpose:B", {.kind = Kind::transpose, .thing = "B"});
    expectSame("transpose:a::b:64", {.kind = Kind::transpose, .thing = "a::b", .bytes = 64});
    expectSame("transpose:B:64:8", {.kind = Kind::transpose, .thing = "B", .bytes = 64, .element = 8});
    expectSame("split:p", {.kind = Kind::split, .thing = "p"});
    // A name may end in a number; then a number that is left out has its place.
    expectSame("shift:main:19:64", {.kind = Kind::shift, .thing = "main:19", .bytes = 64});
    expectSame("spread:main:19:64:", {.kind = Kind::spread, .thing = "main:19", .bytes = 64});
    expectSame("spread:main:19:64:8", {.kind = Kind::spread, .thing = "main:19", .bytes = 64, .element = 8});
    expectSame("transpose:main:19::", {.kind = Kind::transpose, .thing = "main:19"});
    expectSame("transpose:main:19:64:", {.kind = Kind::transpose, .thing = "main:19", .bytes = 64});
    expectSame("split:main:19::", {.kind = Kind::split, .thing = "main:19"});
    expectSame("split:main:19:8:24", {.kind = Kind::split, .thing = "main:19", .bytes = 8, .element = 24});
    expectSame("block:B:8", {.kind = Kind::block, .thing = "B", .bytes = 8});
    expectSame("block:main:19:8", {.kind = Kind::block, .thing = "main:19", .bytes = 8});
    expectSame("split:p:4:24", {.kind = Kind::split, .thing = "p", .bytes = 4, .element = 24});
}

TEST(LayoutChange, IsDescribedInWords) {
    EXPECT_EQ(inWords(*parseLayoutChange("shift:B:-64")), "B shifted by -64");
    EXPECT_EQ(inWords(*parseLayoutChange("align:class:Node:64")), "each Node aligned to 64");
    EXPECT_EQ(inWords(*parseLayoutChange("spread:B:64:4")), "B spread to 64");
    EXPECT_EQ(inWords(*parseLayoutChange("transpose:B:64")), "B transposed");
    EXPECT_EQ(inWords(*parseLayoutChange("split:p")), "p split");
    EXPECT_EQ(inWords(*parseLayoutChange("block:B:8")), "B in tiles of 8 rows");
}

TEST(LayoutChange, SaysWhatIsWrong) {
    const std::string forms =
        "use shift:NAME:BYTES, align:NAME:BYTES, pad:NAME:BYTES, spread:NAME:BYTES, transpose:NAME, split:NAME, "
        "block:NAME:ROWS, pool:NAME or reserve:NAME";
    for (const std::string text : {"", "B", "move:B:64", "align"}) {
        EXPECT_EQ(said(text), "--map \"" + text + "\": it is not a layout change; " + forms);
    }
    for (const std::string text : {"align:B", "align:B:", "align:B:x", "shift:B:--4", "align:64", "shift:B:2000G"}) {
        EXPECT_EQ(said(text), "--map \"" + text + "\": it does not end with a number of bytes; " + forms +
                                  "; bytes are such as 64, -16 or 4K, at most 1024G");
    }
    EXPECT_EQ(said("align:B:48"),
              "--map \"align:B:48\": 48 is not a power of two; use a block's or a page's size, such as 64 or 4096");
    EXPECT_EQ(said("pad:B:0"), "--map \"pad:B:0\": 0 is not a valid number of bytes; use 1 or more");
    EXPECT_EQ(said("spread:B:-8"), "--map \"spread:B:-8\": -8 is not a valid number of bytes; use 1 or more");
    EXPECT_EQ(said("spread:B:8:0"), "--map \"spread:B:8:0\": an element has no bytes; use 1 or more");
    EXPECT_EQ(said("spread:B:4:8"),
              "--map \"spread:B:4:8\": elements of 8 bytes do not fit at 4 bytes from one to the next; make the first "
              "number the larger one");
    EXPECT_EQ(said("transpose:B:0"), "--map \"transpose:B:0\": 0 is not a valid number of columns; use 1 or more");
    EXPECT_EQ(said("split:B:8:0"), "--map \"split:B:8:0\": 0 is not a valid number of bytes; use 1 or more");
    EXPECT_EQ(said("split:B:9:8"),
              "--map \"split:B:9:8\": elements of 8 bytes have no fields of 9; make the second number the larger one");
    EXPECT_EQ(said("split:class:Node"),
              "--map \"split:class:Node\": only one array at a time can be transposed, split or stored in "
              "tiles; name the array, without class:");
    EXPECT_EQ(said("block:B:0"), "--map \"block:B:0\": 0 is not a valid number of rows; use 1 or more");
    EXPECT_TRUE(said("block:B").starts_with("--map \"block:B\": it does not end with a number of bytes"));
    EXPECT_EQ(said("transpose:"), "--map \"transpose:\": the name is missing; " + forms);
    EXPECT_EQ(said("align:class::64"), "--map \"align:class::64\": the name is missing; " + forms);
}

}  // namespace
}  // namespace whorl::sim::test
