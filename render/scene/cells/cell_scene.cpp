#include "render/scene/cells/cell_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr float kGroupTitle = 1.6f;  ///< height of a group's title, in heights of the text

/// Adds title and key, outside of the cells.
void addFrame(FlatScene& scene, const CellLook& look) {
    scene.raster.setClip(scene.raster.box());
    addTitle(scene, look, look.title);
    paintKey(scene, look.key, chartFrame(look, look.keyRoom).key, look.text);
}

/// The room of a title: up to what is to the right of it, or of its rows.
float roomOfTitle(const CellFlow& flow, const CellFlow::Run& run, int text, int right) {
    for (const CellFlow::Run& other : flow.runs()) {
        const int top = other.titleY < 0 ? other.at.y : other.titleY;
        const bool isSameLine = top < run.titleY + text && flow.boxOf(other).high.y > run.titleY;
        if (other.at.x > run.at.x && isSameLine) right = std::min(right, other.at.x - text / 4);
    }
    return static_cast<float>(right - run.at.x);
}

/// The titles of groups, and a short broken line where something is left out.
void addGroupTitles(FlatScene& scene, const CellWindow& window, const CellFlow& flow, const CellGroups& groups,
                    const CellLook& look) {
    const Palette& palette = paletteFor(look.ground);
    flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
        const glm::ivec2 at = window.toPicture(run.at);
        if (run.isGap) {
            for (int i = 0; i < 3; ++i) {
                const glm::ivec2 dot = at + glm::ivec2(4 + 6 * i, -4);
                scene.raster.fill({dot, dot + 2}, palette.muted);
            }
        }
        if (run.titleY < 0) return;
        const glm::ivec2 title = window.toPicture(glm::ivec2(run.at.x, run.titleY));
        if (title.y < window.area.low.y || title.y + static_cast<int>(look.text) > window.area.high.y) return;
        const float room = roomOfTitle(flow, run, static_cast<int>(look.text), run.at.x + window.area.high.x - title.x);
        const CellGroup& group = groups.groups[run.group];
        const bool isWhole = group.name.empty() || widthOf(group.title, look.text) <= room;
        std::string words = shortened(isWhole ? group.title : group.name, room, look.text);
        if (words.empty()) return;
        Label& label = scene.labels.emplace_back(cornerLabel(std::move(words), title, look.text, palette.text));
        label.isBare = false;  // lines of conflict pass below it
    });
}

/// A name in the middle of the rows of an outline, if they have room for it.
void addName(FlatScene& scene, const CellWindow& window, const std::vector<PixelBox>& rows, const CellOutline& outline,
             const CellLook& look) {
    if (outline.name.empty() || rows.empty()) return;
    PixelBox all = rows.front();
    for (const PixelBox& row : rows) {
        if (row.low.x >= all.high.x || row.high.x <= all.low.x) break;  // the next column
        all.low = glm::min(all.low, row.low);
        all.high = glm::max(all.high, row.high);
    }
    all = commonOf(all, window.area);
    const float width = widthOf(outline.name, look.text);
    if (static_cast<float>(all.width()) < width || static_cast<float>(all.height()) < look.text) return;
    Label label;
    label.text = outline.name;
    label.at = glm::vec2(all.low + all.high) / 2.0f;
    label.size = look.text;
    label.colour = paletteFor(look.ground).text;
    scene.labels.push_back(std::move(label));
}

void addConflicts(FlatScene& scene, const CellWindow& window, const MemoryPicture& picture, const CellLook& look) {
    const auto middleOf = [&](sim::ByteAddress a) -> std::optional<glm::vec2> {
        const auto place = picture.cells.placeOf(a);
        const auto box = place ? picture.flow.boxOf(*place) : std::nullopt;
        if (!box) return std::nullopt;
        return glm::vec2(window.toPicture(box->low) + window.toPicture(box->high)) / 2.0f;
    };
    const float width = std::clamp(0.2f * static_cast<float>(picture.flow.scale().pixels), 1.2f, 3.0f) * look.text / 14;
    const Rgba colour = paletteFor(look.ground).conflict;
    for (const ConflictLine& line : picture.conflicts) {
        const auto in = middleOf(line.in);
        const auto out = middleOf(line.out);
        if (!in || !out) continue;
        const Rgba shade = faded(colour, std::clamp(line.strength, 0.0f, 1.0f));
        scene.strokes.push_back({*in, *out, width, shade, shade});
        // The newcomer's end has a dot.
        scene.strokes.push_back({*in, *in, 2.2f * width, shade, shade});
    }
}

/// A page's state as a bar along its left edge, where a row is not longer than a page; else along its top.
void paintPage(Raster& raster, const CellWindow& window, const MemoryPicture& picture, const PageMark& page) {
    const sim::ByteAddress last{page.first.value + (page.bytes - 1)};
    const int thick = picture.flow.scale().pixels >= 8 ? 2 : 1;
    paintOutline(raster, window, picture.flow, picture.cells, page.first, last, thick, page.colour);
}

template <class Picture>
void paintCells(FlatScene& scene, const CellWindow& window, const Picture& picture, const CellLook& look) {
    if (hasHalos(look.key.scaling, picture.flow.scale())) {
        paintHalos(scene.raster, window, picture.flow, picture.values, picture.colourOf);
    }
    paintValues(scene.raster, window, picture.flow, picture.values, picture.colourOf);
}

}  // namespace

PixelBox cellArea(const CellLook& look) {
    return chartFrame(look, look.keyRoom).body;
}

FlowLook flowLookOf(const CellLook& look) {
    const PixelBox area = cellArea(look);
    return {.room = {area.width(), area.height()},
            .title = look.em(kGroupTitle),
            .gap = static_cast<int>(std::lround(0.5f * look.text)),
            .gutter = static_cast<int>(std::lround(1.2f * look.text))};
}

bool hasHalos(CellScaling scaling, const CellScale& scale) {
    return scaling == CellScaling::glow && scale.pixels < 3;
}

FlatScene memoryScene(const MemoryPicture& picture, const CellLook& look) {
    FlatScene scene = chartScene(look, cellArea(look));
    const CellWindow window{scene.clip, picture.scroll};
    scene.raster.setClip(window.area);
    const MemoryShape& shape = picture.cells.shape();
    paintUntouched(scene.raster, window, picture.flow, picture.cells.groups(), shape.curve,
                   paletteFor(look.ground).untouched);
    paintCells(scene, window, picture, look);
    for (const CellBoundary& b : picture.boundaries) {
        paintBoundaries(scene.raster, window, picture.flow, picture.cells, b.bytes, b.thick, b.colour);
    }
    for (const PageMark& page : picture.pages) paintPage(scene.raster, window, picture, page);
    for (const std::vector<CellOutline>* list : {&picture.outlines, &picture.marks}) {
        for (const CellOutline& o : *list) {
            const auto rows =
                paintOutline(scene.raster, window, picture.flow, picture.cells, o.first, o.last, o.thick, o.colour);
            addName(scene, window, rows, o, look);
        }
    }
    addGroupTitles(scene, window, picture.flow, picture.cells.groups(), look);
    addConflicts(scene, window, picture, look);
    addFrame(scene, look);
    return scene;
}

FlatScene cacheScene(const CachePicture& picture, const CellLook& look) {
    FlatScene scene = chartScene(look, cellArea(look));
    const CellWindow window{scene.clip, picture.scroll};
    scene.raster.setClip(window.area);
    const bool moves = picture.before != nullptr && picture.flowBefore != nullptr && picture.share < 1;
    if (moves) {
        const int pixels = picture.flow.scale().pixels;
        for (std::uint32_t group = 0; group < picture.values.groups(); ++group) {
            for (const CellValues::Entry& e : picture.values.rows(group, 0, ~std::uint32_t{0})) {
                const CellPlace place{group, e.row, e.column};
                const auto cell = picture.array.at(place);
                const auto to = picture.flow.boxOf(place);
                const auto from = cell ? picture.flowBefore->boxOf(picture.before->placeOf(*cell)) : std::nullopt;
                if (!to || !from) continue;
                const glm::vec2 at = glm::mix(glm::vec2(from->low), glm::vec2(to->low), picture.share);
                const glm::ivec2 low = window.toPicture(glm::ivec2(glm::round(at)));
                scene.raster.fill({low, low + std::max(1, pixels - 1)}, picture.colourOf(e));
            }
        }
    } else {
        paintUntouched(scene.raster, window, picture.flow, picture.array.groups(), MemoryCurve::linear,
                       paletteFor(look.ground).untouched);
        paintCells(scene, window, picture, look);
        if (picture.array.shape().interleaved && picture.flow.scale().pixels >= 6) {
            // The ways of a set belong together: a line before each set.
            const int set = static_cast<int>(picture.array.shape().ways) * picture.flow.scale().pixels;
            picture.flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
                const PixelBox box = picture.flow.boxOf(run);
                for (int x = box.low.x; x <= box.high.x; x += set) {
                    scene.raster.fill(window.toPicture(PixelBox{{x - 1, box.low.y}, {x, box.high.y}}),
                                      paletteFor(look.ground).page);
                }
            });
        }
    }
    for (const CellPlace& mark : picture.marks) {
        if (const auto box = picture.flow.boxOf(mark)) scene.raster.frame(window.toPicture(*box), 2, picture.mark);
    }
    addGroupTitles(scene, window, picture.flow, picture.array.groups(), look);
    addFrame(scene, look);
    return scene;
}

namespace {

// Pixels of a cell.
constexpr int kEnough = 20;  ///< large enough: keep rows of one way, and try no shorter ones
/// Shorter rows must make cells larger by this factor.
constexpr double kMuchLarger = 1.25;
constexpr std::uint32_t kFewColumns = 8;

}  // namespace

ArrangedMemory arrangedMemory(const sim::Trace& trace, MemoryShape shape, std::uint64_t way, const FlowLook& look) {
    const std::uint64_t inPiece = shape.groups == MemoryGroups::pieces ? shape.piece / shape.cell : kMaxColumns;
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(inPiece, 1, kMaxColumns));
    const auto with = [&](std::uint32_t columns) {
        shape.columns = columns;
        MemoryCells cells(trace, shape);
        const CellFit fit = fitOf(cells.groups(), look, CellScale::kMaxPixels);
        return ArrangedMemory{std::move(cells), fit};
    };
    if (shape.columns != 0) return with(std::min(shape.columns, most));
    const std::uint32_t few = std::min(kFewColumns, most);
    const auto first =
        static_cast<std::uint32_t>(std::bit_floor(std::clamp<std::uint64_t>(way / shape.cell, few, most)));
    ArrangedMemory best = with(first);
    for (std::uint32_t columns = first / 2; columns >= few && best.fit.scale.pixels < kEnough; columns /= 2) {
        ArrangedMemory next = with(columns);
        if (next.fit.scale.size() >= kMuchLarger * best.fit.scale.size()) best = std::move(next);
    }
    return best;
}

ArrangedCache arrangedCache(CacheArrayShape shape, std::uint64_t nearer, const FlowLook& look) {
    const auto with = [&](std::uint32_t columns) {
        shape.columns = columns;
        CacheArray array(shape);
        const CellFit fit = fitOf(array.groups(), look, CellScale::kMaxPixels);
        return ArrangedCache{std::move(array), fit};
    };
    const std::uint32_t most = std::bit_ceil(shape.sets);
    if (shape.columns != 0) return with(std::min(shape.columns, most));
    const std::uint32_t first = std::min(usualColumns(shape.sets, nearer), most);
    ArrangedCache best = with(first);
    for (std::uint32_t columns = first / 2; columns > 0 && best.fit.scale.pixels < kEnough; columns /= 2) {
        ArrangedCache next = with(columns);
        if (next.fit.scale.size() >= kMuchLarger * best.fit.scale.size()) best = std::move(next);
    }
    return best;
}

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
    paintUntouched(raster, this->window(), flow_, groups_, curve, paletteFor(scene.ground).untouched);
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
