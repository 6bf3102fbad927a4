#include "sim/analysis/pair_set.h"

#include <numeric>

namespace whorl::sim {

SortedRegionSets::SortedRegionSets(const RegionSets& sets, const std::vector<std::uint32_t>& places)
    : masks_(sets.isNarrow_ ? places.size() : 0, 0) {
    sets.forEach([&](std::uint32_t thing, std::uint32_t region) {
        if (sets.isNarrow_) {
            masks_[places[thing]] |= std::uint64_t{1} << region;
        } else {
            pairs_.push_back(std::uint64_t{places[thing]} << 32 | region);
        }
    });
    std::sort(pairs_.begin(), pairs_.end());
}

void SortedRegionSets::collect(std::size_t first, std::size_t last, std::vector<bool>& regions) const {
    std::uint64_t all = 0;
    for (std::size_t thing = first; thing < std::min(last, masks_.size()); ++thing) all |= masks_[thing];
    for (; all != 0; all &= all - 1) regions[static_cast<std::size_t>(std::countr_zero(all))] = true;
    const auto begin = std::lower_bound(pairs_.begin(), pairs_.end(), std::uint64_t{first} << 32);
    const auto end = std::lower_bound(begin, pairs_.end(), std::uint64_t{last} << 32);
    for (auto pair = begin; pair != end; ++pair) regions[static_cast<std::uint32_t>(*pair)] = true;
}

/// Each list of the result is ascending, whatever the order of the input lists.
Relation turnedRound(const Relation& relation, std::size_t others) {
    Relation out;
    out.first.assign(others + 1, 0);
    // A thing that occurs twice in a list counts once: `last` is the list in which it last occurred.
    std::vector<std::uint32_t> last(others, ~std::uint32_t{0});
    const auto forEach = [&](auto&& f) {
        for (std::uint32_t a = 0; a < relation.size(); ++a) {
            for (const std::uint32_t* b = relation.begin(a); b != relation.end(a); ++b) {
                if (last[*b] != a) f(a, *b);
                last[*b] = a;
            }
        }
    };
    forEach([&](std::uint32_t, std::uint32_t b) { ++out.first[b + std::size_t{1}]; });
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    out.to.resize(out.first.back());
    last.assign(others, ~std::uint32_t{0});
    forEach([&](std::uint32_t a, std::uint32_t b) { out.to[next[b]++] = a; });
    return out;
}

Relation relationOf(const PairSet& pairs, const std::vector<std::uint32_t>& mapA,
                    const std::vector<std::uint32_t>& mapB, std::size_t count, std::size_t others) {
    Relation loose;
    loose.first.assign(count + 1, 0);
    pairs.forEach([&](std::uint32_t a, std::uint32_t) { ++loose.first[mapA[a] + std::size_t{1}]; });
    std::partial_sum(loose.first.begin(), loose.first.end(), loose.first.begin());
    std::vector<std::uint32_t> next(loose.first.begin(), loose.first.end() - 1);
    loose.to.resize(loose.first.back());
    pairs.forEach([&](std::uint32_t a, std::uint32_t b) { loose.to[next[mapA[a]]++] = mapB[b]; });
    return turnedRound(turnedRound(loose, others), count);
}

}  // namespace whorl::sim
