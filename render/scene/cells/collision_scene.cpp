#include "render/scene/cells/collision_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

// Lengths in heights of the text.
constexpr float kLowestRow = 1.3f;
constexpr float kListRow = 1.5f;

// Shares of the picture.
constexpr float kMaxForRowNames = 0.35f;
constexpr float kMaxForColumnNames = 0.35f;

constexpr const char* kEvicts = "evicts";
constexpr const char* kIsEvicted = "is evicted";

/// A width in whole pixels.
int whole(float width) {
    return static_cast<int>(std::ceil(width));
}

/// How many have room, at least 0.
std::size_t fitting(int room, int each) {
    return static_cast<std::size_t>(std::max(0, room / each));
}

/// Counts what is missing in the picture, for the key.
std::string noteOf(std::size_t shown, std::size_t hidden, std::uint64_t leftOut) {
    std::string note;
    if (hidden > 0) note = fmt::format("{} of {} pairs are shown", sim::grouped(shown), sim::grouped(shown + hidden));
    if (leftOut > 0) note += fmt::format("{}{} stays are left out", note.empty() ? "" : "; ", sim::grouped(leftOut));
    return note;
}

CellKey keyOf(const CollisionSubject& subject, const CollisionLook& look, std::uint64_t most, std::size_t shown,
              std::size_t hidden) {
    CellKey key;
    key.scaling = CellScaling::number;
    key.most = sim::counted(most, "eviction", "evictions");
    key.logarithmic = true;
    key.note = noteOf(shown, hidden, subject.collisions.leftOut);
    if (look.common) addNote(key, commonScaleInWords(look.common->runs));
    return key;
}

using Names = std::vector<std::string>;

Names namesOf(const CollisionSubject& subject, const std::vector<sim::CollisionSum>& sums) {
    Names names;
    names.reserve(sums.size());
    for (const sim::CollisionSum& sum : sums) names.push_back(subject.collisions.names[sum.name]);
    return names;
}

/// Names begin at the left edges of their columns, the last ones further left if they would leave the picture; each in
/// the lowest line where it covers no other name.
std::vector<CollisionFrame::Name> namesAbove(const Names& names, int pitch, int room, int tiers, float text) {
    std::vector<CollisionFrame::Name> out(names.size());
    const int gap = static_cast<int>(std::ceil(0.6f * text));
    std::vector<int> taken(static_cast<std::size_t>(tiers), room + gap);  // left edge of the placed names, by line
    for (std::size_t i = names.size(); i-- > 0;) {
        CollisionFrame::Name& name = out[i];
        const int left = static_cast<int>(i) * pitch;
        const auto widthIn = [&](int most) {
            name.words = shortened(names[i], static_cast<float>(most), text);
            return whole(widthOf(name.words, text));
        };
        // With this width, each of `tiers` neighbouring columns finds a line for its name.
        const int width = widthIn(std::min(room, tiers * pitch - gap));
        name.left = std::max(0, std::min(left, room - width));
        while (name.tier + 1 < tiers && taken[static_cast<std::size_t>(name.tier)] < name.left + width + gap) {
            ++name.tier;
        }
        int& end = taken[static_cast<std::size_t>(name.tier)];
        if (end < name.left + width + gap) widthIn(end - gap - name.left);
        end = name.left;
    }
    return out;
}

/// The names of the rows and columns, by frequency.
struct Chosen {
    std::vector<sim::CollisionSum> evictors;
    std::vector<sim::CollisionSum> victims;
};

/// Takes in pairs, the most frequent first, as long as there are rows and columns for them. (The names that take part
/// in most collisions may have none with each other.)
Chosen chosenOf(const CollisionSubject& subject, std::size_t rows, std::size_t columns) {
    const std::size_t names = subject.collisions.names.size();
    std::vector<bool> isRow(names);
    std::vector<bool> isColumn(names);
    for (const sim::Collision& c : subject.collisions.cells) {
        if (!subject.shows(c)) continue;
        const std::size_t newRow = isRow[c.evictor] ? 0 : 1;
        const std::size_t newColumn = isColumn[c.victim] ? 0 : 1;
        if (newRow > rows || newColumn > columns) continue;
        rows -= newRow;
        columns -= newColumn;
        isRow[c.evictor] = isColumn[c.victim] = true;
    }
    Chosen chosen{collisionSums(subject.collisions, subject.level, &sim::Collision::evictor),
                  collisionSums(subject.collisions, subject.level, &sim::Collision::victim)};
    std::erase_if(chosen.evictors, [&](const sim::CollisionSum& s) { return !isRow[s.name]; });
    std::erase_if(chosen.victims, [&](const sim::CollisionSum& s) { return !isColumn[s.name]; });
    return chosen;
}

/// The room for the matrix and for the names around it.
struct Room {
    int left = 0;  ///< left edge of the names of rows
    int right = 0;
    int top = 0;  ///< upper edge of the names of columns
    int bottom = 0;
    int forRowNames = 0;
    int tiers = 1;  ///< lines for the names of columns
};

Room roomOf(const CollisionFrame& frame, const CollisionSubject& subject, const CollisionLook& look) {
    const int line = look.line();
    Room room;
    room.left = frame.body.low.x;
    room.right = frame.body.high.x;
    room.top = frame.body.low.y + line;  // below "is evicted"
    room.bottom = frame.body.high.y;
    float breadth = widthOf(kEvicts, look.text);
    for (const sim::Collision& c : subject.collisions.cells) {
        if (c.level == subject.level) {
            breadth = std::max(breadth, widthOf(subject.collisions.names[c.evictor], look.text));
        }
    }
    room.forRowNames =
        static_cast<int>(std::min(std::ceil(breadth), kMaxForRowNames * static_cast<float>(look.size.x)));
    const float height = kMaxForColumnNames * static_cast<float>(std::max(0, room.bottom - room.top));
    room.tiers = std::max(1, static_cast<int>(height) / line);
    return room;
}

/// The least width of a column with numbers, pixels.
int leastColumn(const CollisionLook& look) {
    return whole(widthOf("99.9K", look.text)) + 4;
}

/// Rows and columns as large as they can be for all that have room with numbers in them, and the names of the columns.
/// Returns how many lines these take.
int placeFitting(CollisionFrame& frame, Chosen& chosen, const CollisionSubject& subject, const CollisionLook& look,
                 const Room& room) {
    const int line = look.line();
    const int width = room.right - frame.cells.low.x;
    const int height = room.bottom - room.top;
    int used = 0;
    for (int kept = 1; kept <= room.tiers; ++kept) {
        chosen =
            chosenOf(subject, fitting(height - kept * line, look.em(kLowestRow)), fitting(width, leastColumn(look)));
        const int columns = std::max(1, static_cast<int>(chosen.victims.size()));
        frame.pitch.x = std::max(width / columns, 1);
        frame.columns = namesAbove(namesOf(subject, chosen.victims), frame.pitch.x, width, room.tiers, look.text);
        used = 1;
        for (const auto& name : frame.columns) used = std::max(used, name.tier + 1);
        if (used <= kept) break;
    }
    const int rows = std::max(1, static_cast<int>(chosen.evictors.size()));
    frame.pitch.y = std::max((room.bottom - room.top - used * line) / rows, 1);
    frame.all = {chosen.victims.size(), chosen.evictors.size()};
    return used;
}

/// The distances of cells whose rows are so high, pixels: as wide for it as those that just hold numbers.
glm::ivec2 pitchOf(const CollisionLook& look, float cell) {
    const float shape = static_cast<float>(leastColumn(look)) / static_cast<float>(look.em(kLowestRow));
    return glm::max(glm::ivec2(glm::vec2(cell * shape, cell)), glm::ivec2(1));
}

/// Keeps `room` pixels of the sums from the first one on. Returns the index of that.
int cutTo(std::vector<sim::CollisionSum>& sums, float first, int room, int pitch) {
    const auto shown = std::min(std::max<std::size_t>(1, fitting(room, pitch)), sums.size());
    const auto from = std::min(static_cast<std::size_t>(std::max(0.0f, first)), sums.size() - shown);
    sums.erase(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(from));
    sums.resize(shown);
    return static_cast<int>(from);
}

/// The part of all rows and columns that is seen, in cells of the wanted size. Where columns are narrow, only every
/// n-th has a name.
int placeSeen(CollisionFrame& frame, Chosen& chosen, const CollisionSubject& subject, const CollisionLook& look,
              const Room& room) {
    const std::size_t names = subject.collisions.names.size();
    chosen = chosenOf(subject, names, names);
    frame.all = {chosen.victims.size(), chosen.evictors.size()};
    frame.pitch = pitchOf(look, look.sight->cell);
    const int width = room.right - frame.cells.low.x;
    if (frame.all.x == 0 || frame.all.y == 0) return 1;
    frame.first = {
        cutTo(chosen.victims, look.sight->first.x, width, frame.pitch.x),
        cutTo(chosen.evictors, look.sight->first.y, room.bottom - room.top - room.tiers * look.line(), frame.pitch.y)};
    const auto step = static_cast<std::size_t>(std::max(1, 3 * look.em(1) / (room.tiers * frame.pitch.x) + 1));
    const Names all = namesOf(subject, chosen.victims);
    Names some;
    for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
    const auto placed = namesAbove(some, static_cast<int>(step) * frame.pitch.x, width, room.tiers, look.text);
    frame.columns.assign(all.size(), {});
    int used = 1;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        frame.columns[i * step] = placed[i];
        used = std::max(used, placed[i].tier + 1);
    }
    return used;
}

/// Places the rows and columns, and their names.
Chosen place(CollisionFrame& frame, const CollisionSubject& subject, const CollisionLook& look) {
    const Room room = roomOf(frame, subject, look);
    frame.cells.low.x = room.left + room.forRowNames + look.margin();
    Chosen chosen;
    const int used = (look.sight ? placeSeen : placeFitting)(frame, chosen, subject, look, room);
    frame.cells.low.y = room.top + used * look.line();
    for (const std::string& name : namesOf(subject, chosen.evictors)) {
        frame.rows.push_back({shortened(name, static_cast<float>(room.forRowNames), look.text), 0, 0});
    }
    frame.cells.high = frame.cells.low + glm::ivec2(frame.columns.size(), frame.rows.size()) * frame.pitch;
    return chosen;
}

/// Puts the level's pairs into the rows and columns.
void fill(CollisionFrame& frame, const CollisionSubject& subject, const Chosen& chosen) {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> rowOf(subject.collisions.names.size(), kNone);
    std::vector<std::size_t> columnOf(subject.collisions.names.size(), kNone);
    for (std::size_t i = 0; i < chosen.evictors.size(); ++i) rowOf[chosen.evictors[i].name] = i;
    for (std::size_t i = 0; i < chosen.victims.size(); ++i) columnOf[chosen.victims[i].name] = i;
    frame.pairs.assign(chosen.evictors.size() * chosen.victims.size(), nullptr);
    for (const sim::Collision& c : subject.collisions.cells) {
        if (!subject.shows(c)) continue;
        const std::size_t row = rowOf[c.evictor];
        const std::size_t column = columnOf[c.victim];
        if (row == kNone || column == kNone) continue;
        frame.pairs[row * chosen.victims.size() + column] = &c;
        ++frame.shown;
    }
}

/// "region", "object", "class", as a word for a number of them.
std::string thingsInWords(std::size_t count, sim::CollisionsOf of) {
    const std::string one(sim::wordFor(of));
    return sim::counted(count, one, one + (of == sim::CollisionsOf::className ? "es" : "s"));
}

/// The collisions of one name as two lists, the most frequent first: what evicts it, and what it evicts.
void placeLists(CollisionFrame& frame, const CollisionSubject& subject, const CollisionLook& look) {
    std::array<std::vector<const sim::Collision*>, 2> lists;
    std::array<std::uint64_t, 2> sums{};
    for (const sim::Collision& c : subject.collisions.cells) {
        for (const std::size_t side : {0, 1}) {
            if (!subject.shows(c) || (side == 0 ? c.victim : c.evictor) != *subject.only) continue;
            lists[side].push_back(&c);
            sums[side] += c.count();
        }
    }
    const int line = look.line();
    frame.cells.low = frame.body.low + glm::ivec2(0, line);
    frame.pitch = {std::max(1, frame.body.width() / 2), look.em(kListRow)};
    const std::size_t rows = std::min(std::max(lists[0].size(), lists[1].size()),
                                      fitting(frame.body.high.y - frame.cells.low.y, frame.pitch.y));
    frame.all = {2, static_cast<int>(std::max(lists[0].size(), lists[1].size()))};
    frame.rows.resize(rows);
    frame.cells.high = frame.cells.low + glm::ivec2(2, rows) * frame.pitch;
    const std::string& name = subject.collisions.names[*subject.only];
    const auto head = [&](std::size_t side, const std::string& things) {
        const std::string words =
            side == 0 ? fmt::format("{} evicted by {}", name, things) : fmt::format("{} evicts {}", name, things);
        return shortened(fmt::format("{}: {}", words, sim::counted(sums[side], "time", "times")),
                         static_cast<float>(frame.pitch.x - look.em(1)), look.text);
    };
    for (const std::size_t side : {0, 1}) {
        frame.columns.push_back({head(side, thingsInWords(lists[side].size(), subject.collisions.of)),
                                 static_cast<int>(side) * frame.pitch.x, 0});
    }
    frame.pairs.assign(2 * rows, nullptr);
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        const auto& list = lists[i % 2];
        if (i / 2 < list.size()) frame.pairs[i] = list[i / 2];
    }
    // What evicts itself is in both lists.
    for (const sim::Collision* const c : lists[0]) {
        if (std::ranges::find(frame.pairs, c) != frame.pairs.end()) ++frame.shown;
    }
    for (const sim::Collision* const c : lists[1]) {
        const bool isNew = c->victim != *subject.only;
        if (isNew && std::ranges::find(frame.pairs, c) != frame.pairs.end()) ++frame.shown;
    }
}

/// The words in the box of a pair: the number, and in a list what it is about.
std::string wordsIn(const CollisionSubject& subject, const sim::Collision& pair, std::size_t column) {
    if (!subject.only) return sim::roughCount(pair.count());
    const std::uint32_t other = column == 0 ? pair.evictor : pair.victim;
    return fmt::format("{}  {}", sim::grouped(pair.count()), subject.collisions.names[other]);
}

void paintPairs(FlatScene& scene, const CollisionSubject& subject, const CollisionLook& look,
                const CollisionFrame& frame) {
    const ColourTable colours(look.ground, CellRamp::neutral, static_cast<float>(frame.most), true);
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        const std::size_t columns = frame.columns.size();
        const PixelBox box = frame.boxOf(i / columns, i % columns);
        const sim::Collision* const pair = frame.pairs[i];
        if (pair == nullptr) {
            if (!subject.only) scene.raster.fill(box, paletteFor(look.ground).untouched);
            continue;
        }
        const Rgba colour = colours.of(static_cast<float>(pair->count()));
        scene.raster.fill(box, colour);
        std::string words = wordsIn(subject, *pair, i % columns);
        if (subject.only) {
            words = shortened(words, static_cast<float>(box.width() - look.em(1)), look.text);
            const glm::ivec2 at(box.low.x + look.em(0.5f), box.low.y + (box.height() - look.em(1)) / 2);
            scene.labels.push_back(cornerLabel(words, at, look.text, readableOn(colour)));
            scene.labels.back().isBare = true;
            continue;
        }
        if (widthOf(words, look.text) > static_cast<float>(box.width()) || box.height() < look.em(1)) continue;
        Label label;
        label.text = words;
        label.at = glm::vec2(box.low + box.high) / 2.0f;
        label.size = look.text;
        label.colour = readableOn(colour);
        label.isBare = true;
        scene.labels.push_back(std::move(label));
    }
}

void outlineChosen(FlatScene& scene, const CollisionLook& look, const CollisionFrame& frame) {
    if (!look.chosen) return;
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        const sim::Collision* const pair = frame.pairs[i];
        if (pair == nullptr || CollisionPair{pair->evictor, pair->victim} != *look.chosen) continue;
        const PixelBox box = frame.boxOf(i / frame.columns.size(), i % frame.columns.size());
        const int thick = std::max(2, look.em(0.14f));
        scene.raster.frame({box.low - thick, box.high + thick}, thick, paletteFor(look.ground).mark);
    }
}

/// Draws the line from a name to its column, interrupted by the names that it would cross.
void paintLead(FlatScene& scene, const CollisionLook& look, const CollisionFrame& frame, std::size_t column) {
    const int line = look.line();
    const int x = static_cast<int>(column) * frame.pitch.x;
    const auto covers = [&](const CollisionFrame::Name& name) {
        return name.left < x && x < name.left + whole(widthOf(name.words, look.text));
    };
    const Rgba colour = paletteFor(look.ground).lead;
    for (int tier = frame.columns[column].tier; tier >= 0; --tier) {
        const bool isFree = std::none_of(frame.columns.begin(), frame.columns.end(),
                                         [&](const auto& name) { return name.tier == tier && covers(name); });
        const glm::ivec2 low(frame.cells.low.x + x, frame.cells.low.y - (tier + 1) * line);
        if (isFree) scene.raster.fill({low, low + glm::ivec2(1, line)}, colour);
    }
}

/// The words above the two lists of one name.
void addHeads(FlatScene& scene, const CollisionLook& look, const CollisionFrame& frame) {
    for (const CollisionFrame::Name& name : frame.columns) {
        const glm::ivec2 at = frame.cells.low + glm::ivec2(name.left, -look.line());
        scene.labels.push_back(cornerLabel(name.words, at, look.text, paletteFor(look.ground).text));
    }
}

void addNames(FlatScene& scene, const CollisionLook& look, const CollisionFrame& frame) {
    const Palette& palette = paletteFor(look.ground);
    const int margin = look.margin();
    const int line = look.line();
    const int above = frame.cells.low.y - line;
    int highest = 0;
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        const CollisionFrame::Name& name = frame.columns[i];
        if (name.words.empty()) continue;
        glm::ivec2 at(frame.cells.low.x + name.left, above - name.tier * line);
        highest = std::max(highest, name.tier);
        if (name.tier > 0) {
            paintLead(scene, look, frame, i);
            at.x += look.em(0.25f);
        }
        scene.labels.push_back(cornerLabel(name.words, at, look.text, palette.text));
    }
    const ChartRows rows{.box = frame.cells, .height = frame.pitch.y, .gap = 1, .count = frame.rows.size()};
    addRowNames(scene, look, rows,
                {.name = [&](std::size_t row) { return frame.rows[row].words; },
                 .colour = [&](std::size_t) { return palette.text; }});
    scene.labels.push_back(
        cornerLabel(shortened(kEvicts, static_cast<float>(frame.cells.low.x - 2 * margin), look.text), {margin, above},
                    look.text, palette.muted));
    const auto room = static_cast<float>(look.size.x - margin - frame.cells.low.x);
    scene.labels.push_back(cornerLabel(shortened(kIsEvicted, room, look.text),
                                       {frame.cells.low.x, above - (highest + 1) * line}, look.text, palette.muted));
}

/// Why there is nothing to see.
std::string nothingInWords(const CollisionSubject& subject) {
    const char* const when = subject.range.empty() ? "" : " in these accesses";
    if (!subject.only) return fmt::format("No block was evicted from {}{}.", subject.levelName, when);
    const std::string& name = subject.collisions.names[*subject.only];
    return fmt::format("No block of {} was evicted from {}{}, and it evicted none.", name, subject.levelName, when);
}

}  // namespace

PixelBox CollisionFrame::boxOf(std::size_t row, std::size_t column) const {
    const glm::ivec2 low = cells.low + glm::ivec2(column, row) * pitch;
    return {low, low + pitch - 1};
}

std::uint64_t mostCollisions(const CollisionSubject& subject) {
    std::uint64_t most = 0;
    for (const sim::Collision& c : subject.collisions.cells) {
        if (subject.shows(c)) most = std::max(most, c.count());
    }
    return most;
}

CollisionFrame collisionFrame(const CollisionSubject& subject, const CollisionLook& look) {
    CollisionFrame frame;
    std::size_t all = 0;
    for (const sim::Collision& c : subject.collisions.cells) {
        if (!subject.shows(c)) continue;
        ++all;
        frame.total += c.count();
    }
    frame.most = look.common ? static_cast<std::uint64_t>(look.common->most) : mostCollisions(subject);
    // Room for the key with its longest note, so that what is shown does not depend on how much of it is.
    static_cast<ChartFrame&>(frame) = chartFrame(look, keyOf(subject, look, frame.most, all, all));
    if (subject.only) {
        placeLists(frame, subject, look);
    } else {
        fill(frame, subject, place(frame, subject, look));
    }
    frame.hidden = all - frame.shown;
    return frame;
}

MatrixSight zoomedAt(const CollisionFrame& frame, const CollisionLook& look, glm::ivec2 at, float factor) {
    MatrixSight sight = movedBy(frame, look, {0, 0});
    // At least a pixel more or less.
    const float least = factor > 1 ? std::floor(sight.cell) + 1 : MatrixSight::kMin;
    sight.cell = std::clamp(sight.cell * factor, least, std::max(least, MatrixSight::kMax));
    const glm::vec2 place(at - frame.cells.low);
    sight.first += place / glm::vec2(frame.pitch) - place / glm::vec2(pitchOf(look, sight.cell));
    sight.first = glm::clamp(sight.first, glm::vec2(0), glm::vec2(frame.all));
    return sight;
}

MatrixSight movedBy(const CollisionFrame& frame, const CollisionLook& look, glm::ivec2 pixels) {
    MatrixSight sight = look.sight.value_or(MatrixSight{static_cast<float>(frame.pitch.y), glm::vec2(0)});
    const glm::vec2 most(frame.all - glm::ivec2(frame.columns.size(), frame.rows.size()));
    sight.first = glm::clamp(sight.first - glm::vec2(pixels) / glm::vec2(frame.pitch), glm::vec2(0), most);
    return sight;
}

FlatScene collisionScene(const CollisionSubject& subject, const CollisionLook& look, const CollisionFrame& frame) {
    FlatScene scene = chartScene(look, frame.cells);
    addTitle(
        scene, look,
        fmt::format("Collisions{} in {}: {}{}", subject.only ? " of " + subject.collisions.names[*subject.only] : "",
                    subject.levelName, sim::counted(frame.total, "eviction", "evictions"), subject.range));
    if (frame.pairs.empty()) {
        addSentence(scene, look, frame.total == 0 ? nothingInWords(subject) : "No room to show the pairs.");
    }
    if (frame.total == 0) return scene;
    paintPairs(scene, subject, look, frame);
    outlineChosen(scene, look, frame);
    if (subject.only) {
        addHeads(scene, look, frame);
    } else if (!frame.pairs.empty()) {
        addNames(scene, look, frame);
    }
    paintKey(scene, keyOf(subject, look, frame.most, frame.shown, frame.hidden), frame.key, look.text);
    return scene;
}

std::optional<CollisionUnder> collisionAt(const CollisionFrame& frame, glm::ivec2 at) {
    if (!frame.cells.contains(at)) return std::nullopt;
    const glm::ivec2 place = (at - frame.cells.low) / frame.pitch;
    const auto row = static_cast<std::size_t>(place.y);
    const auto column = static_cast<std::size_t>(place.x);
    const sim::Collision* const pair = frame.pairs[row * frame.columns.size() + column];
    if (pair == nullptr) return std::nullopt;
    return CollisionUnder{*pair, frame.boxOf(row, column)};
}

}  // namespace whorl::scene
