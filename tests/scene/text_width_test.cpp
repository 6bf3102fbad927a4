// How much room text takes, and what is left of it where there is too little.
#include "render/scene/text_width.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace whorl::scene {
namespace {

using Lines = std::vector<std::string>;

/// Room for a text of this width.
float roomFor(const std::string& text) {
    return widthOf(text, 20) + 0.1f;
}

TEST(TextWidth, IsThatOfTheLetters) {
    EXPECT_FLOAT_EQ(widthOf("", 20), 0);
    EXPECT_NEAR(widthOf("0", 2384), 1303, 0.1);
    EXPECT_NEAR(widthOf("iW~", 2384), 569 + 2025 + 1716, 0.1);
    EXPECT_NEAR(widthOf("1 – 2×…", 2384), 2 * 1303 + 2 * 651 + 1024 + 1716 + 2048, 0.1);
    EXPECT_LT(widthOf("ill", 20), widthOf("mmm", 20));
    EXPECT_GE(widthOf("őűΩ", 20), widthOf("ouO", 20)) << "never less than it is";
}

TEST(TextWidth, WhatIsShortenedFits) {
    const std::string text = "accesses of orders[12].note in 16 384 blocks, 2.75 % at 0x10c340";
    for (float room = 0; room < widthOf(text, 20) + 5; ++room) {
        const std::string out = shortened(text, room, 20);
        EXPECT_LE(widthOf(out, 20), room) << out;
        if (out.empty() || out == text) continue;
        ASSERT_TRUE(out.ends_with("…"));
        const std::string kept = out.substr(0, out.size() - std::string("…").size());
        EXPECT_TRUE(text.starts_with(kept)) << out;
        EXPECT_EQ(std::count(kept.begin(), kept.end(), '['), std::count(kept.begin(), kept.end(), ']')) << out;
        for (const char* half : {" 1", " 16", " 16 3", " 16 38", " 2", " 2.7", " 0x", " 0x10c"}) {
            EXPECT_FALSE(kept.ends_with(half)) << out;
        }
    }
}

TEST(TextWidth, NumbersAndIndicesAreWholeOrLeftOut) {
    EXPECT_EQ(shortened("velocity of bodies", roomFor("velocity…"), 20), "velocity…");
    EXPECT_EQ(shortened("accesses 8 448", roomFor("accesses 8 4…"), 20), "accesses…");
    EXPECT_EQ(shortened("bodies[120].velocity", roomFor("bodies[12…"), 20), "bodies…");
    EXPECT_EQ(shortened("bodies[120].velocity", roomFor("bodies[120].velo…"), 20), "bodies[120].velo…");
    EXPECT_EQ(shortened("1 048 576", roomFor("1 048…"), 20), "");
}

TEST(TextWidth, PartsAreLeftOutWhole) {
    const std::string span = "accesses 0 – 8 448 (8 448), being computed";
    EXPECT_EQ(wholeParts(span, roomFor(span), 20), span);
    EXPECT_EQ(wholeParts(span, roomFor(span) - 1, 20), "accesses 0 – 8 448, being computed");
    EXPECT_EQ(wholeParts(span, roomFor("accesses 0 – 8 448 and"), 20), "accesses 0 – 8 448");
    EXPECT_EQ(wholeParts(span, roomFor("accesses 0 – 8 44"), 20), "");
    EXPECT_EQ(fittingTitle("Life of Global, accesses 0 – 8 448", roomFor("Life of Global, accesses"), 20),
              "Life of Global");
    EXPECT_EQ(fittingTitle("Life of Global, accesses 0 – 8 448", roomFor("Life of Glo…"), 20), "Life of Glo…");
}

TEST(TextWidth, LinesBreakBetweenWordsNotInNumbers) {
    EXPECT_EQ(wrapped("in 16 384 blocks", roomFor("in 16 384"), 20), (Lines{"in 16 384", "blocks"}));
    EXPECT_EQ(wrapped("in 16 384 blocks", roomFor("16 384"), 20), (Lines{"in", "16 384", "blocks"}));
    EXPECT_EQ(wrapped("in 16 by", roomFor("in 16"), 20), (Lines{"in 16", "by"}));
}

TEST(TextWidth, NoLineEndsWithinANumberOrBeforeWhatItCounts) {
    const auto ends = [](const std::string& text) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < text.size(); ++i) count += text[i] == ' ' && mayEndLine(text, i) ? 1 : 0;
        return count;
    };
    for (const char* whole : {"85 %", "2 304", "1 012 304", "CPU 0", "CPUs 0", "line 3:", "set 12", "L1 2 319"}) {
        EXPECT_EQ(ends(whole), 0u) << whole;
    }
    for (const char* two : {"85 misses", "misses 85", "2 3040", "L1 hits", "outline 3", "a line", "12 34"}) {
        EXPECT_EQ(ends(two), 1u) << two;
    }
    EXPECT_EQ(wrapped("read by CPU 0", widthOf("read by CPU", 10), 10), (std::vector<std::string>{"read by", "CPU 0"}));
}

}  // namespace
}  // namespace whorl::scene
