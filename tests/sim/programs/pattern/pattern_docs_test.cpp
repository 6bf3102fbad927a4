// What docs/patterns.md shows can be run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/programs/pattern/pattern_help.h"
#include "support/docs.h"

namespace whorl::sim::test {
namespace {

/// What stands between two marks, each time.
std::vector<std::string> between(const std::string& text, const std::string& open, const std::string& close) {
    std::vector<std::string> all;
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
        at += open.size();
        const std::size_t end = text.find(close, at);
        if (end == std::string::npos) break;
        all.push_back(text.substr(at, end - at));
        at = end + close.size();
    }
    return all;
}

TEST(PatternPage, ItsExamplesMakeAsManyAccessesAsItSays) {
    const std::string text = docsPage("patterns.md");
    const auto examples = between(text, "\n```\n", "```\n");
    const auto counts = between(text, "\nIt makes ", " accesses.");
    ASSERT_EQ(examples.size(), 3u);
    ASSERT_EQ(counts.size(), 3u);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        EXPECT_EQ(fmt::format("{}", patternTrace(examples[i]).size()), counts[i]) << examples[i];
    }
}

TEST(PatternPage, EachLineOfItsTableRuns) {
    const auto rows = between(docsPage("patterns.md"), "\n| `", "` |");
    ASSERT_GT(rows.size(), 10u);
    for (const std::string& row : rows) {
        const bool outside = row.starts_with("array") || row.starts_with("let");
        const std::string alone = outside ? row + "\nread 0" : "for i in 0..4 { for j in 0..4 { " + row + " } }";
        const bool hasLoop = row.starts_with("for");
        EXPECT_EQ(wrongIn(hasLoop ? row : alone), "") << row;
    }
}

TEST(PatternPage, ItsCommandsAreSound) {
    const auto typed = between(docsPage("patterns.md"), "'pattern:", "'");
    ASSERT_GE(typed.size(), 2u);
    for (const std::string& text : typed) EXPECT_EQ(wrongIn(text), "") << text;
}

}  // namespace
}  // namespace whorl::sim::test
