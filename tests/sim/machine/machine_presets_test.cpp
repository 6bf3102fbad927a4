// The argument of --machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/base/text.h"
#include "sim/machine/host_machine.h"
#include "sim/machine/machine_config.h"
#include "support/folder.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kThereIs =
    "a machine is a preset (arm-server, chiron-nbody, chiron-vecadd, chiron-windtunnel, coherence, default, desktop, "
    "direct, "
    "embedded, "
    "laptop, lecture, paged, paper, "
    "paper2x4, "
    "paper4, paradigm, riscv, server, tlb or uncached), host for this computer's caches, a geometry such as 32K/8/64, "
    "1M/16/64, "
    "or a JSON file";

std::string loadRefusal(const std::string& words) {
    return test::refusalOf(loadMachine(words));
}

/// The test runs in a temporary folder.
class InAFolder : public testing::Test {
  protected:
    InAFolder() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
    ~InAFolder() override { fs::current_path(before_); }
    static void write(const fs::path& path, const std::string& text) {
        if (path.has_parent_path()) fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    fs::path before_;
    test::Folder folder_;
};

TEST(Presets, AreSoundAndCalledByTheirNames) {
    EXPECT_EQ(presetNames(),
              (std::vector<std::string>{"arm-server", "chiron-nbody", "chiron-vecadd", "chiron-windtunnel",
                                        "coherence",  "default",      "desktop",       "direct",
                                        "embedded",   "laptop",       "lecture",       "paged",
                                        "paper",      "paper2x4",     "paper4",        "paradigm",
                                        "riscv",      "server",       "tlb",           "uncached"}));
    for (const std::string& name : presetNames()) {
        const auto machine = loadMachine(name);
        ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
        EXPECT_EQ(machine->name, name);
    }
    // Lists show this computer first.
    std::vector<std::string> names = presetNames();
    names.insert(names.begin(), "host");
    EXPECT_EQ(machineNames(), names);
}

TEST(Presets, HaveTheGeometriesOfTheirSources) {
    EXPECT_EQ(geometryOf(*loadMachine("default")), "32K/8/64, 1M/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("uncached")), "no cache");
    EXPECT_EQ(geometryOf(*loadMachine("embedded")), "32K/4/64, 512K/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("laptop")), "48K/12/64, 1M/16/64, 16M/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("lecture")), "1K/1/32, 4K/4/32");
    EXPECT_EQ(geometryOf(*loadMachine("paper")), "512/8/32, 2K/16/32");
    EXPECT_EQ(geometryOf(*loadMachine("paper2x4")), "256/4/32, 2K/16/32");
    EXPECT_EQ(geometryOf(*loadMachine("paper4")), "2K/8/32, 8K/16/32");
    EXPECT_EQ(geometryOf(*loadMachine("arm-server")), "64K/4/64, 1M/8/64, 32M/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("desktop")), "32K/8/64, 1M/8/64, 32M/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("paradigm")), "16K/2/64, 128K/4/256");
    EXPECT_EQ(geometryOf(*loadMachine("chiron-vecadd")), "1K/2/16, 8K/4/128");
    EXPECT_EQ(geometryOf(*loadMachine("chiron-windtunnel")), "16K/2/64, 128K/4/256");
    EXPECT_EQ(geometryOf(*loadMachine("chiron-nbody")), "64K/2/64, 512K/4/256");
    EXPECT_EQ(geometryOf(*loadMachine("riscv")), "32K/8/64, 2M/16/64");
    EXPECT_EQ(geometryOf(*loadMachine("server")), "32K/8/64, 1M/16/64, 22M/11/64");
}

/// The cycles of a load from each level, which includes the lookup in all nearer ones.
std::string loadsOf(const std::string& preset) {
    std::string out;
    std::uint32_t cycles = 0;
    const MachineConfig machine = loadMachine(preset).value();
    for (const LevelConfig& level : machine.levels) {
        cycles += level.latency;
        out += fmt::format("{}{}", out.empty() ? "" : ", ", cycles);
    }
    return out;
}

TEST(Presets, HaveTheLatenciesOfTheirNotes) {
    EXPECT_EQ(loadsOf("desktop"), "4, 14, 50");
    for (const char* name : {"chiron-vecadd", "chiron-windtunnel", "chiron-nbody"}) {
        EXPECT_EQ(loadsOf(name), "0, 20");
        EXPECT_EQ(20 + loadMachine(name)->memoryLatency, 57u) << "from memory";
    }
    EXPECT_EQ(loadsOf("server"), "4, 14, 60");
    EXPECT_EQ(loadsOf("laptop"), "4, 14, 54");
    EXPECT_EQ(loadsOf("riscv"), "3, 17");
    EXPECT_EQ(loadsOf("arm-server"), "4, 11, 51");
    EXPECT_EQ(loadMachine("arm-server")->memoryLatency, 150u);
}

TEST(Presets, ShareTheirLastLevelAmongAsManyCpusAsTheirNotesSay) {
    const std::pair<const char*, std::uint32_t> most[] = {{"desktop", 8}, {"server", 16},     {"laptop", 4},
                                                          {"riscv", 4},   {"arm-server", 64}, {"embedded", 4}};
    for (const auto& [name, cpus] : most) {
        const auto machine = checked(withCpus(*loadMachine(name), cpus), name);
        ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
        const std::size_t last = machine->levels.size() - 1;
        EXPECT_EQ(machine->caches(0), cpus) << name;
        EXPECT_EQ(machine->caches(last - 1), cpus) << name;
        EXPECT_EQ(machine->caches(last), 1u) << name;
    }
}

TEST(Presets, ForTeachingHaveWhatTheyTeach) {
    const auto coherence = loadMachine("coherence").value();
    EXPECT_EQ(coherence.protocol, Protocol::mesi);
    EXPECT_EQ(coherence.caches(0), 4u);
    EXPECT_EQ(coherence.caches(1), 1u);
    const auto paradigm = loadMachine("paradigm").value();
    EXPECT_EQ(paradigm.caches(0), 8u);
    EXPECT_EQ(paradigm.caches(1), 2u);
    EXPECT_EQ(loadMachine("tlb").value().tlb, (TlbConfig{.entries = 4, .ways = 4, .page = 1024, .walk = 30}));
    const auto paged = loadMachine("paged").value();
    EXPECT_EQ(paged.memory, (MemoryConfig{.size = 8192, .page = 1024, .fault = 10'000}));
    EXPECT_EQ(paged.memory.frames(), 8u);
    EXPECT_EQ(paged.tlb.page, 1024u);
}

TEST(Presets, SayWhatTheyAreAndWhereTheirValuesAreFrom) {
    for (const std::string& name : presetNames()) {
        EXPECT_FALSE(loadMachine(name)->note.empty()) << name;
        EXPECT_FALSE(loadMachine(name)->source.empty()) << name;
    }
    const std::pair<const char*, const char*> processors[] = {
        {"desktop", "AMD Ryzen 7 7700X"}, {"laptop", "AMD Ryzen AI 9 HX 370"}, {"server", "Intel Xeon Gold 6130"},
        {"embedded", "BCM2837"},          {"riscv", "SiFive FU740"},           {"arm-server", "AWS Graviton2"}};
    for (const auto& [name, processor] : processors) {
        EXPECT_NE(loadMachine(name)->note.find(processor), std::string::npos) << name;
    }
}

TEST(MachineFrom, TakesGeometries) {
    EXPECT_EQ(geometryOf(*loadMachine("16K/4/32")), "16K/4/32");
    EXPECT_EQ(geometryOf(*loadMachine(" 1K/1/32,4K/4/32 ")), "1K/1/32, 4K/4/32");
    EXPECT_EQ(loadRefusal("32K/8").substr(0, 54), "level 1 of the geometry, \"32K/8\", has no block size; a");
    EXPECT_EQ(loadRefusal("32Q/8/64").substr(0, 46), "level 1 of the geometry: \"32Q\" is not a size; ");
}

TEST(MachineFrom, SaysWhatThereIs) {
    EXPECT_EQ(loadRefusal("papper"),
              std::string("there is no machine \"papper\"; did you mean \"paper\"? ") + kThereIs);
    EXPECT_EQ(loadRefusal("hots"), std::string("there is no machine \"hots\"; did you mean \"host\"? ") + kThereIs);
    EXPECT_EQ(loadRefusal("zz"), std::string("there is no machine \"zz\"; ") + kThereIs);
    EXPECT_EQ(loadRefusal(" "), std::string("no machine is given; ") + kThereIs);
    EXPECT_EQ(loadRefusal("./no.json"), std::string("./no.json: there is no such file; ") + kThereIs);
    EXPECT_EQ(loadRefusal("no.json"), std::string("no.json: there is no such file; ") + kThereIs);
    EXPECT_EQ(loadRefusal("no/where"), std::string("no/where: there is no such file; ") + kThereIs);
}

TEST_F(InAFolder, ReadsFiles) {
    write("m.json", R"({"levels": [{"size": 64, "ways": 1, "block": 32}]})");
    write("2024/8/64", R"({"name": "odd", "levels": [{"size": 128, "ways": 1, "block": 32}]})");
    write("paper", "{}");
    for (const std::string& path : {std::string("m.json"), std::string("./m.json"), folder_.at("m.json")}) {
        const auto machine = loadMachine(path);
        ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
        EXPECT_EQ(geometryOf(*machine), "64/1/32");
        EXPECT_EQ(machine->name, "m") << "called like its file when it has no name";
    }
    // A file named like a geometry can be meant; one named like a preset needs its "./".
    EXPECT_EQ(loadMachine("2024/8/64")->name, "odd");
    EXPECT_EQ(loadMachine("paper")->name, "paper");
    write("host", R"({"name": "a file", "levels": [{"size": 128, "ways": 1, "block": 32}]})");
    EXPECT_EQ(loadMachine("./host")->name, "a file");
    EXPECT_NE(loadMachine("host").value_or(MachineConfig{}).name, "a file");
    EXPECT_EQ(loadRefusal("./paper").substr(0, 27), "./paper: levels: is missing");
}

TEST_F(InAFolder, FilesThatCannotBeRead) {
    write("bad.json", "{\"levels\":\n 3");
    EXPECT_EQ(loadRefusal("bad.json").substr(0, 31), "bad.json:2:3: this is not JSON:");
    EXPECT_EQ(loadRefusal("."), ".: this is a folder; give the path of a file with a machine");
    write("big.json", R"({"tlb": 1, "levels": []})");
    EXPECT_EQ(loadRefusal("big.json"),
              "big.json: tlb: 1 is not an object; write it as in {\"entries\": 64, \"ways\": 4}");
    write("long.json", std::string((1u << 20) + 1, ' '));
    EXPECT_EQ(loadRefusal("long.json"), "long.json: the file is too long for a machine; 1 MB is the most");
}

TEST(Wording, NearestName) {
    const std::vector<std::string> names = {"matmul", "mergesort", "n", "block"};
    const auto near = [&](std::string_view word) {
        const std::string* name = nearestName(word, names);
        return name == nullptr ? "" : *name;
    };
    EXPECT_EQ(near("matmul"), "matmul");
    EXPECT_EQ(near("MatMul"), "matmul");
    EXPECT_EQ(near("mtamul"), "matmul");
    EXPECT_EQ(near("mergsort"), "mergesort");
    EXPECT_EQ(near("blcok"), "block");
    EXPECT_EQ(near("m"), "");
    EXPECT_EQ(near(""), "");
    EXPECT_EQ(near("quicksort"), "");
    EXPECT_EQ(near(std::string(1000, 'm')), "");
}

TEST(Wording, Lists) {
    const std::vector<std::string> names = {"a", "b", "c"};
    EXPECT_EQ(joinNames({}), "");
    EXPECT_EQ(joinNames(std::span(names).first(1)), "a");
    EXPECT_EQ(joinNames(std::span(names).first(2)), "a and b");
    EXPECT_EQ(joinNames(names, "or"), "a, b or c");
}

TEST(Wording, QuotedTextIsShortAndOnOneLine) {
    EXPECT_EQ(quotedText("a\nb\x7f"), "\"a b \"");
    const std::string forty(40, 'x');
    const std::string less(39, 'x');
    EXPECT_EQ(quotedText(forty), fmt::format("\"{}\"", forty));
    EXPECT_EQ(quotedText(forty + "y"), fmt::format("\"{}…\"", forty));
    EXPECT_EQ(quotedText(less + "ä and more"), fmt::format("\"{}…\"", less));
}

}  // namespace
}  // namespace whorl::sim
