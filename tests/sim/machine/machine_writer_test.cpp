// A machine as JSON: short, and read back as the same machine.
#include <gtest/gtest.h>

#include <random>

#include "sim/machine/machine_config.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

TEST(MachineAsJson, LeavesOutWhatIsAtItsDefault) {
    MachineConfig machine = parseGeometry("1K/2/32, 4K/4/32").value();
    machine.name = "";
    EXPECT_EQ(machineAsJson(machine), R"({
    "levels": [
        {"size": "1K", "ways": 2, "block": 32},
        {"size": "4K", "ways": 4, "block": 32}
    ]
}
)");
}

TEST(MachineAsJson, WritesTheRest) {
    MachineConfig machine = parseGeometry("1000/125/8").value();
    machine.name = "a \"b\"\n";
    machine.note = "What it is.";
    machine.source = "Nowhere.";
    machine.cpus = 2;
    machine.protocol = Protocol::none;
    machine.memory = {.size = 1048576, .page = 4096, .fault = 5};
    machine.tlb = {.entries = 8, .ways = 4, .page = 4096, .walk = 30};
    machine.conventions.modifyCountsOnce = true;
    machine.levels[0].name = "near";
    machine.levels[0].sharedBy = 0;
    machine.levels[0].policy = Policy::treePlru;
    machine.levels[0].allocate = false;
    EXPECT_EQ(machineAsJson(machine), R"({
    "name": "a \"b\"\n",
    "note": "What it is.",
    "source": "Nowhere.",
    "cpus": 2,
    "protocol": "none",
    "memory": {"size": "1M", "fault": 5},
    "tlb": {"entries": 8, "ways": 4},
    "conventions": {"modify_counts_once": true},
    "levels": [
        {"name": "near", "size": 1000, "ways": 125, "block": 8, "shared_by": "all", "policy": "plru", "allocate": false}
    ]
}
)");
}

/// Generates machines; most are unsound.
class Lot {
  public:
    explicit Lot(std::uint64_t seed) : random_(seed) {}

    MachineConfig draw() {
        MachineConfig m;
        m.name = below(2) == 0 ? "" : "m";
        m.note = below(2) == 0 ? "" : "a note, \"quoted\"";
        m.source = below(2) == 0 ? "" : "1";
        m.cpus = 1u << below(4);
        m.protocol = static_cast<Protocol>(below(3));
        m.memoryLatency = below(2) == 0 ? 200 : below(1000);
        m.upgradeLatency = below(2) == 0 ? 30 : below(100);
        m.writebackLatency = below(2) * below(100);
        if (below(2) == 0) {
            m.tlb.ways = 1 + below(4);
            m.tlb.entries = m.tlb.ways << below(4);
            m.tlb.page = 64u << below(8);
            m.tlb.walk = below(100);
        }
        if (below(3) == 0) {
            m.memory.page = m.tlb.entries != 0 ? m.tlb.page : 64u << below(8);
            m.memory.size = std::uint64_t{2 + below(100)} * m.memory.page;
            m.memory.fault = below(2) == 0 ? 100'000 : below(1000);
        }
        m.conventions = {below(2) == 0, below(2) == 0, below(2) == 0};
        const std::uint32_t levels = 1 + below(4);
        for (std::uint32_t i = 0; i < levels; ++i) m.levels.push_back(level(i, m.cpus));
        return m;
    }

  private:
    LevelConfig level(std::uint32_t index, std::uint32_t cpus) {
        LevelConfig l;
        l.name = below(3) == 0 ? std::string(1, static_cast<char>('a' + index)) : "L" + std::to_string(index + 1);
        l.ways = 1 + below(8);
        l.block = 8u << (index + below(2));
        l.size = (std::uint64_t{l.ways} * l.block) << below(6);
        l.sharedBy = below(2) == 0 ? 0 : std::min(1u << below(4), cpus);
        l.policy = static_cast<Policy>(below(7));
        l.seed = below(2) == 0 ? 1 : random_();
        l.writeThrough = below(3) == 0;
        l.allocate = below(3) != 0;
        l.inclusion = index == 0 ? Inclusion::none : static_cast<Inclusion>(below(3));
        l.prefetch = static_cast<Prefetcher>(below(3));
        l.degree = 1 + below(16);
        l.latency = below(50);
        return l;
    }

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    std::mt19937_64 random_;
};

TEST(MachineAsJson, IsReadBackAsTheSameMachine) {
    Lot lot(7);
    std::uint64_t sound = 0;
    for (std::uint64_t i = 0; i < testRounds(20'000); ++i) {
        const MachineConfig machine = lot.draw();
        if (!checked(machine, {})) continue;
        ++sound;
        const std::string text = machineAsJson(machine);
        const auto again = parseMachineJson(text, "again");
        ASSERT_TRUE(again.has_value()) << again.error().sentence() << text;
        ASSERT_EQ(*again == machine, true) << text << machineAsJson(*again);
    }
    EXPECT_GT(sound, testRounds(500));
}

TEST(MachineAsJson, PresetsToo) {
    for (const std::string& name : presetNames()) {
        const auto machine = loadMachine(name);
        EXPECT_EQ(parseMachineJson(machineAsJson(*machine), name).value(), *machine) << name;
    }
}

TEST(MachineAsJson, ANameThatIsNotUtf8IsNoDanger) {
    MachineConfig machine = parseGeometry("1K/2/32").value();
    machine.name = "\xff";
    EXPECT_EQ(parseMachineJson(machineAsJson(machine), "again").value().name, "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace whorl::sim
