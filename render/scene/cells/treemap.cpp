#include "render/scene/cells/treemap.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <numeric>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// The most allocations of a region that have boxes of their own: the largest.
constexpr std::size_t kMost = 2000;
/// The most bytes of a region that is shown as a whole; of a larger one, what is touched.
constexpr std::uint64_t kMaxWhole = 65536;

/// The longer side of the flattest of some boxes for its shorter one, in a row along a side of this length.
double worst(double smallest, double largest, double sum, double side) {
    return std::max(side * side * largest / (sum * sum), sum * sum / (side * side * smallest));
}

/// What is shown of a region, bytes: a program may reserve much more than it touches.
std::uint64_t shownOf(const sim::Trace& trace, const sim::Region& region) {
    if (region.size <= kMaxWhole) return region.size;
    const sim::ByteAddress last{region.base.value + (region.size - 1)};
    constexpr std::uint64_t kGranule = sim::Footprint::kGranule;
    const std::size_t blocks = trace.footprint().touchedBlocks(region.base, last, kGranule).size();
    return std::clamp<std::uint64_t>(blocks * kGranule, 1, region.size);
}

}  // namespace

std::vector<PixelBox> squarified(std::span<const double> sizes, const PixelBox& box) {
    std::vector<PixelBox> out;
    glm::dvec2 low(box.low);
    const glm::dvec2 high(box.high);
    double rest = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    const double scale = box.width() * static_cast<double>(box.height()) / std::max(rest, 1e-300);
    const auto whole = [](glm::dvec2 a, glm::dvec2 b) {
        return PixelBox{glm::ivec2(glm::round(a)), glm::ivec2(glm::round(b))};
    };
    for (std::size_t first = 0; first < sizes.size();) {
        const bool isColumn = high.x - low.x >= high.y - low.y;
        const double side = std::max(1e-9, isColumn ? high.y - low.y : high.x - low.x);
        double sum = sizes[first] * scale;
        std::size_t end = first + 1;
        for (; end < sizes.size(); ++end) {
            const double more = sum + sizes[end] * scale;
            const double before = worst(sizes[end - 1] * scale, sizes[first] * scale, sum, side);
            if (worst(sizes[end] * scale, sizes[first] * scale, more, side) > before) break;
            sum = more;
        }
        const double thick = end == sizes.size() ? (isColumn ? high.x - low.x : high.y - low.y) : sum / side;
        double along = 0;
        for (std::size_t i = first; i < end; ++i) {
            const double next = i + 1 == end ? side : along + sizes[i] * scale / sum * side;
            out.push_back(isColumn ? whole(low + glm::dvec2(0, along), low + glm::dvec2(thick, next))
                                   : whole(low + glm::dvec2(along, 0), low + glm::dvec2(next, thick)));
            along = next;
        }
        (isColumn ? low.x : low.y) += thick;
        first = end;
    }
    return out;
}

Treemap::Treemap(const sim::Trace& trace, const PixelBox& area, int title) {
    std::vector<std::size_t> regions;
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        if (trace.regions()[r].size > 0) regions.push_back(r);
    }
    const auto sizeOf = [&](std::size_t r) { return static_cast<double>(shownOf(trace, trace.regions()[r])); };
    std::stable_sort(regions.begin(), regions.end(),
                     [&](std::size_t a, std::size_t b) { return sizeOf(a) > sizeOf(b); });
    std::vector<double> sizes(regions.size());
    std::transform(regions.begin(), regions.end(), sizes.begin(), sizeOf);
    const std::vector<PixelBox> places = squarified(sizes, area);
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const sim::Region& region = trace.regions()[regions[i]];
        boxes_.push_back({.name = region.name, .from = region.base, .bytes = region.size, .box = places[i]});
        divide(trace, regions[i], title);
    }
}

/// Divides the region that was added last among its allocations.
void Treemap::divide(const sim::Trace& trace, std::size_t region, int title) {
    const sim::Region& whole = trace.regions()[region];
    std::vector<const sim::Object*> objects;
    for (const sim::Object& o : trace.objects()) {
        const bool isIn =
            o.size > 0 && whole.contains(o.base) && whole.contains(sim::ByteAddress{o.base.value + (o.size - 1)});
        if (isIn) objects.push_back(&o);
    }
    std::stable_sort(objects.begin(), objects.end(), [](const auto* a, const auto* b) { return a->size > b->size; });
    std::vector<std::pair<std::uint64_t, std::uint64_t>> held;  // [from, to), by address
    std::vector<const sim::Object*> shown;
    std::uint64_t rest = shownOf(trace, whole);
    for (const sim::Object* o : objects) {
        const std::pair<std::uint64_t, std::uint64_t> span{o->base.value, o->base.value + o->size};
        const auto after = std::lower_bound(held.begin(), held.end(), span);
        const bool isFree = (after == held.end() || after->first >= span.second) &&
                            (after == held.begin() || std::prev(after)->second <= span.first);
        if (!isFree || shown.size() == kMost) continue;
        held.insert(after, span);
        shown.push_back(o);
        rest -= std::min(rest, o->size);
    }
    if (shown.empty() || (shown.size() == 1 && rest == 0)) return;
    std::vector<Box> inside;
    inside.reserve(shown.size() + 1);
    for (const sim::Object* o : shown)
        inside.push_back({.name = o->name, .from = o->base, .bytes = o->size, .isPart = true});
    if (rest > 0)
        inside.push_back({.name = whole.name, .from = whole.base, .bytes = rest, .isPart = true, .isRest = true});
    std::stable_sort(inside.begin(), inside.end(), [](const Box& a, const Box& b) { return a.bytes > b.bytes; });
    std::vector<double> sizes;
    sizes.reserve(inside.size());
    for (const Box& b : inside) sizes.push_back(static_cast<double>(b.bytes));
    Box& outer = boxes_.back();
    PixelBox room{outer.box.low + 1, outer.box.high - 1};
    if (room.isEmpty()) return;
    outer.hasTitle = room.height() > 3 * title;
    if (outer.hasTitle) room.low.y += title;
    outer.isDivided = true;
    const std::vector<PixelBox> places = squarified(sizes, room);
    for (std::size_t i = 0; i < inside.size(); ++i) {
        inside[i].box = places[i];
        if (inside[i].isRest) inside[i].bytes = whole.size;
        boxes_.push_back(std::move(inside[i]));
    }
}

const Treemap::Box* Treemap::at(glm::ivec2 p) const {
    const auto found = std::find_if(boxes_.rbegin(), boxes_.rend(), [&](const Box& b) { return b.box.contains(p); });
    return found == boxes_.rend() ? nullptr : &*found;
}

FlatScene treemapScene(const TreemapPicture& picture, const CellLook& look) {
    FlatScene scene = chartScene(look, cellArea(look));
    scene.raster.setClip(scene.clip);
    const Palette& palette = paletteFor(look.ground);
    const auto inset = static_cast<int>(0.3f * look.text);
    for (std::size_t i = 0; i < picture.map.boxes().size(); ++i) {
        const Treemap::Box& b = picture.map.boxes()[i];
        const float value = b.isDivided || b.isRest ? -1 : picture.values[i];
        scene.raster.fill(b.box, value < 0 ? Ink(palette.untouched) : picture.colourOf({.value = value}));
        scene.raster.frame(b.box, 1, b.isPart ? palette.ground : palette.outline);
        const bool isHigh = static_cast<float>(b.box.height()) >= look.text + static_cast<float>(2 * inset);
        const std::string words = isHigh && b.hasTitle && !b.isRest
                                      ? shortened(b.name, static_cast<float>(b.box.width() - 2 * inset), look.text)
                                      : std::string();
        if (words.empty()) continue;
        Label& label = scene.labels.emplace_back(cornerLabel(words, b.box.low + inset, look.text, palette.text));
        label.isBare = false;
    }
    for (const CellOutline& mark : picture.marks) {
        for (const Treemap::Box& b : picture.map.boxes()) {
            const bool isMarked =
                b.from == mark.first && mark.last.value - mark.first.value + 1 == b.bytes && !b.isRest;
            if (isMarked) scene.raster.frame(b.box, 2, mark.colour);
        }
    }
    addCellFrame(scene, look);
    return scene;
}

}  // namespace whorl::scene
