#include "sim/reference/examples.h"

namespace whorl::reference {

namespace {

// What a read of a block does in a machine of one level: it hits, fills a free way, or evicts another block.
std::string there(int block) {
    return "hit L0.0 block " + std::to_string(block) + " read demand\n";
}
std::string asked(int block) {
    return "miss L0.0 block " + std::to_string(block) + " read demand\nmemory read block " + std::to_string(block) +
           " demand\n";
}
std::string comes(int block) {
    return asked(block) + "fill L0.0 block " + std::to_string(block) + "\n";
}
std::string comesFor(int block, int victim) {
    return asked(block) + "eviction L0.0 block " + std::to_string(victim) + " clean\nfill L0.0 block " +
           std::to_string(block) + "\n";
}

/// Blocks of one word of 4 bytes.
sim::MachineConfig words(std::uint32_t blocks, std::uint32_t ways, sim::Policy policy = sim::Policy::lru) {
    sim::MachineConfig machine;
    machine.levels = {{.name = "L1", .size = std::uint64_t{4} * blocks, .ways = ways, .block = 4}};
    machine.levels[0].policy = policy;
    return machine;
}

std::vector<sim::Access> readsOf(const std::vector<std::uint64_t>& blocks) {
    std::vector<sim::Access> accesses;
    accesses.reserve(blocks.size());
    for (const std::uint64_t block : blocks) accesses.push_back(readBy(0, 4 * block));
    return accesses;
}

// Patterson and Hennessy, "Computer Organization and Design", chapter 5.
std::vector<Example> pattersonAndHennessy() {
    const std::vector<std::uint64_t> five = {0, 8, 0, 6, 8};
    return {
        {.name = "eight direct-mapped words",
         .machine = words(8, 1),
         .accesses = readsOf({22, 26, 22, 26, 16, 3, 16, 18, 16}),
         .lines = linesIn(comes(22) + comes(26) + there(22) + there(26) + comes(16) + comes(3) + there(16) +
                          comesFor(18, 26) + there(16))},
        {.name = "five references, direct-mapped: five misses",
         .machine = words(4, 1),
         .accesses = readsOf(five),
         .lines = linesIn(comes(0) + comesFor(8, 0) + comesFor(0, 8) + comes(6) + comesFor(8, 0)),
         .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 1 L0.0 block 8 compulsory", "tick 2 L0.0 block 0 conflict",
                   "tick 3 L0.0 block 6 compulsory", "tick 4 L0.0 block 8 conflict"}},
        {.name = "five references, two ways: four misses",
         .machine = words(4, 2),
         .accesses = readsOf(five),
         .lines = linesIn(comes(0) + comes(8) + there(0) + comesFor(6, 8) + comesFor(8, 0))},
        {.name = "five references, fully associative: three misses",
         .machine = words(4, 4),
         .accesses = readsOf(five),
         .lines = linesIn(comes(0) + comes(8) + there(0) + comes(6) + there(8))},
    };
}

std::vector<Example> policies() {
    using sim::Policy;
    std::vector<Example> all = {
        // FIFO evicts block 0 although it was just used; LRU evicts block 1.
        {.name = "fifo ignores hits",
         .machine = words(2, 2, Policy::fifo),
         .accesses = readsOf({0, 1, 0, 2, 0}),
         .lines = linesIn(comes(0) + comes(1) + there(0) + comesFor(2, 0) + comesFor(0, 1))},
        {.name = "lru does not",
         .machine = words(2, 2, Policy::lru),
         .accesses = readsOf({0, 1, 0, 2, 0}),
         .lines = linesIn(comes(0) + comes(1) + there(0) + comesFor(2, 1) + there(0))},
        // A loop one block too long: LRU would always miss.
        {.name = "mru keeps most of a loop",
         .machine = words(3, 3, Policy::mru),
         .accesses = readsOf({0, 1, 2, 3, 0, 1, 2, 3}),
         .lines = linesIn(comes(0) + comes(1) + comes(2) + comesFor(3, 2) + there(0) + there(1) + comesFor(2, 1) +
                          there(3))},
        // Ways 0 to 3 hold 0 to 3 and the bits say 0. The hit turns the root to the right and its left child to way 1.
        {.name = "the tree's victims after a hit",
         .machine = words(4, 4, Policy::treePlru),
         .accesses = readsOf({0, 1, 2, 3, 0, 4, 5, 6, 7}),
         .lines = linesIn(comes(0) + comes(1) + comes(2) + comes(3) + there(0) + comesFor(4, 2) + comesFor(5, 1) +
                          comesFor(6, 3) + comesFor(7, 0))},
        // Three ways: 0 and 1 on the left, 2 on the right. The right one is evicted every other time.
        {.name = "a tree of three ways",
         .machine = words(3, 3, Policy::treePlru),
         .accesses = readsOf({0, 1, 2, 3, 4, 5, 6}),
         .lines = linesIn(comes(0) + comes(1) + comes(2) + comesFor(3, 0) + comesFor(4, 2) + comesFor(5, 1) +
                          comesFor(6, 4))},
        // Jaleel et al. (ISCA 2010), figure 3: a scan (here 4 to 7) does not evict what was used twice (0 and 1).
        {.name = "srrip stands a scan",
         .machine = words(4, 4, Policy::srrip),
         .accesses = readsOf({0, 1, 1, 0, 4, 5, 6, 7, 0, 1}),
         .lines = linesIn(comes(0) + comes(1) + there(1) + there(0) + comes(4) + comes(5) + comesFor(6, 4) +
                          comesFor(7, 5) + there(0) + there(1))},
        // At 4, block 1 is requested latest; at 5, block 2; at 6 none is requested again: the lowest way.
        {.name = "opt looks ahead",
         .machine = words(3, 3, Policy::opt),
         .accesses = readsOf({0, 1, 2, 4, 0, 2, 4, 5, 0, 4, 6}),
         .lines = linesIn(comes(0) + comes(1) + comes(2) + comesFor(4, 1) + there(0) + there(2) + there(4) +
                          comesFor(5, 2) + there(0) + there(4) + comesFor(6, 0))},
        // The known first numbers of splitmix64 from 1234567 are, modulo 4: 1, 1, 3, 3, 1.
        {.name = "random draws from its seed",
         .machine = words(4, 4, Policy::random),
         .accesses = readsOf({0, 1, 2, 3, 4, 5, 6, 7, 8}),
         .lines = linesIn(comes(0) + comes(1) + comes(2) + comes(3) + comesFor(4, 1) + comesFor(5, 4) + comesFor(6, 3) +
                          comesFor(7, 6) + comesFor(8, 5))},
    };
    all.back().machine.levels[0].seed = 1234567;
    return all;
}

std::vector<Example> others() {
    std::vector<Example> all = {
        {.name = "a loop that is too long: capacity",
         .machine = words(2, 2),
         .accesses = readsOf({0, 1, 2, 0}),
         .lines = linesIn(comes(0) + comes(1) + comesFor(2, 0) + comesFor(0, 1)),
         .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 1 L0.0 block 1 compulsory", "tick 2 L0.0 block 2 compulsory",
                   "tick 3 L0.0 block 0 capacity"}},
        {.name = "an access of several blocks touches each",
         .machine = words(4, 4),
         .accesses = {readBy(0, 6, 7)},
         .lines = linesIn(comes(1) + comes(2) + comes(3))},
    };
    Example stride = {.name = "a stride is followed when it was seen twice",
                      .machine = words(8, 8),
                      .accesses = readsOf({0, 2, 4, 6, 8}),
                      .lines = linesIn(comes(0) + comes(2) + comes(4) + comes(6) + R"(
                          prefetch L0.0 block 8
                          memory read block 8
                          fill L0.0 block 8
                          prefetch L0.0 block 10
                          memory read block 10
                          fill L0.0 block 10
                          hit L0.0 block 8 read demand
                          prefetch L0.0 block 12
                          memory read block 12
                          fill L0.0 block 12)")};
    stride.machine.levels[0].prefetch = sim::Prefetcher::stride;
    stride.machine.levels[0].degree = 2;
    for (sim::Access& access : stride.accesses) access.site = sim::SiteId{1};
    all.push_back(stride);
    return all;
}

}  // namespace

std::vector<Example> examplesOfOneLevel() {
    std::vector<Example> all = pattersonAndHennessy();
    for (const auto& more : {policies(), others()}) all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace whorl::reference
