#include "sim/analysis/reuse.h"

#include <algorithm>

#include "sim/trace/trace_passes.h"

namespace whorl::sim {

/// The number of bits set in the words before `word`.
std::uint64_t ReuseStack::setUpTo(std::size_t word) const {
    std::uint64_t sum = 0;
    for (std::size_t i = word; i > 0; i &= i - 1) sum += tree_[i];
    return sum;
}

/// `by` may be -1 as an unsigned number.
void ReuseStack::change(std::size_t word, std::uint32_t by) {
    for (std::size_t i = word + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += by;
}

/// A block that is not in the list, where it now is, and that which leaves the list for it.
std::uint64_t ReuseStack::useOther(std::uint32_t id, std::uint32_t leaves) {
    if (id >= places_.size()) places_.resize(std::max<std::size_t>(2 * places_.size(), id + std::size_t{1}), kNone);
    std::uint64_t distance = kNever;
    if (const std::uint32_t place = std::exchange(places_[id], kNone); place != kNone) {
        const std::size_t word = place / 64;
        const std::uint64_t before = bits_[word] & ((std::uint64_t{1} << place % 64) - 1);
        distance = kRecent + placed_ - setUpTo(word) - static_cast<std::uint64_t>(std::popcount(before)) - 1;
        bits_[word] &= ~(std::uint64_t{1} << place % 64);
        change(word, ~std::uint32_t{0});
        --placed_;
    }
    if (leaves == kNone) return distance;
    if (next_ == 64 * bits_.size()) squeeze();
    bits_[next_ / 64] |= std::uint64_t{1} << next_ % 64;
    change(next_ / 64, 1);
    places_[leaves] = static_cast<std::uint32_t>(next_++);
    ++placed_;
    return distance;
}

/// Compacts the positions in their order, and leaves at least three free positions for each.
void ReuseStack::squeeze() {
    std::vector<std::uint32_t> before(bits_.size());  // by word: the bits set before it
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w < bits_.size(); ++w) {
        before[w] = sum;
        sum += static_cast<std::uint32_t>(std::popcount(bits_[w]));
    }
    for (std::uint32_t& place : places_) {
        if (place == kNone) continue;
        const std::uint64_t lower = bits_[place / 64] & ((std::uint64_t{1} << place % 64) - 1);
        place = before[place / 64] + static_cast<std::uint32_t>(std::popcount(lower));
    }
    next_ = sum;
    const std::size_t words = std::max(bits_.size(), (4 * next_ + 63) / 64);
    bits_.assign(words, 0);
    tree_.assign(words + 1, 0);
    for (std::size_t place = 0; place < next_; ++place) bits_[place / 64] |= std::uint64_t{1} << place % 64;
    for (std::size_t i = 1; i <= words; ++i) {
        tree_[i] += static_cast<std::uint32_t>(std::popcount(bits_[i - 1]));
        const std::size_t parent = i + (i & (~i + 1));
        if (parent <= words) tree_[parent] += tree_[i];
    }
}

std::uint64_t ReuseHistogram::at(std::uint64_t distance) const {
    const std::size_t page = distance / kPage;
    return page < pages_.size() && pages_[page] ? (*pages_[page])[distance % kPage] : 0;
}

std::uint64_t ReuseHistogram::end() const {
    std::uint64_t end = pages_.size() * kPage;
    while (end > 0 && at(end - 1) == 0) --end;
    return end;
}

std::uint64_t ReuseHistogram::misses(std::uint64_t blocks) const {
    std::uint64_t hits = 0;
    for (std::size_t p = 0; p < pages_.size() && p * kPage < blocks; ++p) {
        if (!pages_[p]) continue;
        const auto end =
            pages_[p]->begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(kPage, blocks - p * kPage));
        for (auto count = pages_[p]->begin(); count != end; ++count) hits += *count;
    }
    return uses_ - hits;
}

double ReuseHistogram::missRatio(std::uint64_t blocks) const {
    return uses_ == 0 ? 0.0 : static_cast<double>(misses(blocks)) / static_cast<double>(uses_);
}

namespace {

/// The regions of addresses; an instruction is likely to access that which it accessed last.
class RegionsOfSites {
  public:
    explicit RegionsOfSites(const Trace& trace) : trace_(trace), last_(trace.sites().size(), trace.regions().size()) {}

    std::size_t of(const PackedAccess& a) {
        std::size_t& region = last_[a.site().value];
        const auto& regions = trace_.regions();
        if (region == regions.size() || !regions[region].contains(a.address())) region = trace_.regionAt(a.address());
        return region;
    }

  private:
    const Trace& trace_;
    std::vector<std::size_t> last_;
};

}  // namespace

std::optional<Reuse> reuseOf(const Trace& trace, std::uint32_t block, Range range, Progress& progress,
                             const ThreadRunner& threads) {
    Reuse reuse{.block = block, .all = {}, .regions = std::vector<ReuseHistogram>(trace.regions().size() + 1)};
    ReuseStack stack;
    BlockIds ids;
    RegionsOfSites regions(trace);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(block));
    const auto take = [&](Tick t, const PackedAccess& a) {
        const std::uint64_t address = a.address().value;
        const std::uint64_t last = (address + a.size() - 1) >> shift;
        const bool counts = t >= range.from && !a.unrecorded();
        ReuseHistogram& region = reuse.regions[counts ? regions.of(a) : 0];
        const std::uint64_t first = address >> shift;
        // The last block of the address space may have the highest number.
        for (std::uint64_t b = first; b - first <= last - first; ++b) {
            const std::uint64_t distance = stack.use(ids.of(BlockAddress{b}));
            if (!counts) continue;
            reuse.all.add(distance);
            region.add(distance);
        }
    };
    progress.start(range.to.value);
    const bool done = forEachChunk(trace, {Tick{0}, range.to}, progress, threads, [&](Tick t, auto accesses) {
        for (const PackedAccess& a : accesses) {
            take(t, a);
            ++t;
        }
    });
    if (!done) return std::nullopt;
    return reuse;
}

namespace {

/// The usable blocks of one cache; `byCpu`: the footprint of each CPU.
std::uint64_t usableBlocksOf(const MachineConfig& machine, std::size_t level, std::uint32_t cache,
                             const std::vector<Footprint>& byCpu) {
    const auto first = std::min<std::size_t>(machine.firstCpu(level, cache), byCpu.size());
    const auto end = std::min<std::size_t>(machine.endCpu(level, cache), byCpu.size());
    Footprint touched;
    for (std::size_t cpu = first; cpu < end; ++cpu) touched = touched.with(byCpu[cpu]);
    return std::min<std::uint64_t>(machine.levels[level].blocks(), touched.blocks(machine.levels[level].block));
}

}  // namespace

std::optional<UsableParts> usableParts(const Trace& trace, const MachineConfig& machine, Progress& progress) {
    std::optional<std::vector<Footprint>> byCpu = std::vector<Footprint>{trace.footprint()};
    if (trace.cpus() > 1) byCpu = footprintsByCpu(trace.parts(), progress);
    if (!byCpu) return std::nullopt;
    UsableParts usable{.blocks = std::vector<std::uint64_t>(machine.levels.size())};
    for (std::size_t l = 0; l < usable.blocks.size(); ++l) {
        for (std::uint32_t c = 0; c < machine.caches(l); ++c) usable.blocks[l] += usableBlocksOf(machine, l, c, *byCpu);
    }
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) {
        const bool isIdle = cpu >= byCpu->size() || (*byCpu)[cpu].empty();
        usable.idleCpus |= std::uint64_t{isIdle} << cpu;
    }
    return usable;
}

}  // namespace whorl::sim
