#include "sim/trace/footprint.h"

#include <algorithm>

namespace whorl::sim {

std::vector<ByteAddress> Footprint::touchedBlocks(ByteAddress from, ByteAddress to, std::uint64_t block) const {
    std::vector<ByteAddress> out;
    auto page = std::lower_bound(pages_.begin(), pages_.end(), from.value / kPage,
                                 [](const Page& p, std::uint64_t index) { return p.index < index; });
    std::uint64_t next = 0;  // blocks below this address are already listed
    const auto list = [&](std::uint64_t address) {
        const std::uint64_t b = address / block * block;
        if (b < next) return;
        out.emplace_back(b);
        next = b + block;
    };
    for (; page != pages_.end() && page->index * kPage < to.value; ++page) {
        for (std::uint64_t g = 0; g < 64; ++g) {
            const std::uint64_t start = page->index * kPage + g * kGranule;
            if ((page->bits >> g & 1) == 0 || start + (kGranule - 1) < from.value || start >= to.value) continue;
            list(start);
            for (std::uint64_t at = block; at < kGranule; at += block) list(start + at);
        }
    }
    return out;
}

void FootprintBuilder::touchPages(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t page = first / 64; page <= last / 64; ++page) {
        const std::uint64_t from = std::max(first, page * 64);
        const std::uint64_t to = std::min(last, page * 64 + 63);
        bitsOf(page) |= ones(to - from + 1) << (from % 64);
    }
}

Footprint FootprintBuilder::finish() {
    std::vector<Footprint::Page> sorted;
    sorted.reserve(pages_.size());
    for (const auto& [index, bits] : pages_) sorted.push_back({index, bits});
    std::sort(sorted.begin(), sorted.end(),
              [](const Footprint::Page& a, const Footprint::Page& b) { return a.index < b.index; });
    pages_.clear();
    recent_.fill({});
    return Footprint(std::move(sorted));
}

}  // namespace whorl::sim
