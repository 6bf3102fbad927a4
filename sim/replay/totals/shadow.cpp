#include "sim/replay/totals/shadow.h"

#include <algorithm>
#include <array>
#include <utility>

namespace whorl::sim {

Shadow::Shadow(std::uint64_t blocks, std::uint32_t longest) : capacity_(blocks), longest_(longest) {}

void Shadow::know(std::uint32_t id) {
    latest_.resize(std::max<std::size_t>(2 * latest_.size(), id + std::size_t{1}), 0);
}

/// Adds a block that is not held; the caller sets the time of its use.
void Shadow::takeIn(std::uint32_t id) {
    if (++held_ > capacity_) dropOldest();
    // Removed blocks leave their entries behind.
    if (others_.size() > 2 * capacity_) sort();
    others_.push_back(id);
}

void Shadow::dropOldest() {
    for (;;) {
        if (oldest_ == sorted_.size()) sort();
        const std::uint32_t id = sorted_[oldest_++];
        if (latest_[id] == oldest_) {
            latest_[id] = 0;
            --held_;
            return;
        }
        if (latest_[id] != 0) others_.push_back(id);
    }
}

/// Sorts all held blocks and restarts the clock.
void Shadow::sort() {
    std::size_t kept = 0;
    for (; oldest_ < sorted_.size(); ++oldest_) {
        const std::uint32_t id = sorted_[oldest_];
        if (latest_[id] == oldest_ + 1) {
            sorted_[kept++] = id;
        } else if (latest_[id] != 0) {
            others_.push_back(id);
        }
    }
    sorted_.resize(kept);
    const auto isGone = [&](std::uint32_t id) { return latest_[id] == 0; };
    others_.erase(std::remove_if(others_.begin(), others_.end(), isGone), others_.end());
    sortByUse();
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    sorted_.insert(sorted_.end(), others_.begin(), others_.end());
    others_.clear();
    oldest_ = 0;
    now_ = 0;
    for (const std::uint32_t id : sorted_) latest_[id] = ++now_;
}

/// Sorts the others by the times of their last uses, digit by digit, the lowest first.
void Shadow::sortByUse() {
    constexpr unsigned kBits = 8;
    keyed_.clear();
    for (const std::uint32_t id : others_) keyed_.push_back(std::uint64_t{latest_[id]} << 32 | id);
    spare_.resize(keyed_.size());
    for (unsigned shift = 32; shift < 64 && std::uint64_t{now_} << 32 >> shift != 0; shift += kBits) {
        const auto digit = [&](std::uint64_t key) { return key >> shift & ((1u << kBits) - 1); };
        std::array<std::uint32_t, 1u << kBits> places{};
        for (const std::uint64_t key : keyed_) ++places[digit(key)];
        std::uint32_t before = 0;
        for (std::uint32_t& place : places) before += std::exchange(place, before);
        for (const std::uint64_t key : keyed_) spare_[places[digit(key)]++] = key;
        keyed_.swap(spare_);
    }
    std::transform(keyed_.begin(), keyed_.end(), others_.begin(),
                   [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
}

}  // namespace whorl::sim
