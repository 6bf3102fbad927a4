#include "sim/cache/simple_loop.h"

#include <algorithm>

#include "sim/base/processor.h"
#include "sim/cache/hierarchy.h"
#include "sim/cache/simple_loop_body.h"

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
    static std::uint32_t oldest(const std::uint16_t* ranks, std::uint32_t ways) {
        std::uint32_t w = 0;
        while (ranks[w] + 1u != ways) ++w;
        return w;
    }
    static std::uint32_t renewOldest(std::uint16_t* ranks, std::uint32_t ways) {
        const std::uint32_t w = oldest(ranks, ways);
        touch(ranks, ways, w);
        return w;
    }
};

}  // namespace

SimpleRun::SimpleRun(Hierarchy& hierarchy) : levels(hierarchy.levels()) {
    for (std::size_t l = 0; l < levels; ++l) {
        caches[l] = hierarchy.raw(l);
        isTree |= caches[l].inclusion != Inclusion::none;
        if (caches[l].inclusion != Inclusion::inclusive) continue;
        for (std::size_t nearer = 0; nearer < l; ++nearer) {
            const std::uint64_t parts = std::uint64_t{1} << (caches[l].blockShift - caches[nearer].blockShift);
            mostEvents += std::min<std::uint64_t>(parts, hierarchy.machine().levels[nearer].blocks()) << l;
        }
    }
}

std::size_t playSimplePortably(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    return simple::play<PortableSets>(run, accesses, count);
}

void playRequestsPortably(SimpleRun& run, const std::uint64_t* requests, std::size_t count) {
    simple::playRequests<PortableSets>(run, requests, count);
}

void playRequests(SimpleRun& run, const std::uint64_t* requests, std::size_t count) {
    if (hasAvx2()) return playRequestsByAvx2(run, requests, count);
    playRequestsPortably(run, requests, count);
}

std::size_t playSimple(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    return hasAvx2() ? playSimpleByAvx2(run, accesses, count) : playSimplePortably(run, accesses, count);
}

}  // namespace whorl::sim
