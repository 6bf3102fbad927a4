#include "sim/trace/footprint.h"

#include <algorithm>
#include <bit>

namespace whorl::sim {

namespace {

constexpr std::uint64_t kGranules = Footprint::kPage / Footprint::kGranule;

/// Lists touched blocks granule by granule, in ascending order and each once.
class BlockLister {
  public:
    explicit BlockLister(std::uint64_t block) : block_(block) {}

    /// Calls use(address) for each block of the granules of a page whose bits are set.
    template <class F>
    void list(std::uint64_t page, std::uint64_t bits, F&& use) {
        for (; bits != 0; bits &= bits - 1) {
            const std::uint64_t granule = page * kGranules + static_cast<std::uint64_t>(std::countr_zero(bits));
            const std::uint64_t start = granule * Footprint::kGranule;
            add(start, use);
            for (std::uint64_t at = block_; at < Footprint::kGranule; at += block_) add(start + at, use);
        }
    }

  private:
    template <class F>
    void add(std::uint64_t address, F& use) {
        const std::uint64_t b = address / block_ * block_;
        if (b <= last_ && isListed_) return;
        use(b);
        last_ = b;
        isListed_ = true;
    }

    std::uint64_t block_;
    std::uint64_t last_ = 0;  ///< blocks up to this one are already listed
    bool isListed_ = false;
};

/// The bits of a page's granules that reach into [first, last].
std::uint64_t granulesIn(std::uint64_t page, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t start = page * kGranules;
    const std::uint64_t low = std::max(first / Footprint::kGranule, start);
    const std::uint64_t high = std::min(last / Footprint::kGranule, start + kGranules - 1);
    return low > high ? 0 : ~std::uint64_t{0} >> (kGranules - 1 - (high - low)) << (low - start);
}

}  // namespace

std::vector<ByteAddress> Footprint::touchedBlocks(ByteAddress first, ByteAddress last, std::uint64_t block) const {
    std::vector<ByteAddress> out;
    auto page = std::lower_bound(pages_.begin(), pages_.end(), first.value / kPage,
                                 [](const Page& p, std::uint64_t index) { return p.index < index; });
    BlockLister lister(block);
    for (; page != pages_.end() && page->index * kPage <= last.value; ++page) {
        const std::uint64_t bits = page->bits & granulesIn(page->index, first.value, last.value);
        lister.list(page->index, bits, [&](std::uint64_t address) { out.emplace_back(address); });
    }
    return out;
}

std::uint64_t Footprint::blocks(std::uint64_t block) const {
    std::uint64_t count = 0;
    BlockLister lister(block);
    for (const Page& page : pages_) lister.list(page.index, page.bits, [&](std::uint64_t) { ++count; });
    return count;
}

Footprint Footprint::with(const Footprint& other) const {
    std::vector<Page> pages;
    pages.reserve(std::max(pages_.size(), other.pages_.size()));
    auto a = pages_.begin();
    auto b = other.pages_.begin();
    while (a != pages_.end() || b != other.pages_.end()) {
        const bool both = a != pages_.end() && b != other.pages_.end() && a->index == b->index;
        const bool first = b == other.pages_.end() || (a != pages_.end() && a->index < b->index);
        if (both) {
            pages.push_back({a->index, a->bits | b++->bits});
            ++a;
        } else {
            pages.push_back(first ? *a++ : *b++);
        }
    }
    return Footprint(std::move(pages));
}

void FootprintBuilder::makeRecent(Footprint::Page& recent, std::uint64_t page) {
    if (recent.index != ~std::uint64_t{0}) pages_[recent.index] = recent.bits;
    recent = {.index = page, .bits = pages_.try_emplace(page, 0).first->second};
}

void FootprintBuilder::touchPages(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t page = first / 64; page <= last / 64; ++page) {
        const std::uint64_t from = std::max(first, page * 64);
        const std::uint64_t to = std::min(last, page * 64 + 63);
        bitsOf(page) |= ones(to - from + 1) << (from % 64);
    }
}

bool FootprintBuilder::touches(ByteAddress from, ByteAddress to) const {
    if (to <= from) return false;
    const std::uint64_t first = from.value / Footprint::kGranule;
    const std::uint64_t last = (to.value - 1) / Footprint::kGranule;
    const auto bitsIn = [&](std::uint64_t page, std::uint64_t bits) {
        const std::uint64_t low = page == first / 64 ? first % 64 : 0;
        const std::uint64_t high = page == last / 64 ? last % 64 : 63;
        return (bits >> low & ones(high - low + 1)) != 0;
    };
    // If the range has more pages than were touched, check the touched pages instead.
    if (last / 64 - first / 64 >= pages_.size()) {
        return std::any_of(pages_.begin(), pages_.end(), [&](const auto& page) {
            return page.first >= first / 64 && page.first <= last / 64 && bitsIn(page.first, bitsNow(page));
        });
    }
    for (std::uint64_t page = first / 64; page <= last / 64; ++page) {
        const auto known = pages_.find(page);
        if (known != pages_.end() && bitsIn(page, bitsNow(*known))) return true;
    }
    return false;
}

Footprint FootprintBuilder::finish() {
    std::vector<Footprint::Page> sorted;
    sorted.reserve(pages_.size());
    for (const auto& page : pages_) sorted.push_back({page.first, bitsNow(page)});
    std::sort(sorted.begin(), sorted.end(),
              [](const Footprint::Page& a, const Footprint::Page& b) { return a.index < b.index; });
    pages_.clear();
    recent_ = nobody();
    return Footprint(std::move(sorted));
}

}  // namespace whorl::sim
