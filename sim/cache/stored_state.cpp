#include "sim/cache/stored_state.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/compact_bytes.h"

namespace whorl::sim {

namespace {

/// Beside the flags of a way: it holds a block.
constexpr std::uint8_t kHeld = 16;

/// The largest number that a policy may keep of a way.
std::uint16_t largestKept(Policy policy, std::uint32_t ways) {
    constexpr std::uint16_t kLargestState = 3;  // of SRRIP; bits of trees are less
    const bool isDerived = rowOf(policy).order == PolicyRow::Order::derived;
    return isDerived ? kLargestState : static_cast<std::uint16_t>(ways - 1);
}

}  // namespace

template <class H, class F>
bool StoredState::eachPart(H& hierarchy, F&& f) {
    const auto each = [&](auto& parts) { return std::all_of(parts.begin(), parts.end(), f); };
    return each(hierarchy.caches_) && each(hierarchy.tlbs_) && (!hierarchy.pages_ || f(*hierarchy.pages_)) &&
           each(hierarchy.strides_);
}

std::string StoredState::of(const Hierarchy& hierarchy) {
    FieldWriter out;
    eachPart(hierarchy, [&](const auto& part) { return put(out, part), true; });
    return out.take();
}

bool StoredState::restore(std::string_view bytes, Hierarchy& hierarchy) {
    FieldReader in(bytes);
    return eachPart(hierarchy, [&](auto& part) { return take(in, part); }) && in.done();
}

/// Column by column, and tags as differences to those of the same way: neighbouring sets are alike.
void StoredState::put(FieldWriter& out, const Cache& cache) {
    const std::size_t slots = std::size_t{cache.sets()} * cache.ways_;
    out.number(cache.random_);
    for (std::size_t i = 0; i < slots; ++i) out.number(cache.isFree(i) ? 0U : cache.flags_[i] | unsigned{kHeld});
    std::vector<std::uint64_t> before(cache.ways_);
    for (std::size_t i = 0; i < slots; ++i) {
        if (cache.isFree(i)) continue;
        const std::uint64_t tag = cache.sets_.tagOf(cache.blocks_[i]);
        out.number(folded(tag - std::exchange(before[i % cache.ways_], tag)));
    }
    for (std::size_t i = 0; i < slots; ++i) out.number(cache.ranks_[i]);
}

bool StoredState::take(FieldReader& in, Cache& cache) {
    if (!cache.nextUse_.empty()) return false;  // it looks ahead
    const std::size_t slots = std::size_t{cache.sets()} * cache.ways_;
    cache.random_ = in.number();
    std::vector<std::uint8_t> held(slots);
    for (std::uint8_t& flags : held) flags = static_cast<std::uint8_t>(in.number(2U * kHeld - 1));
    std::vector<std::uint64_t> before(cache.ways_);
    for (std::size_t i = 0; i < slots; ++i) {
        const auto set = static_cast<std::uint32_t>(i / cache.ways_);
        cache.flags_[i] = held[i] & (kHeld - 1U);
        if ((held[i] & kHeld) == 0) {
            if (held[i] != 0) return false;
            continue;
        }
        const std::uint64_t tag = before[i % cache.ways_] += unfolded(in.number());
        const std::uint64_t block = cache.sets_.blockOf(tag, set);
        const bool isLast = (held[i] & Cache::last) != 0;
        if (cache.sets_.of(block) != set || cache.sets_.tagOf(block) != tag || isLast != (block == Cache::kNoBlock) ||
            block > ~std::uint64_t{0} >> cache.blockShift_) {
            return false;
        }
        cache.blocks_[i] = block;
        ++cache.occupied_[set];
    }
    const std::uint16_t largest = largestKept(cache.policy_, cache.ways_);
    for (std::size_t i = 0; i < slots; ++i) cache.ranks_[i] = static_cast<std::uint16_t>(in.number(largest));
    if (!in.isValid()) return false;
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        if (!isSound(cache, SetIndex{s})) return false;
    }
    return true;
}

/// Whether the blocks of a set differ, and the ranks of its valid ways are 0, 1, 2, …
bool StoredState::isSound(const Cache& cache, SetIndex set) {
    std::vector<std::uint64_t> blocks;
    std::vector<std::uint16_t> ranks;
    for (std::size_t i = cache.first(set); i < cache.first(set) + cache.ways_; ++i) {
        if (cache.isFree(i)) continue;
        blocks.push_back(cache.blocks_[i]);
        ranks.push_back(cache.ranks_[i]);
    }
    std::sort(blocks.begin(), blocks.end());
    if (std::adjacent_find(blocks.begin(), blocks.end()) != blocks.end()) return false;
    if (!cache.keepsRanks()) return true;
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] != i) return false;
    }
    return true;
}

/// The frames, and then the order of their uses.
void StoredState::put(FieldWriter& out, const PageTable& pages) {
    out.number(pages.held());
    std::uint64_t before = 0;
    for (const PageTable::Frame& frame : pages.frames_) {
        out.number(folded(frame.page.value - std::exchange(before, frame.page.value)));
        out.number(frame.dirty ? 1 : 0);
    }
    std::vector<std::uint32_t> order = pages.byUse();
    std::reverse(order.begin(), order.end());
    for (const std::uint32_t frame : order) out.number(frame);
}

bool StoredState::take(FieldReader& in, PageTable& pages) {
    const std::uint64_t held = in.count();
    if (held > pages.capacity_) return false;
    std::uint64_t before = 0;
    for (std::uint32_t f = 0; f < held; ++f) {
        before += unfolded(in.number());
        const BlockAddress page{before};
        if (pages.frameOf_.contains(page) || page.value > ~std::uint64_t{0} >> pages.pageShift_) return false;
        pages.frames_.emplace_back();
        pages.hold(f, page);
        pages.frames_[f].dirty = in.number(1) != 0;
    }
    for (std::uint64_t i = 0; i < held; ++i) {
        const auto frame = static_cast<std::uint32_t>(in.number(held - 1));
        if (!in.isValid() || pages.frames_[frame].changed != 0) return false;
        pages.frames_[frame].changed = ++pages.changes_;
        pages.makeNewest(frame);
    }
    return in.isValid();
}

void StoredState::put(FieldWriter& out, const StrideTable& strides) {
    for (const StrideTable::Entry& e : strides.entries_) {
        out.number(e.used ? std::uint64_t{e.sure} + 1 : 0);
        out.number(e.site);
        out.number(e.last);
        out.number(folded(static_cast<std::uint64_t>(e.stride)));
    }
}

bool StoredState::take(FieldReader& in, StrideTable& strides) {
    for (StrideTable::Entry& e : strides.entries_) {
        const std::uint64_t sure = in.number(4);
        e.used = sure > 0;
        e.sure = static_cast<std::uint8_t>(sure - (e.used ? 1 : 0));
        e.site = in.number32();
        e.last = in.number();
        e.stride = static_cast<std::int64_t>(unfolded(in.number()));
    }
    return in.isValid();
}

}  // namespace whorl::sim
