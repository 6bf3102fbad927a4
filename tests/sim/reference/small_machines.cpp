#include "sim/reference/small_machines.h"

#include "sim/reference/examples.h"

namespace whorl::reference {

namespace {

using sim::Inclusion;
using sim::LevelConfig;

/// A level of one set.
LevelConfig level(const std::string& name, std::uint32_t ways, std::uint32_t block, std::uint32_t sharedBy) {
    return {.name = name, .size = std::uint64_t{ways} * block, .ways = ways, .block = block, .sharedBy = sharedBy};
}

LevelConfig with(LevelConfig level, Inclusion inclusion) {
    level.inclusion = inclusion;
    return level;
}

LevelConfig writingThrough(LevelConfig level, bool allocate) {
    level.writeThrough = true;
    level.allocate = allocate;
    return level;
}

}  // namespace

std::vector<SmallMachine> smallMachines(std::uint32_t cpus) {
    const LevelConfig narrow = level("L1", 1, 4, 1);
    const LevelConfig wide = level("L1", 2, 4, 1);
    const LevelConfig own = level("L2", 1, 8, 1);
    const LevelConfig shared = level("L2", 2, 4, 0);
    const LevelConfig sharedPairs = level("L2", 1, 8, 0);
    const LevelConfig last = level("L3", 2, 8, 0);
    const std::vector<std::pair<std::string, std::vector<LevelConfig>>> arrangements = {
        {"private", {narrow}},
        {"private, two ways", {wide}},
        {"private, of pairs", {level("L1", 1, 8, 1)}},
        {"shared", {wide, shared}},
        {"shared, of pairs", {narrow, sharedPairs}},
        {"shared, inclusive", {wide, with(shared, Inclusion::inclusive)}},
        {"shared, inclusive, of pairs", {wide, with(sharedPairs, Inclusion::inclusive)}},
        {"shared, exclusive", {narrow, with(shared, Inclusion::exclusive)}},
        {"through to shared", {writingThrough(wide, true), shared}},
        {"through to shared, no allocation", {writingThrough(wide, false), shared}},
        {"two private levels", {wide, own}},
        {"two private levels, inclusive", {wide, with(own, Inclusion::inclusive)}},
        {"two private levels, exclusive", {narrow, with(level("L2", 1, 4, 1), Inclusion::exclusive)}},
        {"two private levels and a shared one", {narrow, own, last}},
        {"two private levels in an inclusive one", {wide, own, with(last, Inclusion::inclusive)}},
        {"two private levels, paged", {wide, level("L2", 2, 4, 1)}},
        {"shared, inclusive, paged", {wide, with(shared, Inclusion::inclusive)}},
    };
    std::vector<SmallMachine> machines;
    for (const sim::Protocol protocol : {sim::Protocol::msi, sim::Protocol::mesi}) {
        for (const auto& [name, levels] : arrangements) {
            SmallMachine& small = machines.emplace_back();
            small.name = name + (protocol == sim::Protocol::msi ? ", MSI" : ", MESI");
            small.machine.name = small.name;
            small.machine.levels = levels;
            small.machine.cpus = cpus;
            small.machine.protocol = protocol;
            if (!name.ends_with("paged")) continue;
            small.machine.memory = {.size = 8, .page = 4};
            small.machine.tlb = {.entries = 1, .ways = 1, .page = 4};
        }
    }
    return machines;
}

std::vector<sim::Access> accessesOfAll(std::uint32_t cpus, std::uint64_t words) {
    std::vector<sim::Access> accesses;
    accesses.reserve(std::size_t{2} * cpus * words);
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
        for (std::uint64_t word = 0; word < words; ++word) {
            accesses.push_back(readBy(static_cast<std::uint8_t>(cpu), 4 * word));
            accesses.push_back(writeBy(static_cast<std::uint8_t>(cpu), 4 * word));
        }
    }
    return accesses;
}

}  // namespace whorl::reference
