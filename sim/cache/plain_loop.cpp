#include "sim/cache/plain_loop.h"

#include "sim/base/processor.h"
#include "sim/cache/plain_loop_body.h"

namespace whorl::sim {

namespace {

struct PortableSets {
    static std::uint32_t find(const std::uint64_t* blocks, std::uint32_t ways, std::uint64_t block) {
        std::uint32_t w = 0;
        while (w < ways && blocks[w] != block) ++w;
        return w;
    }
    static void touch(std::uint16_t* ranks, std::uint32_t ways, std::uint32_t way) {
        const std::uint16_t old = ranks[way];
        if (old == 0) return;
        for (std::uint32_t w = 0; w < ways; ++w) ranks[w] = static_cast<std::uint16_t>(ranks[w] + (ranks[w] < old));
        ranks[way] = 0;
    }
    static std::uint32_t renewOldest(std::uint16_t* ranks, std::uint32_t ways) {
        std::uint32_t w = 0;
        while (ranks[w] + 1u != ways) ++w;
        touch(ranks, ways, w);
        return w;
    }
};

}  // namespace

std::size_t playPlainPortably(PlainRun& run, const PackedAccess* accesses, std::size_t count) {
    return plain::play<PortableSets>(run, accesses, count);
}

std::size_t playPlain(PlainRun& run, const PackedAccess* accesses, std::size_t count) {
    return hasAvx2() ? playPlainByAvx2(run, accesses, count) : playPlainPortably(run, accesses, count);
}

}  // namespace whorl::sim
