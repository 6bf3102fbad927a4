#include "sim/trace/trace_footprint.h"

namespace whorl::sim {

std::optional<Footprint> footprintOf(const TraceParts& parts, Progress& progress) {
    FootprintBuilder footprint;
    ChunkReader reader;
    std::uint64_t done = 0;
    progress.setTotal(parts.size);
    for (std::size_t c = 0; c < parts.accesses->chunks(); ++c) {
        if (progress.cancelled()) return std::nullopt;
        const auto accesses = reader.chunk(*parts.accesses, c, parts.sites.size(), parts.cpus);
        if (parts.map != nullptr) parts.map->apply(accesses);
        for (const PackedAccess& a : accesses) footprint.touch(a.address(), a.size());
        done += accesses.size();
        progress.setDone(done);
    }
    return footprint.finish();
}

}  // namespace whorl::sim
