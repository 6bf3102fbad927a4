#include "sim/reference/reference.h"

namespace whorl::reference {

Futures futureOf(const sim::MachineConfig& config, std::span<const sim::Access> accesses) {
    Futures futures;
    for (std::size_t level = 0; level < config.levels.size(); ++level) {
        if (config.levels[level].policy != sim::Policy::opt) continue;
        sim::MachineConfig stand = config;
        for (std::size_t farther = level; farther < config.levels.size(); ++farther) {
            if (stand.levels[farther].policy == sim::Policy::opt) stand.levels[farther].policy = sim::Policy::lru;
        }
        Machine machine(stand, futures);
        for (const sim::Access& access : accesses) machine.access(access);
        for (std::size_t index = 0; index < config.caches(level); ++index) {
            futures[{level, index}] = machine.cache(level, index).requests();
        }
    }
    return futures;
}

Reference::Reference(const sim::MachineConfig& config, const Futures& futures)
    : machine_(std::make_unique<Machine>(config, futures)), tally_(config), kinds_(*machine_), uses_(*machine_) {}

Reference::Reference(const sim::MachineConfig& config, std::span<const sim::Access> accesses)
    : Reference(config, futureOf(config, accesses)) {
    for (const sim::Access& access : accesses) play(access);
}

std::vector<Happening> Reference::play(const sim::Access& access) {
    std::vector<Happening> all = machine_->access(access);
    tally_.take(access, all);
    kinds_.take(access, all);
    uses_.take(access, all);
    std::erase_if(all, [](const Happening& h) { return !h.told; });
    told_.insert(told_.end(), all.begin(), all.end());
    return all;
}

}  // namespace whorl::reference
