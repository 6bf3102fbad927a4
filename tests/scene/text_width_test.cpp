// Lines of text whose width is estimated: numbers stay whole.
#include "render/scene/text_width.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace whorl::scene {
namespace {

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
