// The examples of docs/machines.md can be read, and its tables name every existing key and word.
#include <gtest/gtest.h>

#include "sim/machine/config_schema.h"
#include "sim/machine/machine_config.h"
#include "sim/report/table.h"
#include "sim/trace/access.h"
#include "support/docs.h"

namespace whorl::sim {
namespace {

std::string page() {
    return test::docsPage("machines.md");
}

std::vector<std::string> examples() {
    constexpr std::string_view kOpening = "```json\n";
    const std::string text = page();
    std::vector<std::string> out;
    for (std::size_t at = text.find(kOpening); at != std::string::npos; at = text.find(kOpening, at + 1)) {
        const std::size_t begin = at + kOpening.size();
        out.push_back(text.substr(begin, text.find("```", begin) - begin));
    }
    return out;
}

/// The part of the page under a heading.
std::string section(const std::string& heading) {
    return test::docsSection("machines.md", heading);
}

TEST(MachineDocs, TheExamplesAreRead) {
    ASSERT_EQ(examples().size(), 2u);
    for (const std::string& example : examples()) {
        const auto machine = parseMachineJson(example, "docs/machines.md");
        EXPECT_TRUE(machine.has_value()) << machine.error().sentence();
    }
    const auto machine = parseMachineJson(examples()[0], "docs/machines.md").value();
    EXPECT_EQ(geometryOf(machine), "32K/8/64, 512K/8/64, 8M/16/64");
    EXPECT_EQ(machine.caches(1), 2u);
    EXPECT_EQ(machine.caches(2), 1u);
    EXPECT_EQ(parseMachineJson(examples()[1], "docs/machines.md").value().levels[0].ways, 32u);
}

TEST(MachineDocs, EveryKeyIsNamed) {
    const auto names = [](const std::string& text, const std::vector<std::string>& keys) {
        for (const std::string& key : keys) EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key;
    };
    names(section("Keys of the machine"), keysOf(machineFields()));
    names(section("Keys of the machine"), keysOf(memoryFields()));
    names(section("Keys of the machine"), keysOf(tlbFields()));
    names(section("Keys of a level"), keysOf(levelFields()));
    names(section("How things are counted"), keysOf(conventionFields()));
    names(section("Policies"), {"lru", "plru", "fifo", "mru", "random", "srrip", "opt"});
    names(page(), presetNames());
    names(page(), {std::string(kHostMachine)});
}

TEST(MachineDocs, TheDefaultsAreTrue) {
    const MachineConfig machine = defaultMachine();
    const auto says = [](const std::string& text, const std::string& row) {
        EXPECT_NE(text.find(row), std::string::npos) << row;
    };
    const std::string whole = section("Keys of the machine");
    says(whole,
         "| `cpus` | 1 to 64. A trace of more CPUs gets as many as it needs | " + std::to_string(machine.cpus) + " |");
    says(whole, "memory | " + std::to_string(machine.memoryLatency) + " |");
    says(whole, "hold | " + std::to_string(machine.upgradeLatency) + " |");
    says(whole, "CPU | " + std::to_string(machine.writebackLatency) + " |");
    says(whole, "`page` (" + formatBytes(defaultMemory().page) + "), `fault` (" +
                    std::to_string(defaultMemory().fault) + " cycles");
    says(whole, "`walk` (" + std::to_string(defaultTlb().walk) + " cycles");
    std::string latencies;
    for (std::size_t i = 0; i < 5; ++i) latencies += std::to_string(defaultLevel(i, 8).latency) + ", ";
    says(section("Keys of a level"), "| " + latencies + "… |");
}

/// Limits that are not in the tables of keys.
TEST(MachineDocs, EveryLimitIsNamed) {
    const std::string rules = section("What else must hold");
    for (const std::uint64_t limit : {kMaxBlocksPerLevel, std::uint64_t{kMaxWays}, std::uint64_t{kMaxTlbEntries},
                                      kMaxFrames, std::uint64_t{kMaxLatency}, std::uint64_t{kMaxFault}}) {
        EXPECT_NE(rules.find(grouped(limit)), std::string::npos) << limit;
    }
    EXPECT_NE(page().find(grouped(kMaxAccessSize) + " bytes"), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
