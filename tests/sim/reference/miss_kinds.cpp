#include "sim/reference/miss_kinds.h"

#include <algorithm>

namespace whorl::reference {

namespace {

constexpr std::uint64_t kWord = 4;  // bytes

const char* wordsOf(MissKind kind) {
    switch (kind) {
        case MissKind::compulsory:
            return "compulsory";
        case MissKind::capacity:
            return "capacity";
        case MissKind::conflict:
            return "conflict";
        case MissKind::trueSharing:
            return "true sharing";
        case MissKind::falseSharing:
            return "false sharing";
    }
    return "";
}

}  // namespace

std::string lineOf(const Miss& miss) {
    return "tick " + std::to_string(miss.tick) + " L" + std::to_string(miss.level) + "." + std::to_string(miss.cache) +
           " block " + std::to_string(miss.block) + " " + wordsOf(miss.kind);
}

void MissKinds::take(const sim::Access& a, const std::vector<Happening>& happenings) {
    missed_.clear();
    for (const Happening& h : happenings) take(a, h);
    for (auto& [place, past] : pasts_) {
        if (!a.isWrite() || !machine_.coherent(place.first) || isBehind(a.cpu, place.first, place.second)) continue;
        const auto [first, last] = machine_.lostBy(a, place.first, place.second);
        past.shadow.remove_if([&, from = first, to = last](std::uint64_t b) { return from <= b && b <= to; });
    }
    if (a.isWrite()) {
        const std::uint64_t lastWord = (a.address.value + a.size - 1) / kWord;
        for (std::uint64_t word = a.address.value / kWord; word <= lastWord; ++word) lastWrite_[word] = {a.cpu, tick_};
    }
    ++tick_;
}

void MissKinds::take(const sim::Access& a, const Happening& h) {
    if (h.what == What::touch) return comeTo(a, h.block);
    if (h.what == What::pageOut) return losePage(h.block);
    if (!inCache(h.what)) return;
    Past& past = pasts_[{h.level, h.cache}];
    const bool forCoherence = h.what == What::invalidation && !h.inclusion && !h.paging;
    switch (h.what) {
        case What::miss:
            miss(a, h);
            break;
        case What::hit:
            past.everRequested.insert(h.block);
            shadowRequest(past, h);
            break;
        case What::prefetch:
            if (!inShadow(past, h.block)) shadowUse(past, h);
            break;
        case What::fill:
            past.lostToOthers.erase(h.block);
            if (machine_.config().levels[h.level].inclusion == sim::Inclusion::exclusive) shadowUse(past, h);
            break;
        case What::eviction:
        case What::invalidation:
        case What::moved:
            past.openSharingMisses.erase(h.block);
            if (forCoherence) past.lostToOthers.insert(h.block);
            break;
        default:
            break;
    }
}

/// A page leaves memory, and its blocks the fully associative caches.
void MissKinds::losePage(std::uint64_t page) {
    for (auto& [place, past] : pasts_) {
        const std::uint64_t size = machine_.config().levels[place.first].block;
        const std::uint64_t pageSize = machine_.config().memory.page;
        past.shadow.remove_if([&](std::uint64_t block) { return block * size / pageSize == page; });
    }
}

/// The CPU touches a block of the first level: that may classify stays of that block, in any cache, as true sharing.
void MissKinds::comeTo(const sim::Access& a, std::uint64_t block) {
    const sim::MachineConfig& config = machine_.config();
    const std::uint64_t size = config.levels[0].block;
    const std::uint64_t first = std::max(block * size, a.address.value);
    const std::uint64_t last = std::min(block * size + (size - 1), a.address.value + a.size - 1);
    for (std::size_t level = 0; level < config.levels.size(); ++level) {
        judge(a, {.level = level, .cache = config.cacheOf(level, a.cpu), .block = first / config.levels[level].block},
              first, last);
    }
}

void MissKinds::miss(const sim::Access& a, const Happening& h) {
    const sim::LevelConfig& how = machine_.config().levels[h.level];
    Past& past = pasts_[{h.level, h.cache}];
    Miss miss{.tick = tick_, .level = h.level, .cache = h.cache, .block = h.block};
    if (past.everRequested.insert(h.block).second) {
        miss.kind = MissKind::compulsory;
    } else if (past.lostToOthers.contains(h.block)) {
        miss.kind = MissKind::falseSharing;
    } else {
        miss.kind = inShadow(past, h.block) ? MissKind::conflict : MissKind::capacity;
    }
    if (h.demand && machine_.config().conventions.straddleCountsOnce) miss.counts = missed_.insert(h.level).second;
    misses_.push_back(miss);
    shadowRequest(past, h);
    if (miss.kind != MissKind::falseSharing) {
        past.essentialMiss[h.block] = tick_;
        return;
    }
    past.openSharingMisses[h.block] = misses_.size() - 1;
    const std::uint64_t first = std::max(h.block * how.block, a.address.value);
    const std::uint64_t last = std::min(h.block * how.block + (how.block - 1), a.address.value + a.size - 1);
    if (first <= last && isBehind(a.cpu, h.level, h.cache)) judge(a, h, first, last);
    const bool fillsNothing = (h.write && !how.allocate) || how.inclusion == sim::Inclusion::exclusive;
    if (fillsNothing) past.openSharingMisses.erase(h.block);
}

/// A CPU behind a cache touches some bytes of a block: if another has written to one of their words since the cache's
/// last essential miss of the block, the current stay was needed.
void MissKinds::judge(const sim::Access& a, const Happening& place, std::uint64_t firstByte, std::uint64_t lastByte) {
    if (!isBehind(a.cpu, place.level, place.cache)) return;
    Past& past = pasts_[{place.level, place.cache}];
    const auto open = past.openSharingMisses.find(place.block);
    if (open == past.openSharingMisses.end()) return;
    const auto essential = past.essentialMiss.find(place.block);
    for (std::uint64_t word = firstByte / kWord; word <= lastByte / kWord; ++word) {
        const auto written = lastWrite_.find(word);
        if (written == lastWrite_.end() || isBehind(written->second.cpu, place.level, place.cache)) continue;
        if (essential != past.essentialMiss.end() && written->second.tick < essential->second) continue;
        misses_[open->second].kind = MissKind::trueSharing;
        past.essentialMiss[place.block] = misses_[open->second].tick;
        past.openSharingMisses.erase(open);
        return;
    }
}

bool MissKinds::inShadow(const Past& past, std::uint64_t block) {
    return std::find(past.shadow.begin(), past.shadow.end(), block) != past.shadow.end();
}

/// The fully associative cache gets the request, too.
void MissKinds::shadowRequest(Past& past, const Happening& h) const {
    const sim::LevelConfig& how = machine_.config().levels[h.level];
    const bool exclusive = how.inclusion == sim::Inclusion::exclusive;
    if (inShadow(past, h.block)) {
        if (exclusive && !h.write) {
            past.shadow.remove(h.block);
        } else {
            shadowUse(past, h);
        }
    } else if (!exclusive && (how.allocate || !h.write)) {
        shadowUse(past, h);
    }
}

void MissKinds::shadowUse(Past& past, const Happening& h) const {
    past.shadow.remove(h.block);
    past.shadow.push_front(h.block);
    if (past.shadow.size() > machine_.config().levels[h.level].blocks()) past.shadow.pop_back();
}

bool MissKinds::isBehind(std::size_t cpu, std::size_t level, std::size_t cache) const {
    return machine_.config().cacheOf(level, static_cast<std::uint32_t>(cpu)) == cache;
}

}  // namespace whorl::reference
