#include "sim/reference/examples.h"

namespace whorl::reference {

namespace {

/// Two levels of one set each, with blocks of one word of 4 bytes.
sim::MachineConfig twoLevels(std::uint32_t nearWays, std::uint32_t farWays) {
    sim::MachineConfig machine;
    machine.levels = {{.name = "L1", .size = std::uint64_t{4} * nearWays, .ways = nearWays, .block = 4},
                      {.name = "L2", .size = std::uint64_t{4} * farWays, .ways = farWays, .block = 4}};
    return machine;
}

Example writeBack() {
    Example e = {.name = "a written block goes outward when it leaves",
                 .machine = twoLevels(2, 4),
                 .accesses = {writeBy(0, 0), readBy(0, 4), readBy(0, 0), readBy(0, 8), readBy(0, 4)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 write demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     fill L1.0 block 1
                     fill L0.0 block 1
                     hit L0.0 block 0 read demand
                     miss L0.0 block 2 read demand
                     miss L1.0 block 2 read demand
                     memory read block 2 demand
                     fill L1.0 block 2
                     eviction L0.0 block 1 clean
                     fill L0.0 block 2
                     miss L0.0 block 1 read demand
                     hit L1.0 block 1 read demand
                     eviction L0.0 block 0 dirty
                     writeback L0.0 block 0
                     hit L1.0 block 0 write
                     fill L0.0 block 1)"),
                 .clocks = {5 * 2 + 4 * 10 + 3 * 100 + 7}};
    e.machine.levels[0].latency = 2;
    e.machine.levels[1].latency = 10;
    e.machine.memoryLatency = 100;
    e.machine.writebackLatency = 7;
    return e;
}

Example writebackFirst() {
    Example e = {.name = "by convention the victim leaves before the next level is asked",
                 .machine = twoLevels(1, 1),
                 .accesses = {writeBy(0, 0), readBy(0, 4)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 write demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     eviction L0.0 block 0 dirty
                     writeback L0.0 block 0
                     hit L1.0 block 0 write
                     miss L1.0 block 1 read demand
                     eviction L1.0 block 0 dirty
                     writeback L1.0 block 0
                     memory write block 0
                     memory read block 1 demand
                     fill L1.0 block 1
                     fill L0.0 block 1)")};
    e.machine.conventions.writebackFirst = true;
    return e;
}

/// The same otherwise: the write-back finds its block evicted and fills it again, and so evicts what was requested.
Example writebackLast() {
    return {.name = "the next level is asked before the victim leaves",
            .machine = twoLevels(1, 1),
            .accesses = {writeBy(0, 0), readBy(0, 4)},
            .lines = linesIn(R"(
                miss L0.0 block 0 write demand
                miss L1.0 block 0 read demand
                memory read block 0 demand
                fill L1.0 block 0
                fill L0.0 block 0
                miss L0.0 block 1 read demand
                miss L1.0 block 1 read demand
                memory read block 1 demand
                eviction L1.0 block 0 clean
                fill L1.0 block 1
                eviction L0.0 block 0 dirty
                writeback L0.0 block 0
                miss L1.0 block 0 write
                memory read block 0
                eviction L1.0 block 1 clean
                fill L1.0 block 0
                fill L0.0 block 1)")};
}

Example writeThrough() {
    Example e = {.name = "write-through, and no block for a write that misses",
                 .machine = twoLevels(1, 4),
                 .accesses = {writeBy(0, 0), readBy(0, 0), writeBy(0, 0), readBy(0, 4)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 write demand
                     writeThrough L0.0 block 0 4 bytes
                     miss L1.0 block 0 write
                     memory read block 0
                     fill L1.0 block 0
                     miss L0.0 block 0 read demand
                     hit L1.0 block 0 read demand
                     fill L0.0 block 0
                     hit L0.0 block 0 write demand
                     writeThrough L0.0 block 0 4 bytes
                     hit L1.0 block 0 write
                     miss L0.0 block 1 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     fill L1.0 block 1
                     eviction L0.0 block 0 clean
                     fill L0.0 block 1)")};
    e.machine.levels[0].writeThrough = true;
    e.machine.levels[0].allocate = false;
    return e;
}

/// Jouppi (ISCA 1990): the second level holds what the first evicted, and returns it on request.
Example victimLevel() {
    Example e = {.name = "an exclusive level takes victims",
                 .machine = twoLevels(2, 2),
                 .accesses = {readBy(0, 0), readBy(0, 4), readBy(0, 8), writeBy(0, 0), readBy(0, 12), readBy(0, 16),
                              readBy(0, 4), readBy(0, 8)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     fill L0.0 block 1
                     miss L0.0 block 2 read demand
                     miss L1.0 block 2 read demand
                     memory read block 2 demand
                     eviction L0.0 block 0 clean
                     fill L1.0 block 0
                     fill L0.0 block 2
                     miss L0.0 block 0 write demand
                     hit L1.0 block 0 read demand
                     moved L1.0 block 0
                     eviction L0.0 block 1 clean
                     fill L1.0 block 1
                     fill L0.0 block 0
                     miss L0.0 block 3 read demand
                     miss L1.0 block 3 read demand
                     memory read block 3 demand
                     eviction L0.0 block 2 clean
                     fill L1.0 block 2
                     fill L0.0 block 3
                     miss L0.0 block 4 read demand
                     miss L1.0 block 4 read demand
                     memory read block 4 demand
                     eviction L0.0 block 0 dirty
                     writeback L0.0 block 0
                     eviction L1.0 block 1 clean
                     fill L1.0 block 0
                     fill L0.0 block 4
                     miss L0.0 block 1 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     eviction L0.0 block 3 clean
                     eviction L1.0 block 2 clean
                     fill L1.0 block 3
                     fill L0.0 block 1
                     miss L0.0 block 2 read demand
                     miss L1.0 block 2 read demand
                     memory read block 2 demand
                     eviction L0.0 block 4 clean
                     eviction L1.0 block 0 dirty
                     writeback L1.0 block 0
                     memory write block 0
                     fill L1.0 block 4
                     fill L0.0 block 2)")};
    e.machine.levels[1].inclusion = sim::Inclusion::exclusive;
    return e;
}

/// The second level does not see that block 0 is used again and again, and invalidates it in the first.
Example inclusiveLevel() {
    Example e = {.name = "an inclusive level takes back what it gives up",
                 .machine = twoLevels(2, 2),
                 .accesses = {writeBy(0, 0), readBy(0, 4), readBy(0, 0), readBy(0, 8)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 write demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     fill L1.0 block 1
                     fill L0.0 block 1
                     hit L0.0 block 0 read demand
                     miss L0.0 block 2 read demand
                     miss L1.0 block 2 read demand
                     memory read block 2 demand
                     invalidation L0.0 block 0 dirty inclusion
                     eviction L1.0 block 0 dirty
                     writeback L1.0 block 0
                     memory write block 0
                     fill L1.0 block 2
                     fill L0.0 block 2)")};
    e.machine.levels[1].inclusion = sim::Inclusion::inclusive;
    return e;
}

/// Blocks of 4 bytes before one of 8: both halves are invalidated with the whole.
Example inclusiveLargerBlocks() {
    Example e = {.name = "an inclusive level with larger blocks",
                 .machine = twoLevels(4, 1),
                 .accesses = {readBy(0, 0), writeBy(0, 4), readBy(0, 8)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     miss L0.0 block 1 write demand
                     hit L1.0 block 0 read demand
                     fill L0.0 block 1
                     miss L0.0 block 2 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     invalidation L0.0 block 0 clean inclusion
                     invalidation L0.0 block 1 dirty inclusion
                     eviction L1.0 block 0 dirty
                     writeback L1.0 block 0
                     memory write block 0
                     fill L1.0 block 1
                     fill L0.0 block 2)")};
    e.machine.levels[1] = {.name = "L2", .size = 8, .ways = 1, .block = 8};
    e.machine.levels[1].inclusion = sim::Inclusion::inclusive;
    return e;
}

/// The next block comes from the second level, whose larger block contains it already; a hit prefetches nothing.
Example nextLine() {
    Example e = {.name = "a miss brings the next block too",
                 .machine = twoLevels(4, 1),
                 .accesses = {readBy(0, 0), readBy(0, 4), readBy(0, 8)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     miss L1.0 block 0 read demand
                     memory read block 0 demand
                     fill L1.0 block 0
                     fill L0.0 block 0
                     prefetch L0.0 block 1
                     hit L1.0 block 0 read
                     fill L0.0 block 1
                     hit L0.0 block 1 read demand
                     miss L0.0 block 2 read demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     eviction L1.0 block 0 clean
                     fill L1.0 block 1
                     fill L0.0 block 2
                     prefetch L0.0 block 3
                     hit L1.0 block 1 read
                     fill L0.0 block 3)")};
    e.machine.levels[1] = {.name = "L2", .size = 8, .ways = 1, .block = 8};
    e.machine.levels[0].prefetch = sim::Prefetcher::nextLine;
    return e;
}

/// Two translations of pages of 16 bytes. The last access spans two pages: both are looked up before its blocks.
Example translations() {
    Example e = {.name = "translations of pages",
                 .machine = twoLevels(4, 4),
                 .accesses = {readBy(0, 0), readBy(0, 16), readBy(0, 0), readBy(0, 32), readBy(0, 14)},
                 .lines = linesIn(R"(
                     tlbMiss cpu 0 page 0
                     miss L0.0 block 0 read demand
                     memory read block 0 demand
                     fill L0.0 block 0
                     tlbMiss cpu 0 page 1
                     miss L0.0 block 4 read demand
                     memory read block 4 demand
                     fill L0.0 block 4
                     hit L0.0 block 0 read demand
                     tlbMiss cpu 0 page 2
                     miss L0.0 block 8 read demand
                     memory read block 8 demand
                     fill L0.0 block 8
                     tlbMiss cpu 0 page 1
                     miss L0.0 block 3 read demand
                     memory read block 3 demand
                     fill L0.0 block 3
                     hit L0.0 block 4 read demand)"),
                 .clocks = {4 * 30 + 6 * 1 + 4 * 50}};
    e.machine.levels.pop_back();
    e.machine.levels[0].latency = 1;
    e.machine.memoryLatency = 50;
    e.machine.tlb = {.entries = 2, .ways = 2, .page = 16, .walk = 30};
    return e;
}

/// No cache: every word of 8 bytes that an access touches is a request of memory, each time.
Example noCache() {
    Example e = {.name = "no cache",
                 .machine = twoLevels(1, 1),
                 .accesses = {readBy(0, 0), readBy(0, 4), writeBy(0, 4, 8), readBy(0, 0)},
                 .lines = linesIn(R"(memory read block 0 demand
                     memory read block 0 demand
                     memory write block 0 demand
                     memory write block 1 demand
                     memory read block 0 demand)"),
                 .clocks = {5 * 50}};
    e.machine.levels.clear();
    e.machine.memoryLatency = 50;
    return e;
}

/// Memory of two pages of 16 bytes. The third page takes the frame of the first, whose dirty block is in both levels;
/// it is written once. The fourth access touches the first and the second: the third leaves, although the second was
/// used longer ago. The last one finds that its block left with its page.
Example pagesOut() {
    Example e = {.name = "pages that leave memory",
                 .machine = twoLevels(2, 4),
                 .accesses = {writeBy(0, 4), readBy(0, 16), readBy(0, 32), readBy(0, 14), readBy(0, 32)},
                 .lines = linesIn(R"(
                     pageFault cpu 0 page 0 frame 0
                     miss L0.0 block 1 write demand
                     miss L1.0 block 1 read demand
                     memory read block 1 demand
                     fill L1.0 block 1
                     fill L0.0 block 1
                     pageFault cpu 0 page 1 frame 1
                     miss L0.0 block 4 read demand
                     miss L1.0 block 4 read demand
                     memory read block 4 demand
                     fill L1.0 block 4
                     fill L0.0 block 4
                     pageFault cpu 0 page 2 frame 0
                     pageOut cpu 0 page 0 frame 0 dirty
                     writeback L0.0 block 1
                     invalidation L0.0 block 1 dirty paging
                     invalidation L1.0 block 1 clean paging
                     memory write block 1
                     miss L0.0 block 8 read demand
                     miss L1.0 block 8 read demand
                     memory read block 8 demand
                     fill L1.0 block 8
                     fill L0.0 block 8
                     pageFault cpu 0 page 0 frame 0
                     pageOut cpu 0 page 2 frame 0 clean
                     invalidation L0.0 block 8 clean paging
                     invalidation L1.0 block 8 clean paging
                     miss L0.0 block 3 read demand
                     miss L1.0 block 3 read demand
                     memory read block 3 demand
                     fill L1.0 block 3
                     fill L0.0 block 3
                     hit L0.0 block 4 read demand
                     pageFault cpu 0 page 2 frame 0
                     pageOut cpu 0 page 0 frame 0 clean
                     invalidation L0.0 block 3 clean paging
                     invalidation L1.0 block 3 clean paging
                     miss L0.0 block 8 read demand
                     miss L1.0 block 8 read demand
                     memory read block 8 demand
                     fill L1.0 block 8
                     fill L0.0 block 8)"),
                 .kinds = linesIn(R"(
                     tick 0 L0.0 block 1 compulsory
                     tick 0 L1.0 block 1 compulsory
                     tick 1 L0.0 block 4 compulsory
                     tick 1 L1.0 block 4 compulsory
                     tick 2 L0.0 block 8 compulsory
                     tick 2 L1.0 block 8 compulsory
                     tick 3 L0.0 block 3 compulsory
                     tick 3 L1.0 block 3 compulsory
                     tick 4 L0.0 block 8 capacity
                     tick 4 L1.0 block 8 capacity)")};
    e.machine.memory = {.size = 32, .page = 16, .fault = 100};
    return e;
}

/// The read half, then the write half, which hits what the read half has fetched and is not reported; only a miss is.
/// Either way the block is written.
Example modifyOnce() {
    Example e = {.name = "by convention the write half of a modify is no access",
                 .machine = twoLevels(1, 1),
                 .accesses = {readBy(0, 0), writeBy(0, 0), readBy(0, 4), writeBy(0, 8)},
                 .lines = linesIn(R"(
                     miss L0.0 block 0 read demand
                     memory read block 0 demand
                     fill L0.0 block 0
                     miss L0.0 block 1 read demand
                     memory read block 1 demand
                     eviction L0.0 block 0 dirty
                     writeback L0.0 block 0
                     memory write block 0
                     fill L0.0 block 1
                     miss L0.0 block 2 write demand
                     memory read block 2 demand
                     eviction L0.0 block 1 clean
                     fill L0.0 block 2)")};
    e.machine.levels.pop_back();
    e.machine.conventions.modifyCountsOnce = true;
    e.accesses[1].modify = true;
    e.accesses[3].modify = true;
    return e;
}

}  // namespace

std::vector<Example> examplesOfTwoLevels() {
    return {writeBack(),
            writebackFirst(),
            writebackLast(),
            writeThrough(),
            victimLevel(),
            inclusiveLevel(),
            inclusiveLargerBlocks(),
            nextLine(),
            translations(),
            pagesOut(),
            noCache(),
            modifyOnce()};
}

}  // namespace whorl::reference
