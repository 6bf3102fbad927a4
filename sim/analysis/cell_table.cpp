#include "sim/analysis/cell_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace whorl::sim {

namespace {

/// Calls f(a.field, b.field) for each sum.
template <class F>
void forFields(CellSums& a, const CellSums& b, F&& f) {
    f(a.accesses, b.accesses);
    f(a.writes, b.writes);
    f(a.tlbMisses, b.tlbMisses);
    f(a.pageFaults, b.pageFaults);
    f(a.cycles, b.cycles);
    f(a.penalty, b.penalty);
    for (std::size_t l = 0; l < kMaxLevels; ++l) {
        f(a.hits[l], b.hits[l]);
        f(a.misses[l], b.misses[l]);
        f(a.served[l], b.served[l]);
        f(a.stays[l].fills, b.stays[l].fills);
        f(a.stays[l].usedBytes, b.stays[l].usedBytes);
    }
    f(a.served[kMaxLevels], b.served[kMaxLevels]);
}

}  // namespace

std::size_t CellSums::mostServed(std::size_t levels) const {
    const auto end = served.begin() + static_cast<std::ptrdiff_t>(levels) + 1;
    return static_cast<std::size_t>(std::max_element(served.begin(), end) - served.begin());
}

CellSums& CellSums::operator+=(const CellSums& more) {
    forFields(*this, more, [](std::uint64_t& a, std::uint64_t b) { a += b; });
    return *this;
}

CellSums& CellSums::operator-=(const CellSums& part) {
    forFields(*this, part, [](std::uint64_t& a, std::uint64_t b) { a -= b; });
    return *this;
}

CellTable::CellTable(Parts parts) : parts_(std::move(parts)) {
    CellSums sum;
    before_.reserve(size() / kStride + 1);
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % kStride == 0) before_.push_back(sum);
        sum += rowOf(i);
    }
}

std::size_t CellTable::from(ByteAddress a) const {
    const std::uint64_t cell = a.value / grain() + (a.value % grain() != 0 ? 1 : 0);
    return static_cast<std::size_t>(std::lower_bound(cells().begin(), cells().end(), cell) - cells().begin());
}

CellTable::Span CellTable::within(ByteAddress from, std::uint64_t bytes) const {
    Span span;
    if (bytes == 0) return span;
    // The memory may reach to the end of the address space.
    const std::uint64_t last = from.value + std::min(bytes - 1, ~std::uint64_t{0} - from.value);
    span.first = from.value / grain() + (from.value % grain() != 0 ? 1 : 0);
    span.last = last / grain();
    if (span.first > span.last) return span;
    const auto begin = std::lower_bound(cells().begin(), cells().end(), span.first);
    span.begin = static_cast<std::size_t>(begin - cells().begin());
    span.end = static_cast<std::size_t>(std::upper_bound(begin, cells().end(), span.last) - cells().begin());
    return span;
}

CellSums CellTable::rowOf(std::size_t i) const {
    const CellRows& rows = parts_.rows;
    CellSums sums;
    sums.accesses = rows.at(i, CellRows::kAccesses);
    sums.writes = rows.at(i, CellRows::kWrites);
    sums.tlbMisses = rows.at(i, CellRows::kTlbMisses);
    sums.pageFaults = rows.at(i, CellRows::kPageFaults);
    sums.penalty = rows.at(i, CellRows::kPenalty);
    sums.cycles = sums.penalty + sums.accesses * (parts_.levels.empty() ? 0 : parts_.levels[0].latency);
    sums.served[0] = sums.accesses;
    for (std::size_t l = 0; l < levels(); ++l) {
        sums.misses[l] = rows.at(i, CellRows::misses(l));
        sums.hits[l] = rows.at(i, CellRows::requests(l)) - sums.misses[l];
        sums.stays[l] = {.fills = rows.at(i, CellRows::fills(l)), .usedBytes = rows.at(i, CellRows::usedBytes(l))};
        sums.served[l + 1] = rows.at(i, CellRows::servedBeyond(l));
        sums.served[0] -= sums.served[l + 1];
    }
    return sums;
}

/// The sums over the cells [first, last).
CellSums CellTable::sumBetween(std::size_t first, std::size_t last) const {
    CellSums sum;
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) sum += rowOf(i);
    };
    const std::size_t next = (first + kStride - 1) / kStride;
    if (next * kStride >= last) {
        add(first, last);
        return sum;
    }
    const std::size_t previous = (last - 1) / kStride;
    sum = before_[previous];
    sum -= before_[next];
    add(first, next * kStride);
    add(previous * kStride, last);
    return sum;
}

CellSums CellTable::scaled(CellSums sums) const {
    if (parts_.share == 1) return sums;
    forFields(sums, sums, [&](std::uint64_t& a, std::uint64_t b) {
        a = static_cast<std::uint64_t>(std::llround(static_cast<double>(b) / parts_.share));
    });
    return sums;
}

CellSums CellTable::sums(ByteAddress from, std::uint64_t bytes) const {
    const Span cells = within(from, bytes);
    return scaled(sumBetween(cells.begin, cells.end));
}

/// The regions that conflict with the cells: an element for each region, and one for memory outside all regions.
std::vector<bool> CellTable::regionsAt(std::size_t level, const Span& cells) const {
    std::vector<bool> regions(parts_.regions + 1, false);
    if (cells.first > cells.last) return regions;
    parts_.byCell[level].collect(cells.begin, cells.end, regions);
    const auto& blocks = parts_.byBlock[level].blocks;
    if (blocks.empty()) return regions;
    const std::uint64_t parts = parts_.levels[level].block / grain();
    const auto begin = std::lower_bound(blocks.begin(), blocks.end(), cells.first / parts);
    const auto end = std::upper_bound(begin, blocks.end(), cells.last / parts);
    parts_.byBlock[level].regions.collect(static_cast<std::size_t>(begin - blocks.begin()),
                                          static_cast<std::size_t>(end - blocks.begin()), regions);
    return regions;
}

std::vector<std::uint32_t> CellTable::conflictingRegions(std::size_t level, ByteAddress from,
                                                         std::uint64_t bytes) const {
    const std::vector<bool> regions = regionsAt(level, within(from, bytes));
    std::vector<std::uint32_t> out;
    for (std::uint32_t r = 0; r < regions.size(); ++r) {
        if (regions[r]) out.push_back(r);
    }
    return out;
}

std::size_t CellTable::conflicts(std::size_t level, ByteAddress from, std::uint64_t bytes) const {
    const std::vector<bool> regions = regionsAt(level, within(from, bytes));
    return static_cast<std::size_t>(std::count(regions.begin(), regions.end(), true));
}

std::size_t CellTable::bytes() const {
    std::size_t sum = sizeof *this + parts_.rows.bytes() + parts_.cells.capacity() * sizeof(std::uint64_t) +
                      before_.capacity() * sizeof(CellSums);
    for (std::size_t l = 0; l < levels(); ++l) {
        sum += parts_.byCell[l].bytes() + parts_.byBlock[l].regions.bytes() +
               parts_.byBlock[l].blocks.capacity() * sizeof(std::uint64_t);
    }
    return sum;
}

}  // namespace whorl::sim
