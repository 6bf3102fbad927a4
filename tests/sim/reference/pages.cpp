// Translations of pages, and pages that leave memory.
#include <algorithm>

#include "sim/reference/machine.h"

namespace whorl::reference {

void Machine::translate(const sim::Access& a) {
    if (config_.tlb.entries == 0 && !config_.memory.isBounded()) return;
    const std::uint64_t size = config_.memory.isBounded() ? config_.memory.page : config_.tlb.page;
    const std::uint64_t first = a.address.value / size;
    const std::uint64_t last = (a.address.value + a.size - 1) / size;
    for (std::uint64_t page = first; page - first <= last - first; ++page) translate(a, page);
}

void Machine::translate(const sim::Access& a, std::uint64_t page) {
    const bool known = config_.tlb.entries == 0 || lookUp(a.cpu, page);
    if (config_.memory.isBounded()) usePage(a, page);
    if (!known) fillTlb(a.cpu, page);
}

bool Machine::lookUp(std::size_t cpu, std::uint64_t page) {
    auto& entries = tlb_[{cpu, page % (config_.tlb.entries / config_.tlb.ways)}];
    const auto found = std::find(entries.begin(), entries.end(), page);
    if (found == entries.end()) {
        tell({.what = What::tlbMiss, .cache = cpu, .block = page});
        return false;
    }
    entries.erase(found);
    entries.push_front(page);
    return true;
}

void Machine::fillTlb(std::size_t cpu, std::uint64_t page) {
    auto& entries = tlb_[{cpu, page % (config_.tlb.entries / config_.tlb.ways)}];
    if (entries.size() == config_.tlb.ways) entries.pop_back();
    entries.push_front(page);
}

/// The access touches a page, which is brought in if it is not there.
void Machine::usePage(const sim::Access& a, std::uint64_t page) {
    const auto isIt = [&](const Page& p) { return p.page == page; };
    auto found = std::find_if(frames_.begin(), frames_.end(), isIt);
    if (found == frames_.end()) {
        const bool full = frames_.size() == config_.memory.size / config_.memory.page;
        const std::size_t frame = full ? frameToLeave(a) : frames_.size();
        tell({.what = What::pageFault, .cache = a.cpu, .block = page, .frame = frame});
        if (full) pageOut(a.cpu, frame);
        if (!full) frames_.emplace_back();
        found = frames_.begin() + static_cast<std::ptrdiff_t>(frame);
        *found = {.page = page};
    }
    found->lastUse = ++uses_;
    found->dirty = found->dirty || a.isWrite();
}

std::size_t Machine::oldestFrame() const {
    const auto older = [](const Page& a, const Page& b) { return a.lastUse < b.lastUse; };
    return static_cast<std::size_t>(std::min_element(frames_.begin(), frames_.end(), older) - frames_.begin());
}

/// That of the page used the longest ago. The pages of an access stay, unless they are too many.
std::size_t Machine::frameToLeave(const sim::Access& a) const {
    const std::uint64_t first = a.address.value / config_.memory.page;
    const std::uint64_t last = (a.address.value + a.size - 1) / config_.memory.page;
    const bool fit = last - first < frames_.size();
    const auto stays = [&](const Page& p) { return fit && first <= p.page && p.page <= last; };
    std::size_t leaves = frames_.size();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
        if (stays(frames_[f])) continue;
        if (leaves == frames_.size() || frames_[f].lastUse < frames_[leaves].lastUse) leaves = f;
    }
    return leaves;
}

/// All that is known or held of a page goes.
void Machine::pageOut(std::size_t cpu, std::size_t frame) {
    const std::uint64_t page = frames_[frame].page;
    tell({.what = What::pageOut, .cache = cpu, .block = page, .dirty = frames_[frame].dirty, .frame = frame});
    for (auto& [place, entries] : tlb_) entries.remove(page);
    if (levels() == 0) return;
    const std::size_t farthest = levels() - 1;
    const std::uint64_t blocks = config_.memory.page / config_.levels[farthest].block;
    for (std::uint64_t block = page * blocks; block - page * blocks < blocks; ++block) {
        bool dirty = false;
        for (std::size_t level = 0; level < levels(); ++level) {
            for (std::size_t index = 0; index < caches_[level].size(); ++index) {
                if (invalidateIn(level, index, block)) dirty = true;
            }
        }
        if (dirty) tell({.what = What::memory, .level = levels(), .block = block, .write = true});
    }
    for (std::size_t level = 0; level < levels(); ++level) {
        const std::uint64_t parts = config_.memory.page / config_.levels[level].block;
        for (Cache& cache : caches_[level]) cache.lose(page * parts, page * parts + (parts - 1));
    }
}

/// A cache loses what it has of a block of the last level. Whether any of it was dirty.
bool Machine::invalidateIn(std::size_t level, std::size_t index, std::uint64_t lastLevelBlock) {
    Cache& cache = caches_[level][index];
    const auto [first, last] = inside(levels() - 1, lastLevelBlock, level);
    bool dirty = false;
    for (const std::uint64_t block : cache.blocksBetween(first, last)) {
        const bool isDirty = cache.at(block).dirty;
        cache.remove(block);
        if (isDirty) tell({.what = What::writeback, .level = level, .cache = index, .block = block});
        tell({.what = What::invalidation,
              .level = level,
              .cache = index,
              .block = block,
              .dirty = isDirty,
              .paging = true});
        dirty = dirty || isDirty;
    }
    return dirty;
}

bool Machine::resident(std::size_t level, std::uint64_t block) const {
    if (!config_.memory.isBounded()) return true;
    const std::uint64_t size = level < levels() ? config_.levels[level].block : kMemoryWord;
    const std::uint64_t page = block * size / config_.memory.page;
    return std::any_of(frames_.begin(), frames_.end(), [&](const Page& p) { return p.page == page; });
}

std::vector<std::uint64_t> Machine::tlb(std::size_t cpu, std::uint64_t set) const {
    const auto found = tlb_.find({cpu, set});
    if (found == tlb_.end()) return {};
    return {found->second.begin(), found->second.end()};
}

}  // namespace whorl::reference
