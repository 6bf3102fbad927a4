// The memory touched by a trace, in granules of 16 bytes: a sorted list of pages, each with a bit for every granule.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

class Footprint {
  public:
    static constexpr std::uint64_t kGranule = 16;          ///< bytes
    static constexpr std::uint64_t kPage = kGranule * 64;  ///< bytes

    struct Page {
        std::uint64_t index = 0;  ///< address / kPage
        std::uint64_t bits = 0;   ///< bit i: granule i of the page is touched
    };

    Footprint() = default;
    explicit Footprint(std::vector<Page> sorted) : pages_(std::move(sorted)) {}

    const std::vector<Page>& pages() const { return pages_; }
    bool empty() const { return pages_.empty(); }

    /// The addresses of the touched blocks in [first, last], ascending. `block` is the block size, a power of two;
    /// blocks smaller than a granule count as touched if their granule is.
    std::vector<ByteAddress> touchedBlocks(ByteAddress first, ByteAddress last, std::uint64_t block) const;
    /// The number of touched blocks, as touchedBlocks() counts them.
    std::uint64_t blocks(std::uint64_t block) const;
    /// The union of two footprints.
    Footprint with(const Footprint& other) const;

  private:
    std::vector<Page> pages_;  ///< ascending, without duplicates
};

/// Collects a footprint access by access. Fast for recently touched pages: programs alternate between a few places, so
/// the bits of recent pages are kept by the low bits of the page index, and put into the table when another page takes
/// their place.
class FootprintBuilder {
  public:
    void touch(ByteAddress address, std::uint64_t size) {
        const std::uint64_t first = address.value / Footprint::kGranule;
        const std::uint64_t last = (address.value + size - 1) / Footprint::kGranule;
        const std::uint64_t page = first / 64;
        if (page != last / 64) [[unlikely]] {
            touchPages(first, last);
            return;
        }
        std::uint64_t& bits = bitsOf(page);
        const std::uint64_t touched = bits | ones(last - first + 1) << (first % 64);
        // The next access, which often is to the same page, need not wait for a store.
        if (bits != touched) bits = touched;
    }
    Footprint finish();
    /// Whether any granule of [from, to) is touched.
    bool touches(ByteAddress from, ByteAddress to) const;
    /// Approximate memory used, in bytes.
    std::uint64_t bytes() const { return pages_.size() * kPageBytes; }

  private:
    /// The memory of a page: its entry in the table, and that in the list that finish() makes.
    static constexpr std::uint64_t kPageBytes = 64;
    static constexpr std::size_t kRecent = 1024;

    using Pages = std::unordered_map<std::uint64_t, std::uint64_t>;
    Pages pages_;  ///< all pages, with the bits that they had before they were last recent
    std::array<Footprint::Page, kRecent> recent_ = nobody();

    static std::array<Footprint::Page, kRecent> nobody() {
        std::array<Footprint::Page, kRecent> none;
        none.fill({.index = ~std::uint64_t{0}});
        return none;
    }
    static std::uint64_t ones(std::uint64_t n) { return ~std::uint64_t{0} >> (64 - n); }

    std::uint64_t& bitsOf(std::uint64_t page) {
        Footprint::Page& recent = recent_[page % kRecent];
        if (recent.index != page) makeRecent(recent, page);
        return recent.bits;
    }
    void makeRecent(Footprint::Page& recent, std::uint64_t page);
    /// The bits of an entry of the table now.
    std::uint64_t bitsNow(const Pages::value_type& page) const {
        const Footprint::Page& recent = recent_[page.first % kRecent];
        return recent.index == page.first ? recent.bits : page.second;
    }
    void touchPages(std::uint64_t first, std::uint64_t last);
};

}  // namespace whorl::sim
