// The examples of docs/traces.md contain what the page says.
#include <gtest/gtest.h>

#include "sim/trace/trace_help.h"
#include "source_folder.h"

namespace whorl::sim::test {
namespace {

/// The first example under a heading.
std::string example(const std::string& heading) {
    std::ifstream file(sourceFolder() + "/docs/traces.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t section = page.find("\n## " + heading + "\n");
    const std::size_t begin = page.find("```\n", section);
    const std::size_t end = page.find("```", begin + 4);
    if (section == std::string::npos || end == std::string::npos) return {};
    return page.substr(begin + 4, end - begin - 4);
}

TEST(Docs, TheExampleOfDinIsRead) {
    EXPECT_EQ(accessesOf(parsed(example("din"))), "R 1fc8 4, W 1fd0 4, R 1fc8 4");
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

TEST(Docs, TheExampleOfChironIsRead) {
    const Trace trace = parsed(example("chiron"));
    EXPECT_EQ(accessesOf(trace), "W 400001a8 4 file 1:315");
    EXPECT_EQ(trace.placeOf(ByteAddress{0x400001a8}, Tick{0}), "Global+0x1a8");
    ASSERT_NE(trace.recording(), nullptr);
    EXPECT_EQ(trace.recording()->events.size(), 3u);
}

}  // namespace
}  // namespace whorl::sim::test
