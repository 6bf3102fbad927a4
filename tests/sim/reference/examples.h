// Examples worked by hand, most of them from text books: a machine, what a program does, and all expected events. They
// are data, so that every simulator can be tested with them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::reference {

struct Example {
    std::string name;
    sim::MachineConfig machine;
    std::vector<sim::Access> accesses;
    std::vector<std::string> lines;     ///< the events, as lineOf(Happening) writes them
    std::vector<std::string> kinds;     ///< of all misses, as lineOf(Miss) writes them; empty: not computed
    std::vector<std::uint64_t> clocks;  ///< cycles, CPU by CPU; empty: not computed
};

/// All of them.
std::vector<Example> examples();
/// One CPU and one level: placement and replacement.
std::vector<Example> examplesOfOneLevel();
/// One CPU and two levels: writes, inclusion, prefetching, translations, conventions.
std::vector<Example> examplesOfTwoLevels();
/// Several CPUs.
std::vector<Example> examplesOfSharing();

/// A reference string and the number of misses in a fully associative cache of `frames` blocks.
struct FaultCount {
    std::vector<std::uint64_t> blocks;
    sim::Policy policy;
    std::uint32_t frames;
    std::uint64_t faults;
};
std::vector<FaultCount> faultCounts();
/// The machine and the accesses of one of them: blocks of 4 bytes.
sim::MachineConfig machineOf(const FaultCount& count);
std::vector<sim::Access> accessesOf(const FaultCount& count);

/// A read, and a write, of 4 bytes by default.
sim::Access readBy(std::uint8_t cpu, std::uint64_t address, std::uint32_t size = 4);
sim::Access writeBy(std::uint8_t cpu, std::uint64_t address, std::uint32_t size = 4);
/// The lines of a text, without leading blanks.
std::vector<std::string> linesIn(const std::string& text);

}  // namespace whorl::reference
