// Files that name memory of any trace.
#include "sim/trace/region_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/trace/formats/reading.h"
#include "sim/trace/trace_help.h"
#include "sim/trace/writer.h"

namespace whorl::sim::test {
namespace {

/// A text read as a trace, with the regions of another text.
Expected<Trace> named(const std::string& trace, const std::string& regions, ReadOptions options = {}) {
    const Folder folder;
    options.regions = folder.put("names", regions);
    auto read = parseTrace(trace, "t", options);
    if (!read && read.error().where.starts_with(folder.at(""))) read.error().where.erase(0, folder.at("").size());
    return read;
}

std::string regionsNamed(const std::string& trace, const std::string& regions) {
    const auto read = named(trace, regions);
    return read ? regionsOf(*read) : read.error().sentence();
}

TEST(RegionFile, NamesMemoryOfATraceWithoutNames) {
    const std::string lackey = " L 1000,8\n S 1008,8\n L 1100,8\n S 9000,8\n";
    EXPECT_EQ(regionsNamed(lackey, ""), "memory 1 1000+272, memory 2 9000+16");
    const auto trace =
        named(lackey, "# names\n\nregion A 0x1000 64 8 rows=2 cols=4  # a matrix\r\nregion \"b c\" 0x9000 1K\n");
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(regionsOf(*trace), "A 1000+64, memory 1100+16, b c 9000+1024");
    EXPECT_EQ(trace->regions()[0].origin, RegionOrigin::declared);
    EXPECT_EQ(trace->regions()[1].origin, RegionOrigin::inferred);
    EXPECT_EQ(trace->placeOf(ByteAddress{0x1028}, Tick{0}), "A[1][1]");
    EXPECT_EQ(regionsNamed(lackey, "\xef\xbb\xbfregion A 0x1000 64"), "A 1000+64, memory 1 1100+16, memory 2 9000+16");
}

TEST(RegionFile, InferredRegionsMakeRoomToTheByte) {
    EXPECT_EQ(regionsNamed(" L 1000,32\n", "region A 0x1004 8\n"), "memory 1 1000+4, A 1004+8, memory 2 100c+20");
}

TEST(RegionFile, SelectsAccesses) {
    ReadOptions options;
    ASSERT_TRUE(addCondition(options.only, "region=A"));
    const auto trace = named("R 0x1000\nR 0x2000\n", "region A 0x2000 64\n", options);
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(accessesOf(*trace), "R 2000 4");
}

TEST(RegionFile, MustNotOverlapWhatTheTraceDeclares) {
    EXPECT_EQ(regionsNamed("region A 0x1000 64\nR 0x1000\nR 0x1040\n", "region B 0x1040 64\n"), "A 1000+64, B 1040+64");
    EXPECT_EQ(
        regionsNamed("region A 0x1000 64\nR 0x1000\n", "region C 0x900 4\nregion B 0x103f 64\n"),
        "names: the region \"B\" overlaps \"A\", which the trace declares; only memory that it does not declare can "
        "be named");
}

TEST(RegionFile, RegionsOfObjectsMakeRoom) {
    const std::string trace = "new n1 Node 0x1000 64\nnew n2 Node 0x2000 64\nR 0x1000\nR 0x2000\n";
    EXPECT_EQ(regionsNamed(trace, "region C 0x3000 64\n"), "n1 1000+64, n2 2000+64, C 3000+64");
    EXPECT_EQ(regionsNamed(trace, "region pool 0x1000 4K\n"), "pool 1000+4096, memory 2000+16");
}

TEST(RegionFile, TellsWhatIsWrong) {
    const std::string_view form = "; expected for example: region A 0x1000 2K 8 rows=16 cols=16";
    const auto said = [](const std::string& names) { return regionsNamed("R 0x1000\n", names); };
    EXPECT_EQ(said("region A 0x1000 64\nR 0x1000\n"),
              "names:2: \"R\" is not known here: \"R 0x1000\"; a line starts with "
              "region or #");
    EXPECT_EQ(said("\"region\" A 0x1000 64\n").substr(0, 35), "names:1: \"region\" is not known here");
    EXPECT_EQ(said("# one\nregion A 0x1000"),
              "names:2: a region needs a name, an address and a size: \"region A 0x1000\"" + std::string(form));
    EXPECT_EQ(said("region A 0x1000 64\nregion B 0x1020 64\n"),
              "names:2: it overlaps the region \"A\": \"region B 0x1020 64\"");
    EXPECT_EQ(said("region \"A 0x1000 64\n").substr(0, 34), "names:1: the quotes are not valid:");
    EXPECT_EQ(said("#" + std::string(kMaxLine, 'x')),
              "names:1: a line of 65537 bytes: \"#" + std::string(59, 'x') + "…\"; a line has at most 65536");
    ReadOptions options;
    options.regions = "/none/names";
    EXPECT_EQ(sentenceOf("R 0x1000\n", options).substr(0, 32), "/none/names: there is no such fi");
    const auto streamed = streamText("R 0x1000\n", "t", options, [](std::span<const PackedAccess>) {});
    ASSERT_FALSE(streamed);
    EXPECT_EQ(streamed.error().sentence(),
              "t: a streamed trace has no regions to which others could be added; read it whole");
}

std::string line(std::mt19937& random, unsigned n, std::uint64_t base) {
    return fmt::format("region r{} {:#x} {}\n", n, base, 1 + random() % 64);
}

/// Text whose accesses, regions and objects are close to each other; `own` are the trace's regions, `others` more.
struct Names {
    std::string trace;
    std::string own;
    std::string others;
};

Names randomNames(std::mt19937& random) {
    Names names;
    for (unsigned i = 0; i < 12; ++i) {
        const std::uint64_t base = 0x1000 + 80 * i + random() % 16;
        const unsigned what = random() % 5;
        if (what == 0) names.own += line(random, i, base);
        if (what == 1) names.others += line(random, i, base);
        if (what == 2) names.trace += fmt::format("new o{} Node {:#x} {}\n", i, base, random() % 100);
    }
    for (unsigned i = 0; i < 30; ++i) {
        const std::uint64_t far = random() % 3 == 0 ? 0x100000 : 0;
        names.trace += fmt::format("R {:#x} {}\n", 0xf00 + far + random() % 0x600, 1 + random() % 40);
    }
    return names;
}

TEST(RegionFile, GivesWhatDeclaringInTheTraceGives) {
    const Folder folder;
    Progress progress;
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 random(seed);
        const Names names = randomNames(random);
        const auto declared = parseTrace(names.trace + names.own + names.others, "t", forced(TraceFormat::text));
        if (!declared) continue;  // objects may overlap
        const auto given = named(names.trace + names.own, names.others, forced(TraceFormat::text));
        ASSERT_TRUE(given) << given.error().sentence();
        ASSERT_EQ(regionsOf(*given), regionsOf(*declared)) << seed;
        for (std::size_t i = 0; i < given->regions().size(); ++i) {
            ASSERT_EQ(given->regions()[i].origin, declared->regions()[i].origin) << seed;
        }
        // A file with the regions that were inferred without the names is no other.
        if (seed % 10 != 0) continue;
        const std::string path = folder.at("t.whorl");
        ASSERT_TRUE(writeTrace(parsed(names.trace + names.own, forced(TraceFormat::text)), path, progress, {}));
        ReadOptions options;
        options.regions = folder.put("others", names.others);
        const auto kept = readTrace(path, options, progress);
        ASSERT_TRUE(kept) << kept.error().sentence();
        ASSERT_EQ(regionsOf(*kept), regionsOf(*declared)) << seed;
    }
}

}  // namespace
}  // namespace whorl::sim::test
