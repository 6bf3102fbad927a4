// Prefetched blocks.
#include <algorithm>
#include <limits>

#include "sim/reference/machine.h"

namespace whorl::reference {

namespace {

constexpr std::size_t kTrainings = 64;
constexpr int kSure = 2;
constexpr int kVerySure = 3;
constexpr std::uint64_t kLastByte = std::numeric_limits<std::uint64_t>::max();

}  // namespace

/// After the CPU's request of one block: each level that was requested may prefetch.
void Machine::prefetch(const sim::Access& a) {
    const auto asked = asked_;
    for (const auto& [level, ask] : asked) {
        for (const std::uint64_t block : candidates(level, a, ask)) {
            if (!cacheFor(level, a.cpu).holds(block) && resident(level, block)) prefetch(level, a.cpu, block);
        }
    }
}

void Machine::prefetch(std::size_t level, std::size_t cpu, std::uint64_t block) {
    tell({.what = What::prefetch, .level = level, .cache = indexFor(level, cpu), .block = block});
    if (coherent(level)) snoop(level, cpu, block, false);
    bringIn(level, cpu, block, {});
    cacheFor(level, cpu).at(block).prefetched = true;
}

std::vector<std::uint64_t> Machine::candidates(std::size_t level, const sim::Access& a, const Asked& asked) {
    const sim::LevelConfig& how = config_.levels[level];
    if (how.prefetch == sim::Prefetcher::stride) return strideCandidates(level, a, asked.block);
    std::vector<std::uint64_t> next;
    if (how.prefetch == sim::Prefetcher::none || !asked.missed) return next;
    for (std::uint64_t i = 1; i <= how.degree && asked.block + (i - 1) < kLastByte / how.block; ++i) {
        next.push_back(asked.block + i);
    }
    return next;
}

/// Trains the entry of the access' site with its address and, when the entry is confident of the stride, prefetches
/// along it. Once an instruction: with the first block that reaches the level, and not again for the write of a modify.
std::vector<std::uint64_t> Machine::strideCandidates(std::size_t level, const sim::Access& a, std::uint64_t block) {
    if (a.modify || !trained_.insert(level).second) return {};
    const std::uint64_t address = std::max(a.address.value, touched_ * config_.levels[0].block);
    auto& table = trainings_[{level, indexFor(level, a.cpu)}];
    const auto found = table.find(a.site.value % kTrainings);
    if (found == table.end() || found->second.site != a.site.value) {
        table[a.site.value % kTrainings] = {.site = a.site.value, .last = address, .stride = 0, .sure = 0};
        return {};
    }
    Training& training = found->second;
    const std::uint64_t step = address - training.last;
    if (step == training.stride && step != 0) {
        training.sure = std::min(training.sure + 1, kVerySure);
    } else {
        training.sure = std::max(training.sure - 1, 0);
        if (training.sure == 0) training.stride = step;
    }
    training.last = address;

    std::vector<std::uint64_t> ahead;
    if (training.sure < kSure) return ahead;
    const bool down = training.stride > kLastByte / 2;  // a stride to lower addresses
    std::uint64_t at = address;
    for (std::uint32_t i = 0; i < config_.levels[level].degree; ++i) {
        const std::uint64_t next = at + training.stride;
        if (down ? next > at : next < at) break;  // beyond the address space
        at = next;
        const std::uint64_t candidate = at / config_.levels[level].block;
        if (candidate != block && (ahead.empty() || candidate != ahead.back())) ahead.push_back(candidate);
    }
    return ahead;
}

}  // namespace whorl::reference
