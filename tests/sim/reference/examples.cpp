#include "sim/reference/examples.h"

#include <sstream>

namespace whorl::reference {

std::vector<Example> examples() {
    std::vector<Example> all = examplesOfOneLevel();
    for (const auto& more : {examplesOfTwoLevels(), examplesOfSharing()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

sim::Access readBy(std::uint8_t cpu, std::uint64_t address, std::uint32_t size) {
    return {.address = sim::ByteAddress{address}, .size = size, .op = sim::Op::read, .cpu = cpu};
}

sim::Access writeBy(std::uint8_t cpu, std::uint64_t address, std::uint32_t size) {
    return {.address = sim::ByteAddress{address}, .size = size, .op = sim::Op::write, .cpu = cpu};
}

std::vector<std::string> linesIn(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in >> std::ws, line);) lines.push_back(line);
    return lines;
}

// The string of Belady, Nelson and Shedler (1969), on which FIFO misses more with more room, and the one of
// Silberschatz, Galvin and Gagne ("Operating System Concepts", chapter on virtual memory).
std::vector<FaultCount> faultCounts() {
    const std::vector<std::uint64_t> anomaly = {1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5};
    const std::vector<std::uint64_t> dinosaurs = {7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1};
    using sim::Policy;
    return {{anomaly, Policy::fifo, 3, 9},    {anomaly, Policy::fifo, 4, 10},  {anomaly, Policy::lru, 3, 10},
            {anomaly, Policy::lru, 4, 8},     {anomaly, Policy::opt, 3, 7},    {anomaly, Policy::opt, 4, 6},
            {dinosaurs, Policy::fifo, 3, 15}, {dinosaurs, Policy::lru, 3, 12}, {dinosaurs, Policy::opt, 3, 9}};
}

sim::MachineConfig machineOf(const FaultCount& count) {
    sim::MachineConfig machine;
    machine.levels = {{.name = "L1", .size = std::uint64_t{4} * count.frames, .ways = count.frames, .block = 4}};
    machine.levels[0].policy = count.policy;
    return machine;
}

std::vector<sim::Access> accessesOf(const FaultCount& count) {
    std::vector<sim::Access> accesses;
    accesses.reserve(count.blocks.size());
    for (const std::uint64_t block : count.blocks) accesses.push_back(readBy(0, 4 * block));
    return accesses;
}

}  // namespace whorl::reference
