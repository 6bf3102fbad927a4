#include "sim/cache/page_table.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace whorl::sim {

PageTable::PageTable(const MemoryConfig& memory)
    : capacity_(memory.frames()), pageShift_(static_cast<unsigned>(std::countr_zero(memory.page))) {}

void PageTable::use(std::uint32_t frame, bool write) {
    Frame& used = frames_[frame];
    if (frame == newest_ && (used.dirty || !write)) return;
    used.dirty = used.dirty || write;
    used.changed = ++changes_;
    makeNewest(frame);
}

void PageTable::bringIn(BlockAddress page, bool write) {
    const std::uint32_t frame = nextFrame();
    if (frame == held()) frames_.emplace_back();
    hold(frame, page);
    frames_[frame].dirty = write;
    frames_[frame].changed = ++changes_;
    makeNewest(frame);
}

/// Changes which page a frame holds.
void PageTable::hold(std::uint32_t frame, BlockAddress page) {
    const auto before = frameOf_.find(frames_[frame].page);
    if (before != frameOf_.end() && before->second == frame) frameOf_.erase(before);
    frames_[frame].page = page;
    frameOf_[page] = frame;
}

void PageTable::makeNewest(std::uint32_t frame) {
    if (frame == newest_) return;
    unlink(frame);
    frames_[frame].older = newest_;
    frames_[frame].newer = kNoFrame;
    (newest_ == kNoFrame ? oldest_ : frames_[newest_].newer) = frame;
    newest_ = frame;
}

/// Takes a frame out of the order of use, if it is in there.
void PageTable::unlink(std::uint32_t frame) {
    const Frame& f = frames_[frame];
    const bool isLinked = f.older != kNoFrame || oldest_ == frame;
    if (!isLinked) return;
    (f.older == kNoFrame ? oldest_ : frames_[f.older].newer) = f.newer;
    (f.newer == kNoFrame ? newest_ : frames_[f.newer].older) = f.older;
}

std::vector<std::uint32_t> PageTable::byUse() const {
    std::vector<std::uint32_t> frames;
    frames.reserve(held());
    for (std::uint32_t f = newest_; f != kNoFrame; f = frames_[f].older) frames.push_back(f);
    return frames;
}

std::size_t PageTable::bytes() const {
    // A node of the map: a link, the page and its frame, and the overhead of an allocation.
    constexpr std::size_t kNode = 48;
    return sizeof *this + frames_.capacity() * sizeof(Frame) + frameOf_.size() * kNode +
           frameOf_.bucket_count() * sizeof(void*);
}

PageTablePatch::PageTablePatch(const PageTable& before, const PageTable& after) : changes_(after.changes_) {
    for (std::uint32_t f = after.newest_; f != PageTable::kNoFrame; f = after.frames_[f].older) {
        const PageTable::Frame& frame = after.frames_[f];
        if (frame.changed <= before.changes_) break;
        changed_.push_back({frame.page, frame.changed, f, frame.dirty});
    }
    std::reverse(changed_.begin(), changed_.end());
    changed_.shrink_to_fit();
}

PageTablePatch::PageTablePatch(const PageTablePatch& first, const PageTablePatch& second) : changes_(second.changes_) {
    std::unordered_set<std::uint32_t> again;
    for (const Change& c : second.changed_) again.insert(c.frame);
    for (const Change& c : first.changed_) {
        if (!again.contains(c.frame)) changed_.push_back(c);
    }
    changed_.insert(changed_.end(), second.changed_.begin(), second.changed_.end());
    changed_.shrink_to_fit();
}

void PageTablePatch::applyTo(PageTable& pages) const {
    for (const Change& c : changed_) {
        if (c.frame >= pages.held()) pages.frames_.resize(c.frame + std::size_t{1});
        pages.hold(c.frame, c.page);
        pages.frames_[c.frame].dirty = c.dirty;
        pages.frames_[c.frame].changed = c.number;
        pages.makeNewest(c.frame);
    }
    pages.changes_ = changes_;
}

}  // namespace whorl::sim
