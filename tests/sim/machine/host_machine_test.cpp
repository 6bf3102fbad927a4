// The machine `host`, from files as the kernels of various computers have them.
#include "sim/machine/host_machine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/machine/config_schema.h"
#include "support/folder.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;

/// A cache as its folder lists it; what is empty has no file.
struct CacheFiles {
    std::string level, type, size, ways, sets, line, users;
    std::string map = "";
};

/// A temporary folder with files like those of a kernel.
class Computer {
  public:
    Computer() {
        files_ = {.cpus = folder_.at("cpu"), .cpuinfo = folder_.at("cpuinfo")};
        // Beside the folders of the CPUs there are others.
        for (const char* name : {"cpufreq", "cpuidle", "cpu"}) fs::create_directories(folder_.path() / "cpu" / name);
    }

    void cpu(unsigned id, const std::vector<CacheFiles>& caches) {
        const fs::path folder = folder_.path() / "cpu" / fmt::format("cpu{}", id) / "cache";
        fs::create_directories(folder);
        for (std::size_t i = 0; i < caches.size(); ++i) {
            const fs::path index = folder / fmt::format("index{}", i);
            fs::create_directories(index);
            const CacheFiles& c = caches[i];
            const std::pair<const char*, const std::string*> files[] = {{"level", &c.level},
                                                                        {"type", &c.type},
                                                                        {"size", &c.size},
                                                                        {"ways_of_associativity", &c.ways},
                                                                        {"number_of_sets", &c.sets},
                                                                        {"coherency_line_size", &c.line},
                                                                        {"shared_cpu_list", &c.users},
                                                                        {"shared_cpu_map", &c.map}};
            for (const auto& [name, text] : files) {
                if (!text->empty()) std::ofstream(index / name) << *text << '\n';
            }
        }
    }
    void online(const std::string& ids) { std::ofstream(folder_.path() / "cpu" / "online") << ids << '\n'; }
    void cpuinfo(const std::string& text) { std::ofstream(folder_.path() / "cpuinfo") << text; }

    /// The folder's name differs from run to run; it is replaced by "CPUS".
    std::string withoutFolder(std::string text) const {
        const std::size_t at = text.find(files_.cpus);
        return at == std::string::npos ? text : text.replace(at, files_.cpus.size(), "CPUS");
    }
    Expected<MachineConfig> read() const { return hostMachine(files_); }
    MachineConfig machine() const {
        auto machine = read();
        EXPECT_TRUE(machine.has_value()) << machine.error().sentence();
        return machine.value_or(MachineConfig{});
    }
    std::string error() const {
        const auto machine = read();
        return machine ? "read" : withoutFolder(machine.error().sentence());
    }

  private:
    test::Folder folder_;
    KernelFiles files_;
};

/// "2 CPUs: L1 by 2, L2 by 2, L3 by all".
std::string sharingOf(const MachineConfig& machine) {
    std::string out = fmt::format("{} CPUs:", machine.cpus);
    for (const LevelConfig& level : machine.levels) {
        const std::string sharers = level.sharedBy == 0 ? "all" : fmt::format("{}", level.sharedBy);
        out += fmt::format(" {} by {}{}", level.name, sharers, &level == &machine.levels.back() ? "" : ",");
    }
    return out;
}

std::string isValid(const MachineConfig& machine) {
    return test::refusalOf(checked(machine, "host"), "");
}

constexpr const char* kAssumed =
    " Assumed, as the kernel does not tell: LRU, write-back, no inclusion, MESI and Whorl's usual latencies.";

/// The sizes of an Intel Core i7-1260P: 4 cores of two threads, CPUs 0 to 7, and 8 cores of one.
void makeHybridLaptop(Computer& computer) {
    for (unsigned id = 0; id < 8; ++id) {
        const std::string core = fmt::format("{}-{}", id & ~1u, id | 1u);
        computer.cpu(id, {{"1", "Data", "48K", "12", "64", "64", core},
                          {"1", "Instruction", "32K", "8", "64", "64", core},
                          {"2", "Unified", "1280K", "10", "2048", "64", core},
                          {"3", "Unified", "18432K", "12", "24576", "64", "0-15"}});
    }
    for (unsigned id = 8; id < 16; ++id) {
        const std::string own = fmt::format("{}", id);
        const std::string cluster = id < 12 ? "8-11" : "12-15";
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", own},
                          {"1", "Instruction", "64K", "8", "128", "64", own},
                          {"2", "Unified", "2048K", "16", "2048", "64", cluster},
                          {"3", "Unified", "18432K", "12", "24576", "64", "0-15"}});
    }
    computer.online("0-15");
    computer.cpuinfo("processor\t: 0\nmodel name\t: 12th Gen Intel(R) Core(TM) i7-1260P\n\nprocessor\t: 1\n");
}

TEST(HostMachine, OfTwoKindsOfCoresHasTheMostCapable) {
    Computer computer;
    makeHybridLaptop(computer);
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(machine.name, "host");
    EXPECT_EQ(geometryOf(machine), "48K/12/64, 1280K/10/64, 18M/12/64");
    EXPECT_EQ(sharingOf(machine), "2 CPUs: L1 by 2, L2 by 2, L3 by all");
    EXPECT_EQ(
        machine.note,
        std::string("12th Gen Intel(R) Core(TM) i7-1260P: 8 of its 16 hardware threads, without 8 that have other "
                    "caches (32K/8/64, 2M/16/64, 18M/12/64).") +
            kAssumed);
    EXPECT_EQ(computer.withoutFolder(machine.source), "The Linux kernel, CPUS.");
    EXPECT_EQ(machine.memoryLatency, defaultMachine().memoryLatency);
    EXPECT_EQ(machine.levels[2].latency, defaultLevel(2, 3).latency);
}

/// The sizes of an AMD EPYC 7B13: `cores` of two threads, the second ones numbered after all first ones, eight cores
/// to an L3.
void makeServer(Computer& computer, unsigned cores) {
    for (unsigned id = 0; id < 2 * cores; ++id) {
        const unsigned core = id % cores;
        const unsigned eight = core / 8 * 8;
        const std::string pair = fmt::format("{},{}", core, core + cores);
        const std::string many = fmt::format("{}-{},{}-{}", eight, eight + 7, eight + cores, eight + cores + 7);
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", pair},
                          {"1", "Instruction", "32K", "8", "64", "64", pair},
                          {"2", "Unified", "512K", "8", "1024", "64", pair},
                          {"3", "Unified", "32768K", "16", "32768", "64", many}});
    }
    computer.cpuinfo("processor\t: 0\nmodel name\t: AMD EPYC 7B13\n");
}

TEST(HostMachine, OfSeveralL3CachesHasEach) {
    Computer computer;
    makeServer(computer, 16);
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(geometryOf(machine), "32K/8/64, 512K/8/64, 32M/16/64");
    EXPECT_EQ(sharingOf(machine), "16 CPUs: L1 by 2, L2 by 2, L3 by 16");
    EXPECT_EQ(machine.note, std::string("AMD EPYC 7B13: 32 hardware threads.") + kAssumed);
    EXPECT_EQ(isValid(machine), "");
}

TEST(HostMachine, OfTooManyCpusHasTheCompleteGroupsThatFit) {
    Computer computer;
    makeServer(computer, 40);
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(sharingOf(machine), "16 CPUs: L1 by 2, L2 by 2, L3 by 16");
    EXPECT_EQ(machine.note,
              std::string("AMD EPYC 7B13: 64 of its 80 hardware threads, without 16 beyond the 64 CPUs that a machine "
                          "can have.") +
                  kAssumed);
    EXPECT_EQ(isValid(machine), "");
}

/// `threads` of which `perCore` share their L1 and L2, and all an L3.
void makeOneL3(Computer& computer, unsigned threads, unsigned perCore) {
    for (unsigned id = 0; id < threads; ++id) {
        const unsigned first = id / perCore * perCore;
        const std::string core = fmt::format("{}-{}", first, first + perCore - 1);
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", core},
                          {"2", "Unified", "1M", "16", "1024", "64", core},
                          {"3", "Unified", "32M", "16", "32768", "64", fmt::format("0-{}", threads - 1)}});
    }
}

TEST(HostMachine, OfACacheThatTooManyShareHasAPartOfThem) {
    for (const auto& [perCore, sharing] :
         {std::pair(2u, "2 CPUs: L1 by 2, L2 by 2, L3 by all"), std::pair(3u, "3 CPUs: L1 by 3, L2 by 3, L3 by all")}) {
        Computer computer;
        makeOneL3(computer, 66, perCore);
        const MachineConfig machine = computer.machine();
        EXPECT_EQ(sharingOf(machine), sharing);
        EXPECT_EQ(isValid(machine), "");
    }
}

TEST(HostMachine, LeavesOutWhatIsOffline) {
    Computer computer;
    makeOneL3(computer, 16, 2);
    // CPU 3's core has one thread left, 9 and 15 have their folders only.
    computer.online("0-2,4-8,10-14");
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(sharingOf(machine), "2 CPUs: L1 by 2, L2 by 2, L3 by all");
    EXPECT_EQ(machine.note,
              std::string("A processor without a name: 10 of its 13 hardware threads, without 3 that share them "
                          "otherwise.") +
                  kAssumed);
    EXPECT_EQ(isValid(machine), "");
}

TEST(HostMachine, TakesIdsWithHoles) {
    Computer computer;
    for (const unsigned id : {1u, 7u, 4096u}) {
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", fmt::format("{}", id)},
                          {"2", "Unified", "1024K", "16", "1024", "64", "1-4294967295"}});
    }
    EXPECT_EQ(sharingOf(computer.machine()), "1 CPUs: L1 by 1, L2 by all");
}

TEST(HostMachine, OfArmHasBlocksOf128Bytes) {
    Computer computer;
    for (unsigned id = 0; id < 8; ++id) {
        const bool big = id >= 4;
        const std::string four = big ? "4-7" : "0-3";
        computer.cpu(
            id, {{"1", "Data", big ? "128K" : "64K", "8", big ? "128" : "64", "128", fmt::format("{}", id)},
                 {"1", "Instruction", "128K", "", "", "", fmt::format("{}", id)},
                 {"2", "Unified", big ? "12288K" : "4096K", big ? "12" : "16", big ? "8192" : "2048", "128", four}});
    }
    computer.cpuinfo(
        "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0x022\n\n"
        "processor\t: 4\nCPU implementer\t: 0x61\nCPU part\t: 0x023\n\nprocessor\t: 5\n");
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(geometryOf(machine), "128K/8/128, 12M/12/128");
    EXPECT_EQ(sharingOf(machine), "1 CPUs: L1 by 1, L2 by all");
    EXPECT_EQ(machine.note,
              std::string("Arm processor (implementer 0x61, part 0x023): 4 of its 8 hardware threads, without 4 that "
                          "have other caches (64K/8/128, 4M/16/128).") +
                  kAssumed);
    EXPECT_EQ(isValid(machine), "");
}

TEST(HostMachine, OfAVirtualMachineMayHaveNoL3) {
    Computer computer;
    for (unsigned id = 0; id < 2; ++id) {
        const std::string own = fmt::format("{}", id);
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", own},
                          {"1", "Instruction", "32K", "8", "64", "64", own},
                          {"2", "Unified", "4096K", "16", "4096", "64", own}});
    }
    EXPECT_EQ(sharingOf(computer.machine()), "1 CPUs: L1 by 1, L2 by 1");
    EXPECT_EQ(isValid(computer.machine()), "");
    Computer one;
    one.cpu(0, {{"1", "Data", "32K", "8", "64", "64", "0"}});
    EXPECT_EQ(sharingOf(one.machine()), "1 CPUs: L1 by 1");
    EXPECT_EQ(one.machine().note, std::string("A processor without a name: 1 hardware thread.") + kAssumed);
    EXPECT_EQ(isValid(one.machine()), "");
}

TEST(HostMachine, DerivesWhatIsNotListed) {
    Computer computer;
    computer.cpu(0, {{"1", "Data", "", "4", "128", "64", "0", ""},
                     {"2", "Unified", "256K", "", "512", "64", "0", ""},
                     {"3", "Unified", "64K", "0", "1", "64", "", "00000000,00000001"}});
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(geometryOf(machine), "32K/4/64, 256K/8/64, 64K/1024/64");
    EXPECT_EQ(machine.note, std::string("A processor without a name: 1 hardware thread.") + kAssumed);
}

TEST(HostMachine, SaysWhatItAssumed) {
    Computer computer;
    for (unsigned id = 0; id < 2; ++id) {
        computer.cpu(id, {{"1", "Data", "32K", "0", "", "", "", ""},
                          {"2", "Unified", "512K", "8", "", "", "", ""},
                          {"3", "Unified", "4M", "8", "4096", "64", "", ""}});
    }
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(geometryOf(machine), "32K/8/64, 512K/8/64, 4M/8/64");
    EXPECT_EQ(sharingOf(machine), "1 CPUs: L1 by 1, L2 by 1, L3 by all");
    EXPECT_EQ(
        machine.note,
        "A processor without a name: 2 hardware threads. The 4096 sets listed for L3 do not agree with its 4M and 8 "
        "ways, which are used. Assumed, as the kernel does not tell: blocks of 64 bytes in L1, 8 ways in L1, blocks "
        "of 64 bytes in L2, an L1 private to each thread, an L2 private to each thread, an L3 shared by all, LRU, "
        "write-back, no inclusion, MESI and Whorl's usual latencies.");
    EXPECT_EQ(isValid(machine), "");
}

TEST(HostMachine, LeavesOutACacheOfUnknownSize) {
    Computer computer;
    computer.cpu(0, {{"1", "Data", "32K", "8", "64", "64", "0"}, {"2", "Unified", "0K", "8", "", "64", "0"}});
    EXPECT_EQ(geometryOf(computer.machine()), "32K/8/64");
    EXPECT_NE(computer.machine().note.find("L2 is left out, as its size is not listed."), std::string::npos);
}

TEST(HostMachine, WithoutAListOfCachesSaysWhatToUse) {
    const std::string no =
        "host: this computer's kernel does not list its caches under CPUS; use a preset such as "
        "laptop, or a geometry such as 32K/8/64, 1M/16/64";
    Computer empty;
    EXPECT_EQ(empty.error(), no);
    Computer cpusOnly;
    cpusOnly.cpu(0, {});
    cpusOnly.online("0");
    EXPECT_EQ(cpusOnly.error(), no);
    Computer codeOnly;
    codeOnly.cpu(0, {{"1", "Instruction", "32K", "8", "64", "64", "0"}});
    EXPECT_EQ(codeOnly.error(), no);
    // Arm kernels know from the processor which caches there are, but not how large.
    Computer levelsOnly;
    levelsOnly.cpu(0, {{"1", "Data", "", "", "", "", "0"}, {"2", "Unified", "", "", "", "", "0"}});
    EXPECT_EQ(
        levelsOnly.error(),
        "host: this computer's kernel does not list the size of its L1 under CPUS; use a preset such as laptop, or "
        "a geometry such as 32K/8/64, 1M/16/64");
}

TEST(HostMachine, TakesWhatIsNoNumberAsNotListed) {
    for (const std::string nonsense : {"abc", "-4", "99999999999999999999999", "4294967296", "1.5", "0x40", ""}) {
        Computer computer;
        computer.cpu(0, {{"1", "Data", "32K", nonsense, "64", nonsense, nonsense},
                         {"2", "Unified", "1M", nonsense, nonsense, "64", "0-" + nonsense, nonsense + ",zz"},
                         {nonsense, "Unified", "1M", "8", "2048", "64", "0"},
                         {"3", nonsense, "1M", "8", "2048", "64", "0"}});
        const MachineConfig machine = computer.machine();
        EXPECT_EQ(geometryOf(machine), "32K/8/64, 1M/8/64") << nonsense;
        EXPECT_EQ(isValid(machine), "") << nonsense;
    }
    for (const std::string nonsense : {"abc", "-4K", "99999999999999999999999K", "K"}) {
        Computer computer;
        computer.cpu(0, {{"1", "Data", nonsense, "8", "64", "64", "0"}});
        EXPECT_EQ(geometryOf(computer.machine()), "32K/8/64") << nonsense;
        Computer huge;
        huge.cpu(0, {{"1", "Data", nonsense, "4294967295", "4294967295", "64", "0"}});
        EXPECT_FALSE(huge.read().has_value()) << nonsense;
    }
}

TEST(HostMachine, IsCheckedLikeAnyOther) {
    Computer computer;
    for (unsigned id = 0; id < 2; ++id) {
        computer.cpu(id, {{"1", "Data", "32K", "8", "64", "64", "0-1"},
                          {"2", "Unified", "1M", "16", "1024", "64", fmt::format("{}", id)}});
    }
    EXPECT_EQ(isValid(computer.machine()).substr(0, 62),
              "host: L2: each cache serves 1 CPU, but each L1 cache serves 2;");
}

TEST(HostMachine, IsWrittenAndReadBack) {
    Computer computer;
    makeServer(computer, 8);
    const MachineConfig machine = computer.machine();
    EXPECT_EQ(parseMachineJson(machineAsJson(machine), "host.json").value(), machine);
}

TEST(HostMachine, OfThisComputerIsSoundOrTellsWhyNot) {
    const auto machine = loadMachine(" host ");
    if (machine) {
        EXPECT_EQ(machine->name, "host");
        EXPECT_NE(machine->note.find("Assumed"), std::string::npos);
    } else {
        EXPECT_EQ(machine.error().sentence().substr(0, 6), "host: ");
    }
}

}  // namespace
}  // namespace whorl::sim
