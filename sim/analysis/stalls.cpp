#include "sim/analysis/stalls.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace whorl::sim {

StallTally& StallTally::operator+=(const StallTally& more) {
    accesses += more.accesses;
    lost += more.lost;
    strides += more.strides;
    spanning += more.spanning;
    fields.resize(std::max(fields.size(), more.fields.size()));
    for (std::size_t f = 0; f < more.fields.size(); ++f) fields[f] += more.fields[f];
    for (const auto& [size, times] : more.sizes) sizes[size] += times;
    return *this;
}

std::uint32_t StallTally::usualSize() const {
    std::pair<std::uint64_t, std::uint32_t> most{0, 0};
    for (const auto& [size, times] : sizes) most = std::max(most, std::pair(times, size));
    return most.second;
}

StallCollector::StallCollector(const Trace& trace) : trace_(trace), lines_(trace), recent_(trace.sites().size()) {}

StallCollector::OfSite& StallCollector::ofSite(SiteId site, std::size_t region) {
    Recent& recent = recent_[site.value];
    if (recent.region == region) [[likely]] {
        return sites_[recent.number];
    }
    const std::uint64_t key = std::uint64_t{site.value} << 32 | region;
    const auto [at, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
    if (isNew) {
        OfSite& of = sites_.emplace_back();
        of.sum.line = lines_.of(site);
        of.sum.region = region;
        of.last.resize(trace_.cpus(), kNever);
        const auto& regions = trace_.regions();
        if (region < regions.size() && regions[region].type) of.sum.fields.resize(regions[region].type->fields.size());
    }
    recent = {.region = region, .number = at->second};
    return sites_[at->second];
}

void StallCollector::take(const Batch& batch) {
    const MachineConfig& machine = batch.after.machine();
    batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> events) {
        if (access.unrecorded()) return;
        take(access, costOf(events, machine), machine);
    });
}

void StallCollector::take(const PackedAccess& packed, Cycles cost, const MachineConfig& machine) {
    const Access access = packed.unpack();
    const auto& regions = trace_.regions();
    if (lastRegion_ >= regions.size() || !regions[lastRegion_].contains(access.address)) {
        lastRegion_ = trace_.regionAt(access.address);
    }
    OfSite& of = ofSite(access.site, lastRegion_);
    of.sum.accesses += countOf(access, machine);
    of.sum.lost += penaltyOf(cost, access, machine);
    // The two halves of a modify are one visit.
    if (access.modify) return;
    step(of, access);
    use(of, access);
}

void StallCollector::step(OfSite& of, const Access& access) const {
    std::uint64_t& last = of.last[access.cpu];
    if (last != kNever) of.sum.strides.add(static_cast<std::int64_t>(access.address.value - last), access.size);
    last = access.address.value;
}

void StallCollector::use(OfSite& of, const Access& access) const {
    // An instruction nearly always has one size.
    if (access.size != of.size) {
        if (of.usual > 0) of.sum.sizes[of.size] += std::exchange(of.usual, 0);
        of.size = access.size;
    }
    ++of.usual;
    if (of.sum.region >= trace_.regions().size()) return;
    const Region& region = trace_.regions()[of.sum.region];
    const std::uint64_t offset = access.address.value - region.base.value;
    const std::uint64_t element = region.type ? std::max(region.elementSize, region.type->size) : region.elementSize;
    const std::uint64_t within = offset % element;
    const StructField* const field = region.type ? region.type->fieldAt(within) : nullptr;
    std::uint64_t end = element;
    if (field != nullptr) {
        ++of.sum.fields[static_cast<std::size_t>(field - region.type->fields.data())];
        end = field->offset + field->size;
    }
    if (within + access.size > end && element > 1) ++of.sum.spanning;
}

std::vector<StallTally> StallCollector::tallies() const {
    std::map<std::pair<std::uint32_t, std::size_t>, StallTally> sums;
    for (const OfSite& of : sites_) {
        const auto [at, isNew] = sums.try_emplace(std::pair(of.sum.line, of.sum.region), of.sum);
        if (!isNew) at->second += of.sum;
        if (of.usual > 0) at->second.sizes[of.size] += of.usual;
    }
    std::vector<StallTally> out;
    out.reserve(sums.size());
    for (auto& sum : sums) out.push_back(std::move(sum.second));
    return out;
}

std::optional<std::vector<StallTally>> stallsOf(const Trace& trace, const MachineConfig& machine, Progress& progress) {
    auto future = futureOf(machine, trace, progress);
    if (!future) return std::nullopt;
    Simulator simulator(machine, *std::move(future));
    StallCollector collector(trace);
    progress.start(trace.size());
    if (!replay(trace, simulator, {Tick{0}, Tick{trace.size()}}, collector, progress)) return std::nullopt;
    return collector.tallies();
}

}  // namespace whorl::sim
