#include "sim/reference/examples.h"

namespace whorl::reference {

namespace {

/// CPUs with a private cache each, of `ways` blocks in one set, and no other level.
sim::MachineConfig privateLevel(std::uint32_t cpus, std::uint32_t ways, std::uint32_t block, sim::Protocol protocol) {
    sim::MachineConfig machine;
    machine.cpus = cpus;
    machine.protocol = protocol;
    machine.levels = {{.name = "L1", .size = std::uint64_t{ways} * block, .ways = ways, .block = block, .sharedBy = 1}};
    return machine;
}

/// The same with a shared level of four blocks.
sim::MachineConfig privateAndShared(std::uint32_t cpus, std::uint32_t ways, std::uint32_t block,
                                    sim::Protocol protocol) {
    sim::MachineConfig machine = privateLevel(cpus, ways, block, protocol);
    machine.levels.push_back(
        {.name = "L2", .size = std::uint64_t{4} * block, .ways = 4, .block = block, .sharedBy = 0});
    return machine;
}

Example mesi() {
    Example e = {
        .name = "MESI, two CPUs",
        .machine = privateAndShared(2, 2, 4, sim::Protocol::mesi),
        .accesses = {readBy(0, 0), writeBy(0, 0), readBy(1, 0), writeBy(1, 0), readBy(0, 0), writeBy(1, 0),
                     writeBy(0, 0)},
        .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     hit L0.0 block 0 write demand
                     miss L0.1 block 0 read demand
                     writeback L0.0 block 0
                     hit L1.0 block 0 write
                     downgrade L0.0 block 0 dirty
                     hit L1.0 block 0 read demand
                     fill L0.1 block 0
                     hit L0.1 block 0 write demand
                     upgrade L0.1 block 0 demand
                     invalidation L0.0 block 0 clean coherence
                     miss L0.0 block 0 read demand
                     writeback L0.1 block 0
                     hit L1.0 block 0 write
                     downgrade L0.1 block 0 dirty
                     hit L1.0 block 0 read demand
                     fill L0.0 block 0
                     hit L0.1 block 0 write demand
                     upgrade L0.1 block 0 demand
                     invalidation L0.0 block 0 clean coherence
                     miss L0.0 block 0 write demand
                     writeback L0.1 block 0
                     hit L1.0 block 0 write
                     invalidation L0.1 block 0 dirty coherence
                     hit L1.0 block 0 read demand
                     fill L0.0 block 0)"),
        .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 0 L1.0 block 0 compulsory", "tick 2 L0.1 block 0 compulsory",
                  "tick 4 L0.0 block 0 true sharing", "tick 6 L0.0 block 0 true sharing"},
        .clocks = {4 * 1 + 3 * 10 + 100, 3 * 1 + 10 + 2 * 20}};
    e.machine.levels[0].latency = 1;
    e.machine.levels[1].latency = 10;
    e.machine.memoryLatency = 100;
    e.machine.upgradeLatency = 20;
    return e;
}

/// Without a state for an exclusive clean copy even the first write of a block that was read needs an upgrade.
Example msi() {
    return {.name = "MSI asks before it writes to what it read",
            .machine = privateAndShared(2, 2, 4, sim::Protocol::msi),
            .accesses = {readBy(0, 0), writeBy(0, 0), writeBy(0, 0)},
            .lines = linesIn(R"(
                miss L0.0 block 0 read demand
                miss L1.0 block 0 read demand
                memory read block 0 demand
                fill L1.0 block 0
                fill L0.0 block 0
                hit L0.0 block 0 write demand
                upgrade L0.0 block 0 demand
                hit L0.0 block 0 write demand)")};
}

Example noProtocol() {
    return {.name = "without a protocol nobody hears of another's writes",
            .machine = privateAndShared(2, 2, 4, sim::Protocol::none),
            .accesses = {readBy(0, 0), readBy(1, 0), writeBy(0, 0), readBy(1, 0)},
            .lines = linesIn(R"(
                miss L0.0 block 0 read demand
                miss L1.0 block 0 read demand
                memory read block 0 demand
                fill L1.0 block 0
                fill L0.0 block 0
                miss L0.1 block 0 read demand
                hit L1.0 block 0 read demand
                fill L0.1 block 0
                hit L0.0 block 0 write demand
                hit L0.1 block 0 read demand)")};
}

/// Two CPUs write to their own words in one block. Finally one reads the other's.
Example falseSharing() {
    return {.name = "false sharing",
            .machine = privateLevel(2, 1, 8, sim::Protocol::mesi),
            .accesses = {writeBy(0, 0), writeBy(1, 4), writeBy(0, 0), writeBy(1, 4), readBy(0, 4)},
            .lines = linesIn(R"(
                miss L0.0 block 0 write demand
                memory read block 0 demand
                fill L0.0 block 0
                miss L0.1 block 0 write demand
                writeback L0.0 block 0
                memory write block 0
                invalidation L0.0 block 0 dirty coherence
                memory read block 0 demand
                fill L0.1 block 0
                miss L0.0 block 0 write demand
                writeback L0.1 block 0
                memory write block 0
                invalidation L0.1 block 0 dirty coherence
                memory read block 0 demand
                fill L0.0 block 0
                miss L0.1 block 0 write demand
                writeback L0.0 block 0
                memory write block 0
                invalidation L0.0 block 0 dirty coherence
                memory read block 0 demand
                fill L0.1 block 0
                miss L0.0 block 0 read demand
                writeback L0.1 block 0
                memory write block 0
                downgrade L0.1 block 0 dirty
                memory read block 0 demand
                fill L0.0 block 0)"),
            .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 1 L0.1 block 0 compulsory",
                      "tick 2 L0.0 block 0 false sharing", "tick 3 L0.1 block 0 false sharing",
                      "tick 4 L0.0 block 0 true sharing"}};
}

/// Hennessy and Patterson, "Computer Architecture", chapter on thread-level parallelism: z1 and z2 lie in one block
/// that both CPUs have read. P1 writes z1, P2 reads z2, P1 writes z1, P2 writes z2, P1 reads z2.
Example hennessyAndPatterson() {
    return {.name = "true and false sharing of z1 and z2",
            .machine = privateLevel(2, 1, 8, sim::Protocol::mesi),
            .accesses = {readBy(0, 0), readBy(1, 0), writeBy(0, 0), readBy(1, 4), writeBy(0, 0), writeBy(1, 4),
                         readBy(0, 4)},
            .lines = linesIn(R"(
                miss L0.0 block 0 read demand
                memory read block 0 demand
                fill L0.0 block 0
                miss L0.1 block 0 read demand
                downgrade L0.0 block 0 clean
                memory read block 0 demand
                fill L0.1 block 0
                hit L0.0 block 0 write demand
                upgrade L0.0 block 0 demand
                invalidation L0.1 block 0 clean coherence
                miss L0.1 block 0 read demand
                writeback L0.0 block 0
                memory write block 0
                downgrade L0.0 block 0 dirty
                memory read block 0 demand
                fill L0.1 block 0
                hit L0.0 block 0 write demand
                upgrade L0.0 block 0 demand
                invalidation L0.1 block 0 clean coherence
                miss L0.1 block 0 write demand
                writeback L0.0 block 0
                memory write block 0
                invalidation L0.0 block 0 dirty coherence
                memory read block 0 demand
                fill L0.1 block 0
                miss L0.0 block 0 read demand
                writeback L0.1 block 0
                memory write block 0
                downgrade L0.1 block 0 dirty
                memory read block 0 demand
                fill L0.0 block 0)"),
            .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 1 L0.1 block 0 compulsory",
                      "tick 3 L0.1 block 0 false sharing", "tick 5 L0.1 block 0 false sharing",
                      "tick 6 L0.0 block 0 true sharing"}};
}

/// CPU 0 reads a word that the other wrote before CPU 0's first miss, which fetched it already: the block is
/// invalidated by the write to yet another word.
Example broughtBefore() {
    return {.name = "what an earlier miss has brought makes no true sharing",
            .machine = privateLevel(2, 1, 16, sim::Protocol::mesi),
            .accesses = {writeBy(1, 4), readBy(0, 0), writeBy(1, 8), readBy(0, 4)},
            .lines = linesIn(R"(
                miss L0.1 block 0 write demand
                memory read block 0 demand
                fill L0.1 block 0
                miss L0.0 block 0 read demand
                writeback L0.1 block 0
                memory write block 0
                downgrade L0.1 block 0 dirty
                memory read block 0 demand
                fill L0.0 block 0
                hit L0.1 block 0 write demand
                upgrade L0.1 block 0 demand
                invalidation L0.0 block 0 clean coherence
                miss L0.0 block 0 read demand
                writeback L0.1 block 0
                memory write block 0
                downgrade L0.1 block 0 dirty
                memory read block 0 demand
                fill L0.0 block 0)"),
            .kinds = {"tick 0 L0.1 block 0 compulsory", "tick 1 L0.0 block 0 compulsory",
                      "tick 3 L0.0 block 0 false sharing"}};
}

/// The same, but while the block is resident the other word is read too.
Example usedLater() {
    Example e = broughtBefore();
    e.name = "a use while the block stays makes it true sharing";
    e.accesses.push_back(readBy(0, 8));
    e.lines.emplace_back("hit L0.0 block 0 read demand");
    e.kinds.back() = "tick 3 L0.0 block 0 true sharing";
    return e;
}

/// Two sets of one way. Block 1 is invalidated, so that a fully associative cache would have had room for 0 and 2.
Example roomByInvalidation() {
    Example e = {
        .name = "an invalidation makes room",
        .machine = privateLevel(2, 2, 4, sim::Protocol::mesi),
        .accesses = {readBy(0, 0), readBy(0, 4), writeBy(1, 4), readBy(0, 8), readBy(0, 0)},
        .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     memory read block 0 demand
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     memory read block 1 demand
                     fill L0.0 block 1
                     miss L0.1 block 1 write demand
                     invalidation L0.0 block 1 clean coherence
                     memory read block 1 demand
                     fill L0.1 block 1
                     miss L0.0 block 2 read demand
                     memory read block 2 demand
                     eviction L0.0 block 0 clean
                     fill L0.0 block 2
                     miss L0.0 block 0 read demand
                     memory read block 0 demand
                     eviction L0.0 block 2 clean
                     fill L0.0 block 0)"),
        .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 1 L0.0 block 1 compulsory", "tick 2 L0.1 block 1 compulsory",
                  "tick 3 L0.0 block 2 compulsory", "tick 4 L0.0 block 0 conflict"}};
    e.machine.levels[0].ways = 1;
    return e;
}

/// Two clusters of two CPUs: blocks of 32 bytes behind blocks of 64. Within a cluster two CPUs can write to the halves
/// of one block; between clusters the whole block is transferred.
Example clusters() {
    Example e = {
        .name = "clusters with larger blocks",
        .machine = privateLevel(4, 2, 32, sim::Protocol::mesi),
        .accesses = {readBy(0, 0), readBy(1, 32), writeBy(1, 32), writeBy(2, 0), readBy(1, 32), writeBy(1, 32)},
        .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     miss L0.1 block 1 read demand
                     hit L1.0 block 0 read demand
                     fill L0.1 block 1
                     hit L0.1 block 1 write demand
                     miss L0.2 block 0 write demand
                     miss L1.1 block 0 read demand
                     invalidation L0.0 block 0 clean coherence
                     writeback L0.1 block 1
                     hit L1.0 block 0 write
                     invalidation L0.1 block 1 dirty coherence
                     writeback L1.0 block 0
                     memory write block 0
                     invalidation L1.0 block 0 dirty coherence
                     memory read block 0 demand
                     fill L1.1 block 0
                     fill L0.2 block 0
                     miss L0.1 block 1 read demand
                     miss L1.0 block 0 read demand
                     writeback L0.2 block 0
                     hit L1.1 block 0 write
                     downgrade L0.2 block 0 dirty
                     writeback L1.1 block 0
                     memory write block 0
                     downgrade L1.1 block 0 dirty
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.1 block 1
                     hit L0.1 block 1 write demand
                     upgrade L0.1 block 1 demand
                     upgrade L1.0 block 0 demand
                     invalidation L0.2 block 0 clean coherence
                     invalidation L1.1 block 0 clean coherence)"),
        .kinds = {"tick 0 L0.0 block 0 compulsory", "tick 0 L1.0 block 0 compulsory", "tick 1 L0.1 block 1 compulsory",
                  "tick 3 L0.2 block 0 compulsory", "tick 3 L1.1 block 0 compulsory",
                  "tick 4 L0.1 block 1 false sharing", "tick 4 L1.0 block 0 false sharing"}};
    e.machine.levels.push_back({.name = "L2", .size = 128, .ways = 2, .block = 64, .sharedBy = 2});
    return e;
}

}  // namespace

std::vector<Example> examplesOfSharing() {
    return {mesi(),          msi(),       noProtocol(),         falseSharing(), hennessyAndPatterson(),
            broughtBefore(), usedLater(), roomByInvalidation(), clusters()};
}

}  // namespace whorl::reference
