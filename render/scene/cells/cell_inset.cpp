#include "render/scene/cells/cell_inset.h"

#include <algorithm>

#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr int kInsetMargin = 4;  ///< pixels between its frame and the cells
constexpr int kMaxPixels = 6;

glm::ivec2 roomIn(const PixelBox& area) {
    return {std::clamp(area.width() / 4, 80, 280), std::clamp(area.height() / 3, 60, 200)};
}

CellGroups withoutTitles(CellGroups groups) {
    for (CellGroup& g : groups.groups) {
        g.title.clear();
        g.name.clear();
    }
    return groups;
}

CellFlow fitted(const CellGroups& groups, const std::vector<std::uint32_t>& order, glm::ivec2 room) {
    FlowLook look{.room = room, .title = 0, .gap = 2, .gutter = 3};
    const CellFit fit = fitOf(groups, look, kMaxPixels);
    look.stack = fit.stack;
    return {groups, order, fit.scale, look};
}

}  // namespace

bool CellInset::fits(const PixelBox& area) {
    return area.width() >= 260 && area.height() >= 180;
}

CellInset::CellInset(const CellGroups& groups, const std::vector<std::uint32_t>& order, const PixelBox& area)
    : groups_(withoutTitles(groups)), flow_(fitted(groups_, order, roomIn(area))) {
    const glm::ivec2 room = roomIn(area);
    const glm::ivec2 size(std::min(flow_.size().x, room.x), std::min(flow_.size().y, room.y));
    box_.high = area.high - 6;
    box_.low = box_.high - size - 2 * kInsetMargin;
}

CellWindow CellInset::window() const {
    return {{box_.low + kInsetMargin, box_.high - kInsetMargin}, {0, 0}};
}

std::optional<CellPlace> CellInset::at(glm::ivec2 p) const {
    if (!box_.contains(p)) return std::nullopt;
    return flow_.at(window().toContent(p));
}

void CellInset::paint(FlatScene& scene, FoldedValues& values, const EntryColour& colourOf, MemoryCurve curve,
                      const CellFlow& flow, const CellWindow& window) const {
    Raster& raster = scene.raster;
    const Palette& palette = paletteFor(scene.ground);
    raster.setClip(raster.box());
    raster.fill(box_, scene.background);
    raster.frame(box_, 1, palette.line);
    raster.setClip(box_);
    paintUntouched(raster, this->window(), flow_, groups_, curve, cellPaletteFor(scene.ground).untouched);
    paintValues(raster, this->window(), flow_, values.at(flow_.scale().fold), colourOf);
    markSeen(raster, flow, window, palette.text);
    raster.setClip(raster.box());
}

/// The rows and columns that are seen, group by group.
void CellInset::markSeen(Raster& raster, const CellFlow& flow, const CellWindow& window, Rgba colour) const {
    const PixelBox seen = window.content();
    const int fold = flow.scale().fold;
    const int pixels = flow.scale().pixels;
    Rgba veil = colour;
    veil.a = 60;
    flow.forEachIn(seen, [&](const CellFlow::Run& run) {
        const PixelBox part = commonOf(flow.boxOf(run), seen);
        if (part.isEmpty()) return;
        const auto row = [&](int y) {
            return (run.firstRow + static_cast<std::uint32_t>((y - run.at.y) / pixels)) << fold;
        };
        const auto column = [&](int x) { return static_cast<std::uint32_t>((x - run.at.x) / pixels) << fold; };
        const std::uint32_t firstRow = row(part.low.y) >> flow_.scale().fold;
        const std::uint32_t lastRow = row(part.high.y - 1) >> flow_.scale().fold;
        const int left = static_cast<int>(column(part.low.x) >> flow_.scale().fold) * flow_.scale().pixels;
        const int right = (static_cast<int>(column(part.high.x - 1) >> flow_.scale().fold) + 1) * flow_.scale().pixels;
        for (const CellFlow::Run& small : flow_.runs()) {
            if (small.group != run.group) continue;
            const std::uint32_t from = std::max(firstRow, small.firstRow);
            const std::uint32_t to = std::min(lastRow + 1, small.firstRow + small.rows);
            if (from >= to) continue;
            const int top = small.at.y + static_cast<int>(from - small.firstRow) * flow_.scale().pixels;
            const int bottom = small.at.y + static_cast<int>(to - small.firstRow) * flow_.scale().pixels;
            const PixelBox box{{small.at.x + left, top}, {small.at.x + right, bottom}};
            raster.blend(this->window().toPicture(box), veil);
            raster.frame(this->window().toPicture(box), 1, colour);
        }
    });
}

}  // namespace whorl::scene
