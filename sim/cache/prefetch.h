// The stride prefetcher's table: the stride of each instruction or source line.
#pragma once

#include <array>
#include <cstdint>

namespace whorl::sim {

class StrideTable {
  public:
    /// Records a request and returns the stride in bytes if its confidence is sufficient, else 0. After Chen and Baer,
    /// IEEE Transactions on Computers 44(5), 1995, with a confidence of 0 to 3, sufficient from 2.
    std::int64_t learn(std::uint32_t site, std::uint64_t address) {
        Entry& e = entries_[site % entries_.size()];
        if (!e.used || e.site != site) {
            e = {.site = site, .used = true, .sure = 0, .last = address, .stride = 0};
            return 0;
        }
        const auto step = static_cast<std::int64_t>(address - e.last);
        if (step == e.stride && step != 0) {
            if (e.sure < 3) ++e.sure;
        } else {
            if (e.sure > 0) --e.sure;
            if (e.sure == 0) e.stride = step;
        }
        e.last = address;
        return e.sure >= 2 ? e.stride : 0;
    }
    bool operator==(const StrideTable&) const = default;

  private:
    struct Entry {
        std::uint32_t site = 0;
        bool used = false;
        std::uint8_t sure = 0;
        std::uint64_t last = 0;
        std::int64_t stride = 0;
        bool operator==(const Entry&) const = default;
    };
    std::array<Entry, 64> entries_;
};

}  // namespace whorl::sim
