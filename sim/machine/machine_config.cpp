#include "sim/machine/machine_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/types.h"

namespace whorl::sim {

MachineConfig withCpus(MachineConfig machine, std::uint32_t cpus) {
    if (cpus <= machine.cpus) return machine;
    std::uint32_t group = 1;
    bool all = false;
    for (LevelConfig& level : machine.levels) {
        // Levels beyond one that all CPUs share are shared by all, too, even if they specify a number of CPUs.
        all = all || level.sharedBy == 0;
        if (all) level.sharedBy = 0;
        group = std::max(group, level.sharedBy);
    }
    const std::uint32_t groups = std::min((std::min(cpus, kMaxCpus) + group - 1) / group, kMaxCpus / group);
    machine.cpus = std::max(machine.cpus, groups * group);
    return machine;
}

std::string geometryOf(const MachineConfig& machine) {
    if (machine.levels.empty()) return "no cache";
    std::string out;
    for (const LevelConfig& level : machine.levels) {
        if (!out.empty()) out += ", ";
        out += fmt::format("{}/{}/{}", formatBytes(level.size), level.ways, level.block);
    }
    return out;
}

std::string formatBytes(std::uint64_t bytes) {
    if (bytes == 0) return "0";
    constexpr std::pair<unsigned, char> kUnits[] = {{30, 'G'}, {20, 'M'}, {10, 'K'}};
    for (const auto& [shift, unit] : kUnits) {
        if (bytes % (std::uint64_t{1} << shift) == 0) return fmt::format("{}{}", bytes >> shift, unit);
    }
    return fmt::format("{}", bytes);
}

}  // namespace whorl::sim
