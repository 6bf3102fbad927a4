#include "sim/trace/trace_footprint.h"

namespace whorl::sim {

namespace {

/// Calls use(access) for every access, with its mapped address. False if it was cancelled.
template <class F>
bool eachAccess(const TraceParts& parts, Progress& progress, F&& use) {
    ChunkReader reader;
    std::uint64_t done = 0;
    progress.setTotal(parts.size);
    for (std::size_t c = 0; c < parts.accesses->chunks(); ++c) {
        if (progress.cancelled()) return false;
        const auto accesses = reader.chunk(*parts.accesses, c, parts.sites.size(), parts.cpus);
        if (parts.map != nullptr) parts.map->apply(accesses);
        for (const PackedAccess& a : accesses) use(a);
        done += accesses.size();
        progress.setDone(done);
    }
    return true;
}

}  // namespace

std::optional<Footprint> footprintOf(const TraceParts& parts, Progress& progress) {
    FootprintBuilder footprint;
    const auto touch = [&](const PackedAccess& a) { footprint.touch(a.address(), a.size()); };
    if (!eachAccess(parts, progress, touch)) return std::nullopt;
    return footprint.finish();
}

std::optional<std::vector<Footprint>> footprintsByCpu(const TraceParts& parts, Progress& progress) {
    std::vector<FootprintBuilder> builders(parts.cpus);
    const auto touch = [&](const PackedAccess& a) { builders[a.cpu()].touch(a.address(), a.size()); };
    if (!eachAccess(parts, progress, touch)) return std::nullopt;
    std::vector<Footprint> footprints;
    footprints.reserve(builders.size());
    for (FootprintBuilder& builder : builders) footprints.push_back(builder.finish());
    return footprints;
}

}  // namespace whorl::sim
