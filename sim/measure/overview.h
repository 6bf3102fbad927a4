// The whole run at a glance: hits and requests per level in equal buckets of accesses. Grows as the run does, by
// merging neighbours once it is full, so it stays small for any trace.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/event.h"

namespace whorl::sim {

class Overview {
  public:
    struct Share {
        std::uint64_t requests = 0;
        std::uint64_t hits = 0;
    };

    explicit Overview(std::size_t levels, std::size_t maxBuckets = 8192);

    /// Events of the access with index `tick`; ticks ascend.
    void count(std::uint64_t tick, const Event& e) {
        if (e.kind != EventKind::hit && e.kind != EventKind::miss) return;
        Share& share = at(tick, e.level);
        ++share.requests;
        share.hits += e.kind == EventKind::hit;
    }

    std::size_t levels() const { return levels_; }
    std::uint64_t accessesPerBucket() const { return perBucket_; }
    std::size_t buckets() const { return shares_.size() / levels_; }
    /// What a level saw in the accesses [from, to), rounded outward to whole buckets.
    Share share(std::size_t level, std::uint64_t from, std::uint64_t to) const;

  private:
    Share& at(std::uint64_t tick, std::size_t level);
    void halve();

    std::size_t levels_;
    std::size_t maxBuckets_;
    std::uint64_t perBucket_ = 1;
    std::vector<Share> shares_;  ///< bucket by bucket, the levels side by side
};

}  // namespace whorl::sim
