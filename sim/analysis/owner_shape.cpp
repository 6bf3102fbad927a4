#include "sim/analysis/owner_shape.h"

#include <algorithm>
#include <map>
#include <vector>

namespace whorl::sim {
namespace {

/// The blocks of a variable, by birth; none for a region that objects lie in.
std::vector<const Object*> blocksOf(const Trace& trace, std::size_t owner) {
    std::vector<const Object*> blocks;
    const std::string& variable = trace.owners().name(owner);
    for (const std::uint32_t o : trace.owners().objects(owner)) {
        const Object& object = trace.objects()[o];
        if (isBlockOf(object, variable)) blocks.push_back(&object);
    }
    std::stable_sort(blocks.begin(), blocks.end(), [](auto* a, auto* b) { return a->born < b->born; });
    return blocks;
}

/// Whether each block takes the place of the one before, and is larger, as those of a vector that grows.
bool isGrowing(const std::vector<const Object*>& blocks) {
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        const bool isReplaced = b + 1 == blocks.size() || blocks[b]->died <= blocks[b + 1]->died;
        if (blocks[b]->size <= blocks[b - 1]->size || !isReplaced || blocks[b - 1]->died.value == ~std::uint64_t{0}) {
            return false;
        }
        if (b >= 2 && blocks[b - 2]->died > blocks[b]->born) return false;
    }
    return blocks.size() > 1;
}

/// Whether nobody knows for whom the memory is: what allocates it has no name in the program.
bool isNobodys(const std::string& owner) {
    return owner == "heap" || owner.find("+0x") != owner.npos;
}

}  // namespace

std::optional<LayoutChanges> gathered(const Trace& trace, std::size_t owner) {
    const Owners& owners = trace.owners();
    const std::vector<const Object*> blocks = blocksOf(trace, owner);
    const std::string& name = owners.name(owner);
    if (blocks.empty()) return owner < trace.regions().size() ? std::optional(LayoutChanges()) : std::nullopt;
    // A single block that is a region is that region.
    const bool isRegion = owner < trace.regions().size() && blocks.size() == 1 &&
                          extentOf(trace.regions()[owner]) == extentOf(*blocks[0]);
    if (isRegion) return LayoutChanges();
    if (isNobodys(name)) return std::nullopt;
    const LayoutChange change{.kind = isGrowing(blocks) ? LayoutChange::Kind::reserve : LayoutChange::Kind::pool,
                              .thing = name};
    const auto read = parseLayoutChange(asText(change));
    return read && *read == change ? std::optional(LayoutChanges{change}) : std::nullopt;
}

std::optional<Growth> growthOf(const Trace& trace, std::size_t owner) {
    const std::vector<const Object*> blocks = blocksOf(trace, owner);
    if (!isGrowing(blocks)) return std::nullopt;
    Growth growth{.blocks = blocks.size()};
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) growth.copied += blocks[b]->size;
    return growth;
}

OwnerShape shapeOf(const Trace& trace, std::size_t owner, const LayoutChanges& gathering) {
    if (gathering.empty()) return {.region = trace.regions()[owner]};
    const std::vector<const Object*> blocks = blocksOf(trace, owner);
    const Object& largest = **std::max_element(blocks.begin(), blocks.end(),
                                               [](const Object* a, const Object* b) { return a->size < b->size; });
    OwnerShape shape{
        .region = {.name = trace.owners().name(owner), .base = {}, .size = largest.size, .type = largest.type}};
    Region& region = shape.region;
    if (region.type) region.elementSize = region.type->size;
    if (gathering.front().kind == LayoutChange::Kind::reserve || blocks.size() == 1) return shape;
    region.size = 0;
    std::map<std::uint64_t, std::uint64_t> steps;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        region.size += blocks[b]->size;
        if (b > 0) ++steps[blocks[b]->base.value - blocks[b - 1]->base.value];
    }
    shape.step =
        std::max_element(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
    const bool areRows =
        std::all_of(blocks.begin(), blocks.end(), [&](const Object* o) { return o->size == largest.size; });
    const std::uint64_t columns = largest.size / region.elementSize;
    if (region.type && areRows && columns > 1) {
        region.rows = blocks.size();
        region.columns = columns;
    }
    return shape;
}

}  // namespace whorl::sim
