// Which memory a trace touches, to 16 bytes: a sorted list of pages, each with a bit for every granule in it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/types.h"

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

    /// The touched blocks in [from, to), ascending, as byte addresses of their first bytes. `block` is a power of two;
    /// blocks smaller than a granule count as touched when their granule is.
    std::vector<ByteAddress> touchedBlocks(ByteAddress from, ByteAddress to, std::uint64_t block) const;

  private:
    std::vector<Page> pages_;  ///< ascending, without repeats
};

/// Collects a footprint access by access. Fast for accesses near the last one.
class FootprintBuilder {
  public:
    void touch(ByteAddress address, std::uint64_t size) {
        const std::uint64_t first = address.value / Footprint::kGranule;
        const std::uint64_t last = (address.value + size - 1) / Footprint::kGranule;
        for (std::uint64_t g = first; g <= last; ++g) {
            const std::uint64_t page = g / 64;
            if (page != lastPage_) {
                lastPage_ = page;
                lastBits_ = &pages_[page];
            }
            *lastBits_ |= std::uint64_t{1} << (g % 64);
        }
    }
    Footprint finish();

  private:
    std::unordered_map<std::uint64_t, std::uint64_t> pages_;
    std::uint64_t lastPage_ = ~std::uint64_t{0};
    std::uint64_t* lastBits_ = nullptr;  ///< stays valid: unordered_map does not move its values
};

}  // namespace whorl::sim
