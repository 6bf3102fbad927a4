#include "render/scene/cells/array_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "render/scene/easing.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/sentence.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

using sim::grouped;

// Lengths in heights of the text.
constexpr float kMostHigh = 2.6f;  ///< of a cell
constexpr float kMostWide = 6;
constexpr float kStripHigh = 1.9f;
constexpr float kLeastHigh = 9;      ///< of a body with a strip
constexpr float kLeastText = 0.62f;  ///< the smallest text in cells

constexpr float kAspect = 2.4f;           ///< cells are at most so many times as wide as high
constexpr int kNarrow = 24;               ///< … or so many pixels wide, or high
constexpr std::size_t kMostTexts = 6000;  ///< cells that have texts
constexpr std::uint64_t kLeastNamed = 6;  ///< elements in a strip that names them
constexpr int kLeastSlot = 6;             ///< pixels of an element in a strip that names none

/// Whether cells are large enough for the values of elements.
bool hasTexts(const ArraySubject& subject, const ArrayLook& look, const ArrayFrame& frame) {
    const float least = kLeastText * look.text;
    if (!look.hasValues || frame.grid.isJoined() || subject.shape.elements() > kMostTexts) return false;
    return static_cast<float>(frame.pitch.y) >= 1.1f * least && static_cast<float>(frame.pitch.x) >= least;
}

CellKey keyOf(const ArraySubject& subject, const ArrayLook& look, const sim::ArrayGrid& grid, bool withTexts) {
    const Palette& palette = paletteFor(look.ground);
    const std::size_t levels = subject.machine.levels.size();
    CellKey key{.scaling = CellScaling::category};
    for (std::size_t l = 0; l < levels; ++l) {
        key.signs.push_back({subject.machine.levels[l].name, servedColour(look.ground, l, levels)});
    }
    key.signs.push_back({"memory only", palette.untouched});
    key.signs.push_back({"accessed", palette.mark, true});
    key.signs.push_back({"in its block", palette.outline, true});
    key.signs.push_back({"comes in", palette.flash, true});
    key.signs.push_back({"leaves a cache", palette.conflict, true});
    addNote(key, "two outlines: written");
    if (subject.machine.cpus > 1) addNote(key, "caches of all CPUs");
    if (grid.isJoined()) {
        addNote(key, fmt::format("a cell is {} x {} elements and shows the nearest level that holds any of them",
                                 grouped(grid.rowsOfCell), grouped(grid.columnsOfCell)));
    } else if (withTexts) {
        addNote(key, "numbers are the values last read or written");
    }
    return key;
}

/// The rows and columns of a one-dimensional array: whole blocks, as many as make the cells largest.
sim::ArrayGrid foldedGrid(const ArraySubject& subject, glm::ivec2 room) {
    const std::uint64_t n = subject.shape.elements();
    const std::uint64_t size = subject.shape.elementSize();
    const std::uint64_t block = subject.machine.blockBytes();
    const std::uint64_t unit = block / std::gcd(block, size);  // elements
    const std::uint64_t offset = subject.shape.declared().base.value % block;
    sim::ArrayGrid best;
    double largest = 0;
    for (std::uint64_t columns = unit;; columns *= 2) {
        sim::ArrayGrid grid{.columns = columns, .lead = offset % size == 0 ? offset / size : 0};
        grid.rows = (grid.lead + n - 1) / columns + 1;
        const double high = static_cast<double>(room.y) / static_cast<double>(grid.rows);
        const double wide = static_cast<double>(room.x) / static_cast<double>(columns);
        const double side = std::min(high, wide / kAspect);
        if (side > largest) best = grid;
        largest = std::max(largest, side);
        if (grid.rows == 1) return best;
    }
}

sim::ArrayGrid gridOf(const ArraySubject& subject, glm::ivec2 room) {
    const sim::ArrayShape& shape = subject.shape;
    if (!shape.hasRows()) return foldedGrid(subject, room);
    return {.rows = shape.rows(), .columns = shape.columns()};
}

/// Pixels from one cell to the next in a room, and how many elements are joined so that all have room.
int pitchIn(int room, std::uint64_t count, float most, std::uint64_t& joined) {
    const auto pixels = static_cast<std::uint64_t>(std::max(1, room));
    joined = (count + pixels - 1) / pixels;
    return joined > 1 ? 1 : static_cast<int>(std::min<std::uint64_t>(pixels / count, static_cast<std::uint64_t>(most)));
}

std::string rowName(const ArrayFrame& frame, std::uint64_t row, bool hasRows) {
    if (hasRows) return std::to_string(row);
    const std::uint64_t first = row * frame.grid.columns;
    return std::to_string(first - std::min(first, frame.grid.lead));
}

void placeCells(ArrayFrame& frame, const ArraySubject& subject, const ArrayLook& look, const PixelBox& room) {
    const std::uint64_t last = frame.grid.rows - 1;
    const int names =
        static_cast<int>(widthOf(rowName(frame, last, subject.shape.hasRows()), look.text)) + look.margin();
    glm::ivec2 pitch;
    pitch.x = pitchIn(room.width() - names, frame.grid.columns, kMostWide * look.text, frame.grid.columnsOfCell);
    pitch.y = pitchIn(room.height(), frame.grid.rows, kMostHigh * look.text, frame.grid.rowsOfCell);
    const int wide = std::max(kNarrow, static_cast<int>(kAspect * static_cast<float>(pitch.y)));
    frame.pitch = {std::min(pitch.x, wide), std::min(pitch.y, std::max(kNarrow, pitch.x))};
    frame.gap = std::min(frame.pitch.x, frame.pitch.y) >= 6 ? 1 : 0;
    const glm::ivec2 size =
        frame.pitch * glm::ivec2(static_cast<int>(frame.grid.cellColumns()), static_cast<int>(frame.grid.cellRows()));
    const glm::ivec2 spare = glm::ivec2(room.width() - names, room.height()) - size;
    frame.cells.low = room.low + glm::ivec2(names + std::max(0, spare.x) / 2, std::max(0, spare.y) / 2);
    frame.cells.high = frame.cells.low + size;
}

/// The stretch of memory in the strip: all of the array, or so many bytes around what was accessed last. It moves by
/// halves of itself, so that it mostly stands still.
void chooseStretch(ArrayFrame& frame, const ArraySubject& subject, const ArrayLook& look, std::uint64_t most) {
    const sim::Region& region = subject.shape.now();
    frame.from = region.base;
    frame.bytes = region.size;
    if (region.size <= most) return;
    const std::uint64_t block = subject.machine.blockBytes();
    // Rounded up from a third of a block on: the names of elements can be a little smaller.
    const std::uint64_t half = std::max(block, (most / 2 + 2 * block / 3) / block * block);
    const std::uint64_t first = region.base.value / block * block;
    const std::uint64_t at = look.latest ? subject.shape.addressOf(*look.latest).value - first : 0;
    const std::uint64_t all = region.base.value + region.size - first;
    const std::uint64_t last = all <= 2 * half ? 0 : (all - half - 1) / half;
    const std::uint64_t start = first + std::min(last, at < half / 2 ? 0 : (at - half / 2) / half) * half;
    frame.from = std::max(region.base, sim::ByteAddress{start});
    frame.bytes = std::min(first + all, start + 2 * half) - frame.from.value;
}

void placeStrip(ArrayFrame& frame, const ArraySubject& subject, const ArrayLook& look, const PixelBox& room) {
    const std::uint64_t size = subject.shape.elementSize();
    const float named = widthOf(subject.shape.indicesOf(subject.shape.elements() - 1), look.text) + look.text / 2;
    const auto fitting = static_cast<std::uint64_t>(static_cast<float>(room.width()) / named);
    const bool areNamed = fitting >= kLeastNamed || fitting >= subject.shape.now().size / size;
    const auto count = areNamed ? fitting : static_cast<std::uint64_t>(room.width() / kLeastSlot);
    chooseStretch(frame, subject, look, std::max<std::uint64_t>(1, count) * size);
    const double most =
        static_cast<double>(kMostWide * look.text) * static_cast<double>(frame.bytes) / static_cast<double>(size);
    const double wide = std::min<double>(room.width(), std::max(1.0, most));
    frame.strip = room;
    frame.strip.low.x += (room.width() - static_cast<int>(wide)) / 2;
    frame.strip.high.x = frame.strip.low.x + static_cast<int>(wide);
    const auto xOf = [&](std::uint64_t address) {
        const double share = static_cast<double>(address - frame.from.value) / static_cast<double>(frame.bytes);
        return frame.strip.low.x + static_cast<int>(std::lround(share * wide));
    };
    const sim::ByteAddress last{frame.from.value + (frame.bytes - 1)};
    subject.shape.forEachIn(frame.from, last, [&](std::uint64_t element) {
        const std::uint64_t at = subject.shape.addressOf(element).value;
        const std::uint64_t low = std::max(at, frame.from.value);
        const std::uint64_t high = std::min(at + size, frame.from.value + frame.bytes);
        if (low >= high) return;  // torn apart by its layout: its first byte is elsewhere
        const PixelBox box{{xOf(low), frame.strip.low.y}, {std::max(xOf(low) + 1, xOf(high)), frame.strip.high.y}};
        if (frame.slots.empty() || frame.slots.back().element != element) frame.slots.push_back({element, box});
    });
}

/// A low picture shows rows and columns alone.
bool hasStrip(const PixelBox& body, const ChartLook& look) {
    return body.height() >= look.em(kLeastHigh);
}

bool isAmong(const std::vector<std::uint64_t>& sorted, std::uint64_t element) {
    return std::binary_search(sorted.begin(), sorted.end(), element);
}

/// Paints the edges of a box, where `open` has no neighbour: left, right, top, bottom. They lie `grow` pixels outside.
void paintEdges(Raster& raster, PixelBox box, const std::array<bool, 4>& open, int grow, int thick, Rgba colour) {
    box.low -= glm::ivec2(open[0] ? grow : 0, open[2] ? grow : 0);
    box.high += glm::ivec2(open[1] ? grow : 0, open[3] ? grow : 0);
    if (open[0]) raster.blend({box.low, {box.low.x + thick, box.high.y}}, colour);
    if (open[1]) raster.blend({{box.high.x - thick, box.low.y}, box.high}, colour);
    const int left = box.low.x + (open[0] ? thick : 0);
    const int right = box.high.x - (open[1] ? thick : 0);
    if (open[2]) raster.blend({{left, box.low.y}, {right, box.low.y + thick}}, colour);
    if (open[3]) raster.blend({{left, box.high.y - thick}, {right, box.high.y}}, colour);
}

/// The outline of elements, in their rows and columns and in memory.
void paintOutlines(Raster& raster, const ArrayFrame& frame, const std::vector<std::uint64_t>& elements, int grow,
                   int thick, Rgba colour) {
    std::vector<std::uint64_t> cells;
    cells.reserve(elements.size());
    for (const std::uint64_t e : elements) cells.push_back(frame.grid.cellOf(e));
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    const std::uint64_t columns = frame.grid.cellColumns();
    for (const std::uint64_t cell : cells) {
        const std::array<bool, 4> open = {
            cell % columns == 0 || !isAmong(cells, cell - 1), (cell + 1) % columns == 0 || !isAmong(cells, cell + 1),
            cell < columns || !isAmong(cells, cell - columns), !isAmong(cells, cell + columns)};
        PixelBox box = frame.cellBox(cell);
        box.high -= glm::ivec2(open[1] ? frame.gap : 0, open[3] ? frame.gap : 0);
        paintEdges(raster, box, open, grow, thick, colour);
    }
    for (std::size_t s = 0; s < frame.slots.size(); ++s) {
        if (!isAmong(elements, frame.slots[s].element)) continue;
        const auto isLit = [&](std::size_t other) {
            return other < frame.slots.size() && isAmong(elements, frame.slots[other].element);
        };
        const bool leftOpen = s == 0 || !isLit(s - 1);
        const bool rightOpen = !isLit(s + 1);
        paintEdges(raster, frame.slots[s].box, {leftOpen, rightOpen, true, true}, grow, thick, colour);
    }
}

class ArrayPainter {
  public:
    ArrayPainter(const ArraySubject& subject, const ArrayLook& look, const ArrayFrame& frame,
                 const sim::ArrayMoment& moment)
        : subject_(subject), look_(look), frame_(frame), moment_(moment), palette_(paletteFor(look.ground)) {
        const std::size_t levels = subject.machine.levels.size();
        for (std::size_t l = 0; l < levels; ++l) colours_.push_back(servedColour(look.ground, l, levels));
        colours_.push_back(palette_.untouched);
    }

    FlatScene paint(const ArrayValues& valueOf) {
        scene_ = chartScene(look_, {{0, 0}, look_.size});
        addTitle(scene_, look_, title());
        addIndices();
        paintCells();
        paintStrip();
        addValues(valueOf);
        outline();
        CellKey key = keyOf(subject_, look_, frame_.grid, hasTexts(subject_, look_, frame_));
        if (keyHeight(key, frame_.key.width(), look_.text) > frame_.key.height()) {
            key = keyOf(subject_, look_, frame_.grid, false);
        }
        paintKey(scene_, key, frame_.key, look_.text);
        return std::move(scene_);
    }

  private:
    std::string title() const {
        const sim::ArrayShape& shape = subject_.shape;
        const std::string bytes = sim::counted(shape.elementSize(), "byte", "bytes");
        if (!shape.hasRows()) {
            return fmt::format("{}: {} of {}", shape.declared().name,
                               sim::counted(shape.elements(), "element", "elements"), bytes);
        }
        return fmt::format("{}: {} x {} elements of {}", shape.declared().name, grouped(shape.rows()),
                           grouped(shape.columns()), bytes);
    }

    Rgba colourOf(std::uint64_t element) const { return colours_[moment_.levels[frame_.grid.cellOf(element)]]; }

    void paintCells() {
        const sim::ArrayGrid& grid = frame_.grid;
        const std::size_t columns = grid.cellColumns();
        const std::uint64_t end = grid.lead + subject_.shape.elements();
        for (std::size_t row = 0; row < grid.cellRows(); ++row) {
            const std::uint64_t first = row * grid.rowsOfCell * grid.columns;
            std::size_t from = 0;
            for (std::size_t column = 0; column < columns; column = from) {
                const std::uint64_t place = first + column * grid.columnsOfCell;
                const std::uint8_t level = moment_.levels[row * columns + column];
                from = column + 1;
                if (place + grid.columnsOfCell <= grid.lead || place >= end) continue;
                // Without gaps, equal neighbours are one box.
                while (frame_.gap == 0 && from < columns && moment_.levels[row * columns + from] == level &&
                       first + from * grid.columnsOfCell < end) {
                    ++from;
                }
                const PixelBox low = frame_.cellBox(row * columns + column);
                const PixelBox high = frame_.cellBox(row * columns + from - 1);
                scene_.raster.fill({low.low, high.high - frame_.gap}, colours_[level]);
            }
        }
    }

    void paintStrip() {
        if (frame_.slots.empty()) return;
        const PixelBox& strip = frame_.strip;
        const std::uint64_t block = subject_.machine.blockBytes();
        const std::string stretch =
            frame_.bytes == subject_.shape.now().size
                ? fmt::format("all {} bytes", grouped(frame_.bytes))
                : fmt::format("bytes {} to {} of {}", grouped(frame_.from.value - subject_.shape.now().base.value),
                              grouped(frame_.from.value - subject_.shape.now().base.value + frame_.bytes - 1),
                              grouped(subject_.shape.now().size));
        const std::string words =
            fmt::format("in memory: {}, by address, lines between blocks of {}", stretch, grouped(block));
        const glm::ivec2 at(strip.low.x, strip.low.y - look_.line() - look_.em(0.25f));
        const float room = static_cast<float>(look_.size.x - look_.margin() - at.x);
        scene_.labels.push_back(cornerLabel(wholeParts(words, room, look_.text), at, look_.text, palette_.muted));
        float text = look_.text;
        for (const ArrayFrame::Slot& slot : frame_.slots) {
            const float width = widthOf(subject_.shape.indicesOf(slot.element), look_.text);
            text = std::min(text, look_.text * static_cast<float>(slot.box.width() - 4) / width);
        }
        text = std::max(text, kLeastText * look_.text);
        for (std::size_t s = 0; s < frame_.slots.size(); ++s) {
            const auto& [element, box] = frame_.slots[s];
            const Rgba colour = colours_[moment_.singles[s]];
            const int gap = box.width() >= 6 ? 1 : 0;
            scene_.raster.fill({box.low, {box.high.x - gap, box.high.y}}, colour);
            addText(box, subject_.shape.indicesOf(element), colour, text);
        }
        const std::uint64_t last = frame_.from.value + frame_.bytes;
        const int overhang = look_.em(0.25f);
        if (static_cast<double>(block) * strip.width() < 4 * static_cast<double>(frame_.bytes)) return;
        for (std::uint64_t edge = (frame_.from.value + block - 1) / block * block; edge <= last; edge += block) {
            const double share = static_cast<double>(edge - frame_.from.value) / static_cast<double>(frame_.bytes);
            const int x = strip.low.x + static_cast<int>(std::lround(share * strip.width())) - 1;
            scene_.raster.fill({{x, strip.low.y - overhang}, {x + 1, strip.high.y + overhang}}, palette_.muted);
        }
    }

    void addText(const PixelBox& box, const std::string& words, Rgba ground, float size) {
        if (widthOf(words, size) > static_cast<float>(box.width() - 3) || box.height() < static_cast<int>(size)) return;
        Label label;
        label.text = words;
        label.at = glm::vec2(box.low + box.high) / 2.0f;
        label.size = size;
        label.colour = readableOn(ground);
        label.isBare = true;
        scene_.labels.push_back(std::move(label));
    }

    /// The values of all elements whose text fits, in one size.
    void addValues(const ArrayValues& valueOf) {
        const sim::ArrayShape& shape = subject_.shape;
        const float least = kLeastText * look_.text;
        if (!hasTexts(subject_, look_, frame_)) return;
        std::vector<std::pair<std::uint64_t, std::string>> texts;
        float widest = 1;
        for (std::uint64_t e = 0; e < shape.elements(); ++e) {
            const auto value = valueOf(e);
            if (!value) continue;
            texts.emplace_back(e, sim::valueInText(*value));
            widest = std::max(widest, widthOf(texts.back().second, look_.text));
        }
        const float fitting = look_.text * static_cast<float>(frame_.pitch.x - 4) / widest;
        const float size = std::clamp(std::min(fitting, 0.9f * static_cast<float>(frame_.pitch.y)), least, look_.text);
        for (const auto& [element, words] : texts) addText(frame_.boxOf(element), words, colourOf(element), size);
    }

    /// The numbers of rows and columns at the edges; those of the access at hand are bright.
    void addIndices() {
        const sim::ArrayGrid& grid = frame_.grid;
        const bool hasRows = subject_.shape.hasRows();
        const auto isAt = [&](std::uint64_t index, std::uint64_t own, std::uint64_t joined) {
            return moment_.touched && index == own / joined;
        };
        const std::uint64_t element = moment_.touched ? moment_.touched->first : 0;
        const auto colour = [&](bool isHere) { return isHere ? palette_.text : palette_.muted; };
        const ChartRows rows{
            .box = frame_.cells, .height = frame_.pitch.y, .gap = frame_.gap, .count = grid.cellRows()};
        addRowNames(scene_, look_, rows,
                    {.name = [&](std::size_t row) { return rowName(frame_, row * grid.rowsOfCell, hasRows); },
                     .colour = [&](std::size_t row) { return colour(isAt(row, grid.rowOf(element), grid.rowsOfCell)); },
                     .isNumber = true});
        const auto name = [&](std::size_t column) {
            return fmt::format("{}{}", hasRows ? "" : "+", column * grid.columnsOfCell);
        };
        const std::size_t columns = grid.cellColumns();
        const float widest = widthOf(name(columns - 1), look_.text) + 0.6f * look_.text;
        const auto each = static_cast<std::size_t>(std::ceil(widest / static_cast<float>(frame_.pitch.x)));
        for (std::size_t c = 0; c < columns; c += each) {
            Label label;
            label.text = name(c);
            label.at = {static_cast<float>(frame_.cellBox(c).low.x) + 0.5f * static_cast<float>(frame_.pitch.x),
                        static_cast<float>(frame_.cells.low.y) - 0.6f * look_.text};
            label.size = look_.text;
            label.colour = colour(isAt(c, grid.columnOf(element), grid.columnsOfCell));
            label.isBare = true;
            scene_.labels.push_back(std::move(label));
        }
    }

    void outline() {
        const int thin = std::max(1, look_.em(0.1f));
        const int thick = std::max(2, look_.em(0.14f));
        paintOutlines(scene_.raster, frame_, moment_.together, 0, thick, palette_.outline);
        for (const sim::ArrayMoment::Moved& moved : moment_.moved) {
            const Rgba light = moved.isIn ? palette_.flash : palette_.conflict;
            paintOutlines(scene_.raster, frame_, moved.elements, thick, thick, faded(light, flash(moved.age)));
        }
        paintOutlines(scene_.raster, frame_, look_.picked, 0, thick, palette_.picked);
        if (!moment_.touched) return;
        std::vector<std::uint64_t> touched(moment_.touched->last - moment_.touched->first + 1);
        std::iota(touched.begin(), touched.end(), moment_.touched->first);
        // A line of the ground's colour keeps the outline apart from that of the block, and one outline from the other.
        paintOutlines(scene_.raster, frame_, touched, 0, thick, palette_.mark);
        paintOutlines(scene_.raster, frame_, touched, -thick, thin, palette_.ground);
        if (!moment_.current->access.isWrite()) return;
        paintOutlines(scene_.raster, frame_, touched, -thick - thin, thin, palette_.mark);
    }

    const ArraySubject& subject_;
    const ArrayLook& look_;
    const ArrayFrame& frame_;
    const sim::ArrayMoment& moment_;
    const Palette& palette_;
    std::vector<Rgba> colours_;  ///< by level; then memory
    FlatScene scene_;
};

}  // namespace

PixelBox ArrayFrame::cellBox(std::size_t cell) const {
    const std::size_t columns = grid.cellColumns();
    const glm::ivec2 at(static_cast<int>(cell % columns), static_cast<int>(cell / columns));
    return {cells.low + at * pitch, cells.low + (at + 1) * pitch};
}

std::vector<std::uint64_t> ArrayFrame::inStrip() const {
    std::vector<std::uint64_t> elements;
    elements.reserve(slots.size());
    for (const Slot& slot : slots) elements.push_back(slot.element);
    return elements;
}

ArrayFrame arrayFrame(const ArraySubject& subject, const ArrayLook& look) {
    ArrayFrame frame;
    // The height of the key depends on whether cells join elements or have texts, which depends on the room that it
    // leaves.
    for (int pass = 0; pass < 2; ++pass) {
        static_cast<ChartFrame&>(frame) =
            chartFrame(look, keyOf(subject, look, frame.grid, hasTexts(subject, look, frame)));
        PixelBox room = frame.body;
        room.low.y += look.line();
        if (hasStrip(frame.body, look)) {
            room.high.y -= look.em(kStripHigh) + look.line() + look.em(0.5f) + look.margin();
        }
        room.high.y = std::max(room.low.y + 1, room.high.y);
        frame.grid = gridOf(subject, {room.width(), room.height()});
        placeCells(frame, subject, look, room);
    }
    if (!hasStrip(frame.body, look)) return frame;
    PixelBox below = frame.body;
    below.high.y -= look.em(0.25f);
    below.low.y = below.high.y - look.em(kStripHigh);
    placeStrip(frame, subject, look, below);
    return frame;
}

FlatScene arrayScene(const ArraySubject& subject, const ArrayLook& look, const ArrayFrame& frame,
                     const sim::ArrayMoment& moment, const ArrayValues& valueOf) {
    return ArrayPainter(subject, look, frame, moment).paint(valueOf);
}

std::optional<ArrayUnder> arrayUnder(const ArraySubject& subject, const ArrayFrame& frame, glm::ivec2 at) {
    for (const ArrayFrame::Slot& slot : frame.slots) {
        if (slot.box.contains(at)) return ArrayUnder{.element = slot.element, .box = slot.box};
    }
    if (!frame.cells.contains(at)) return std::nullopt;
    const sim::ArrayGrid& grid = frame.grid;
    const glm::ivec2 cell = (at - frame.cells.low) / frame.pitch;
    const std::uint64_t row = static_cast<std::uint64_t>(cell.y) * grid.rowsOfCell;
    const std::uint64_t column = static_cast<std::uint64_t>(cell.x) * grid.columnsOfCell;
    const std::uint64_t place = row * grid.columns + column;
    if (place < grid.lead || place - grid.lead >= subject.shape.elements()) return std::nullopt;
    const std::uint64_t element = place - grid.lead;
    return ArrayUnder{.element = element,
                      .rows = std::min(grid.rowsOfCell, grid.rows - row),
                      .columns = std::min(grid.columnsOfCell, grid.columns - column),
                      .box = frame.boxOf(element)};
}

}  // namespace whorl::scene
