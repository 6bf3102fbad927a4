#include "sim/trace/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/trace_help.h"

namespace whorl::sim::test {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string written(const Trace& trace, const std::string& path) {
    Progress progress;
    const auto done = writeTrace(trace, path, progress);
    return done ? "written" : done.error().sentence();
}

std::string objectsOf(const Trace& trace) {
    std::string out;
    for (const Object& o : trace.objects()) {
        out +=
            fmt::format("{}|{} {:x}+{} {}-{}; ", o.name, o.className, o.base.value, o.size, o.born.value, o.died.value);
    }
    return out;
}

std::string shapesOf(const Trace& trace) {
    std::string out;
    for (const Region& r : trace.regions()) {
        out += fmt::format("{} {:x}+{} {} {}x{} {}; ", r.name, r.base.value, r.size, r.elementSize, r.rows, r.columns,
                           static_cast<int>(r.origin));
    }
    return out;
}

void expectEqual(const Trace& a, const Trace& b) {
    EXPECT_EQ(accessesOf(a), accessesOf(b));
    EXPECT_EQ(a.writes(), b.writes());
    EXPECT_EQ(a.cpus(), b.cpus());
    EXPECT_EQ(objectsOf(a), objectsOf(b));
    ASSERT_EQ(a.marks().size(), b.marks().size());
    for (std::size_t i = 0; i < a.marks().size(); ++i) {
        EXPECT_EQ(a.marks()[i].at, b.marks()[i].at);
        EXPECT_EQ(a.marks()[i].text, b.marks()[i].text);
    }
}

/// A trace with all there is, in random order; names are as odd as names can be.
Trace randomTrace(unsigned seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::string> names = {"a",      "field u",   "",         "#x",        "a#b",    "\"q\"",
                                            "b\\c",   "new\nline", "\x01\x7f", "größe",     "cpu=3",  "rows=2",
                                            "x\ty:z", "R",         "\xff\xfe", "trailing ", "back\\", "a\"b"};
    const auto name = [&] { return names[random() % names.size()]; };
    TraceBuilder builder("random");
    std::vector<std::uint64_t> bases;
    for (int i = 0; i < 5; ++i) {
        Region r = region(name(), random() % 0x100000, 1 + random() % 5000);
        r.elementSize = 1 + static_cast<std::uint32_t>(random() % 2 * 7);
        if (random() % 2 == 0) r.rows = 1 + random() % (r.size / r.elementSize + 1) / 8;
        if (r.rows * r.elementSize > r.size) r.rows = 0;
        if (r.rows > 0 && random() % 2 == 0) r.columns = r.size / r.elementSize / r.rows;
        builder.addRegion(r);
    }
    for (int i = 0; i < 400; ++i) {
        const std::uint64_t place = random() % 0x100000;
        switch (random() % 10) {
            case 0:
                if (builder.newObject(object(name(), place % 64 * 16, random() % 64))) bases.push_back(place % 64 * 16);
                builder.newObject(object(name(), place, 8));
                break;
            case 1:
                if (!bases.empty()) builder.deleteObject(ByteAddress{bases[random() % bases.size()]});
                break;
            case 2:
                builder.mark(name());
                break;
            default: {
                const SiteId site = builder.site(name(), static_cast<std::uint32_t>(random() % 4));
                builder.add(access(random() % 2 == 0 ? Op::read : Op::write, place,
                                   static_cast<std::uint32_t>(1 + random() % 64),
                                   static_cast<std::uint8_t>(random() % 3 * 31), site));
            }
        }
    }
    return builder.finish();
}

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
    for (unsigned seed = 0; seed < 60; ++seed) {
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

TEST(Writer, TellsWhyItCannotWrite) {
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
