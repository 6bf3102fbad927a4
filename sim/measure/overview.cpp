#include "sim/measure/overview.h"

#include <algorithm>

namespace whorl::sim {

Overview::Overview(std::size_t levels, std::size_t maxBuckets)
    : levels_(std::max<std::size_t>(levels, 1)), maxBuckets_(std::max<std::size_t>(maxBuckets, 1)) {}

Overview::Share& Overview::at(std::uint64_t tick, std::size_t level) {
    while (tick / perBucket_ >= maxBuckets_) halve();
    const std::size_t bucket = tick / perBucket_;
    if (bucket >= buckets()) shares_.resize((bucket + 1) * levels_);
    return shares_[bucket * levels_ + level];
}

/// Each two neighbours become one, a last one without a neighbour stays: no count is lost.
void Overview::halve() {
    const std::size_t old = buckets();
    const std::size_t merged = (old + 1) / 2;
    for (std::size_t bucket = 0; bucket < merged; ++bucket) {
        for (std::size_t level = 0; level < levels_; ++level) {
            Share sum = shares_[2 * bucket * levels_ + level];
            if (2 * bucket + 1 < old) {
                const Share& neighbour = shares_[(2 * bucket + 1) * levels_ + level];
                sum.requests += neighbour.requests;
                sum.hits += neighbour.hits;
            }
            shares_[bucket * levels_ + level] = sum;
        }
    }
    shares_.resize(merged * levels_);
    perBucket_ *= 2;
}

Overview::Share Overview::share(std::size_t level, std::uint64_t from, std::uint64_t to) const {
    Share sum;
    if (from >= to) return sum;
    const std::uint64_t stop = std::min<std::uint64_t>((to - 1) / perBucket_ + 1, buckets());
    for (std::uint64_t bucket = from / perBucket_; bucket < stop; ++bucket) {
        const Share& share = shares_[bucket * levels_ + level];
        sum.requests += share.requests;
        sum.hits += share.hits;
    }
    return sum;
}

}  // namespace whorl::sim
