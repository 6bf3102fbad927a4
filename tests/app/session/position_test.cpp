// Positions as people write them.
#include "app/session/position.h"

#include <gtest/gtest.h>

namespace whorl::app {
namespace {

TEST(Position, IsReadInAllItsForms) {
    for (const auto& [text, at] : {std::pair("1200", 1200.0),
                                   {" 1 200 ", 1200.0},
                                   {"1,200", 1200.0},
                                   {"1'200", 1200.0},
                                   {"1.2K", 1200.0},
                                   {"2M", 2e6},
                                   {"1e3", 1000.0},
                                   {"5067.5", 5067.5},
                                   {"50%", 5e6},
                                   {"12.5 %", 1.25e6},
                                   {"12.345678%", 1234568.0},  // a whole access
                                   {"0", 0.0},
                                   {"start", 0.0},
                                   {"end", 1e7},
                                   {"+100", 1100.0},
                                   {"-100", 900.0},
                                   {"-1%", 0.0},
                                   {"+2M", 2'001'000.0},
                                   {"+100%", 1e7}}) {
        const auto position = positionFrom(text, 1000, 1e7);
        ASSERT_TRUE(position) << text;
        EXPECT_DOUBLE_EQ(*position, at) << text;
    }
}

TEST(Position, IsReadBackAsItIsWritten) {
    for (const auto& [text, written] : {std::pair("1200.5", "1200.5"),
                                        {"1.2K", "1200"},
                                        {"50 %", "50%"},
                                        {"+100", "+100"},
                                        {"-0.5%", "-0.5%"},
                                        {"start", "0"},
                                        {"end", "100%"}}) {
        EXPECT_EQ(Position::from(text)->text(), written);
    }
    for (const double accesses : {0.1, 1200.123456789012, 1e-5, 3e-300, 1e16, 1.7976931348623157e308}) {
        EXPECT_EQ(Position::from(Position(accesses).text())->in(1), accesses) << accesses;
    }
    EXPECT_EQ(Position(-3.0).text(), "0") << "no position is before the start";
}

TEST(Position, WhatIsNoneIsToldInASentence) {
    for (const char* text : {"", "soon", "e3", "1e", "%", "K", "12x", "1..2", "0x10", "--3", "+", ".", "1200 cycles"}) {
        const auto position = positionFrom(text, 0, 100);
        ASSERT_FALSE(position) << text;
        EXPECT_NE(position.error().sentence().find("is not a position; write"), std::string::npos)
            << position.error().sentence();
    }
    EXPECT_EQ(positionFrom("101", 0, 100).error().sentence(), "\"101\" is beyond the end; this trace has 100 accesses");
    EXPECT_FALSE(positionFrom("99999999999999999999999999999", 0, 100));
}

}  // namespace
}  // namespace whorl::app
