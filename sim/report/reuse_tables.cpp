#include "sim/report/reuse_tables.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::sim {

namespace {

constexpr const char* kCurveTitle = "Miss ratios of fully associative LRU caches";

}  // namespace

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
