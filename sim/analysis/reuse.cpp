#include "sim/analysis/reuse.h"

#include <algorithm>

#include "sim/machine/machine_config.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

constexpr const char* kCurveTitle = "Miss ratios of fully associative LRU caches";

}  // namespace

/// The bits set in the words before `word`.
std::uint64_t ReuseStack::setUpTo(std::size_t word) const {
    std::uint64_t sum = 0;
    for (std::size_t i = word; i > 0; i &= i - 1) sum += tree_[i];
    return sum;
}

/// `by` may be -1 as an unsigned number.
void ReuseStack::change(std::size_t word, std::uint32_t by) {
    for (std::size_t i = word + 1; i < tree_.size(); i += i & (~i + 1)) tree_[i] += by;
}

std::uint64_t ReuseStack::use(std::uint32_t id) {
    if (id >= latest_.size()) latest_.resize(std::max<std::size_t>(2 * latest_.size(), id + std::size_t{1}), kNone);
    if (latest_[id] != kNone && latest_[id] + std::size_t{1} == next_) return 0;
    if (next_ == 64 * bits_.size()) squeeze();
    std::uint64_t distance = kNever;
    const std::uint32_t last = latest_[id];
    if (last != kNone) {
        const std::size_t word = last / 64;
        const std::uint64_t before = bits_[word] & ((std::uint64_t{1} << last % 64) - 1);
        distance = blocks_ - setUpTo(word) - static_cast<std::uint64_t>(std::popcount(before)) - 1;
        bits_[word] &= ~(std::uint64_t{1} << last % 64);
        change(word, ~std::uint32_t{0});
    } else {
        ++blocks_;
    }
    bits_[next_ / 64] |= std::uint64_t{1} << next_ % 64;
    change(next_ / 64, 1);
    latest_[id] = static_cast<std::uint32_t>(next_++);
    return distance;
}

/// Moves the latest uses together, in their order, and leaves room for three times as many.
void ReuseStack::squeeze() {
    std::vector<std::uint32_t> before(bits_.size());  // by word: the bits set before it
    std::uint32_t sum = 0;
    for (std::size_t w = 0; w < bits_.size(); ++w) {
        before[w] = sum;
        sum += static_cast<std::uint32_t>(std::popcount(bits_[w]));
    }
    for (std::uint32_t& place : latest_) {
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
        const auto end = pages_[p]->begin() + static_cast<std::ptrdiff_t>(std::min(kPage, blocks - p * kPage));
        for (auto count = pages_[p]->begin(); count != end; ++count) hits += *count;
    }
    return uses_ - hits;
}

double ReuseHistogram::missRatio(std::uint64_t blocks) const {
    return uses_ == 0 ? 0.0 : static_cast<double>(misses(blocks)) / static_cast<double>(uses_);
}

std::optional<Reuse> reuseOf(const Trace& trace, std::uint32_t block, Tick from, Tick to, Progress& progress) {
    Reuse reuse{.block = block, .all = {}, .regions = std::vector<ReuseHistogram>(trace.regions().size() + 1)};
    ReuseStack stack;
    BlockIds ids;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(block));
    progress.setTotal(to.value);
    TraceCursor cursor(trace);
    for (std::uint64_t t = 0; t < to.value;) {
        if (progress.cancelled()) return std::nullopt;
        auto some = cursor.from(Tick{t});
        if (some.empty()) break;
        some = some.first(std::min<std::uint64_t>(some.size(), to.value - t));
        for (const PackedAccess& a : some) {
            const std::uint64_t address = a.address().value;
            const std::uint64_t last = (address + a.size() - 1) >> shift;
            const bool counts = t++ >= from.value && !a.unrecorded();
            ReuseHistogram& region = reuse.regions[counts ? trace.regionAt(a.address()) : 0];
            for (std::uint64_t b = address >> shift; b <= last; ++b) {
                const std::uint64_t distance = stack.use(ids.of(BlockAddress{b}));
                if (!counts) continue;
                reuse.all.add(distance);
                region.add(distance);
            }
        }
        progress.setDone(t);
    }
    return reuse;
}

Table missRatioCurve(const Reuse& reuse, const Trace& trace) {
    Table table{.name = "mrc", .title = kCurveTitle, .columns = {}, .rows = {}, .ranked = false};
    table.columns = {{"region", "region"}, {"blocks", "blocks"}, {"bytes", "bytes"},
                     {"uses", "uses"},     {"misses", "misses"}, {"miss_ratio", "miss ratio"}};
    const auto add = [&](const std::string& name, const ReuseHistogram& histogram) {
        if (histogram.uses() == 0) return;
        const std::uint64_t end = histogram.end();
        for (std::uint64_t blocks = 1;; blocks *= 2) {
            const std::uint64_t misses = histogram.misses(blocks);
            table.rows.push_back({name, blocks, blocks * reuse.block, histogram.uses(), misses,
                                  static_cast<double>(misses) / static_cast<double>(histogram.uses())});
            if (blocks >= end) return;
        }
    };
    add("(all)", reuse.all);
    for (std::size_t r = 0; r < trace.regions().size(); ++r) add(trace.regions()[r].name, reuse.regions[r]);
    add("(no region)", reuse.regions.back());
    return table;
}

Table missRatioTable(const Reuse& reuse, const Trace& trace) {
    constexpr std::size_t kRegions = 6;
    std::vector<std::size_t> used;
    used.reserve(reuse.regions.size());
    for (std::size_t r = 0; r < reuse.regions.size(); ++r) {
        if (reuse.regions[r].uses() > 0) used.push_back(r);
    }
    std::stable_sort(used.begin(), used.end(),
                     [&](auto a, auto b) { return reuse.regions[a].uses() > reuse.regions[b].uses(); });
    used.resize(std::min(used.size(), kRegions));
    Table table{.name = "mrc", .title = kCurveTitle, .columns = {}, .rows = {}, .ranked = false};
    table.columns = {{"size", "size"}, {"blocks", "blocks"}, {"all", "(all)"}};
    for (const std::size_t r : used) {
        const std::string name = r < trace.regions().size() ? trace.regions()[r].name : "(no region)";
        table.columns.push_back({name, name});
    }
    for (std::uint64_t blocks = 1; reuse.all.uses() > 0; blocks *= 2) {
        std::vector<Cell> row{formatBytes(blocks * reuse.block), blocks, reuse.all.missRatio(blocks)};
        row.reserve(3 + used.size());
        for (const std::size_t r : used) row.emplace_back(reuse.regions[r].missRatio(blocks));
        table.rows.push_back(std::move(row));
        if (blocks >= reuse.all.end()) break;
    }
    return table;
}

}  // namespace whorl::sim
