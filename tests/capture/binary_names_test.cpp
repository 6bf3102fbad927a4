// Traces of lackey get the names of the executable that was recorded.
#include "sim/capture/program_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

Trace ofLackey(const std::string& program) {
    const std::string path = test::workFolder() + "/prog.lackey";
    const std::string words =
        "valgrind --quiet --tool=lackey --trace-mem=yes --basic-counts=no --log-file=" + path + ' ' + program;
    EXPECT_NE(std::system(words.c_str()), -1);
    Progress progress;
    auto trace = readTrace(path, {}, progress);
    EXPECT_TRUE(trace.has_value()) << trace.error().sentence();
    return trace ? std::move(*trace) : Trace();
}

class BinaryNames : public testing::TestWithParam<std::string> {};

TEST_P(BinaryNames, AreThoseOfTheSource) {
    const std::string program = test::compiled("parts.cpp", "g++ -O1 " + GetParam() + " -I" + sourceFolder());
    const auto named = withBinary(ofLackey(program), {program, std::nullopt}, true);
    ASSERT_TRUE(named.has_value()) << named.error().sentence();
    for (const char* array : {"first", "second", "third"}) {
        EXPECT_EQ(test::bytesOf(*named, array), (test::Bytes{0, 400})) << array;
    }
    // Each array is written by one line of its function.
    std::uint64_t writes = 0;
    const Region* const second = test::regionNamed(*named, "second");
    ASSERT_NE(second, nullptr);
    named->forEach(Tick{0}, Tick{named->size()}, [&](Tick, const Access& a) {
        if (!second->contains(a.address)) return;
        const Site& site = named->site(a.site);
        EXPECT_EQ(named->functionOf(site), "writeSecond");
        EXPECT_TRUE(named->files()[site.file].path.ends_with("programs/parts.cpp"));
        EXPECT_NE(std::string(named->files()[site.file].lines[site.line - 1]).find("second[i] = i"), std::string::npos);
        ++writes;
    });
    EXPECT_EQ(writes, 100u);
}

INSTANTIATE_TEST_SUITE_P(Loaded, BinaryNames, testing::Values("-pie", "-no-pie"));

TEST(NamedBinary, WhatDoesNotFitIsSaid) {
    const std::string program = test::compiled("parts.cpp", "g++ -O1 -pie -I" + sourceFolder());
    const Trace trace = ofLackey(program);
    const auto sentenceFor = [&](const NamedBinary& binary) {
        const auto named = withBinary(trace, binary, true);
        return named ? std::string("named") : named.error().sentence();
    };
    EXPECT_NE(sentenceFor({program, 0x12345678000}).find("no instruction of this executable"), std::string::npos);
    EXPECT_NE(sentenceFor({"/no/where", std::nullopt}).find("no such file"), std::string::npos);
    EXPECT_NE(sentenceFor({sourceFolder() + "/README.md", std::nullopt}).find("not an executable"), std::string::npos);
    EXPECT_EQ(parseBinary("./p@0x108000")->bias, 0x108000u);
    EXPECT_EQ(parseBinary("./p@x")->path, "./p@x");
    EXPECT_FALSE(parseBinary("./p@0xyz").has_value());
}

}  // namespace
}  // namespace whorl::sim
