#include "sim/replay/totals/ledger.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/trace/trace.h"

namespace whorl::sim {

namespace {

/// Subtracts the earlier counts and removes the entries that become zero.
void subtract(Conflicts& from, const Conflicts& earlier) {
    for (const auto& [conflict, count] : earlier) {
        const auto at = from.find(conflict);
        if (at == from.end()) continue;
        at->second -= count;
        if (at->second == 0) from.erase(at);
    }
}

}  // namespace

std::uint64_t TallyTable::misses(std::size_t row, std::size_t level) const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kMissKinds; ++k) sum += misses(row, level, static_cast<MissKind>(k));
    return sum;
}

TallyTable& TallyTable::operator-=(const TallyTable& earlier) {
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] -= earlier.cells_[i];
    return *this;
}

std::uint32_t regionOfBlock(const Trace& trace, ByteAddress base, std::uint64_t size) {
    const auto& regions = trace.regions();
    const std::size_t region = trace.regionAt(base);
    if (region != regions.size()) return static_cast<std::uint32_t>(region);
    const auto next = std::upper_bound(regions.begin(), regions.end(), base,
                                       [](ByteAddress a, const Region& r) { return a < r.base; });
    const bool isWithin = next != regions.end() && next->base.value - base.value < size;
    return static_cast<std::uint32_t>(isWithin ? next - regions.begin() : regions.end() - regions.begin());
}

Ledger::Ledger(const MachineConfig& machine, const Trace& trace)
    : sites(trace.sites().size(), machine.levels.size()),
      owners(trace.owners().count() + 1, machine.levels.size()),
      objects(trace.objects().size() + 1, machine.levels.size()),
      cpus(machine.cpus, machine.levels.size()) {
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) sets.emplace_back(machine.levels[l].sets());
    }
    stays.resize(sets.size());
}

StaySum Ledger::staysAt(const MachineConfig& machine, std::size_t level) const {
    const std::size_t first = machine.firstCache(level);
    StaySum sum;
    for (std::size_t i = first; i < first + machine.caches(level); ++i) sum += stays[i];
    return sum;
}

std::uint64_t Ledger::misses(const MachineConfig& machine, std::size_t level, MissKind kind) const {
    const std::size_t first = machine.firstCache(level);
    std::uint64_t sum = 0;
    for (std::size_t i = first; i < first + machine.caches(level); ++i) {
        for (const SetTally& set : sets[i]) sum += set.misses[static_cast<std::size_t>(kind)];
    }
    return sum;
}

Ledger& Ledger::operator-=(const Ledger& earlier) {
    sites -= earlier.sites;
    owners -= earlier.owners;
    objects -= earlier.objects;
    cpus -= earlier.cpus;
    for (std::size_t c = 0; c < sets.size(); ++c) {
        stays[c] -= earlier.stays[c];
        for (std::size_t s = 0; s < sets[c].size(); ++s) {
            sets[c][s].requests -= earlier.sets[c][s].requests;
            sets[c][s].evictions -= earlier.sets[c][s].evictions;
            for (std::size_t k = 0; k < kMissKinds; ++k) sets[c][s].misses[k] -= earlier.sets[c][s].misses[k];
        }
    }
    subtract(regionConflicts, earlier.regionConflicts);
    return *this;
}

std::vector<EvictionPair> evictionPairs(const Conflicts& conflicts, std::size_t levels) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> counts;
    for (const auto& [conflict, count] : conflicts) {
        if (count == 0) continue;
        auto& row = counts[{conflict.evictor, conflict.victim}];
        row.resize(levels);
        row[conflict.level] += count;
    }
    std::vector<EvictionPair> pairs;
    pairs.reserve(counts.size());
    for (auto& [pair, row] : counts) pairs.push_back({pair.first, pair.second, std::move(row)});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const EvictionPair& a, const EvictionPair& b) { return a.evictions > b.evictions; });
    return pairs;
}

}  // namespace whorl::sim
