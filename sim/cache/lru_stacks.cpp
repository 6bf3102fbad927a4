#include "sim/cache/lru_stacks.h"

#include <algorithm>
#include <cstring>

namespace whorl::sim {

LruStacks::LruStacks(Sets sets, const std::vector<std::uint32_t>& ways)
    : sets_(sets),
      most_(ways.back()),
      blocks_(std::size_t{sets.count()} * most_, Cache::kNoBlock),
      clean_(blocks_.size()),
      held_(sets.count()) {
    for (const std::uint32_t w : ways) caches_.push_back({.ways = w, .requests = {}});
}

void LruStacks::play(std::span<const std::uint64_t> accesses, std::vector<std::uint64_t>* others) {
    for (const std::uint64_t access : accesses) {
        const std::size_t set = sets_.of(access >> 1);
        const std::size_t first = set * most_;
        const bool isWrite = (access & 1) != 0;
        if (blocks_[first] == access >> 1 && (!isWrite || clean_[first] == 0)) {
            ++accesses_[isWrite][0];
            continue;
        }
        if (others != nullptr) others->push_back(access);
        replay(access, set);
    }
}

void LruStacks::replay(std::uint64_t access, std::size_t set) {
    const std::uint64_t block = access >> 1;
    const bool isWrite = (access & 1) != 0;
    std::uint64_t* const blocks = blocks_.data() + set * most_;
    std::uint8_t* const clean = clean_.data() + set * most_;
    std::uint32_t at = 0;
    while (at < most_ && blocks[at] != block) ++at;
    ++accesses_[isWrite][at];
    for (OfWays& cache : caches_) {
        if (cache.ways > at) break;
        cache.requests.push_back(block << 1);
        if (held_[set] < cache.ways) {
            ++cache.newWays;
        } else if (cache.ways > clean[cache.ways - 1]) {
            ++cache.writebacks;
            cache.requests.push_back(blocks[cache.ways - 1] << 1 | 1);
        }
    }
    // In the caches that fetch the block anew it is clean, unless it is written.
    const auto cleanUpTo = static_cast<std::uint8_t>(isWrite      ? 0
                                                     : at < most_ ? std::max<std::uint32_t>(clean[at], at)
                                                                  : most_);
    if (at == most_) {
        held_[set] = static_cast<std::uint8_t>(std::min(held_[set] + 1u, most_));
        --at;
    }
    std::memmove(blocks + 1, blocks, at * sizeof *blocks);
    std::memmove(clean + 1, clean, at * sizeof *clean);
    blocks[0] = block;
    clean[0] = cleanUpTo;
}

void LruStacks::countUnchanged(std::uint64_t reads, std::uint64_t writes) {
    accesses_[0][0] += reads;
    accesses_[1][0] += writes;
}

SimpleCounts LruStacks::counts(std::size_t i) const {
    const OfWays& cache = caches_[i];
    SimpleCounts counts{.newWays = cache.newWays, .writebacks = cache.writebacks};
    for (std::uint32_t at = 0; at <= most_; ++at) {
        (at < cache.ways ? counts.readHits : counts.readMisses) += accesses_[0][at];
        (at < cache.ways ? counts.writeHits : counts.writeMisses) += accesses_[1][at];
    }
    return counts;
}

void LruStacks::forget() {
    accesses_ = {};
    for (OfWays& cache : caches_) {
        cache.requests.clear();
        cache.newWays = cache.writebacks = 0;
    }
}

}  // namespace whorl::sim
