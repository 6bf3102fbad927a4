#include "sim/replay/totals/overview.h"

#include <algorithm>

namespace whorl::sim {

Overview::Overview(std::size_t levels, std::size_t regions, std::size_t maxBuckets, std::uint64_t accesses,
                   std::uint64_t begin)
    : levels_(levels),
      regions_(std::min(regions, kMaxRegions)),
      width_(levels * (2 + kMissKinds) + regions_ + kLastColumns),
      maxBuckets_(std::max<std::size_t>(maxBuckets, 1)),
      begin_(begin),
      end_(begin),
      rows_(width_, 0) {
    while (accesses / perBucket_ >= 2 * maxBuckets_) perBucket_ *= 2;
}

void Overview::put(std::vector<std::uint64_t>& rows, const Sums& sums) const {
    for (const Share& share : sums.levels) {
        rows.push_back(share.requests);
        rows.push_back(share.hits);
        rows.insert(rows.end(), share.misses.begin(), share.misses.end());
    }
    const std::size_t regions = rows.size();
    rows.resize(regions + regions_, 0);
    for (std::size_t r = 0; r < sums.regions.size() && regions_ > 0; ++r) {
        rows[regions + std::min(r, regions_ - 1)] += sums.regions[r];
    }
    rows.insert(rows.end(), {sums.memory.reads, sums.memory.writes, sums.cycles});
}

void Overview::add(const Sums& sums) {
    end_ = nextEnd();
    last_.clear();
    put(rows_, sums);
    if (buckets() < 2 * maxBuckets_) return;
    // Drop every other row: the sums are cumulative, so the remaining ones stay valid.
    for (std::size_t i = 1; 2 * i <= buckets(); ++i) {
        std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(2 * i * width_), width_,
                    rows_.begin() + static_cast<std::ptrdiff_t>(i * width_));
    }
    rows_.resize((maxBuckets_ + 1) * width_);
    perBucket_ *= 2;
    passedOn_ = 0;
}

void Overview::finish(std::uint64_t tick, const Sums& sums) {
    end_ = tick;
    last_.clear();
    if (tick > begin_ + buckets() * perBucket_) put(last_, sums);
}

void Overview::passOnTo(Overview& copy) {
    const auto same = static_cast<std::ptrdiff_t>(passedOn_ * width_);
    copy.rows_.resize(passedOn_ * width_);
    copy.rows_.insert(copy.rows_.end(), rows_.begin() + same, rows_.end());
    copy.last_ = last_;
    copy.perBucket_ = perBucket_;
    copy.end_ = end_;
    passedOn_ = buckets() + 1;
}

void Overview::turnTrue(std::size_t level, std::uint64_t tick) {
    const std::size_t column = columnOf(level) + 2;
    const auto turn = [&](std::uint64_t* sums) {
        --sums[column + static_cast<std::size_t>(MissKind::falseSharing)];
        ++sums[column + static_cast<std::size_t>(MissKind::trueSharing)];
    };
    const std::size_t first = (tick - begin_) / perBucket_ + 1;
    for (std::size_t i = first; i <= buckets(); ++i) turn(&rows_[i * width_]);
    passedOn_ = std::min(passedOn_, first);
    if (!last_.empty()) turn(last_.data());
}

const std::uint64_t* Overview::row(std::size_t index) const {
    return index <= buckets() ? &rows_[index * width_] : last_.data();
}

std::size_t Overview::rowBefore(std::uint64_t tick) const {
    return std::min<std::uint64_t>((tick - begin_) / perBucket_, buckets() + (last_.empty() ? 0 : 1));
}

std::size_t Overview::rowAfter(std::uint64_t tick) const {
    const std::uint64_t since = tick - begin_;
    return std::min<std::uint64_t>(since / perBucket_ + (since % perBucket_ == 0 ? 0 : 1),
                                   buckets() + (last_.empty() ? 0 : 1));
}

std::uint64_t Overview::difference(std::size_t column, std::uint64_t from, std::uint64_t to) const {
    return from >= to ? 0 : row(rowAfter(to))[column] - row(rowBefore(from))[column];
}

Range Overview::outward(Range range) const {
    const auto tickOf = [&](std::size_t row) { return Tick{std::min<std::uint64_t>(begin_ + row * perBucket_, end_)}; };
    return {tickOf(rowBefore(range.from.value)), tickOf(rowAfter(range.to.value))};
}

Overview::Share Overview::share(std::size_t level, std::uint64_t from, std::uint64_t to) const {
    const std::size_t column = columnOf(level);
    Share share{.requests = difference(column, from, to), .hits = difference(column + 1, from, to)};
    for (std::size_t k = 0; k < kMissKinds; ++k) share.misses[k] = difference(column + 2 + k, from, to);
    return share;
}

std::uint64_t Overview::regionShare(std::size_t region, std::uint64_t from, std::uint64_t to) const {
    return difference(columnOf(levels_) + region, from, to);
}

MemoryCounters Overview::memory(std::uint64_t from, std::uint64_t to) const {
    return {difference(width_ - 3, from, to), difference(width_ - 2, from, to)};
}

std::uint64_t Overview::cycles(std::uint64_t from, std::uint64_t to) const {
    return difference(width_ - 1, from, to);
}

}  // namespace whorl::sim
