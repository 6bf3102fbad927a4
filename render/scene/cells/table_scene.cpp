#include "render/scene/cells/table_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/scene/easing.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/analysis/explain.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/contents_report.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

/// How much of a region's colour is behind a block's name, so that the name is read.
constexpr float kBed = 0.42f;
/// How far a block that leaves sinks below its line, in heights of the line.
constexpr float kSinking = 1.1f;

std::string blockNamed(const TableSubject& subject, sim::BlockAddress block) {
    return subject.trace.placeOf(sim::namedByteOf(subject.contents, subject.trace, block), subject.now);
}

class TablePainter {
  public:
    TablePainter(FlatScene& scene, const TableSubject& subject, const TableLook& look, const TableFrame& frame)
        : scene_(scene), subject_(subject), look_(look), frame_(frame), palette_(paletteFor(look.ground)) {}

    void paint() {
        if (frame_.lines.empty()) return addSentence(scene_, look_, "No room for the table: make this view larger.");
        paintHeads();
        for (const TableLine& line : frame_.lines) paintLine(line);
        paintPicked();
        paintAddress();
        for (const TableChange& change : subject_.changes) paintFlight(change);
    }

  private:
    float text() const { return frame_.text; }

    void put(const std::string& words, const PixelBox& box, int left, Rgba colour, float size) {
        const int top = box.low.y + (box.height() - static_cast<int>(size)) / 2;
        scene_.labels.push_back(cornerLabel(words, {left, top}, size, colour));
    }
    /// In the middle between two columns of pixels.
    void putCentred(const std::string& words, const PixelBox& box, Rgba colour, float size) {
        const auto width = static_cast<int>(widthOf(words, size));
        put(words, box, box.low.x + std::max(0, (box.width() - width) / 2), colour, size);
    }

    /// The names of the fields above the ways, and the numbers of the ways above them.
    void paintHeads() {
        const TableLine& first = frame_.lines.front();
        const int line = std::min(frame_.headHeight, look_.em(1.35f * text() / look_.text));
        for (const PixelBox& head : frame_.heads) {
            const int top = head.high.y - line;
            int left = head.low.x;
            const auto nextCell = [&](int width) {
                left += width;
                return PixelBox{{left - width, top}, {left, head.high.y}};
            };
            putCentred(isMemory()   ? "frame"
                       : isOneSet() ? "way"
                                    : "set",
                       nextCell(first.name.width()), palette_.muted, text());
            if (!first.wayName.isEmpty()) putCentred("way", nextCell(first.wayName.width()), palette_.muted, text());
            for (std::uint32_t w = 0; w < first.ways; ++w) {
                const PixelBox cell = nextCell(frame_.cellWidth);
                for (const FieldPlace& field : frame_.fields) {
                    put(headingOf(field.field, subject_), cell, cell.low.x + field.left, palette_.muted, text());
                }
                const PixelBox above{{cell.low.x, head.low.y}, {cell.high.x, top}};
                if (above.isEmpty()) continue;
                const std::string name = fmt::format("way {}", w);
                const bool fits = widthOf(name, text()) <= static_cast<float>(above.width());
                putCentred(fits ? name : fmt::format("{}", w), above, palette_.muted, text());
            }
            scene_.raster.fill({{head.low.x, head.high.y - 1}, {head.high.x, head.high.y}}, palette_.line);
        }
    }

    /// The ways of a set; those of the last one asked for are kept.
    const std::vector<sim::WayContents>& waysOf(sim::SetIndex set) {
        if (!known_ || known_->first != set) known_.emplace(set, subject_.contents.set(set));
        return known_->second;
    }

    bool isAtHand(const TableLine& line) const {
        const auto& access = subject_.access;
        return access && !access->isQuestion && access->isAsked && !isMemory() &&
               subject_.contents.setOf(access->block) == line.set;
    }
    bool isOneSet() const { return subject_.contents.sets() == 1; }
    bool isMemory() const { return subject_.contents.store().kind == sim::Store::Kind::pages; }

    void paintLine(const TableLine& line) {
        const std::vector<sim::WayContents>& ways = waysOf(line.set);
        const Rgba colour = isAtHand(line) ? palette_.accent : palette_.muted;
        if (isOneSet()) {
            putCentred(waysInWords(line.firstWay, line.ways), line.name, colour, text());
        } else if (line.beginsSet) {
            putCentred(fmt::format("{}", line.set.value), line.name, colour, text());
        }
        if (!line.wayName.isEmpty()) {
            putCentred(waysInWords(line.firstWay, line.ways), line.wayName, palette_.muted, text());
        }
        if (line.followsGap) {
            // Lines are left out here.
            scene_.raster.fill({{line.name.low.x, line.name.low.y - 1}, {line.box.high.x, line.name.low.y + 1}},
                               palette_.boundary);
        }
        for (std::uint32_t w = line.firstWay; w < line.firstWay + line.ways; ++w) {
            const bool isThere = w < ways.size();
            paintWay(line, w, isThere ? ways[w] : sim::WayContents{}, isNext(ways, w));
        }
        if (frame_.treeWidth > 0 && line.firstWay == 0) paintTree(line, ways);
    }

    /// Whether the block in a way leaves next, because its set is full.
    bool isNext(const std::vector<sim::WayContents>& ways, std::uint32_t way) const {
        if (!subject_.contents.hasOrder() || ways.size() < subject_.contents.ways()) return false;
        const bool isFull = std::all_of(ways.begin(), ways.end(), [](const auto& w) { return w.valid; });
        return isFull && ways[way].rank + 1 == ways.size();
    }

    /// The light of what the last accesses did in a way: its colour, and how strong it is.
    std::pair<Rgba, float> lightOf(const TablePlace& at) const {
        std::pair<Rgba, float> light{palette_.hit, 0};
        for (const TableChange& change : subject_.changes) {
            if (change.at != at || change.kind == TableChange::Kind::leave) continue;
            light = {change.kind == TableChange::Kind::hit ? palette_.hit : palette_.miss, flash(change.age)};
        }
        return light;
    }

    /// The block that is still on its way into a way.
    const TableChange* arriving(const TablePlace& at) const {
        const TableChange* last = nullptr;
        for (const TableChange& c : subject_.changes) {
            if (c.at == at && c.kind == TableChange::Kind::fill && c.age < 1) last = &c;
        }
        return last;
    }

    /// The colour of a block's region, without its texture, on which small text is not read.
    Rgba bedOf(sim::BlockAddress block) const {
        const std::uint32_t region =
            sim::regionOfBlock(subject_.trace, subject_.contents.addressOf(block), subject_.contents.block());
        if (region == subject_.trace.regions().size()) return palette_.untouched;
        return mixed(scene_.background, subject_.looks.hueOf(region, look_.hues, look_.ground), kBed);
    }

    /// Around the text of a field.
    PixelBox markOf(const PixelBox& way, const FieldPlace& field) const {
        const int pad = static_cast<int>(0.2f * text());
        const int high = static_cast<int>(1.2f * text());
        const glm::ivec2 low(way.low.x - 1 + field.left - pad, way.low.y + (way.height() - high) / 2);
        return {low, low + glm::ivec2(field.width + 2 * pad, high)};
    }

    void paintWay(const TableLine& line, std::uint32_t way, const sim::WayContents& of, bool isNext) {
        const PixelBox outer = frame_.boxOf(line, way);
        const PixelBox box{outer.low + glm::ivec2(1), outer.high - glm::ivec2(1, 0)};
        const TablePlace at{line.set, sim::WayIndex{way}};
        const bool isEmpty = !of.valid || arriving(at) != nullptr;
        scene_.raster.fill(box, isEmpty ? palette_.untouched : bedOf(of.block));
        for (const FieldPlace& field : frame_.fields) {
            if (isEmpty) {
                // Nothing to mark.
            } else if (field.field == TableField::dirty && of.dirty) {
                scene_.raster.fill(markOf(box, field), palette_.text);
            } else if (field.field == TableField::order && isNext) {
                scene_.raster.frame(markOf(box, field), std::max(1, static_cast<int>(text() / 12)), palette_.text);
            }
            const auto [words, colour] = wordsOf(field.field, of, isEmpty);
            if (words.empty()) continue;
            const std::string shown = shortened(words, static_cast<float>(field.width + 1), text());
            const bool isLong = field.field == TableField::data;
            put(shown.empty() ? (isLong ? "…" : words) : shown, box, outer.low.x + field.left, colour, text());
        }
        if (const auto [colour, share] = lightOf(at); share > 0) {
            scene_.raster.frame(box, std::max(2, static_cast<int>(0.22f * text())),
                                mixed(scene_.background, colour, share));
        }
    }

    std::pair<std::string, Rgba> wordsOf(TableField field, const sim::WayContents& of, bool isEmpty) const {
        switch (field) {
            case TableField::valid:
                return {isEmpty ? "0" : "1", isEmpty ? palette_.muted : palette_.text};
            case TableField::dirty:
                return {isEmpty ? "" : of.dirty ? "1" : "0", of.dirty ? palette_.ground : palette_.text};
            case TableField::tag:
                if (isEmpty) return {};
                return {fmt::format("{:#x}", subject_.contents.tagOf(of.block)), palette_.text};
            case TableField::block:
                if (isEmpty) return {};
                return {blockNamed(subject_, of.block), palette_.text};
            case TableField::data:
                if (isEmpty || !subject_.data) return {};
                return {subject_.data(of.block), palette_.text};
            case TableField::order:
                if (isEmpty) return {};
                return {fmt::format("{}", of.kept ? *of.kept : of.rank), palette_.text};
            case TableField::state:
                return {std::string(1, isEmpty ? 'I' : of.state), isEmpty ? palette_.muted : palette_.text};
        }
        return {};
    }

    /// The tree of pseudo-LRU of a set, beside its lines: each node's strong branch leads towards the next victim.
    /// Where ways are below each other it lies on its side, its leaves at the ways.
    void paintTree(const TableLine& line, const std::vector<sim::WayContents>& ways) {
        const int left = line.box.low.x + static_cast<int>(line.ways) * frame_.cellWidth;
        int bottom = line.box.high.y;
        for (const TableLine& other : frame_.lines) {
            if (other.set == line.set && other.box.low.x == line.box.low.x) bottom = std::max(bottom, other.box.high.y);
        }
        const PixelBox box{{left, line.box.low.y}, {left + frame_.treeWidth, bottom}};
        const TreePlace place{ways, box, line.ways == 1 && ways.size() > 2, text()};
        paintNode(place, 0, static_cast<std::uint32_t>(ways.size()), 0, true);
    }

    /// Where the nodes of a tree are.
    struct TreePlace {
        const std::vector<sim::WayContents>& ways;
        PixelBox box;
        bool isAside;  ///< the root is on the right, and the leaves are at lines
        float text;

        float step() const {
            std::uint32_t levels = 0;
            while ((std::size_t{1} << levels) < ways.size()) ++levels;
            const float room =
                isAside ? static_cast<float>(box.width()) - text : 0.76f * static_cast<float>(box.height());
            return room / static_cast<float>(levels);
        }
        /// The node over the ways from `lo` to before `hi`, `depth` steps from the root.
        glm::vec2 of(std::uint32_t lo, std::uint32_t hi, std::uint32_t depth) const {
            const float middle = static_cast<float>(lo + hi) / 2 / static_cast<float>(ways.size());
            const glm::vec2 low(box.low);
            const glm::vec2 size(box.width(), box.height());
            const float away = static_cast<float>(depth) * step();
            if (isAside) return {low.x + size.x - 0.5f * text - away, low.y + middle * size.y};
            return {low.x + 0.3f * text + middle * (size.x - 0.6f * text), low.y + 0.12f * size.y + away};
        }
    };

    void paintNode(const TreePlace& tree, std::uint32_t lo, std::uint32_t hi, std::uint32_t depth, bool isOnPath) {
        if (hi - lo < 2) return;
        const std::uint32_t mid = lo + (hi - lo + 1) / 2;
        const bool isSecond = tree.ways[mid].kept.value_or(0) != 0;
        const glm::vec2 at = tree.of(lo, hi, depth);
        for (const bool second : {!isSecond, isSecond}) {
            const glm::vec2 to = second ? tree.of(mid, hi, depth + 1) : tree.of(lo, mid, depth + 1);
            const bool isStrong = second == isSecond;
            const Rgba colour = isStrong && isOnPath ? palette_.accent : isStrong ? palette_.text : palette_.line;
            const float width = isStrong ? std::max(1.5f, 0.13f * text()) : 1;
            scene_.strokes.push_back({at, to, width, colour, colour});
        }
        if (tree.step() > 1.05f * text()) {
            Label label;
            label.text = isSecond ? "1" : "0";
            label.at = at;
            label.size = 0.8f * text();
            label.colour = palette_.text;
            label.hasBed = true;
            scene_.labels.push_back(std::move(label));
        }
        paintNode(tree, lo, mid, depth + 1, isOnPath && !isSecond);
        paintNode(tree, mid, hi, depth + 1, isOnPath && isSecond);
    }

    void paintPicked() {
        if (!look_.picked) return;
        const TableLine* const line = frame_.lineOf(*look_.picked);
        if (line == nullptr) return;
        scene_.raster.frame(frame_.boxOf(*line, look_.picked->way.value), std::max(2, static_cast<int>(text() / 7)),
                            palette_.picked);
    }

    /// "A[3] is read at 0x1040": what the access is; or the question about it.
    std::string sentence() const {
        const TableAccess& access = *subject_.access;
        const std::string place = subject_.trace.placeOf(access.access.address, access.tick);
        const std::string verb = access.access.isWrite() ? "write" : "read";
        std::string words = fmt::format("{} {} at {:#x}", verb, place, access.access.address.value);
        if (access.isQuestion) return words + ": click the way in which its block will be";
        if (!access.isAsked) return words + fmt::format(": does not reach {}", subject_.name);
        return words + (access.isHit ? ": hit" : ": miss");
    }

    void paintAddress() {
        const AddressPlace& place = frame_.address;
        if (place.box.isEmpty()) return;
        const PixelBox line{frame_.body.low, {frame_.body.high.x, place.tag.low.y}};
        if (!subject_.access) {
            put("No access yet.", line, line.low.x, palette_.muted, place.text);
            return;
        }
        const std::string words = shortened(sentence(), static_cast<float>(line.width()), place.text);
        put(words, line, line.low.x, palette_.text, place.text);
        if (subject_.access->isQuestion) return paintWholeAddress();
        const std::uint64_t address = subject_.access->access.address.value;
        const sim::Contents& contents = subject_.contents;
        const sim::BlockAddress block = subject_.access->block;
        const std::uint64_t tag = contents.tagOf(block);
        paintField(place.tag, place.inHex ? fmt::format("{:#x}", tag) : sim::binaryDigits(tag, place.tagBits),
                   fmt::format("{} {:#x}", isMemory() ? "page" : "tag", tag), palette_.text);
        const std::uint32_t set = contents.setOf(block).value;
        if (!place.index.isEmpty()) {
            paintField(place.index,
                       contents.selectsByBits() ? sim::binaryDigits(set, place.indexBits) : fmt::format("{}", set),
                       contents.selectsByBits() ? fmt::format("index {}", set)
                                                : fmt::format("block mod {} = {}", contents.sets(), set),
                       palette_.accent);
        }
        const std::uint64_t offset = address % contents.block();
        paintField(place.offset, sim::binaryDigits(offset, place.offsetBits), fmt::format("offset {}", offset),
                   palette_.muted);
        paintWay();
    }

    void paintField(const PixelBox& box, const std::string& digits, const std::string& caption, Rgba colour) {
        scene_.raster.fill(box, mixed(scene_.background, colour, 0.16f));
        scene_.raster.frame(box, 1, colour);
        const float size = frame_.address.text;
        putCentred(digits, box, palette_.text, size);
        const PixelBox under{{box.low.x, box.high.y}, {box.high.x, frame_.address.box.high.y}};
        putCentred(caption, under, colour, std::round(0.85f * size));
    }

    /// The address of the question, in one piece.
    void paintWholeAddress() {
        const AddressPlace& place = frame_.address;
        const PixelBox box{place.tag.low, place.offset.high};
        const unsigned bits = place.tagBits + place.indexBits + place.offsetBits;
        const std::uint64_t address = subject_.access->access.address.value;
        paintField(box, place.inHex ? fmt::format("{:#x}", address) : sim::binaryDigits(address, bits),
                   fmt::format("{:#x}", address), palette_.text);
    }

    /// The way from the index to its set, as far as it has come.
    void paintWay() {
        const TableAccess& access = *subject_.access;
        const AddressPlace& place = frame_.address;
        if (!access.isAsked || place.index.isEmpty()) return;
        const sim::SetIndex set = subject_.contents.setOf(access.block);
        const auto line = std::find_if(frame_.lines.begin(), frame_.lines.end(),
                                       [&](const TableLine& l) { return l.set == set && l.firstWay == 0; });
        if (line == frame_.lines.end()) return;
        const auto half = static_cast<float>(look_.margin()) / 2;
        const auto x = static_cast<float>(place.index.low.x + place.index.high.x) / 2;
        const auto under = static_cast<float>(place.box.high.y);
        const float between = under + half;
        const float aside = static_cast<float>(line->name.low.x) - half;
        const float middle = static_cast<float>(line->name.low.y + line->name.high.y) / 2;
        const glm::vec2 points[] = {{x, under},
                                    {x, between},
                                    {aside, between},
                                    {aside, middle},
                                    {static_cast<float>(line->name.low.x) + half / 2, middle}};
        float length = 0;
        for (std::size_t i = 1; i < std::size(points); ++i) length += glm::distance(points[i - 1], points[i]);
        float left = length * eased(access.age);
        const float width = std::max(2.0f, 0.13f * look_.text);
        for (std::size_t i = 1; i < std::size(points) && left > 0; ++i) {
            const float part = glm::distance(points[i - 1], points[i]);
            if (part <= 0) continue;
            const glm::vec2 to = points[i - 1] + (points[i] - points[i - 1]) * std::min(1.0f, left / part);
            scene_.strokes.push_back({points[i - 1], to, width, palette_.accent, palette_.accent});
            left -= part;
        }
        if (left < -1) return;
        const float wing = 0.28f * look_.text;
        for (const float side : {-wing, wing}) {
            const glm::vec2 tip = points[std::size(points) - 1];
            scene_.strokes.push_back({tip, tip + glm::vec2(-wing, side), width, palette_.accent, palette_.accent});
        }
    }

    /// Texts are painted above everything else: those under a card would be read with its own.
    void hideTextUnder(const PixelBox& box) {
        std::erase_if(scene_.labels, [&](const Label& label) {
            const glm::ivec2 corner(label.at);
            const glm::ivec2 size(static_cast<int>(widthOf(label.text, label.size)), static_cast<int>(label.size));
            return label.kind == Label::Kind::corner && !commonOf({corner, corner + size}, box).isEmpty();
        });
    }

    /// A block between its way and the next level, which is on the right.
    void paintFlight(const TableChange& change) {
        const TableLine* const line = frame_.lineOf(change.at);
        if (line == nullptr || change.kind == TableChange::Kind::hit) return;
        const bool leaves = change.kind == TableChange::Kind::leave;
        const double age = leaves ? change.age / kLeavingMoves : change.age;
        if (age >= 1) return;
        const std::string words = blockNamed(subject_, change.block) + (!leaves        ? ""
                                                                        : change.dirty ? " written back"
                                                                                       : " evicted");
        const int width = static_cast<int>(widthOf(words, text()) + text());
        const PixelBox way = frame_.boxOf(*line, change.at.way.value);
        const auto field = std::find_if(frame_.fields.begin(), frame_.fields.end(),
                                        [](const FieldPlace& f) { return f.field == TableField::block; });
        const int home = way.low.x + (field == frame_.fields.end() ? 0 : field->left) - static_cast<int>(0.5f * text());
        const int away = look_.size.x - width;
        const float share = eased(leaves ? age : 1 - age);
        const int x = home + static_cast<int>(share * static_cast<float>(std::max(0, away - home)));
        const int y = leaves
                          ? way.low.y + static_cast<int>(kSinking * eased(age * 3) * static_cast<float>(way.height()))
                          : way.low.y;
        const PixelBox box{{x, y + 1}, {x + width, y + way.height()}};
        const float light = leaves ? 1 - static_cast<float>(age) : 1;
        hideTextUnder(box);
        Rgba bed = bedOf(change.block);
        bed.a = static_cast<std::uint8_t>(255 * std::clamp(light + 0.2f, 0.0f, 1.0f));
        scene_.raster.blend(box, bed);
        const Rgba edge = leaves ? palette_.text : palette_.miss;
        scene_.raster.frame(box, std::max(1, static_cast<int>(text() / 10)), mixed(scene_.background, edge, light));
        // The last row must be able to read it while it fades.
        putCentred(words, box, mixed(scene_.background, palette_.text, std::max(0.6f, light)), text());
    }

    FlatScene& scene_;
    const TableSubject& subject_;
    const TableLook& look_;
    const TableFrame& frame_;
    const Palette& palette_;
    std::optional<std::pair<sim::SetIndex, std::vector<sim::WayContents>>> known_;
};

std::string noteOf(const TableSubject& subject, const TableFrame& frame) {
    std::string note = sim::shapeInWords(subject.contents);
    if (frame.hidden == 0) return note;
    const bool isOneSet = subject.contents.sets() == 1;
    const bool isMemory = subject.contents.store().kind == sim::Store::Kind::pages;
    return note + "; " +
           (isMemory   ? sim::counted(frame.hidden, "frame", "frames")
            : isOneSet ? sim::counted(frame.hidden, "way", "ways")
                       : sim::counted(frame.hidden, "set", "sets")) +
           (isMemory ? " not shown" : " not shown: those of the last accesses are");
}

}  // namespace

FlatScene tableScene(const TableSubject& subject, const TableLook& look, const TableFrame& frame) {
    FlatScene scene = chartScene(look, {{0, 0}, look.size});
    TableLook titled = look;
    titled.note = noteOf(subject, frame);
    addTitle(scene, titled, subject.name);
    TablePainter(scene, subject, look, frame).paint();
    paintKey(scene, tableKey(subject, look, frame), frame.key, look.text);
    return scene;
}

}  // namespace whorl::scene
