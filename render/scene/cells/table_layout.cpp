#include "render/scene/cells/table_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/contents_report.h"

namespace whorl::scene {

namespace {

// Lengths in heights of the text.
constexpr float kLineHeight = 1.35f;
constexpr float kTallLine = 2.2f;       ///< at most, where there is room
constexpr float kPad = 0.35f;           ///< around a field
constexpr float kTreeStep = 1.1f;       ///< height of a step of a tree that is well seen
constexpr float kMaxName = 10;          ///< width of a block's name at most
constexpr std::uint32_t kGroup = 4;     ///< lines that are shown together
constexpr std::size_t kMostValues = 8;  ///< of a block
constexpr float kLarger = 0.3f;
constexpr unsigned kMaxTagDigits = 20;
constexpr float kCaption = 0.85f;  ///< size of the names under the fields of the address

/// Sizes of text, as shares of that of all views.
constexpr float kSizes[] = {2.4f, 2.1f, 1.8f, 1.5f, 1.35f, 1.2f, 1.1f, 1, 0.9f, 0.8f, 0.7f, 0.62f};

/// What a way shows, from all to little; the share says how much it is worth.
struct Detail {
    float worth;
    std::span<const TableField> fields;
    bool hasTree = true;  ///< where the policy has one
};
constexpr std::array kAllFields{TableField::valid, TableField::dirty, TableField::tag,  TableField::block,
                                TableField::data,  TableField::order, TableField::state};
constexpr std::array kNoData{TableField::valid, TableField::dirty, TableField::tag,
                             TableField::block, TableField::order, TableField::state};
constexpr std::array kNoValid{TableField::dirty, TableField::tag, TableField::block, TableField::order,
                              TableField::state};
constexpr std::array kNoTag{TableField::dirty, TableField::block, TableField::order, TableField::state};
constexpr std::array kNoBlock{TableField::dirty, TableField::tag, TableField::order, TableField::state};
constexpr std::array kNameAlone{TableField::block};
constexpr std::array kTagAlone{TableField::tag};
constexpr Detail kDetails[] = {{1.2f, kAllFields}, {1, kNoData},       {0.85f, kNoValid},        {0.7f, kNoTag},
                               {0.6f, kNoBlock},   {0.5f, kNameAlone}, {0.45f, kTagAlone, false}};

bool isTree(const sim::Contents& contents) {
    return contents.policy() == sim::Policy::treePlru && contents.ways() > 1;
}

bool isFrames(const sim::Contents& contents) {
    return contents.store().kind == sim::Store::Kind::pages;
}

/// The last byte that the trace names: its address has the most digits.
sim::ByteAddress lastNamedByte(const sim::Trace& trace) {
    return trace.regions().empty() ? sim::ByteAddress{0} : trace.regions().back().last();
}

/// What does not depend on the size of the text.
class Facts {
  public:
    explicit Facts(const TableSubject& of) : subject(of), isOfFrames(isFrames(of.contents)) {
        const std::vector<sim::WayContents> first = of.contents.set(sim::SetIndex{0});
        hasState_ = !first.empty() && first.front().state != 0;
        ways = std::max<std::uint32_t>(1, of.contents.ways());
        // Of memory, the frames in use and a free one.
        lines = isOfFrames ? std::min<std::uint64_t>(first.size() + 1, ways) : 0;
        for (const TableField field : kAllFields) ems_[static_cast<std::size_t>(field)] = widthInEms(field);
    }

    /// The width of a field, pixels.
    float width(TableField field, float text) const { return ems_[static_cast<std::size_t>(field)] * text; }
    bool isShown(TableField field) const {
        using enum TableField;
        if (field == order) return subject.contents.hasOrder() && !isTree(subject.contents);
        if (field == state) return hasState_;
        if (field == data) return subject.data != nullptr && subject.elements <= kMostValues;
        if (field == dirty) return subject.contents.store().kind != sim::Store::Kind::tlb;
        return true;
    }

    const TableSubject& subject;
    bool isOfFrames;
    std::uint32_t ways = 1;
    std::uint64_t lines = 0;  ///< of memory

  private:
    static constexpr float kSample = 100;

    static float emsOf(const std::string& text) { return widthOf(text, kSample) / kSample; }

    float widthInEms(TableField field) const {
        using enum TableField;
        const float heading = emsOf(headingOf(field, subject));
        switch (field) {
            case tag: {
                const sim::BlockAddress last = subject.contents.blockOf(lastNamedByte(subject.trace));
                return std::max(heading, emsOf(fmt::format("{:#x}", subject.contents.tagOf(last))));
            }
            case block:
                return std::max(heading, longestName());
            case data:
                return std::max(heading, static_cast<float>(subject.elements) * emsOf("00.0 "));
            case order:
                return std::max(heading, emsOf(fmt::format("{}", ways - 1)));
            case valid:
            case dirty:
            case state:
                break;
        }
        return heading;
    }

    /// The width of the longest names of blocks, up to a limit.
    float longestName() const {
        constexpr std::size_t kAsked = 256;
        float most = 3;
        const auto& regions = subject.trace.regions();
        for (std::size_t r = 0; r < std::min(regions.size(), kAsked) && most < kMaxName; ++r) {
            most = std::max(most, emsOf(subject.trace.placeOf(regions[r].last(), subject.now)));
        }
        return std::min(most, kMaxName);
    }

    bool hasState_ = false;
    std::array<float, kAllFields.size()> ems_{};
};

std::vector<FieldPlace> fieldsOf(const Detail& detail, const Facts& facts, float text) {
    std::vector<FieldPlace> fields;
    const int pad = static_cast<int>(std::ceil(kPad * text));
    int left = pad;
    for (const TableField field : detail.fields) {
        if (!facts.isShown(field)) continue;
        const int width = static_cast<int>(std::ceil(facts.width(field, text)));
        fields.push_back({field, left, width});
        left += width + 2 * pad;
    }
    return fields;
}

/// One way of drawing the lines.
struct Grid {
    float text = 14;
    std::vector<FieldPlace> fields;
    int cell = 1;  ///< width of a way
    int name = 0;  ///< width of the numbers of sets
    int ways = 0;  ///< width of the numbers of ways, where a set has several lines
    int tree = 0;
    std::uint32_t waysInLine = 1;
    std::uint32_t linesInSet = 1;
    std::uint32_t columns = 1;  ///< of lines
    std::uint32_t rows = 1;     ///< lines in a column that have room
    float worth = 0;

    int width() const { return name + ways + static_cast<int>(waysInLine) * cell + tree; }
    std::uint64_t room() const { return std::uint64_t{columns} * rows; }
};

std::uint32_t levelsOfTree(std::uint32_t ways) {
    return static_cast<std::uint32_t>(std::bit_width(ways - 1));
}

/// The lines of all sets.
std::uint64_t linesOf(const Facts& facts, const Grid& grid) {
    return facts.isOfFrames ? facts.lines : std::uint64_t{facts.subject.contents.sets()} * grid.linesInSet;
}

int headHeight(float text, const Facts& facts, const Grid& grid) {
    const bool namesWays = grid.waysInLine > 1 && grid.linesInSet == 1 && !facts.isOfFrames;
    return static_cast<int>(std::ceil((namesWays ? 2 : 1) * kLineHeight * text));
}

/// The grid with some text, detail and ways in a line; it may have room for fewer lines than there are.
std::optional<Grid> gridOf(const Facts& facts, const PixelBox& body, float text, const Detail& detail,
                           std::uint32_t waysInLine) {
    Grid grid{.text = text, .fields = fieldsOf(detail, facts, text), .waysInLine = waysInLine};
    const sim::Contents& contents = facts.subject.contents;
    const int pad = static_cast<int>(std::ceil(kPad * text));
    grid.cell = grid.fields.back().left + grid.fields.back().width + pad;
    grid.linesInSet = (facts.ways + waysInLine - 1) / waysInLine;
    const std::string last = fmt::format("{}", std::max(contents.sets(), facts.ways) - 1);
    grid.name = static_cast<int>(std::ceil(std::max(widthOf(last, text), widthOf("frame", text)))) + 2 * pad;
    if (grid.linesInSet > 1 && contents.sets() > 1) {
        grid.ways = static_cast<int>(std::ceil(std::max(widthOf(waysInWords(facts.ways - waysInLine, waysInLine), text),
                                                        widthOf("way", text)))) +
                    2 * pad;
    }
    if (isTree(contents) && detail.hasTree) {
        grid.tree = static_cast<int>(std::ceil(std::clamp(0.7f * static_cast<float>(facts.ways), 2.0f, 7.0f) * text));
    }
    const int gap = static_cast<int>(std::ceil(text));
    const int rows = (body.height() - headHeight(text, facts, grid)) / static_cast<int>(std::ceil(kLineHeight * text));
    if (grid.width() > body.width() || rows < 1) return std::nullopt;
    grid.rows = static_cast<std::uint32_t>(rows);
    const std::uint64_t columns = (linesOf(facts, grid) + grid.rows - 1) / grid.rows;
    const auto most = static_cast<std::uint32_t>((body.width() + gap) / (grid.width() + gap));
    grid.columns = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(columns, 1, most));
    return grid;
}

/// The best grid with room for all sets, else the one that shows most of what happens; none if no line fits.
std::optional<Grid> bestGrid(const Facts& facts, const PixelBox& body, float text) {
    std::optional<Grid> best;
    std::optional<Grid> partial;
    const auto consider = [&](float size, const Detail& detail, std::uint32_t inLine) {
        auto grid = gridOf(facts, body, std::round(size * text), detail, inLine);
        if (!grid) return;
        const bool isWhole = inLine == facts.ways || facts.isOfFrames;
        // Text larger than everywhere else makes up for little that is left out; smaller text is soon not read.
        const float seen = size <= 1 ? size * size : 1 + kLarger * (size - 1);
        grid->worth = seen * detail.worth * (isWhole ? 1 : 0.8f) * (grid->columns == 1 ? 1 : 0.95f);
        if (grid->room() >= linesOf(facts, *grid)) {
            if (!best || grid->worth > best->worth) best = grid;
            return;
        }
        // Enough sets to see what happens, in text that is read well.
        constexpr float kEnough = 8;
        const float shown = static_cast<float>(grid->room()) / static_cast<float>(grid->linesInSet);
        grid->worth = detail.worth * std::min(size, 1.0f) * std::min(1.0f, shown / kEnough);
        if (!partial || grid->worth > partial->worth) partial = grid;
    };
    for (const float size : kSizes) {
        for (const Detail& detail : kDetails) {
            if (facts.isOfFrames) {
                consider(size, detail, 1);
                continue;
            }
            for (std::uint32_t inLine = facts.ways; inLine > 1; inLine = (inLine + 1) / 2) {
                consider(size, detail, inLine);
            }
            consider(size, detail, 1);
        }
    }
    return best ? best : partial;
}

/// The lines to show, ascending: all, or those of the last accesses in groups of neighbours.
std::vector<std::uint64_t> shownLines(const Facts& facts, const Grid& grid) {
    const std::uint64_t all = linesOf(facts, grid);
    std::vector<std::uint64_t> lines;
    if (all <= grid.room()) {
        for (std::uint64_t l = 0; l < all; ++l) lines.push_back(l);
        return lines;
    }
    const std::uint64_t group =
        std::min<std::uint64_t>(std::max(kGroup, grid.linesInSet), std::max<std::uint64_t>(1, grid.room()));
    const std::uint64_t groups = (all + group - 1) / group;
    const std::uint64_t room = std::max<std::uint64_t>(1, grid.room() / group);
    std::vector<std::uint64_t> shown;
    const auto add = [&](std::uint64_t g) {
        if (shown.size() < room && std::find(shown.begin(), shown.end(), g) == shown.end()) shown.push_back(g);
    };
    for (const TablePlace& place : facts.subject.happened) {
        const std::uint64_t line =
            facts.isOfFrames ? place.way.value
                             : std::uint64_t{place.set.value} * grid.linesInSet + place.way.value / grid.waysInLine;
        if (line < all) add(line / group);
    }
    if (shown.empty()) add(0);
    // The neighbours of the first fill what is left.
    const std::uint64_t first = shown.front();
    for (std::uint64_t g = first + 1; g < groups && shown.size() < room; ++g) add(g);
    for (std::uint64_t g = first; g > 0 && shown.size() < room; --g) add(g - 1);
    std::sort(shown.begin(), shown.end());
    for (const std::uint64_t g : shown) {
        for (std::uint64_t l = g * group; l < std::min(all, (g + 1) * group); ++l) lines.push_back(l);
    }
    return lines;
}

/// The height of a line: tall where there is room, as trees need it.
int lineHeightOf(const Facts& facts, const Grid& grid, int room) {
    const float tall = grid.tree > 0 && grid.linesInSet == 1
                           ? kTreeStep * static_cast<float>(levelsOfTree(facts.ways) + 1)
                           : kTallLine;
    return std::max(static_cast<int>(std::ceil(kLineHeight * grid.text)),
                    std::min(room, static_cast<int>(tall * grid.text)));
}

TableLine lineOf(const Facts& facts, const Grid& grid, std::uint64_t line, glm::ivec2 at, int height) {
    TableLine added;
    if (facts.isOfFrames) {
        added.firstWay = static_cast<std::uint32_t>(line);
    } else {
        added.set = sim::SetIndex{static_cast<std::uint32_t>(line / grid.linesInSet)};
        added.firstWay = static_cast<std::uint32_t>(line % grid.linesInSet) * grid.waysInLine;
    }
    added.ways = std::min(grid.waysInLine, facts.ways - added.firstWay);
    added.name = {at, {at.x + grid.name, at.y + height}};
    added.wayName = {{added.name.high.x, at.y}, {added.name.high.x + grid.ways, at.y + height}};
    added.box = {{added.wayName.high.x, at.y},
                 {added.wayName.high.x + static_cast<int>(added.ways) * grid.cell, at.y + height}};
    return added;
}

void placeLines(TableFrame& frame, const Facts& facts, const Grid& grid, const PixelBox& body) {
    const std::vector<std::uint64_t> lines = shownLines(facts, grid);
    const std::size_t rows = (lines.size() + grid.columns - 1) / grid.columns;
    const int height =
        lineHeightOf(facts, grid, (body.height() - frame.headHeight) / std::max(1, static_cast<int>(rows)));
    const int gap = static_cast<int>(std::ceil(grid.text));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const glm::ivec2 corner(body.low.x + static_cast<int>(i / rows) * (grid.width() + gap), body.low.y);
        const auto row = static_cast<int>(i % rows);
        if (row == 0) frame.heads.push_back({corner, corner + glm::ivec2(grid.width(), frame.headHeight)});
        TableLine line = lineOf(facts, grid, lines[i], corner + glm::ivec2(0, frame.headHeight + row * height), height);
        line.beginsSet = line.firstWay == 0 || row == 0;
        line.followsGap = i > 0 && lines[i - 1] + 1 != lines[i];
        frame.lines.push_back(line);
    }
    const std::uint64_t left = linesOf(facts, grid) - lines.size();
    frame.hidden = facts.isOfFrames                     ? facts.ways - lines.size()
                   : facts.subject.contents.sets() == 1 ? left * grid.waysInLine
                                                        : left / grid.linesInSet;
}

/// The fields of the address with text of some height, the tag in hex or as digits; empty if they have no room.
AddressPlace addressWith(const TableSubject& subject, const PixelBox& body, float text, bool inHex, int margin) {
    const sim::Contents& contents = subject.contents;
    const int line = static_cast<int>(std::ceil(kLineHeight * text));
    AddressPlace place{.text = text, .inHex = inHex};
    place.offsetBits = static_cast<unsigned>(std::bit_width(contents.block() - 1));
    place.indexBits = contents.selectsByBits() ? static_cast<unsigned>(std::bit_width(contents.sets() - 1u)) : 0;
    const auto bits = static_cast<unsigned>(std::bit_width(lastNamedByte(subject.trace).value));
    const unsigned low = place.offsetBits + place.indexBits;
    place.tagBits = bits > low ? bits - low : 1;
    int left = body.low.x;
    const auto put = [&](PixelBox& box, unsigned digits, const std::string& caption) {
        const std::string sample(std::max(1u, digits + digits / 4), '0');
        const float width = std::max(widthOf(sample, text), widthOf(caption, kCaption * text)) + text;
        box = {{left, body.low.y + line}, {left + static_cast<int>(std::ceil(width)), body.low.y + 2 * line}};
        left = box.high.x;
    };
    const std::uint64_t tag = contents.tagOf(contents.blockOf(lastNamedByte(subject.trace)));
    put(place.tag, inHex ? (place.tagBits + 3) / 4 + 2 : place.tagBits, fmt::format("page {:#x}", tag));
    const std::uint32_t last = contents.sets() - 1;
    if (last > 0) {
        put(place.index, place.indexBits,
            contents.selectsByBits() ? fmt::format("index {}", last)
                                     : fmt::format("block mod {} = {}", contents.sets(), last));
    }
    put(place.offset, place.offsetBits, fmt::format("offset {}", contents.block() - 1));
    if (left > body.high.x) return {};
    place.box = {body.low, {left, body.low.y + 3 * line + margin / 2}};
    return place;
}

/// The address as large as a table of some twenty lines, or as fits.
AddressPlace addressPlaceOf(const TableSubject& subject, const TableLook& look, const PixelBox& body) {
    constexpr float kSmallest = 0.8f;
    const float most = std::clamp(static_cast<float>(body.height()) / 30, 1.15f * look.text, 2 * look.text);
    for (const float text : {most, look.text, kSmallest * look.text}) {
        for (const bool inHex : {false, true}) {
            const AddressPlace place = addressWith(subject, body, std::round(text), inHex, look.margin());
            const bool isLow = place.box.height() <= 0.4f * static_cast<float>(body.height());
            if (!place.box.isEmpty() && isLow && (inHex || place.tagBits <= kMaxTagDigits)) return place;
        }
    }
    return {};
}

}  // namespace

std::string waysInWords(std::uint32_t first, std::uint32_t ways) {
    return ways == 1 ? fmt::format("{}", first) : fmt::format("{}–{}", first, first + ways - 1);
}

std::string headingOf(TableField field, const TableSubject& subject) {
    using enum TableField;
    const bool isCache = subject.contents.store().kind == sim::Store::Kind::cache;
    switch (field) {
        case valid:
            return "V";
        case dirty:
            return "D";
        case tag:
            return subject.contents.store().kind == sim::Store::Kind::pages ? "page" : "tag";
        case block:
            return isCache ? "block" : "begins with";
        case data:
            return "data";
        case order: {
            const sim::PolicyRow& policy = sim::rowOf(subject.contents.policy());
            return std::string(policy.kept.empty() ? policy.name : policy.kept);
        }
        case state:
            return "state";
    }
    return "";
}

CellKey tableKey(const TableSubject& subject, const TableLook& look, const TableFrame& frame) {
    const Palette& palette = paletteFor(look.ground);
    const bool isAll = frame.fields.empty();
    const auto shows = [&](TableField field) {
        return isAll || std::any_of(frame.fields.begin(), frame.fields.end(),
                                    [&](const FieldPlace& f) { return f.field == field; });
    };
    CellKey key;
    key.scaling = CellScaling::category;
    key.signs = {{"hit", palette.hit}, {"miss", palette.miss}};
    if (shows(TableField::valid)) addNote(key, "V: holds a block");
    const bool isTlb = subject.contents.store().kind == sim::Store::Kind::tlb;
    if (shows(TableField::dirty) && !isTlb) addNote(key, "D: newer than the next level");
    if (isTree(subject.contents)) {
        if (isAll || frame.treeWidth > 0) addNote(key, "tree: the strong branches lead to the next victim");
    } else if (shows(TableField::order) && subject.contents.hasOrder()) {
        const sim::PolicyRow& policy = sim::rowOf(subject.contents.policy());
        addNote(key, fmt::format("{}: {}", headingOf(TableField::order, subject), policy.ranks));
    }
    return key;
}

PixelBox TableFrame::boxOf(const TableLine& line, std::uint32_t way) const {
    const int left = line.box.low.x + static_cast<int>(way - line.firstWay) * cellWidth;
    return {{left, line.box.low.y}, {left + cellWidth, line.box.high.y}};
}

const TableLine* TableFrame::lineOf(const TablePlace& place) const {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const TableLine& line) {
        return line.set == place.set && place.way.value >= line.firstWay && place.way.value < line.firstWay + line.ways;
    });
    return found == lines.end() ? nullptr : &*found;
}

TableFrame tableFrame(const TableSubject& subject, const TableLook& look) {
    const Facts facts(subject);
    TableFrame frame{chartFrame(look, tableKey(subject, look, {}))};
    frame.address = addressPlaceOf(subject, look, frame.body);
    PixelBox lines = frame.body;
    lines.low.x += look.margin();  // the way of the index to its set
    if (!frame.address.box.isEmpty()) lines.low.y = frame.address.box.high.y + look.margin();
    auto grid = bestGrid(facts, lines, look.text);
    if (!grid) {
        // The lines come first.
        frame.address = {};
        lines.low.y = frame.body.low.y;
        grid = bestGrid(facts, lines, look.text);
    }
    if (!grid) return frame;
    frame.text = grid->text;
    frame.fields = grid->fields;
    frame.cellWidth = grid->cell;
    frame.treeWidth = grid->tree;
    frame.headHeight = headHeight(grid->text, facts, *grid);
    placeLines(frame, facts, *grid, lines);
    return frame;
}

std::optional<TablePlace> tablePlaceAt(const TableFrame& frame, glm::ivec2 at) {
    for (const TableLine& line : frame.lines) {
        if (!line.box.contains(at)) continue;
        const auto way = static_cast<std::uint32_t>((at.x - line.box.low.x) / frame.cellWidth);
        return TablePlace{line.set, sim::WayIndex{line.firstWay + way}};
    }
    return std::nullopt;
}

}  // namespace whorl::scene
