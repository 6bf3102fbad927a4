#include "sim/trace/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/trace/trace_help.h"
#include "sim/trace/trace_random.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

namespace fs = std::filesystem;

TEST(Writer, WritesWhatAPersonCanRead) {
    TraceBuilder builder("t");
    Region a = region("field u", 0x1000, 2048);
    a.elementSize = 8;
    a.rows = 16;
    a.columns = 16;
    builder.addRegion(a);
    builder.add(access(Op::read, 0x1008, 8, 0, builder.site("mm.c", 12)));
    builder.mark("phase 2");
    builder.newObject(object("n", 0x8000, 24));
    builder.add(access(Op::write, 0x8000, 4, 3, builder.site("my file.c", 1)));
    builder.deleteObject(ByteAddress{0x8000});
    const Folder folder;
    ASSERT_EQ(written(builder.finish(), folder.at("a.trace")), "written");
    EXPECT_EQ(bytesOf(folder.at("a.trace")),
              "region \"field u\" 0x1000 2048 8 rows=16 cols=16\n"
              "region n 0x8000 24\n"
              "R 0x1008 8 mm.c:12\n"
              "new n Node 0x8000 24\n"
              "mark \"phase 2\"\n"
              "W 0x8000 4 cpu=3 \"my file.c:1\"\n"
              "del 0x8000\n");
}

TEST(Writer, ReadsBackExactly) {
    const Folder folder;
    const ReadOptions text = forced(TraceFormat::text);
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const Trace trace = randomTrace(seed);
        const std::string path = folder.at(seed % 3 == 0 ? "a.trace" : seed % 3 == 1 ? "a.trace.gz" : "a.trace.zst");
        ASSERT_EQ(written(trace, path), "written");
        Progress progress;
        const auto back = readTrace(path, text, progress);
        ASSERT_TRUE(back) << seed << ": " << back.error().sentence();
        expectEqual(trace, *back);
        EXPECT_EQ(shapesOf(trace), shapesOf(*back));
        ASSERT_FALSE(HasFailure()) << seed;
    }
}

TEST(Writer, WritesAModifyAsOneLine) {
    TraceBuilder builder("modify");
    Access write = access(Op::write, 0x10, 4);
    write.modify = true;
    builder.add(access(Op::read, 0x10, 4));
    builder.add(write);
    builder.add(access(Op::read, 0x10, 4));
    builder.mark("between");
    builder.add(write);
    builder.add(access(Op::read, 0x20, 4));
    builder.add(write);
    builder.add(access(Op::read, 0x10, 4));
    builder.add(access(Op::write, 0x10, 4));
    builder.add(access(Op::read, 0x10, 4));
    const Folder folder;
    ASSERT_EQ(written(builder.finish(), folder.at("a.trace")), "written");
    EXPECT_EQ(bytesOf(folder.at("a.trace")),
              "M 0x10 4\nR 0x10 4\nmark between\nW 0x10 4\nR 0x20 4\nW 0x10 4\nR 0x10 4\nW 0x10 4\nR 0x10 4\n");
    const Trace back = parsed(bytesOf(folder.at("a.trace")));
    EXPECT_TRUE(TraceCursor(back).at(Tick{1}).modify);
    EXPECT_FALSE(TraceCursor(back).at(Tick{3}).modify);
}

TEST(Writer, WritesUnrecordedAccessesBetweenOffAndOn) {
    TraceBuilder builder("off");
    builder.keepUnrecorded();
    builder.add(access(Op::read, 0x10, 4));
    builder.recording(false);
    builder.add(access(Op::read, 0x20, 4));
    builder.add(access(Op::write, 0x30, 4));
    builder.recording(true);
    builder.add(access(Op::read, 0x40, 4));
    builder.recording(false);
    builder.add(access(Op::write, 0x50, 4));
    const Folder folder;
    ASSERT_EQ(written(builder.finish(), folder.at("a.trace")), "written");
    EXPECT_EQ(bytesOf(folder.at("a.trace")), "R 0x10 4\noff\nR 0x20 4\nW 0x30 4\non\nR 0x40 4\noff\nW 0x50 4\non\n");
}

TEST(Writer, ReadsBackWhatLivedAndDiedBetweenTwoAccesses) {
    TraceBuilder builder("brief");
    builder.newObject(object("old", 0x1000, 16));
    builder.add(access(Op::read, 0x1000, 4));
    builder.deleteObject(ByteAddress{0x1000});
    for (const char* name : {"b1", "b2"}) {
        builder.newObject(object(name, 0x1000, 64));
        builder.deleteObject(ByteAddress{0x1000});
    }
    builder.newObject(object("young", 0x1000, 32));
    builder.add(access(Op::read, 0x1000, 4));
    builder.newObject(object("late", 0x2000, 32));
    const Trace trace = builder.finish();
    const Folder folder;
    ASSERT_EQ(written(trace, folder.at("a")), "written");
    Progress progress;
    const auto back = readTrace(folder.at("a"), {}, progress);
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(objectsOf(trace), objectsOf(*back));
    EXPECT_EQ(objectsOf(*back).substr(0, 60), "old|Node 1000+16 0-1; b1|Node 1000+64 1-1; b2|Node 1000+64 1");
}

TEST(Writer, WritesLargeTracesWhole) {
    TraceBuilder builder("large");
    for (std::uint64_t i = 0; i < 300000; ++i) builder.add(access(i % 3 == 0 ? Op::write : Op::read, i * 24, 8));
    const Trace trace = builder.finish();
    const Folder folder;
    for (const char* name : {"a", "a.gz", "a.zst"}) {
        Progress progress;
        ASSERT_TRUE(writeTrace(trace, folder.at(name), progress));
        EXPECT_EQ(progress.fraction(), 1.0);
        const auto back = readTrace(folder.at(name), {}, progress);
        ASSERT_TRUE(back);
        EXPECT_TRUE(accessesOf(trace) == accessesOf(*back));
    }
    EXPECT_TRUE(bytesOf(folder.at("a.gz")).starts_with("\x1f\x8b"));
    EXPECT_TRUE(bytesOf(folder.at("a.zst")).starts_with("\x28\xb5\x2f\xfd"));
    EXPECT_LT(fs::file_size(folder.at("a.zst")), fs::file_size(folder.at("a")) / 2);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a", "a.gz", "a.zst"}));
}

TEST(Writer, SaysWhyItCannotWrite) {
    const Folder folder;
    const Trace trace = parsed("R 0x10\n");
    EXPECT_EQ(written(trace, folder.at("gone/a.trace")), folder.at("gone/a.trace") + ": there is no such folder");
    fs::create_directory(folder.at("sub"));
    EXPECT_EQ(written(trace, folder.at("sub")), folder.at("sub") + ": this is a folder; expected the name of a file");
    EXPECT_EQ(written(trace, "/dev/full"), "/dev/full: the disk is full");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"sub"}));
    EXPECT_TRUE(fs::is_character_file("/dev/full")) << "a device was replaced by a file";
}

TEST(Writer, LeavesWhatWasThereWhenItIsStopped) {
    const Folder folder;
    const std::string path = folder.put("a.trace.zst", "as it was");
    Progress progress;
    progress.cancel();
    const auto done = writeTrace(parsed("R 0x10\n"), path, progress);
    ASSERT_FALSE(done);
    EXPECT_TRUE(done.error().cancelled);
    EXPECT_EQ(bytesOf(path), "as it was");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.trace.zst"}));
}

TEST(Writer, ReplacesTheFileThatALinkLeadsTo) {
    const Folder folder;
    folder.put("real", "old");
    fs::create_symlink("real", folder.at("link"));
    ASSERT_EQ(written(parsed("R 0x10\n"), folder.at("link")), "written");
    EXPECT_TRUE(fs::is_symlink(folder.at("link")));
    EXPECT_EQ(bytesOf(folder.at("real")), "R 0x10 4\n");
}

}  // namespace
}  // namespace whorl::sim::test
