#include "sim/reference/random_cases.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>

namespace whorl::reference {

namespace {

using sim::Inclusion;
using sim::LevelConfig;
using sim::MachineConfig;
using sim::Policy;

/// Random numbers that are the same on every system: the distributions of the standard library need not be.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t below(std::uint64_t end) { return engine_() % end; }
    std::uint32_t among(std::uint32_t from, std::uint32_t to) {
        return from + static_cast<std::uint32_t>(below(to - from + 1));
    }
    bool oneIn(std::uint64_t n) { return below(n) == 0; }
    template <class T>
    T oneOf(std::initializer_list<T> these) {
        return *(these.begin() + below(these.size()));
    }

  private:
    std::mt19937_64 engine_;
};

// --- machines
// ---------------------------------------------------------------------------------------------------------

void rollSharing(MachineConfig& machine, Dice& dice) {
    std::uint32_t nearer = 1;
    for (LevelConfig& level : machine.levels) {
        std::vector<std::uint32_t> groups;
        for (std::uint32_t group = nearer; group <= machine.cpus; group += nearer) {
            if (machine.cpus % group == 0) groups.push_back(group);
        }
        // Mostly the smallest two that fit, so that trees have several caches on several levels.
        const std::size_t few = dice.oneIn(3) ? groups.size() : std::min<std::size_t>(2, groups.size());
        nearer = groups[dice.below(few)];
        level.sharedBy = nearer;
    }
    // Sharing by all CPUs can be written as their number or as 0; levels behind the first 0 are 0 too.
    bool all = false;
    for (LevelConfig& level : machine.levels) {
        all = all || (level.sharedBy == machine.cpus && dice.oneIn(2));
        if (all) level.sharedBy = 0;
    }
}

/// Whether the requests of a level do not depend on its contents, so that OPT can look ahead.
bool optCanRule(const MachineConfig& machine, std::size_t at) {
    const auto& levels = machine.levels;
    if (!levels[at].allocate) return false;
    if (at == 0) {
        const bool isBound = std::any_of(levels.begin(), levels.end(),
                                         [](const LevelConfig& l) { return l.inclusion == Inclusion::inclusive; });
        return !isBound && levels[0].prefetch == sim::Prefetcher::none;
    }
    const bool bound =
        std::any_of(levels.begin(), levels.end(), [](const LevelConfig& l) { return l.inclusion != Inclusion::none; });
    bool fetchesAhead = false;
    bool coherent = false;
    for (std::size_t level = 0; level <= at; ++level) {
        fetchesAhead = fetchesAhead || levels[level].prefetch != sim::Prefetcher::none;
        coherent = coherent || (machine.protocol != sim::Protocol::none && machine.caches(level) > 1);
    }
    return !bound && !fetchesAhead && !coherent;
}

LevelConfig rollLevel(std::size_t number, std::uint32_t block, Dice& dice) {
    LevelConfig level;
    level.name = "L" + std::to_string(number + 1);
    level.ways = dice.oneIn(3) ? dice.among(1, 9) : dice.among(1, 4);
    level.block = block;
    const std::uint64_t sets = dice.oneIn(3) ? dice.among(1, 13) : std::uint64_t{1} << dice.below(4);
    level.size = sets * level.ways * block;
    // OPT only where it can look ahead; see optCanRule.
    std::vector<Policy> policies{Policy::lru};
    for (const sim::PolicyRow& row : sim::kPolicyRows) {
        if (row.policy != Policy::opt) policies.push_back(row.policy);
    }
    level.policy = policies[dice.below(policies.size())];
    level.seed = dice.oneIn(2) ? 1 : dice.below(std::numeric_limits<std::uint64_t>::max());
    level.writeThrough = dice.oneIn(4);
    level.allocate = !dice.oneIn(4);
    level.inclusion = number > 0 && dice.oneIn(3) ? Inclusion::inclusive : Inclusion::none;
    using sim::Prefetcher;
    if (dice.oneIn(4)) level.prefetch = dice.oneOf({Prefetcher::nextLine, Prefetcher::stride});
    level.degree = dice.among(1, 3);
    level.latency = dice.among(0, 60);
    return level;
}

/// An exclusive level takes whole blocks from a nearer write-back level.
void makeExclusive(LevelConfig& level, LevelConfig& nearer) {
    const std::uint64_t sets = level.sets();
    level.block = nearer.block;
    level.size = sets * level.ways * level.block;
    level.inclusion = Inclusion::exclusive;
    level.prefetch = sim::Prefetcher::none;
    level.writeThrough = nearer.writeThrough = false;
    level.allocate = nearer.allocate = true;
}

void rollLevels(MachineConfig& machine, Dice& dice) {
    std::uint32_t block = 1u << dice.below(6);
    const std::uint32_t levels = dice.among(1, 4);
    for (std::uint32_t number = 0; number < levels; ++number) {
        machine.levels.push_back(rollLevel(number, block, dice));
        if (number > 0 && dice.oneIn(5)) makeExclusive(machine.levels[number], machine.levels[number - 1]);
        block = machine.levels.back().block << (dice.oneIn(2) ? 0 : dice.below(3));
    }
}

/// Few frames, so that pages leave; a page may be as small as the largest block.
void rollMemory(MachineConfig& machine, Dice& dice) {
    std::uint32_t page = machine.tlb.page;
    if (machine.tlb.entries == 0) page = machine.levels.back().block << dice.below(4);
    const std::uint64_t frames = dice.oneIn(4) ? dice.among(2, 40) : dice.among(2, 6);
    machine.memory = {.size = frames * page, .page = page, .fault = dice.among(0, 5000)};
}

MachineConfig rollMachine(Dice& dice, bool sharing, bool alone) {
    MachineConfig machine;
    machine.name = "random";
    machine.cpus = alone ? 1 : dice.oneOf({1u, 2u, 2u, 3u, 4u, 4u, 6u, 8u});
    if (sharing) machine.cpus = dice.oneOf({2u, 4u, 4u, 8u});
    using sim::Protocol;
    machine.protocol = dice.oneOf({Protocol::none, Protocol::msi, Protocol::mesi, Protocol::mesi});
    if (sharing && machine.protocol == Protocol::none) machine.protocol = Protocol::msi;
    rollLevels(machine, dice);
    rollSharing(machine, dice);
    const bool looksAhead = dice.oneIn(3);
    if (looksAhead && dice.oneIn(2)) {  // a machine in which every level can
        machine.protocol = Protocol::none;
        for (LevelConfig& level : machine.levels) {
            level.inclusion = Inclusion::none;
            level.prefetch = sim::Prefetcher::none;
        }
    }
    for (std::size_t level = 0; level < machine.levels.size(); ++level) {
        if (looksAhead && dice.oneIn(2) && optCanRule(machine, level)) machine.levels[level].policy = Policy::opt;
    }
    machine.memoryLatency = dice.among(0, 300);
    machine.upgradeLatency = dice.among(0, 40);
    machine.writebackLatency = dice.oneIn(2) ? 0 : dice.among(1, 20);
    if (dice.oneIn(3)) {
        const std::uint32_t ways = dice.among(1, 4);
        machine.tlb = {.entries = ways * dice.among(1, 5), .ways = ways, .page = 64u << dice.below(5), .walk = 30};
    }
    if (dice.oneIn(4)) rollMemory(machine, dice);
    machine.conventions = {.writebackFirst = dice.oneIn(4),
                           .modifyCountsOnce = dice.oneIn(4),
                           .straddleCountsOnce = dice.oneIn(4),
                           .fullWriteFetches = !dice.oneIn(4)};
    const bool bound = std::any_of(machine.levels.begin(), machine.levels.end(),
                                   [](const LevelConfig& l) { return l.inclusion != Inclusion::none; });
    if (bound) machine.conventions.fullWriteFetches = true;
    return machine;
}

// --- traces
// -----------------------------------------------------------------------------------------------------------

/// Walks, jumps and returns of several CPUs from several source lines. Each CPU has a current address.
class Writer {
  public:
    Writer(const MachineConfig& machine, bool sharing, Dice& dice) : machine_(machine), dice_(dice) {
        range_ = std::uint64_t{1} << dice.among(5, sharing ? 8 : 12);
        // Sometimes at the end of the address space, which no block may exceed.
        base_ = dice.oneIn(8) ? std::uint64_t{0} - range_ : dice.below(4) * 1024;
        place_.resize(machine.cpus);
        step_.resize(machine.cpus, 4);
    }

    std::vector<sim::Access> write(std::size_t accesses) {
        std::vector<sim::Access> trace;
        while (trace.size() < accesses) {
            const sim::Access access = next();
            trace.push_back(access);
            if (!access.isWrite() && dice_.oneIn(5)) {
                trace.push_back(access);
                trace.back().op = sim::Op::write;
                trace.back().modify = true;
            }
        }
        trace.resize(accesses);
        return trace;
    }

  private:
    sim::Access next() {
        const auto cpu = static_cast<std::uint8_t>(dice_.below(machine_.cpus));
        std::uint64_t& place = place_[cpu];
        std::uint32_t site = 0;
        switch (dice_.below(6)) {
            case 0:  // anywhere
                place = dice_.below(range_);
                break;
            case 1:  // next, as through an array
            case 2:
                if (dice_.oneIn(8)) step_[cpu] = dice_.oneOf<std::uint64_t>({1, 4, 8, 12, 64, range_ - 4, range_ - 32});
                place = (place + step_[cpu]) % range_;
                site = 1 + cpu + 64 * (place % 2 == 0 ? 0u : 1u);
                break;
            case 3:  // a word of its own beside those of the others
                place = (std::uint64_t{cpu} * 4) % range_;
                break;
            case 4:  // at another's address
                place = place_[dice_.below(machine_.cpus)];
                break;
            default:  // the same again
                break;
        }
        sim::Access access;
        const std::uint32_t most = dice_.oneIn(6) ? 40 : dice_.oneIn(2) ? 8 : 4;
        access.size = dice_.among(1, most);
        access.size = std::min(access.size, static_cast<std::uint32_t>(range_));
        access.address = sim::ByteAddress{base_ + std::min(place, range_ - access.size)};
        access.op = dice_.oneIn(3) ? sim::Op::write : sim::Op::read;
        access.cpu = cpu;
        access.site = sim::SiteId{site};
        // Some tools record such writes without the read before them.
        access.modify = access.isWrite() && dice_.oneIn(10);
        return access;
    }

    const MachineConfig& machine_;
    Dice& dice_;
    std::uint64_t range_;  ///< bytes
    std::uint64_t base_;
    std::vector<std::uint64_t> place_;  ///< bytes from the base, by CPU
    std::vector<std::uint64_t> step_;   ///< bytes, by CPU
};

}  // namespace

Case randomCase(std::uint64_t seed, std::size_t accesses) {
    Dice dice(seed);
    const bool sharing = dice.oneIn(4);
    const bool alone = !sharing && dice.oneIn(3);
    for (;;) {
        const auto machine = sim::checked(rollMachine(dice, sharing, alone), "");
        if (machine) return {.machine = *machine, .trace = Writer(*machine, sharing, dice).write(accesses)};
    }
}

Case uncachedCase(std::uint64_t seed, std::size_t accesses) {
    Case random = randomCase(seed, accesses);
    random.machine.levels.clear();
    sim::MemoryConfig& memory = random.machine.memory;
    if (memory.isBounded() && memory.page < 8) memory = {.size = 8 * memory.frames(), .page = 8, .fault = memory.fault};
    return random;
}

}  // namespace whorl::reference
