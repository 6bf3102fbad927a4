#include "render/scene/cells/cell_scene.h"

#include <algorithm>
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
    const Rgba colour = cellPaletteFor(look.ground).conflict;
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
                   cellPaletteFor(look.ground).untouched);
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
                       cellPaletteFor(look.ground).untouched);
        paintCells(scene, window, picture, look);
        if (picture.array.shape().interleaved && picture.flow.scale().pixels >= 6) {
            // The ways of a set belong together: a line before each set.
            const int set = static_cast<int>(picture.array.shape().ways) * picture.flow.scale().pixels;
            picture.flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
                const PixelBox box = picture.flow.boxOf(run);
                for (int x = box.low.x; x <= box.high.x; x += set) {
                    scene.raster.fill(window.toPicture(PixelBox{{x - 1, box.low.y}, {x, box.high.y}}),
                                      cellPaletteFor(look.ground).page);
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

}  // namespace whorl::scene
