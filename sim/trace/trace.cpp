#include "sim/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace whorl::sim {

Trace::Trace(TraceParts parts) : parts_(std::move(parts)) {
    static std::atomic<std::uint64_t> made{0};
    serial_ = ++made;
    if (parts_.accesses == nullptr) parts_.accesses = std::make_shared<const PackedAccesses>();
    std::stable_sort(parts_.objects.begin(), parts_.objects.end(), [](const Object& a, const Object& b) {
        return std::pair(a.base, a.born) < std::pair(b.base, b.born);
    });
    objectIndex_ = ObjectIndex(parts_.objects);
}

const std::string& Trace::functionOf(const Site& site) const {
    static const std::string unknown;
    return site.function < parts_.functions.size() ? parts_.functions[site.function] : unknown;
}

const std::string& Trace::cpuName(std::uint32_t cpu) const {
    static const std::string none;
    return cpu < parts_.cpuNames.size() ? parts_.cpuNames[cpu] : none;
}

std::size_t Trace::regionAt(ByteAddress a) const {
    const auto& regions = parts_.regions;
    const auto above = std::upper_bound(regions.begin(), regions.end(), a,
                                        [](ByteAddress address, const Region& r) { return address < r.base; });
    if (above == regions.begin() || !std::prev(above)->contains(a)) return regions.size();
    return static_cast<std::size_t>(above - regions.begin()) - 1;
}

const Object* Trace::objectAt(ByteAddress a, Tick t) const {
    return objectIndex_.find(parts_.objects, a, t);
}

std::string Trace::placeOf(ByteAddress a, Tick t) const {
    if (const Object* object = objectAt(a, t)) return placeIn(*object, a);
    const std::size_t region = regionAt(a);
    if (region < parts_.regions.size()) return parts_.regions[region].placeOf(a);
    return fmt::format("{:#x}", a.value);
}

std::string Trace::placeIn(const Object& object, ByteAddress a) const {
    const std::size_t r = regionAt(object.base);
    if (r < parts_.regions.size()) {
        const Region& region = parts_.regions[r];
        if (region.rows > 0 && region.base == object.base && region.size == object.size) return region.placeOf(a);
    }
    return object.placeOf(a);
}

}  // namespace whorl::sim
