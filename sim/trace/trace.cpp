#include "sim/trace/trace.h"

#include <fmt/format.h>

#include <utility>

#include "sim/trace/region_inference.h"

namespace whorl::sim {
namespace {

/// With more objects than this, each a colour of its own would tell nothing.
constexpr std::size_t kMaxObjectRegions = 16;

bool byBase(const Region& a, const Region& b) {
    return a.base < b.base;
}

Region regionOf(const Object& object) {
    Region region;
    region.name = object.name;
    region.base = object.base;
    region.size = object.size;
    return region;
}

/// The first two neighbours of a sorted list that overlap, or its end.
std::vector<Region>::const_iterator firstOverlap(const std::vector<Region>& sorted) {
    return std::adjacent_find(sorted.begin(), sorted.end(),
                              [](const Region& a, const Region& b) { return b.base.value - a.base.value < a.size; });
}

}  // namespace

std::size_t Trace::regionAt(ByteAddress a) const {
    const auto above = std::upper_bound(regions_.begin(), regions_.end(), a,
                                        [](ByteAddress address, const Region& r) { return address < r.base; });
    if (above == regions_.begin() || !std::prev(above)->contains(a)) return regions_.size();
    return static_cast<std::size_t>(above - regions_.begin()) - 1;
}

const Object* Trace::objectAt(ByteAddress a, Tick t) const {
    return objectIndex_.find(objects_, a, t);
}

std::string Trace::placeOf(ByteAddress a, Tick t) const {
    if (const Object* object = objectAt(a, t)) return object->name;
    const std::size_t region = regionAt(a);
    if (region < regions_.size()) return regions_[region].placeOf(a);
    return fmt::format("{:#x}", a.value);
}

TraceBuilder::TraceBuilder(std::string name) {
    trace_.name_ = std::move(name);
}

void TraceBuilder::startChunk() {
    auto& chunk = trace_.chunks_.emplace_back();
    // A trace that needs a second chunk will most likely fill it; one of ten lines should not take a megabyte.
    if (trace_.size_ > 0) chunk.reserve(Trace::kChunk);
}

std::uint32_t TraceBuilder::fileId(std::string_view path) {
    const auto known = fileIds_.find(path);
    if (known != fileIds_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(trace_.files_.size());
    trace_.files_.push_back({.path = std::string(path), .lines = {}});
    fileIds_.emplace(path, id);
    return id;
}

SiteId TraceBuilder::site(std::string_view file, std::uint32_t line) {
    if (line == 0) return SiteId{};
    const std::uint64_t key = std::uint64_t{fileId(file)} << 32 | line;
    const auto [entry, isNew] = siteIds_.try_emplace(key, static_cast<std::uint32_t>(trace_.sites_.size()));
    if (isNew) trace_.sites_.push_back({.file = static_cast<std::uint32_t>(key >> 32), .line = line});
    return SiteId{entry->second};
}

void TraceBuilder::sourceText(std::string_view file, std::string_view text) {
    auto& lines = trace_.files_[fileId(file)].lines;
    lines.clear();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

bool TraceBuilder::addRegion(Region region, std::string* overlapped) {
    auto& regions = trace_.regions_;
    const auto above = std::upper_bound(regions.begin(), regions.end(), region, byBase);
    const auto refuse = [&](const Region& other) {
        if (overlapped != nullptr) *overlapped = other.name;
        return false;
    };
    if (above != regions.end() && above->base.value - region.base.value < region.size) return refuse(*above);
    if (above != regions.begin() && std::prev(above)->contains(region.base)) return refuse(*std::prev(above));
    region.elementSize = std::max(region.elementSize, 1u);
    if (region.rows == 0) region.columns = 0;
    region.origin = RegionOrigin::declared;
    regions.insert(above, std::move(region));
    return true;
}

bool TraceBuilder::newObject(Object object) {
    const std::uint64_t base = object.base.value;
    const auto above = alive_.lower_bound(base);
    if (above != alive_.end() && (above->first == base || above->first - base < object.size)) return false;
    if (above != alive_.begin()) {
        const auto& [below, index] = *std::prev(above);
        if (base - below < trace_.objects_[index].size) return false;
    }
    object.born = Tick{size()};
    object.died = Tick{~std::uint64_t{0}};
    alive_.emplace(base, trace_.objects_.size());
    trace_.objects_.push_back(std::move(object));
    return true;
}

bool TraceBuilder::deleteObject(ByteAddress base) {
    const auto entry = alive_.find(base.value);
    if (entry == alive_.end()) return false;
    trace_.objects_[entry->second].died = Tick{size()};
    alive_.erase(entry);
    return true;
}

void TraceBuilder::mark(std::string text) {
    trace_.marks_.push_back({.at = Tick{size()}, .text = std::move(text)});
}

void TraceBuilder::promoteObjects() {
    if (trace_.objects_.size() > kMaxObjectRegions) return;
    std::vector<Region> all = trace_.regions_;
    for (const Object& object : trace_.objects_) {
        if (object.size > 0) all.push_back(regionOf(object));
    }
    std::stable_sort(all.begin(), all.end(), byBase);
    if (firstOverlap(all) == all.end()) trace_.regions_ = std::move(all);
}

Trace TraceBuilder::finish() {
    trace_.footprint_ = footprint_.finish();
    std::stable_sort(trace_.objects_.begin(), trace_.objects_.end(), [](const Object& a, const Object& b) {
        return std::pair(a.base, a.born) < std::pair(b.base, b.born);
    });
    trace_.objectIndex_ = ObjectIndex(trace_.objects_);
    promoteObjects();
    auto inferred = inferRegions(trace_);
    trace_.regions_.insert(trace_.regions_.end(), std::make_move_iterator(inferred.begin()),
                           std::make_move_iterator(inferred.end()));
    std::sort(trace_.regions_.begin(), trace_.regions_.end(), byBase);

    Trace done = std::exchange(trace_, Trace{});
    fileIds_.clear();
    siteIds_.clear();
    alive_.clear();
    recording_ = true;
    return done;
}

}  // namespace whorl::sim
