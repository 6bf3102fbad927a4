#include "render/scene/cells/cell_scene.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <map>
#include <utility>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

constexpr float kGroupTitle = 1.6f;  ///< height of a group's title, in heights of the text

/// The titles of groups, and a short broken line where something is left out.
void addGroupTitles(FlatScene& scene, const CellWindow& window, const CellFlow& flow, const CellGroups& groups,
                    const CellLook& look, bool hasLines = false) {
    const Palette& palette = paletteFor(look.ground);
    flow.forEachIn(window.content(), [&](const CellFlow::Run& run) {
        const glm::ivec2 at = flow.boxOf(run).low;
        if (run.isGap) {
            for (int i = 0; i < 3; ++i) {
                const glm::ivec2 dot = window.toPicture(at) + glm::ivec2(4 + 6 * i, -2);
                scene.raster.fill({dot, dot + glm::ivec2(2, 1)}, palette.muted);
            }
        }
        if (run.titleY < 0) return;
        const glm::ivec2 title = window.toPicture(glm::ivec2(at.x, run.titleY));
        if (title.y < window.area.low.y || title.y + static_cast<int>(look.text) > window.area.high.y) return;
        const auto room = static_cast<float>(std::min(run.titleWidth, window.area.high.x - title.x));
        const CellGroup& group = groups.groups[run.group];
        const bool isWhole = group.name.empty() || widthOf(group.title, look.text) <= room;
        std::string words = shortened(isWhole ? group.title : group.name, room, look.text);
        if (words.empty()) return;
        Label& label = scene.labels.emplace_back(cornerLabel(std::move(words), title, look.text, palette.text));
        label.isBare = false;
        label.hasBed = hasLines;  // they pass below it
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

/// More lines of conflict than this would hide each other, and the cells.
constexpr std::size_t kManyLines = 64;
/// Rows that a step of a walk goes up at most: what it evicts is as many ways back as the cache has.
constexpr std::uint32_t kStep = 32;
/// Within a region, lines that begin, and end, in the same square of so many pixels are one.
constexpr int kBundled = 64;

/// Lines of conflict that are drawn as one.
struct Bundle {
    glm::vec2 in{0};  ///< sum
    glm::vec2 out{0};
    float strength = 0;
    int lines = 0;
};

class ConflictPainter {
  public:
    ConflictPainter(FlatScene& scene, const CellWindow& window, const MemoryPicture& picture, const CellLook& look)
        : scene_(scene), window_(window), picture_(picture), colour_(paletteFor(look.ground).conflict) {
        width_ = std::clamp(0.2f * static_cast<float>(picture.flow.scale().pixels), 1.2f, 3.0f) * look.text / 14;
    }

    void paint() {
        const bool areMany = picture_.conflicts.size() > kManyLines;
        // Lines straight down stand beside each other: however many there are, they hide nothing.
        const bool areBeside = picture_.flow.cell().x > 2 * width_;
        const auto isUpright = [&](const End& in, const End& out) {
            return areBeside && std::abs(in.at.x - out.at.x) < 1;
        };
        for (const ConflictLine& line : picture_.conflicts) {
            const auto in = placeOf(line.in);
            const auto out = placeOf(line.out);
            if (!in || !out) continue;
            const auto [low, high] = std::minmax(in->place.row, out->place.row);
            const bool isWalk =
                in->place.group == out->place.group && in->place.column == out->place.column && high - low <= kStep;
            if (isWalk) {
                addStep(in->at, out->at, line.strength);
            } else if (areMany && !isUpright(*in, *out)) {
                Bundle& bundle = bundles_[keyOf(*in, *out)];
                bundle.in += in->at;
                bundle.out += out->at;
                bundle.strength = std::max(bundle.strength, line.strength);
                ++bundle.lines;
            } else {
                add(in->at, out->at, line.strength, 1);
            }
        }
        for (const auto& [key, b] : bundles_) {
            const auto n = static_cast<float>(b.lines);
            add(b.in / n, b.out / n, b.strength, b.lines);
        }
    }

  private:
    struct End {
        CellPlace place;
        glm::vec2 at;
    };
    /// The regions of the ends; and where these are, in squares, within one region.
    using Key = std::array<std::int64_t, 6>;

    std::optional<End> placeOf(sim::ByteAddress a) const {
        const auto place = picture_.cells.placeOf(a);
        const auto box = place ? picture_.flow.boxOf(*place) : std::nullopt;
        if (!box) return std::nullopt;
        return End{*place, glm::vec2(window_.toPicture(box->low) + window_.toPicture(box->high)) / 2.0f};
    }

    Key keyOf(const End& in, const End& out) const {
        const std::size_t a = picture_.cells.regionOf(in.place.group);
        const std::size_t b = picture_.cells.regionOf(out.place.group);
        Key key{static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)};
        if (a != b) return key;
        const glm::ivec2 from = glm::ivec2(in.at) / kBundled;
        const glm::ivec2 to = glm::ivec2(out.at) / kBundled;
        std::copy_n(std::array<std::int64_t, 4>{from.x, from.y, to.x, to.y}.begin(), 4, key.begin() + 2);
        return key;
    }

    void add(glm::vec2 in, glm::vec2 out, float strength, int lines) {
        const Rgba shade = faded(colour_, std::clamp(strength, 0.0f, 1.0f));
        const float width = width_ * (1 + 0.5f * std::log2(static_cast<float>(lines)));
        scene_.strokes.push_back({in, out, width, shade, shade});
        // The newcomer's end has a dot.
        scene_.strokes.push_back({in, in, width + 1.2f * width_, shade, shade});
    }

    /// Within a column; where it goes on in the next strip, the line leaves the one and comes into the other.
    void addStep(glm::vec2 in, glm::vec2 out, float strength) {
        if (std::abs(in.x - out.x) < 0.5f) {
            add(in, out, strength, 1);
            return;
        }
        const Rgba shade = faded(colour_, std::clamp(strength, 0.0f, 1.0f));
        const float down = (in.x > out.x ? 1.0f : -1.0f) * static_cast<float>(picture_.flow.cell().y);
        scene_.strokes.push_back({out, out + glm::vec2(0, down), width_, shade, faded(shade, 0)});
        scene_.strokes.push_back({in, in - glm::vec2(0, down), width_, shade, faded(shade, 0)});
        scene_.strokes.push_back({in, in, 2.2f * width_, shade, shade});
    }

    FlatScene& scene_;
    const CellWindow& window_;
    const MemoryPicture& picture_;
    Rgba colour_;
    float width_ = 1;
    std::map<Key, Bundle> bundles_;
};

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
            .gutter = static_cast<int>(std::lround(1.2f * look.text)),
            .text = look.text};
}

void addCellFrame(FlatScene& scene, const CellLook& look) {
    scene.raster.setClip(scene.raster.box());
    addTitle(scene, look, look.title);
    paintKey(scene, look.key, chartFrame(look, look.keyRoom).key, look.text);
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
    addGroupTitles(scene, window, picture.flow, picture.cells.groups(), look, !picture.conflicts.empty());
    ConflictPainter(scene, window, picture, look).paint();
    addCellFrame(scene, look);
    return scene;
}

FlatScene cacheScene(const CachePicture& picture, const CellLook& look) {
    FlatScene scene = chartScene(look, cellArea(look));
    const CellWindow window{scene.clip, picture.scroll};
    scene.raster.setClip(window.area);
    const bool moves = picture.before != nullptr && picture.flowBefore != nullptr && picture.share < 1;
    if (moves) {
        const glm::ivec2 cell = picture.flow.cell();
        for (std::uint32_t group = 0; group < picture.values.groups(); ++group) {
            for (const CellValues::Entry& e : picture.values.rows(group, 0, ~std::uint32_t{0})) {
                const CellPlace place{group, e.row, e.column};
                const auto way = picture.array.at(place);
                const auto to = picture.flow.boxOf(place);
                const auto from = way ? picture.flowBefore->boxOf(picture.before->placeOf(*way)) : std::nullopt;
                if (!to || !from) continue;
                const glm::vec2 at = glm::mix(glm::vec2(from->low), glm::vec2(to->low), picture.share);
                const glm::ivec2 low = window.toPicture(glm::ivec2(glm::round(at)));
                scene.raster.fill({low, low + glm::max(glm::ivec2(1), cell - 1)}, picture.colourOf(e));
            }
        }
    } else {
        paintUntouched(scene.raster, window, picture.flow, picture.array.groups(), MemoryCurve::linear,
                       paletteFor(look.ground).untouched);
        paintCells(scene, window, picture, look);
        if (picture.array.shape().interleaved && picture.flow.cell().x >= 6) {
            // The ways of a set belong together: a line before each set.
            const int set = static_cast<int>(picture.array.shape().ways) * picture.flow.cell().x;
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
    addCellFrame(scene, look);
    return scene;
}

namespace {

/// The height of cells, pixels, that is enough to keep rows of one way.
constexpr int kEnough = 20;
/// … and to keep the names of regions.
constexpr int kEnoughNamed = 8;
/// The part of a picture that cells must fill for their rows to stay as long.
constexpr double kEnoughFilled = 0.25;
/// The factor by which shorter rows must make cells larger; and fewer names.
constexpr double kMuchLarger = 1.5;
constexpr double kWorthNames = 4;
// How much wider than high cells may be. What is in conflict is below each other in rows of memory that are not cut.
constexpr int kWidestMemory = 3;
constexpr int kWidestWay = 2;
constexpr std::uint32_t kFewColumns = 8;
constexpr std::uint32_t kAll = ~std::uint32_t{0};  ///< regions of any size share a title

/// Whether shorter rows may make cells larger: they are small, or leave a picture empty.
bool areSmall(const CellFit& fit, std::uint64_t cells, const FlowLook& look) {
    const double room = static_cast<double>(look.room.x) * look.room.y;
    return fit.scale.pixels < kEnough || static_cast<double>(cells) * fit.area() < kEnoughFilled * room;
}

std::uint64_t cellsIn(const CellGroups& groups) {
    std::uint64_t cells = 0;
    for (const CellGroup& group : groups.groups) cells += group.cells;
    return cells;
}

}  // namespace

ArrangedMemory arrangedMemory(const sim::Trace& trace, MemoryShape shape, std::uint64_t way, const FlowLook& look) {
    const std::uint64_t inPiece = shape.groups == MemoryGroups::pieces ? shape.piece / shape.cell : kMaxColumns;
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(inPiece, 1, kMaxColumns));
    const auto with = [&](std::uint32_t columns, std::uint32_t gathered) {
        shape.columns = columns;
        shape.gathered = gathered;
        MemoryCells cells(trace, shape);
        const CellFit fit = fitOf(cells.groups(), look, CellScale::kMaxPixels, kWidestMemory);
        return ArrangedMemory{std::move(cells), fit};
    };
    // The names of small regions are dropped where they take the room of the cells.
    const auto named = [&](std::uint32_t columns) {
        ArrangedMemory best = with(columns, 0);
        // From an eighth of a row to many rows; where cells would be less than a pixel, all of them.
        for (const std::uint32_t gathered : {columns / 8, columns / 2, 4 * columns, 32 * columns, kAll}) {
            if (best.fit.scale.fold == 0 && (best.fit.scale.pixels >= kEnoughNamed || gathered == kAll)) break;
            ArrangedMemory next = with(columns, gathered);
            if (next.fit.area() >= kWorthNames * best.fit.area()) best = std::move(next);
        }
        return best;
    };
    if (shape.columns != 0) return named(std::min(shape.columns, most));
    const std::uint32_t few = std::min(kFewColumns, most);
    const auto first =
        static_cast<std::uint32_t>(std::bit_floor(std::clamp<std::uint64_t>(way / shape.cell, few, most)));
    ArrangedMemory best = named(first);
    for (std::uint32_t columns = first / 2; columns >= few && areSmall(best.fit, cellsIn(best.cells.groups()), look);
         columns /= 2) {
        ArrangedMemory next = named(columns);
        if (next.fit.area() >= kMuchLarger * best.fit.area()) best = std::move(next);
    }
    return best;
}

ArrangedCache arrangedCache(CacheArrayShape shape, std::uint64_t nearer, const FlowLook& look) {
    const auto with = [&](std::uint32_t columns) {
        shape.columns = columns;
        CacheArray array(shape);
        const CellFit fit = fitOf(array.groups(), look, CellScale::kMaxPixels, kWidestWay);
        return ArrangedCache{std::move(array), fit};
    };
    const std::uint32_t most = std::bit_ceil(shape.sets);
    if (shape.columns != 0) return with(std::min(shape.columns, most));
    const std::uint32_t first = std::min(usualColumns(shape.sets, nearer), most);
    ArrangedCache best = with(first);
    for (std::uint32_t columns = first / 2; columns > 0 && areSmall(best.fit, cellsIn(best.array.groups()), look);
         columns /= 2) {
        ArrangedCache next = with(columns);
        if (next.fit.area() >= kMuchLarger * best.fit.area()) best = std::move(next);
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
    look.fit = fitOf(groups, look, kMaxPixels, kWidestMemory);
    return {groups, order, look.fit.scale, look};
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
    const glm::ivec2 cell = flow.cell();
    const glm::ivec2 small = flow_.cell();
    Rgba veil = colour;
    veil.a = 60;
    flow.forEachIn(seen, [&](const CellFlow::Run& run) {
        const PixelBox part = commonOf(flow.boxOf(run), seen);
        if (part.isEmpty()) return;
        const auto row = [&](int y) {
            return (run.firstRow + static_cast<std::uint32_t>((y - run.at.y) / cell.y)) << fold;
        };
        const auto column = [&](int x) { return static_cast<std::uint32_t>((x - run.at.x) / cell.x) << fold; };
        const std::uint32_t firstRow = row(part.low.y) >> flow_.scale().fold;
        const std::uint32_t lastRow = row(part.high.y - 1) >> flow_.scale().fold;
        const std::uint32_t left = column(part.low.x) >> flow_.scale().fold;
        const std::uint32_t right = (column(part.high.x - 1) >> flow_.scale().fold) + 1;
        for (const CellFlow::Run& other : flow_.runs()) {
            if (other.group != run.group) continue;
            const std::uint32_t from = std::max(firstRow, other.firstRow);
            const std::uint32_t to = std::min(lastRow + 1, other.firstRow + other.rows);
            if (from >= to) continue;
            const PixelBox box = commonOf({other.at + glm::ivec2(left, from - other.firstRow) * small,
                                           other.at + glm::ivec2(right, to - other.firstRow) * small},
                                          flow_.boxOf(other));
            raster.blend(this->window().toPicture(box), veil);
            raster.frame(this->window().toPicture(box), 1, colour);
        }
    });
}

}  // namespace whorl::scene
