#include "sim/reference/tally.h"

namespace whorl::reference {

void Tally::take(const sim::Access& a, const std::vector<Happening>& happenings) {
    const bool secondHalf = a.isWrite() && a.modify;
    if (!secondHalf || !config_.conventions.modifyCountsOnce) (a.isWrite() ? writes_ : reads_) += 1;
    if (config_.tlb.entries != 0) {
        const std::uint64_t page = config_.tlb.page;
        tlbs_[a.cpu].accesses += (a.address.value + a.size - 1) / page - a.address.value / page + 1;
    }
    requests_.clear();
    for (const Happening& h : happenings) {
        count(h);
        if (h.told) clocks_[a.cpu] += costOf(h);
    }
}

void Tally::count(const Happening& h) {
    if (h.what == What::tlbMiss) tlbs_[h.cache].misses += 1;
    if (h.what == What::memory) (h.write ? memoryWrites_ : memoryReads_) += 1;
    if (h.what == What::pageFault) pages_[h.cache].faults += 1;
    if (h.what == What::pageOut && h.dirty) pages_[h.cache].writtenBack += 1;
    if (!inCache(h.what)) return;

    CacheCounts& counts = caches_[{h.level, h.cache}];
    auto& early = early_[{h.level, h.cache}];
    switch (h.what) {
        case What::hit:
            counts.usefulPrefetches += early.erase(h.block);
            countRequest(h);
            break;
        case What::miss:
            countRequest(h);
            break;
        case What::fill:
            counts.fills += 1;
            break;
        case What::eviction:
            counts.evictions += 1;
            early.erase(h.block);
            break;
        case What::invalidation:
            (h.inclusion ? counts.backInvalidations : h.paging ? counts.pagedOut : counts.invalidations) += 1;
            early.erase(h.block);
            break;
        case What::moved:
            counts.moves += 1;
            break;
        case What::prefetch:
            counts.prefetches += 1;
            early.insert(h.block);
            break;
        case What::writeback:
            counts.writebacks += 1;
            break;
        case What::writeThrough:
            counts.writeThroughs += 1;
            counts.writeThroughBytes += h.bytes;
            break;
        case What::downgrade:
            counts.downgrades += 1;
            break;
        case What::upgrade:
            counts.upgrades += 1;
            break;
        default:
            break;
    }
}

/// Every request counts; by one convention only one per level of the CPU's own in an access, a miss if any of them
/// missed.
void Tally::countRequest(const Happening& h) {
    if (!h.told) return;
    CacheCounts& counts = caches_[{h.level, h.cache}];
    std::uint64_t& asked = h.write ? counts.writes : counts.reads;
    std::uint64_t& missed = h.write ? counts.writeMisses : counts.readMisses;
    Request once;
    Request& request = config_.conventions.straddleCountsOnce && h.demand ? requests_[h.level] : once;
    if (!request.counted) asked += 1;
    if (h.what == What::miss && !request.missed) missed += 1;
    request.counted = true;
    request.missed = request.missed || h.what == What::miss;
}

std::uint64_t Tally::costOf(const Happening& h) const {
    switch (h.what) {
        case What::hit:
        case What::miss:
            return h.demand ? config_.levels[h.level].latency : 0;
        case What::memory:
            return h.demand ? config_.memoryLatency : 0;
        case What::upgrade:
            return h.demand ? config_.upgradeLatency : 0;
        case What::writeback:
            return config_.writebackLatency;
        case What::tlbMiss:
            return config_.tlb.walk;
        case What::pageFault:
            return config_.memory.fault;
        default:
            return 0;
    }
}

CacheCounts Tally::cache(std::size_t level, std::size_t index) const {
    const auto found = caches_.find({level, index});
    return found == caches_.end() ? CacheCounts{} : found->second;
}

TlbCounts Tally::tlb(std::size_t cpu) const {
    const auto found = tlbs_.find(cpu);
    return found == tlbs_.end() ? TlbCounts{} : found->second;
}

PageCounts Tally::pages(std::size_t cpu) const {
    const auto found = pages_.find(cpu);
    return found == pages_.end() ? PageCounts{} : found->second;
}

std::uint64_t Tally::clock(std::size_t cpu) const {
    const auto found = clocks_.find(cpu);
    return found == clocks_.end() ? 0 : found->second;
}

}  // namespace whorl::reference
