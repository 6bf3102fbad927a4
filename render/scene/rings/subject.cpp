#include "render/scene/rings/subject.h"

#include <algorithm>

#include "sim/replay/totals/ledger.h"

namespace whorl::scene {

MemorySlots::MemorySlots(const sim::Trace& trace, std::uint64_t block) : block_(block) {
    std::uint64_t next = 0;  // blocks below this address have slots
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        const sim::Region& region = trace.regions()[r];
        const auto first = static_cast<std::uint32_t>(addresses_.size());
        const bool whole = region.origin == sim::RegionOrigin::declared && region.size / block <= kMaxWhole;
        if (whole) {
            for (std::uint64_t b = region.base.value / block; b <= region.last().value / block; ++b) {
                if (b * block >= next) addresses_.emplace_back(b * block);
            }
        } else {
            for (const sim::ByteAddress b : trace.footprint().touchedBlocks(region.base, region.last(), block)) {
                if (b.value >= next) addresses_.push_back(b);
            }
        }
        const auto count = static_cast<std::uint32_t>(addresses_.size()) - first;
        if (count == 0) continue;
        next = addresses_.back().value + block;
        spans_.push_back({.region = r, .first = first, .count = count});
    }
}

std::uint32_t MemorySlots::of(sim::ByteAddress address) const {
    const std::uint64_t base = address.value / block_ * block_;
    const auto after = std::upper_bound(spans_.begin(), spans_.end(), base, [&](std::uint64_t b, const Span& span) {
        return b < addresses_[span.first].value;
    });
    if (after == spans_.begin()) return kNone;
    const Span& span = *(after - 1);
    // Without holes between the blocks, the index follows directly.
    const std::uint64_t straight = (base - addresses_[span.first].value) / block_;
    if (straight < span.count && addresses_[span.first + straight].value == base) {
        return span.first + static_cast<std::uint32_t>(straight);
    }
    const auto begin = addresses_.begin() + span.first;
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(straight, span.count));
    const auto found = std::lower_bound(begin, end, sim::ByteAddress{base});
    if (found == end || found->value != base) return kNone;
    return static_cast<std::uint32_t>(found - addresses_.begin());
}

std::size_t MemorySlots::spanOf(std::uint32_t slot) const {
    const auto after = std::upper_bound(spans_.begin(), spans_.end(), slot,
                                        [](std::uint32_t s, const Span& span) { return s < span.first; });
    return static_cast<std::size_t>(after - spans_.begin()) - 1;
}

std::size_t Subject::regionOf(sim::ByteAddress base, std::uint64_t size) const {
    return sim::regionOfBlock(trace, base, size);
}

}  // namespace whorl::scene
