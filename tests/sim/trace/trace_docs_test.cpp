// The examples of docs/traces.md contain what the page says.
#include <gtest/gtest.h>

#include "sim/trace/trace_help.h"
#include "support/docs.h"

namespace whorl::sim::test {
namespace {

/// What the page says under a heading.
std::string section(const std::string& heading) {
    return docsSection("traces.md", heading);
}

/// The first example under a heading.
std::string example(const std::string& heading) {
    const std::string text = section(heading);
    const std::size_t begin = text.find("```\n");
    const std::size_t end = text.find("```", begin + 4);
    if (end == std::string::npos) return {};
    return text.substr(begin + 4, end - begin - 4);
}

/// The lines in the first column of the table under a heading.
std::string linesInTable(const std::string& heading) {
    const std::string text = section(heading);
    std::string lines;
    for (std::size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) {
        lines += text.substr(at + 4, text.find('`', at + 4) - at - 4) + "\n";
    }
    return lines;
}

TEST(Docs, TheExampleOfDinIsRead) {
    EXPECT_EQ(accessesOf(parsed(example("din"))), "R 1fc8 4, W 1fd0 4, R 1fc8 4");
}

TEST(Docs, TheExampleOfPinatraceIsRead) {
    EXPECT_EQ(accessesOf(parsed(example("pinatrace"))), "R 7ffdb6d2c0a8 1, W 7ffdb6d2c0a0 8");
}

TEST(Docs, TheLinesOfDrcachesimAreRead) {
    EXPECT_EQ(accessesOf(parsed(linesInTable("drcachesim"))), "R 7f1f10 8, W 7f1f10 8");
}

TEST(Docs, TheExampleOfTextIsRead) {
    const Trace trace = parsed(example("text"));
    EXPECT_EQ(accessesOf(trace),
              "R 1000 8 mm.c:12, R 1080 8 mm.c:12, W 2000 8 cpu=1 mm.c:13, R 2008 8, W 2008 8, R 1100 4, W 9008 8");
    EXPECT_EQ(regionsOf(trace), "A 1000+2048, field u 2000+512, n1 9000+24");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x1080}, Tick{1}), "A[1][0]");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x2008}, Tick{3}), "field u[1]");
    EXPECT_EQ(trace.accessesOff(), 1u);
}

TEST(Docs, TheExampleOfNamingMemoryIsRead) {
    const Folder folder;
    ReadOptions options;
    options.regions = folder.put("names", example("Naming memory"));
    EXPECT_EQ(regionsOf(parsed("R 0x1000 8\n", options)), "A 1000+2048, field u 2000+512");
}

TEST(Docs, TheExampleOfChironIsRead) {
    const Trace trace = parsed(example("chiron"));
    EXPECT_EQ(accessesOf(trace), "W 400001a8 4 file 1:315");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x400001a8}, Tick{0}), "Global+0x1a8");
    ASSERT_NE(trace.recording(), nullptr);
    EXPECT_EQ(trace.recording()->events.size(), 3u);
}

}  // namespace
}  // namespace whorl::sim::test
