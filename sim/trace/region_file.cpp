#include "sim/trace/region_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/trace/formats/reading.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

/// The region of a list in address order that overlaps another one, or null.
const Region* overlapping(const std::vector<Region>& sorted, const Region& other) {
    const auto above =
        std::partition_point(sorted.begin(), sorted.end(), [&](const Region& r) { return r.last() < other.base; });
    return above != sorted.end() && above->base <= other.last() ? &*above : nullptr;
}

bool isOfObject(const Region& region, const std::vector<Object>& objects) {
    return std::any_of(objects.begin(), objects.end(), [&](const Object& o) {
        return o.base == region.base && o.size == region.size && o.name == region.name;
    });
}

/// Removes undeclared regions: all inferred ones, and those of objects if a named region overlaps any of them, just as
/// objects become no regions if one overlaps a declared region.
void makeRoom(TraceParts& parts, const std::vector<Region>& named) {
    std::vector<Region>& regions = parts.regions;
    std::erase_if(regions, [](const Region& r) { return r.origin == RegionOrigin::inferred; });
    const bool areInTheWay = std::any_of(regions.begin(), regions.end(), [&](const Region& r) {
        return overlapping(named, r) != nullptr && isOfObject(r, parts.objects);
    });
    if (areInTheWay) std::erase_if(regions, [&](const Region& r) { return isOfObject(r, parts.objects); });
}

}  // namespace

Expected<std::vector<Region>> readRegions(const std::string& path) {
    constexpr std::uint64_t kMax = std::uint64_t{16} << 20;
    auto text = WHORL_TRY(readSmallFile(path, kMax, "a file of regions"));
    text += '\n';
    TraceBuilder builder(path);
    const auto reader = regionReader(builder);
    const std::string_view lines = withoutByteOrderMark(text);
    const std::size_t taken = reader->read(lines);
    if (taken < lines.size()) {
        const std::string_view line = firstLine(lines.substr(taken));
        Malformed why = reader->malformed();
        why.noise = false;  // nothing is skipped here
        return tl::unexpected(lineError(path, reader->lines() + 1, line, line.size(), why));
    }
    return builder.finish().regions();
}

Expected<Trace> withRegions(Trace trace, std::vector<Region> named, const std::string& path) {
    TraceParts parts = std::move(trace).takeParts();
    makeRoom(parts, named);
    for (const Region& r : named) {
        const Region* const other = overlapping(parts.regions, r);
        if (other == nullptr) continue;
        return fail(path,
                    fmt::format("the region \"{}\" overlaps \"{}\", which the trace declares", shown(r.name),
                                shown(other->name)),
                    "only memory that it does not declare can be named");
    }
    std::vector<Region> all;
    std::merge(std::make_move_iterator(parts.regions.begin()), std::make_move_iterator(parts.regions.end()),
               std::make_move_iterator(named.begin()), std::make_move_iterator(named.end()), std::back_inserter(all),
               [](const Region& a, const Region& b) { return a.base < b.base; });
    parts.regions = std::move(all);
    return TraceBuilder::withInferredRegions(Trace(std::move(parts)));
}

}  // namespace whorl::sim
