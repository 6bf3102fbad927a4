#include "app/views/cells/memory_overlays.h"

#include <algorithm>
#include <string>
#include <utility>

#include "render/scene/palette.h"

namespace whorl::app {

namespace {

// As many as are in a picture: the newest lines, the first outlines and pages.
constexpr std::size_t kMaxLines = 2000;
constexpr std::size_t kMaxOutlines = 2000;
constexpr std::size_t kMaxPages = 4000;

/// Whether the state of a page is known at a moment.
bool knowsPages(const sim::MachineConfig& machine) {
    return machine.tlb.entries > 0 || machine.memory.isBounded();
}

scene::CellOutline outlineOf(sim::ByteAddress base, std::uint64_t size, std::string name, scene::Rgba colour,
                             int thick) {
    return {base, sim::ByteAddress{base.value + (size - 1)}, std::move(name), colour, thick};
}

bool isInTlb(const sim::Hierarchy& hierarchy, sim::BlockAddress page) {
    for (std::uint32_t cpu = 0; cpu < hierarchy.machine().cpus; ++cpu) {
        if (hierarchy.tlb(cpu) != nullptr && hierarchy.tlb(cpu)->holds(page)) return true;
    }
    return false;
}

}  // namespace

std::vector<scene::CellKey::Sign> MemoryOverlays::signs(const scene::CellFlow* flow, const scene::MemoryShape& shape,
                                                        const CellMarks& marks) const {
    std::vector<scene::CellKey::Sign> signs;
    const scene::Palette& palette = scene::paletteFor(ground_);
    for (const auto& [words, boundary] : boundaries()) {
        if (flow == nullptr || hasBoundaries(*flow, shape, boundary.bytes))
            signs.push_back({words, boundary.colour, true});
    }
    if (isLive_ && choice_.pages && knowsPages(machine_)) {
        const bool hasTlb = machine_.tlb.entries > 0;
        if (hasTlb) signs.push_back({"page in the TLB", palette.pageInTlb, true});
        signs.push_back({hasTlb ? "in memory only" : "page in memory", palette.pageInMemory, true});
        if (machine_.memory.isBounded()) signs.push_back({"on disk", palette.pageOnDisk, true});
    }
    const bool hasRegions = choice_.groups != scene::MemoryGroups::regions && !trace_.regions().empty();
    const bool hasObjects = isLive_ && !trace_.objects().empty();
    if (hasRegions || hasObjects) {
        const char* const words = hasRegions && hasObjects ? "region, allocation"
                                  : hasRegions             ? "region"
                                                           : "allocation";
        signs.push_back({words, palette.outline, true});
    }
    if (isLive_ && choice_.conflictLevel && *choice_.conflictLevel < machine_.levels.size()) {
        const std::string& name = machine_.levels[*choice_.conflictLevel].name;
        signs.push_back({"what came into " + name + ", and what it evicted", palette.conflict, true});
    }
    const bool isPicked =
        marks.object || marks.marked || (marks.place && marks.place->kind == sim::Place::Kind::memory);
    if (isPicked) signs.push_back({"picked", palette.mark, true});
    if (!marks.watched.empty()) signs.push_back({"watched", palette.watch, true});
    return signs;
}

void MemoryOverlays::addTo(scene::MemoryPicture& picture, const scene::CellMoment& moment,
                           const CellMarks& marks) const {
    addBoundaries(picture);
    if (choice_.pages && activity_ != nullptr && knowsPages(machine_)) addPages(picture);
    addOutlines(picture);
    if (activity_ != nullptr) addConflicts(picture, moment);
    addMarks(picture, marks);
}

std::vector<std::pair<std::string, scene::CellBoundary>> MemoryOverlays::boundaries() const {
    std::vector<std::pair<std::string, scene::CellBoundary>> out;
    const scene::Palette& palette = scene::paletteFor(ground_);
    const std::vector<sim::LevelConfig>& levels = machine_.levels;
    if (choice_.boundaries && !levels.empty()) {
        out.push_back({levels[0].name + " way", {levels[0].wayBytes(), 1, palette.boundary}});
    }
    if (choice_.boundaries2 && levels.size() > 1) {
        out.push_back({levels[1].name + " way", {levels[1].wayBytes(), 2, palette.boundary2}});
    }
    const bool isKnown = isLive_ && knowsPages(machine_);
    if (choice_.pages && !isKnown) out.push_back({"page", {machine_.pageBytes(), 1, palette.page}});
    return out;
}

void MemoryOverlays::addBoundaries(scene::MemoryPicture& picture) const {
    for (const auto& [words, boundary] : boundaries()) picture.boundaries.push_back(boundary);
}

/// The edge of each page in the colour of its state: in a TLB, in memory, or on disk.
void MemoryOverlays::addPages(scene::MemoryPicture& picture) const {
    const scene::Palette& palette = scene::paletteFor(ground_);
    const sim::Hierarchy& hierarchy = activity_->now.hierarchy();
    const std::uint64_t bytes = machine_.pageBytes();
    for (std::uint32_t g = 0; g < picture.cells.groups().groups.size(); ++g) {
        const std::uint64_t last = picture.cells.lastOf(g).value / bytes;
        for (std::uint64_t number = picture.cells.firstOf(g).value / bytes; number <= last; ++number) {
            if (picture.pages.size() >= kMaxPages) return;
            const sim::BlockAddress page{number};
            const bool isThere = hierarchy.pages() == nullptr || hierarchy.pages()->holds(page);
            picture.pages.push_back({sim::ByteAddress{number * bytes}, bytes,
                                     isInTlb(hierarchy, page) ? palette.pageInTlb
                                     : isThere                ? palette.pageInMemory
                                                              : palette.pageOnDisk});
        }
    }
}

/// Regions, where they are not apart already, and at a moment the objects that live then.
void MemoryOverlays::addOutlines(scene::MemoryPicture& picture) const {
    const scene::Rgba colour = scene::paletteFor(ground_).outline;
    if (choice_.groups != scene::MemoryGroups::regions) {
        for (const sim::Region& r : trace_.regions()) {
            if (picture.outlines.size() >= kMaxOutlines) return;
            if (r.size > 0) picture.outlines.push_back(outlineOf(r.base, r.size, r.name, colour, 1));
        }
    }
    if (activity_ == nullptr) return;
    const sim::Tick now = activity_->begun();
    for (const sim::Object& o : trace_.objects()) {
        if (picture.outlines.size() >= kMaxOutlines) return;
        const bool lives = o.born <= now && now < o.died && o.size > 0;
        if (lives) picture.outlines.push_back(outlineOf(o.base, o.size, o.name, colour, 1));
    }
}

void MemoryOverlays::addConflicts(scene::MemoryPicture& picture, const scene::CellMoment& moment) const {
    if (!choice_.conflictLevel || *choice_.conflictLevel >= machine_.levels.size()) return;
    const std::uint8_t level = *choice_.conflictLevel;
    const std::uint64_t size = machine_.levels[level].block;
    // The newest first, as at most kMaxLines are drawn.
    for (std::size_t i = activity_->replacements.size(); i-- > 0;) {
        const sim::Replacement& r = activity_->replacements[i];
        if (r.level != level) continue;
        const float light = lightOf(r.tick, moment);
        if (light == 0 || picture.conflicts.size() >= kMaxLines) break;
        picture.conflicts.push_back({sim::ByteAddress{r.in.value * size}, sim::ByteAddress{r.out.value * size}, light});
    }
    // The newest on top.
    std::reverse(picture.conflicts.begin(), picture.conflicts.end());
}

void MemoryOverlays::addMarks(scene::MemoryPicture& picture, const CellMarks& marks) const {
    const scene::Palette& palette = scene::paletteFor(ground_);
    const std::uint64_t block = machine_.blockBytes();
    const auto markBlock = [&](sim::ByteAddress byte, scene::Rgba colour) {
        picture.marks.push_back(outlineOf(sim::ByteAddress{byte.value / block * block}, block, {}, colour, 2));
    };
    if (const auto picked = marks.object ? memoryOf(*marks.object, trace_) : std::nullopt) {
        picture.marks.push_back(outlineOf(picked->from, picked->bytes, picked->name, palette.mark, 2));
    }
    for (const sim::ByteAddress byte : marks.watched) markBlock(byte, palette.watch);
    // A picked cell may be smaller or larger than the block that is selected with it.
    if (marks.place && marks.place->kind == sim::Place::Kind::memory) {
        picture.marks.push_back(outlineOf(marks.place->from, marks.place->bytes, {}, palette.mark, 2));
    } else if (marks.marked) {
        markBlock(*marks.marked, palette.mark);
    }
}

}  // namespace whorl::app
