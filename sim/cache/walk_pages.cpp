// Pages: the translation of an access's addresses, and the eviction of pages from bounded memory.
#include <algorithm>

#include "sim/cache/walk.h"

namespace whorl::sim {

/// Translates the pages of the access, in address order.
void Walk::translate() {
    const unsigned shift = h_.pages_ ? h_.pages_->pageShift() : h_.tlbs_.front().blockShift();
    const std::uint64_t first = access_.address.value >> shift;
    const std::uint64_t last = access_.last().value >> shift;
    mayLosePages_ = h_.pages_ && last - first >= h_.pages_->frames();
    if (h_.pages_ && !mayLosePages_) keep(first, last);
    for (std::uint64_t page = first; page - first <= last - first; ++page) translate(BlockAddress{page});
}

/// Makes the access's resident pages the most recently used, so that its other pages do not evict them.
void Walk::keep(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t page = first; last != first && page - first <= last - first; ++page) {
        const std::uint32_t frame = h_.pages_->find(BlockAddress{page});
        if (frame != PageTable::kNoFrame) h_.pages_->use(frame, access_.isWrite());
    }
}

/// Looks the translation up in the TLB, brings the page into memory if it is missing, and then fills the translation if
/// it missed.
void Walk::translate(BlockAddress page) {
    const bool isKnown = isMapped(page);
    if (h_.pages_) {
        const std::uint32_t frame = h_.pages_->find(page);
        if (frame != PageTable::kNoFrame) {
            h_.pages_->use(frame, access_.isWrite());
        } else {
            fault(page);
        }
    }
    if (isKnown || h_.tlbs_.empty()) return;
    Cache& tlb = h_.tlbs_[access_.cpu];
    const SetIndex set = tlb.setOf(page);
    if (tlb.isFull(set)) tlb.remove(set, tlb.chooseVictim(set));
    tlb.fill(set, tlb.freeWay(set), page);
}

/// Looks a page up in the TLB, if there is one. A miss emits an event.
bool Walk::isMapped(BlockAddress page) {
    if (h_.tlbs_.empty()) return false;
    Cache& tlb = h_.tlbs_[access_.cpu];
    const Place p{
        .level = 0, .index = access_.cpu, .cache = tlb, .set = tlb.setOf(page), .way = tlb.find(page), .block = page};
    if (p.found()) {
        tlb.use(p.set, p.at());
    } else {
        emit(EventKind::tlbMiss, p);
    }
    return p.found();
}

Event Walk::pageEvent(EventKind kind, BlockAddress page, SetIndex frame) const {
    Event e;
    e.kind = kind;
    e.level = static_cast<std::uint8_t>(h_.levels());
    e.cache = access_.cpu;
    e.set = frame;
    e.block = page;
    return e;
}

/// Brings a page into memory; evicts another one if there is no room.
void Walk::fault(BlockAddress page) {
    const SetIndex frame{h_.pages_->nextFrame()};
    events_.add(pageEvent(EventKind::pageFault, page, frame));
    if (h_.pages_->isFull()) pageOut(frame);
    h_.pages_->bringIn(page, access_.isWrite());
}

/// Evicts the page in a frame from memory, with its TLB entries and, memory block by memory block, its blocks in the
/// caches, whose dirty data goes straight to memory.
void Walk::pageOut(SetIndex frame) {
    const BlockAddress page = h_.pages_->pageIn(frame.value);
    Event e = pageEvent(EventKind::pageOut, page, frame);
    e.dirty = h_.pages_->isDirty(frame.value);
    events_.add(e);
    for (Cache& tlb : h_.tlbs_) {
        const std::uint32_t way = tlb.find(page);
        if (way != Cache::kNoWay) tlb.remove(tlb.setOf(page), WayIndex{way});
    }
    const std::vector<Copy> copies = copiesOf(page);
    for (std::size_t i = 0; i < copies.size();) {
        const BlockAddress block = copies[i].inMemory;
        bool anyDirty = false;
        for (; i < copies.size() && copies[i].inMemory == block; ++i) anyDirty |= lose(copies[i]);
        if (!anyDirty) continue;
        request({.level = h_.levels(), .cpu = access_.cpu, .block = block, .write = true, .own = true, .whole = true});
    }
}

/// The copies of a page's blocks in all caches: by memory block, then by level from the nearest, cache and address.
std::vector<Walk::Copy> Walk::copiesOf(BlockAddress page) const {
    std::vector<Copy> copies;
    for (std::size_t l = 0; l < h_.levels(); ++l) {
        for (std::uint32_t i = 0; i < machine_.caches(l); ++i) addCopies(l, i, page, copies);
    }
    std::sort(copies.begin(), copies.end());
    return copies;
}

void Walk::addCopies(std::size_t level, std::uint32_t index, BlockAddress page, std::vector<Copy>& copies) const {
    const Cache& cache = cacheAt(level, index);
    const unsigned shift = h_.pages_->pageShift() - cache.blockShift();
    const auto add = [&](BlockAddress block) {
        copies.push_back(
            {.inMemory = blockAt(h_.levels(), level, block), .level = level, .index = index, .block = block});
    };
    const std::uint64_t slots = std::uint64_t{cache.sets()} * cache.ways();
    if (std::uint64_t{1} << shift <= slots) {
        const std::uint64_t first = page.value << shift;
        for (std::uint64_t b = first; b - first < std::uint64_t{1} << shift; ++b) {
            if (cache.holds(BlockAddress{b})) add(BlockAddress{b});
        }
        return;
    }
    // The page has more blocks than the cache has ways: go through all ways instead.
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        for (std::uint32_t w = 0; w < cache.ways() && cache.occupied(SetIndex{s}) != 0; ++w) {
            if (!cache.isValid(SetIndex{s}, WayIndex{w})) continue;
            const BlockAddress block = cache.blockIn(SetIndex{s}, WayIndex{w});
            if (block.value >> shift == page.value) add(block);
        }
    }
}

/// Invalidates a copy in its cache. Returns whether it was dirty.
bool Walk::lose(const Copy& copy) {
    const Place p = place(copy.level, copy.index, copy.block);
    const bool isDirty = p.cache.has(p.set, p.at(), Cache::dirty);
    if (isDirty) emit(EventKind::writeback, p);
    Event e = event(EventKind::invalidation, p);
    e.dirty = isDirty;
    e.cause = Cause::paging;
    events_.add(e);
    p.cache.remove(p.set, p.at());
    return isDirty;
}

/// Whether the page of a block is in memory; always true if memory is not bounded.
bool Walk::isInMemory(std::size_t level, BlockAddress block) const {
    if (!h_.pages_) return true;
    const std::uint64_t size = level < h_.levels() ? machine_.levels[level].block : machine_.blockBytes();
    return h_.pages_->holds(h_.pages_->pageOf(ByteAddress{block.value * size}));
}

}  // namespace whorl::sim
