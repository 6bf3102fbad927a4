#include "render/scene/space/block_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "render/scene/palette.h"
#include "render/scene/space/block_view.h"
#include "render/scene/space/space_scene.h"
#include "render/scene/space/stay_marks.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"
#include "sim/trace/memory_names.h"

namespace whorl::scene {

namespace {

constexpr float kTimes = 0.88F;                    ///< size of the times along the axis, as a share of the text's size
constexpr float kCpuNames = 0.88F;                 ///< size of the names of CPUs, as a share of the text's size
constexpr float kBlockNames = 0.88F;               ///< size of the names of blocks, as a share of the text's size
constexpr float kMaxMargin = 0.28F;                ///< most room on one side, as a share of the picture's width
constexpr float kSmallHeight = 22;                 ///< a picture lower than this, in heights of the text, is small
constexpr std::uint32_t kNamesMeasured = 32;       ///< about this many names, from all rows, are measured
constexpr std::uint32_t kFewPlanes = 16;           ///< with more planes, each is marked by one line
constexpr float kRowsApart = 9;                    ///< rows at least this high, in pixels, have lines between them
constexpr std::uint32_t kMaxKeys = 16;             ///< colours that the key explains
constexpr std::size_t kMaxHighlightedNames = 200;  ///< with more lit rows, lit rows have no names of their own

std::string blockName(const BlockView& view, const BlockLook& look, std::uint32_t row) {
    const std::uint32_t block = view.blockOf(row);
    if (look.nameOf) return look.nameOf(block);
    return fmt::format("{:#x}", view.level().blocks[block].block.value * view.level().blockSize);
}

/// The end of a name that is too wide: of "ArrayC[44…47]", "…C[44…47]". Rows of an array differ in their index.
std::string withItsIndex(const std::string& name, float room, float size) {
    const std::size_t index = name.find('[');
    for (std::size_t at = 1; index != std::string::npos && at <= index; ++at) {
        if ((static_cast<unsigned char>(name[at]) & 0xC0) == 0x80) continue;  // within a letter
        std::string end = "…" + name.substr(at);
        if (widthOf(end, size) <= room) return end;
    }
    return shortened(name, room, size);
}

/// How wide the names of blocks may be, pixels.
float mostForNames(const BlockLook& look) {
    return std::min(11 * look.textSize, kMaxMargin * look.size.x);
}

/// Room for the names of blocks on one side, of CPUs on the other, for the title and the key above, for times below.
Margin marginOf(const BlockView& view, const BlockLook& look) {
    const float text = look.textSize;
    const bool isSmall = look.size.y < kSmallHeight * text;
    const float blocks = look.namesWidth > 0 ? look.namesWidth : widthOfNames(view, look);
    const std::string last = view.level().cpusOf(std::max(view.planes(), 1U) - 1);
    Margin margin{.left = blocks + text, .right = widthOf(last, kCpuNames * text) + text};
    if (BlockFrame::isNarrow(look)) margin.right = text;  // the key names the CPUs
    margin.left = std::clamp(margin.left, text, mostForNames(look));
    margin.right = std::clamp(margin.right, text, kMaxMargin * look.size.x);
    margin.top = (isSmall ? 2.0F : 3.8F) * text;
    margin.bottom = (isSmall ? 1.8F : 3.0F) * text;
    return margin;
}

/// Draws a rectangle around all planes at a time, and gives the face within it.
SpaceFace addFrameAt(SpaceScene& scene, const BlockFrame& frame, double at, Rgba colour) {
    const Extent box = frame.extent();
    const float z = frame.zOf(at);
    const glm::vec3 low(box.low.x - 0.02F, box.low.y - 0.02F, z);
    const glm::vec3 high(box.high.x + 0.02F, box.high.y + 0.02F, z);
    const glm::vec3 across(high.x - low.x, 0, 0);
    const glm::vec3 above(0, high.y - low.y, 0);
    scene.overlay.push_back({low, low + above, colour});
    scene.overlay.push_back({low + above, high, colour});
    scene.overlay.push_back({high, low + across, colour});
    scene.overlay.push_back({low + across, low, colour});
    return {low, across, above, colour};
}

constexpr std::size_t kFrameEdges = 4;

/// Everything but the marks and the playhead: planes, axes, names, the lens.
class BlockAxes {
  public:
    BlockAxes(SpaceScene& scene, const BlockView& view, const BlockLook& look, const BlockFrame& frame,
              const StayMarks& marks)
        : scene_(scene),
          view_(view),
          look_(look),
          frame_(frame),
          folded_(marks.folded),
          bars_(marks.bars),
          labels_(scene, look),
          box_(frame.extent()) {}

    void addAll() {
        addHead();
        addPlanes();
        addFlag();
        addCpus();
        addTimes();
        addBlocks();
        addTexts();
        addLens();
        addChosen();
    }

  private:
    const Palette& palette() const { return paletteFor(look_.ground); }
    glm::vec2 pixel(glm::vec3 at) const { return pixelOf(scene_.toClip, at, look_.size); }

    /// The title, which rows are shown, and below it what the colours mean.
    void addHead() {
        labels_.title();
        const float size = kBlockNames * labels_.textSize();
        const float left = 0.75F * look_.textSize;
        const glm::vec2 beside = labels_.besideTitle();
        // A small picture has one line for all, and where lanes have no names, only the key distinguishes them.
        const bool isSmall = look_.size.y < kSmallHeight * look_.textSize;
        const bool needsKey = look_.colour == BlockLook::Colour::cpu && frame_.isFlat() && laneNames() == 0;
        if (isSmall && needsKey && beside.x + widthOfKey(size) < look_.size.x) return addKey(beside, size);
        const char* const order = view_.order() == BlockOrder::cost ? ", by cost" : ", by address";
        for (const std::string& words : {rowsInWords() + order, rowsInWords()}) {
            if (labels_.put(words, beside, SpaceLabels::Side::right, labels_.muted(), size)) break;
        }
        if (isSmall) return;
        addKey({left, 2.6F * look_.textSize}, size);
    }

    /// "37 of 6 000 blocks".
    std::string rowsInWords() const {
        const std::size_t all = view_.level().blocks.size();
        const std::string blocks = fmt::format("{} {}", sim::grouped(all), blocksInWords(all));
        return frame_.rowsShown() == all ? blocks : sim::grouped(frame_.rowsShown()) + " of " + blocks;
    }
    static const char* blocksInWords(std::size_t count) { return count == 1 ? "block" : "blocks"; }

    struct Key {
        std::string text;
        Rgba colour;
    };

    std::vector<Key> keys() const {
        std::vector<Key> keys;
        switch (look_.colour) {
            case BlockLook::Colour::cpu:
                for (std::uint32_t cpu = 0; cpu < view_.planes() * std::max(view_.level().cpusPerCache, 1U); ++cpu) {
                    const std::string name = cpu == 0 ? "CPU 0" : std::to_string(cpu);
                    keys.push_back({name, cpuColour(look_.ground, cpu)});
                }
                break;
            case BlockLook::Colour::state:
                for (std::size_t i = 0; i < sim::kHoldingNames.size(); ++i)
                    keys.push_back({sim::kHoldingNames[i], palette().holding[i]});
                break;
            case BlockLook::Colour::objectClass:
                for (const BlockLook::ClassKey& k : look_.classes) keys.push_back({k.name, k.colour});
        }
        if (keys.size() > kMaxKeys) keys.erase(keys.begin() + kMaxKeys, keys.end());
        if (folded_.most > 0 || frame_.merges()) keys.push_back({"several", palette().several});
        return keys;
    }

    float widthOfKey(float size) const {
        float width = 0;
        for (const Key& key : keys()) width += widthOf("■ " + key.text, size) + 0.7F * size;
        return width;
    }

    /// What the colours mean, in one line; hidden kinds of stays are named, too.
    void addKey(glm::vec2 at, float size) {
        const float gap = 0.7F * size;
        for (const Key& key : keys()) {
            const std::string text = "■ " + key.text;
            const Rgba colour = nameColour(key.colour, look_.ground);
            if (!labels_.put(text, at, SpaceLabels::Side::right, colour, size)) break;
            at.x += widthOf(text, size) + gap;
        }
        at.x += gap;
        for (const std::string& words :
             {look_.highlightsInWords.empty() ? std::string() : "highlighted: " + look_.highlightsInWords,
              hiddenInWords()}) {
            if (labels_.put(words, at, SpaceLabels::Side::right, labels_.text(), size)) {
                at.x += widthOf(words, size) + gap;
            }
        }
    }

    /// "not shown: replaced stays".
    std::string hiddenInWords() const {
        std::string hidden;
        const auto add = [&](bool shown, const char* what) {
            if (!shown) hidden += (hidden.empty() ? "not shown: " : ", ") + std::string(what);
        };
        add(look_.coherence, "invalidated stays");
        add(look_.replacement, "replaced stays");
        add(look_.other, "other stays");
        return hidden;
    }

    /// The name of what is picked, on a pole where its stay begins.
    void addFlag() {
        if (!look_.picked || look_.flag.empty() || *look_.picked >= view_.level().stays.size()) return;
        const sim::Stay& stay = view_.level().stays[*look_.picked];
        const auto row = view_.rowOf(stay.block);
        if (!row || !frame_.showsRow(*row) || !frame_.shows(stay) || !frame_.showsCache(stay.cache)) return;
        const float z = frame_.zOf(frame_.partOf(stay).from);
        const glm::vec3 foot(frame_.xOf(stay.cache), frame_.yOf(*row, stay.cache), z);
        const float pole = (frame_.halfHigh() + 1.6F * look_.textSize * look_.camera.span / look_.size.y);
        const bool isUp = pixel(foot).y > 5 * look_.textSize;
        const glm::vec3 top = foot + glm::vec3(0, isUp ? pole : -pole, 0);
        scene_.overlay.push_back({foot, top, palette().picked});
        labels_.putAt("⚑ " + look_.flag, top, SpaceLabels::Side::right, labels_.text(), 2);
    }

    /// The texts of stays, in bars that have room for them.
    void addTexts() {
        for (const StayBar& bar : bars_) {
            const glm::vec2 low = glm::max(bar.low, glm::vec2(0));
            const glm::vec2 high = glm::min(bar.high, look_.size);
            const float size = std::min(0.74F * (high.y - low.y), kBlockNames * labels_.textSize());
            const std::string text = look_.textOf(bar.stay);
            if (text.empty() || widthOf(text, size) + 0.5F * size > high.x - low.x) continue;
            const glm::vec2 at(low.x + 0.3F * size, (low.y + high.y) / 2);
            labels_.put(text, at, SpaceLabels::Side::right, readableOn(bar.colour), size, true);
        }
    }

    void addPlanes() {
        if (frame_.isFlat()) return addRowLines();
        const std::array<glm::vec2, 4> corners{
            {{box_.low.y, -1}, {box_.high.y, -1}, {box_.high.y, 1}, {box_.low.y, 1}}};
        for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
            if (!frame_.showsCache(cache)) continue;
            const float x = frame_.xOf(cache);
            const std::size_t edges = view_.planes() <= kFewPlanes ? corners.size() : 0;
            for (std::size_t i = 0; i < edges; ++i) {
                const glm::vec2 a = corners[i];
                const glm::vec2 b = corners[(i + 1) % corners.size()];
                scene_.segments.push_back({{x, a.x, a.y}, {x, b.x, b.y}, palette().axis});
            }
            if (edges == 0) scene_.segments.push_back({{x, box_.low.y, -1}, {x, box_.low.y, 1}, palette().axis});
        }
    }

    /// Lines between rows that are high enough, and the frame around them.
    void addRowLines() {
        const float x = scene_.toEye.x < 0 ? box_.high.x : box_.low.x;  // behind all planes
        const auto line = [&](glm::vec2 a, glm::vec2 b, Rgba colour) {
            scene_.segments.push_back({{x, a.x, a.y}, {x, b.x, b.y}, colour});
        };
        for (const float z : {-1.0F, 1.0F}) line({box_.low.y, z}, {box_.high.y, z}, palette().axis);
        for (const float y : {box_.low.y, box_.high.y}) line({y, -1}, {y, 1}, palette().axis);
        if (frame_.rowHeight() * look_.camera.pixelsPerUnit(look_.size) < kRowsApart) return;
        const Rgba faint = palette().faintAxis;
        const auto [first, last] = frame_.rows();
        for (std::uint32_t row = first + 1; row < last; ++row) {
            const float y = frame_.yOf(row) - frame_.rowHeight() / 2;
            line({y, -1}, {y, 1}, faint);
        }
    }

    /// The long edge of the box that is seen lowest: times are written along it.
    glm::vec2 timeEdge() const {
        glm::vec2 lowest(box_.low);
        float most = -1e9F;
        for (const float x : {box_.low.x, box_.high.x}) {
            for (const float y : {box_.low.y, box_.high.y}) {
                const float at = pixel({x, y, 0}).y;
                if (at <= most + 0.5F) continue;
                most = at;
                lowest = {x, y};
            }
        }
        return lowest;
    }

    void addTimes() {
        const glm::vec2 edge = timeEdge();
        const float size = kTimes * labels_.textSize();
        const float length = glm::distance(pixel({edge, -1}), pixel({edge, 1}));
        const auto most = static_cast<std::uint32_t>(std::clamp(length / (8 * size), 1.0F, 10.0F));
        const auto step = static_cast<double>(niceStep(static_cast<sim::Cycles>(frame_.range().length()), most));
        const float tick = 5 * look_.camera.span / look_.size.y;
        const glm::vec3 down = -look_.camera.up() * tick;
        for (double t = std::ceil(frame_.from() / step) * step; t <= frame_.to(); t += step) {
            const glm::vec3 at(edge, frame_.zOf(t));
            scene_.segments.push_back({at, at + down, labels_.muted()});
            labels_.putAt(sim::grouped(static_cast<sim::Cycles>(t)), at, SpaceLabels::Side::below, labels_.muted(), 7,
                          size);
        }
        putTimesInWords(pixel({edge, 0}), size);
    }

    /// Adds the unit of the axis, the part of the time that it shows and what is folded, as far as there is room.
    void putTimesInWords(glm::vec2 middle, float size) {
        const std::string words = timesInWords();
        if (folded_.most > 0) {
            if (putInWords(words + "; " + foldedInWords(), middle, size)) return;
            if (putInWords("cycles; cells of " + cellsInWords(), middle, size)) return;
        }
        if (putInWords(words, middle, size)) return;
        labels_.put("cycles", middle + glm::vec2(0, 9 + 1.3F * size), SpaceLabels::Side::below, labels_.muted(), size);
    }

    /// Below the times, or below the title if these leave no room.
    bool putInWords(const std::string& words, glm::vec2 middle, float size) {
        for (const float lines : {1.3F, 2.2F, 3.1F, 4.0F}) {
            const glm::vec2 at = middle + glm::vec2(0, 9 + lines * size);
            if (labels_.put(words, at, SpaceLabels::Side::below, labels_.muted(), size)) return true;
        }
        const glm::vec2 corner(0.75F * look_.textSize, 2.4F * look_.textSize);
        return labels_.put(words, corner, SpaceLabels::Side::right, labels_.muted(), size);
    }

    /// The unit of the axis; where it shows only a part of the time, also which.
    std::string timesInWords() const {
        const auto begin = static_cast<double>(view_.begin());
        const auto end = static_cast<double>(view_.end());
        if (frame_.from() <= begin && frame_.to() >= end) return "cycles";
        return fmt::format("cycles, shown {} – {} of {}", sim::grouped(static_cast<sim::Cycles>(frame_.from())),
                           sim::grouped(static_cast<sim::Cycles>(std::ceil(frame_.to()))), sim::grouped(view_.end()));
    }

    /// What is folded, and what the brightness of a cell means.
    std::string foldedInWords() const {
        const bool states = look_.colour == BlockLook::Colour::state;
        const std::string what =
            folded_.grid.events
                ? fmt::format("fills{} and departures in cells of {}", states ? ", state changes" : "", cellsInWords())
                : fmt::format("{} shorter than {} are folded", states ? "states" : "stays", cellsInWords());
        if (folded_.most == 1) return what + ": one in each coloured cell";
        return fmt::format("{}: {} cells have more, {} at most", what,
                           look_.ground == Ground::dark ? "brighter" : "darker", sim::grouped(folded_.most));
    }

    std::string cellsInWords() const {
        const FoldGrid& grid = folded_.grid;
        std::string cells = fmt::format("{} cycles", sim::grouped(static_cast<sim::Cycles>(grid.step)));
        if (grid.rows > 1) cells += fmt::format(" × {} blocks", grid.rows);
        return cells;
    }

    /// The names of CPUs: at the lower end of each plane, on the side where farther planes show beside nearer ones.
    void addCpus() {
        if (frame_.isFlat()) return addLanes();
        const bool lowFirst = scene_.toEye.x < 0;  // the nearest plane is that of the highest number
        const glm::vec2 fan = pixel({box_.high.x, 0, 0}) - pixel({box_.low.x, 0, 0});
        const bool farIsRight = (fan.x > 0) == lowFirst;
        const bool timeIsRight = pixel({0, 0, 1}).x > pixel({0, 0, -1}).x;
        const float z = farIsRight == timeIsRight ? 1.0F : -1.0F;
        const auto side = farIsRight ? SpaceLabels::Side::right : SpaceLabels::Side::left;
        const float size = kCpuNames * labels_.textSize();
        for (std::uint32_t i = 0; i < view_.planes(); ++i) {
            // The nearest first: it has its name, and names behind that would cover it are left out.
            const std::uint32_t cache = lowFirst ? view_.planes() - 1 - i : i;
            if (!frame_.showsCache(cache)) continue;
            labels_.putAt(view_.level().cpusOf(cache), {frame_.xOf(cache), box_.low.y, z}, side, cacheColour(cache), 7,
                          size);
        }
    }

    /// The size of the names beside lanes; 0 where these are not high enough for them.
    float laneNames() const {
        const float pixels = look_.camera.pixelsPerUnit(look_.size);
        const float size = std::min(kCpuNames * labels_.textSize(), 0.95F * frame_.laneHeight() * pixels);
        return frame_.merges() || size < 0.6F * labels_.textSize() ? 0 : size;
    }

    /// The names of CPUs seen face on: beside the lanes.
    void addLanes() {
        const float size = laneNames();
        if (size == 0) return;
        const bool timeIsRight = scene_.toEye.x < 0;
        const auto side = timeIsRight ? SpaceLabels::Side::right : SpaceLabels::Side::left;
        const auto [first, last] = frame_.rows();
        for (std::uint32_t row = last; row > first; --row) {
            for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
                if (!frame_.showsCache(cache)) continue;
                const glm::vec3 at(frame_.xOf(cache), frame_.yOf(row - 1, cache), 1);
                labels_.putAt(view_.level().cpusOf(cache), at, side, cacheColour(cache), 6, size);
            }
        }
    }

    Rgba cacheColour(std::uint32_t cache) const {
        const bool coloured = look_.colour == BlockLook::Colour::cpu && view_.level().cpusPerCache <= 1;
        return coloured ? nameColour(cpuColour(look_.ground, cache), look_.ground) : labels_.text();
    }

    /// The names of blocks, beside the nearest plane, where time begins: that of the top row, and those of other rows
    /// where there is room.
    void addBlocks() {
        const auto [first, last] = frame_.rows();
        if (first == last) return;
        const float x = scene_.toEye.x < 0 ? box_.low.x : box_.high.x;
        const bool timeIsRight = pixel({x, 0, 1}).x > pixel({x, 0, -1}).x;
        const auto side = timeIsRight ? SpaceLabels::Side::left : SpaceLabels::Side::right;
        const float size = kBlockNames * labels_.textSize();
        const std::uint32_t top = last - 1;
        const float height = std::abs(pixel({x, box_.high.y, -1}).y - pixel({x, box_.low.y, -1}).y);
        const float pitch = std::max(height / static_cast<float>(last - first), 0.01F);
        // Rows with something lit come first; of the others every one, or every fifth, tenth, fiftieth …, so that the
        // rows between can be counted.
        const auto every = static_cast<std::uint32_t>(niceStep(static_cast<sim::Cycles>(1.3F * size / pitch * 8), 8));
        std::vector<std::uint32_t> rows = highlightedRows();
        const std::size_t highlighted = rows.size();
        for (std::uint32_t i = 0; i < last - first; i += every) rows.push_back(top - i);
        std::vector<std::string> names;
        float widest = 0;
        for (const std::uint32_t row : rows) {
            names.push_back(blockName(view_, look_, row));
            widest = std::max(widest, widthOf(names.back(), size));
        }
        const bool isTooWide = widest + look_.textSize > mostForNames(look_);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const glm::vec3 at(x, frame_.yOf(rows[i]), -1);
            std::string text = isTooWide ? sim::shortPlace(names[i]) : names[i];
            const float room = std::abs(pixel(at).x - (timeIsRight ? 0 : look_.size.x)) - 8;
            if (widthOf(text, size) > room) text = withItsIndex(text, room, size);
            labels_.putAt(text, at, side, i < highlighted ? labels_.text() : labels_.muted(), 6, size);
        }
    }

    /// The rows that are shown and hold anything that is lit, from the top; not too many.
    std::vector<std::uint32_t> highlightedRows() const {
        std::vector<std::uint32_t> rows;
        const auto add = [&](std::uint32_t stay) {
            if (stay >= view_.level().stays.size()) return;
            const auto row = view_.rowOf(view_.level().stays[stay].block);
            if (row && frame_.showsRow(*row)) rows.push_back(*row);
        };
        if (look_.picked) add(*look_.picked);
        // Stays are ordered by block: one of each is enough.
        std::uint32_t block = ~std::uint32_t{0};
        for (const std::uint32_t stay : look_.highlights ? *look_.highlights : std::vector<std::uint32_t>{}) {
            if (stay >= view_.level().stays.size() || view_.level().stays[stay].block == block) continue;
            block = view_.level().stays[stay].block;
            add(stay);
        }
        std::sort(rows.begin(), rows.end(), std::greater<>());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        if (rows.size() > kMaxHighlightedNames) rows.clear();
        return rows;
    }

    void addLens() {
        if (!look_.lens) return;
        const Interval& lens = *look_.lens;
        if (lens.to < frame_.from() || lens.from > frame_.to()) return;
        glm::vec3 low = box_.low - glm::vec3(0.01F, 0.01F, 0);
        glm::vec3 high = box_.high + glm::vec3(0.01F, 0.01F, 0);
        low.z = frame_.zOf(std::max(lens.from, frame_.from()));
        high.z = frame_.zOf(std::min(lens.to, frame_.to()));
        std::vector<SpaceSegment> edges;
        addEdges(edges, low, high, palette().lens);
        // Where the lens goes on beyond the box it is open.
        std::erase_if(edges, [&](const SpaceSegment& e) {
            const bool isOpen = e.a.z == low.z ? lens.from < frame_.from() : lens.to > frame_.to();
            return e.a.z == e.b.z && isOpen;
        });
        scene_.overlay.insert(scene_.overlay.end(), edges.begin(), edges.end());
    }

    /// Where the selected range begins and ends: a frame around all planes at either time.
    void addChosen() {
        if (!look_.chosen) return;
        for (const double at : {look_.chosen->from, look_.chosen->to}) {
            if (at < frame_.from() || at > frame_.to()) continue;
            addFrameAt(scene_, frame_, at, paletteFor(look_.ground).accent);
        }
    }

    SpaceScene& scene_;
    const BlockView& view_;
    const BlockLook& look_;
    const BlockFrame& frame_;
    const Folded& folded_;
    const std::vector<StayBar>& bars_;
    SpaceLabels labels_;
    Extent box_;
};

constexpr double kFewestRows = 3;  ///< fewest rows that a zoom can show

}  // namespace

Extent extentOf(const BlockView& view, const BlockLook& look) {
    return BlockFrame(view, look).extent();
}

std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double pivot, double factor, std::uint32_t all) {
    const RowSpan span = rows.value_or(RowSpan{});
    const double least = std::min(1.0, kFewestRows / std::max(1.0, static_cast<double>(all)));
    const double length = std::clamp(span.length() / factor, std::min(least, span.length()), 1.0);
    if (length > 1 - 1e-9) return std::nullopt;  // but for a rounding error
    const double share = std::clamp((pivot - span.from) / span.length(), 0.0, 1.0);
    const double from = std::clamp(pivot - share * length, 0.0, 1 - length);
    return RowSpan{from, from + length};
}

std::optional<RowSpan> zoomedRows(const std::optional<RowSpan>& rows, double factor) {
    constexpr std::uint32_t kMany = 10'000;
    const RowSpan span = rows.value_or(RowSpan{});
    return zoomedRows(rows, (span.from + span.to) / 2, factor, kMany);
}

std::optional<RowSpan> movedRows(const std::optional<RowSpan>& rows, double by) {
    if (!rows) return rows;
    const double from = std::clamp(rows->from + by, 0.0, 1 - rows->length());
    return RowSpan{from, from + rows->length()};
}

float widthOfNames(const BlockView& view, const BlockLook& look) {
    const std::uint32_t step = std::max(1U, view.rows() / kNamesMeasured);
    float widest = 0;
    for (std::uint32_t i = 0; i < view.rows(); i += step) {
        widest = std::max(widest, widthOf(blockName(view, look, view.rows() - 1 - i), kBlockNames * look.textSize));
    }
    return std::min(widest, mostForNames(look) - look.textSize);
}

double rowShareAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel) {
    const BlockFrame frame(view, look);
    const float up = (look.size.y / 2 - pixel.y) / look.camera.pixelsPerUnit(look.size);
    const auto all = static_cast<double>(std::max(view.rows(), 1U));
    return std::clamp(1 - frame.rowAt(double{look.camera.target.y + up}) / all, 0.0, 1.0);
}

double rowsAcross(const BlockView& view, const BlockLook& look, float pixels) {
    const BlockFrame frame(view, look);
    const auto all = static_cast<double>(std::max(view.rows(), 1U));
    return double{pixels / look.camera.pixelsPerUnit(look.size)} / double{frame.rowHeight()} / all;
}

SpaceCamera homeCamera(const BlockView& view, const BlockLook& look, SpaceCamera from) {
    Margin margin = marginOf(view, look);
    // Seen from behind, time runs to the left.
    if (from.right().z < 0) std::swap(margin.left, margin.right);
    from.fit(extentOf(view, look), look.size, margin);
    return from;
}

double cyclesAcross(const BlockView& view, const BlockLook& look, float pixels) {
    const double along = double{pixels} / double{look.camera.pixelsPerUnit(look.size)};
    return std::copysign(along, double{pixels} * double{look.camera.right().z}) / BlockFrame(view, look).zPerCycle();
}

SpaceScene blockScene(const BlockView& view, const BlockLook& look) {
    const BlockFrame frame(view, look);
    SpaceScene scene;
    scene.size = look.size;
    scene.ground = look.ground;
    scene.background = paletteFor(look.ground).ground;
    scene.toClip = look.camera.toClip(look.size, frame.around());
    scene.ambient = paletteFor(look.ground).ambient;
    scene.toEye = look.camera.toEye();
    scene.eye = look.camera.eye();
    const StayMarks marks = addStayMarks(scene, view, look, frame);
    BlockAxes(scene, view, look, frame, marks).addAll();
    movePlayhead(scene, view, look);
    return scene;
}

void movePlayhead(SpaceScene& scene, const BlockView& view, const BlockLook& look) {
    if (std::exchange(scene.showsPlayhead, false)) {
        scene.overlay.resize(scene.overlay.size() - kFrameEdges);
        scene.panes.pop_back();
    }
    scene.playhead = look.playhead;
    const BlockFrame frame(view, look);
    if (!look.playhead || *look.playhead < frame.from() || *look.playhead > frame.to()) return;
    const Rgba colour = paletteFor(look.ground).playhead;
    scene.panes.push_back(addFrameAt(scene, frame, *look.playhead, colour));
    scene.panes.back().colour = faded(colour, 0.16F);
    scene.showsPlayhead = true;
}

}  // namespace whorl::scene
