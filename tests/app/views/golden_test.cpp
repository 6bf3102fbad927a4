#include "app/views/golden.h"

namespace whorl::app {
namespace {

const std::string kMade = "4.5 Mesa 22.3.6\nllvmpipe (LLVM 15.0.6, 256 bits)\n";

TEST(GoldenTolerance, TheRendererOfTheFilesMustDrawThemAgain) {
    const auto [tolerance, why] = allowanceOf(kMade, kMade);
    EXPECT_EQ(tolerance.rounding, 2);
    EXPECT_EQ(tolerance.pixels, 0u);
    EXPECT_EQ(
        why,
        "0 pixels may differ by more than 2/255, as they were made with what draws here (4.5 Mesa 22.3.6;llvmpipe "
        "(LLVM 15.0.6, 256 bits))");
}

TEST(GoldenTolerance, AnotherRendererMayRound) {
    const std::string other = "4.5 Mesa 22.3.6\nllvmpipe (LLVM 15.0.6, 128 bits)\n";
    for (const std::string& made : {kMade, std::string()}) {
        const auto [tolerance, why] = allowanceOf(made, other);
        EXPECT_EQ(tolerance.rounding, 40);
        EXPECT_EQ(tolerance.pixels, 12u);
        EXPECT_NE(why.find("made with another renderer"), std::string::npos) << why;
    }
    EXPECT_EQ(allowanceOf("", "").tolerance.pixels, 12u) << "nobody knows what draws";
}

TEST(GoldenTolerance, OnePixelThatDiffersByThreeIsCaught) {
    const Pixels before(400, std::byte{100});
    Pixels now = before;
    now[41] = std::byte{102};
    EXPECT_EQ(differing(before, now, kSameRenderer.rounding), 0u);
    now[41] = std::byte{103};
    EXPECT_EQ(differing(before, now, kSameRenderer.rounding), 1u);
    EXPECT_EQ(differing(before, now), 0u) << "another renderer may";
    now[43] = std::byte{90};
    EXPECT_EQ(differing(before, now, kSameRenderer.rounding), 1u) << "it is the same pixel";
}

TEST(GoldenTolerance, WhatDrawsIsKnown) {
    EXPECT_NE(rendererHere().find("FreeType 2"), std::string::npos) << rendererHere();
    EXPECT_EQ(rendererHere(), rendererHere());
}

}  // namespace
}  // namespace whorl::app
