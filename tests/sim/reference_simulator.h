// The slow, obvious simulator: written from the definitions with maps and lists, sharing no code with the fast one.
// What it says is what the convention means.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

namespace whorl::reference {

struct Level {
    std::uint64_t sets;
    std::uint64_t ways;
    std::uint64_t block;

    std::uint64_t readHits = 0, writeHits = 0, readMisses = 0, writeMisses = 0, evictions = 0, writebacks = 0;

    struct Held {
        std::uint64_t block;
        bool dirty;
    };
    /// For each set the blocks it holds, the most recently used first.
    std::map<std::uint64_t, std::list<Held>> contents;
};

class Simulator {
  public:
    explicit Simulator(std::vector<Level> fromTheCpuOutward) : levels(std::move(fromTheCpuOutward)) {}

    std::vector<Level> levels;
    std::uint64_t reads = 0, writes = 0, memoryReads = 0, memoryWrites = 0;
    /// Everything that happens, a line an event: "miss L0 block 12 read".
    std::vector<std::string> log;

    /// One access of the program.
    void access(std::uint64_t address, std::uint64_t size, bool write) {
        (write ? writes : reads) += 1;
        std::uint64_t previous = ~std::uint64_t{0};
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t block = (address + i) / levels[0].block;
            if (i != 0 && block == previous) continue;
            previous = block;
            request(0, block * levels[0].block, write);
        }
    }

  private:
    /// A level is asked for, or given, the block at an address; behind the last level lies memory.
    void request(std::size_t number, std::uint64_t address, bool write) {
        if (number == levels.size()) {
            (write ? memoryWrites : memoryReads) += 1;
            return;
        }
        Level& level = levels[number];
        const std::uint64_t block = address / level.block;
        auto& set = level.contents[block % level.sets];
        for (auto held = set.begin(); held != set.end(); ++held) {
            if (held->block != block) continue;
            (write ? level.writeHits : level.readHits) += 1;
            tell("hit", number, block, write ? "write" : "read");
            Level::Held moved = *held;
            set.erase(held);
            moved.dirty = moved.dirty || write;
            set.push_front(moved);
            return;
        }
        (write ? level.writeMisses : level.readMisses) += 1;
        tell("miss", number, block, write ? "write" : "read");
        request(number + 1, block * level.block, false);
        if (set.size() == level.ways) {
            const Level::Held victim = set.back();
            set.pop_back();
            level.evictions += 1;
            tell("eviction", number, victim.block, victim.dirty ? "dirty" : "clean");
            if (victim.dirty) {
                level.writebacks += 1;
                tell("writeback", number, victim.block, "");
                request(number + 1, victim.block * level.block, true);
            }
        }
        tell("fill", number, block, "");
        set.push_front({block, write});
    }

    void tell(const std::string& what, std::size_t level, std::uint64_t block, const std::string& how) {
        log.push_back(what + " L" + std::to_string(level) + " block " + std::to_string(block) + " " + how);
    }
};

}  // namespace whorl::reference
