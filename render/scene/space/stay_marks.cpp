#include "render/scene/space/stay_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "render/scene/palette.h"
#include "render/scene/space/stay_fold.h"

namespace whorl::scene {

namespace {

constexpr float kBoxPixels = 3;      ///< boxes thinner than this are lines, if it is left to the picture
constexpr float kThinPixels = 1.6F;  ///< triangles as thin as this would fall between pixels
constexpr float kGapPixels = 0.5F;   ///< marks closer together than this become one
constexpr float kDimMix = 0.45F;     ///< how far marks that are not highlighted are mixed with the ground
/// … and how far their lightness may then differ from the ground's, as a share of how far that of the faintest
/// highlighted mark does.
constexpr float kMaxDimContrast = 0.6F;
constexpr float kOutside = 0.6F;            ///< how far marks outside of the selected range are mixed with the ground
constexpr float kStripePixels = 1.5F;       ///< the thinnest stripe of a lane that several share
constexpr std::size_t kMaxBars = 400;       ///< most bars with text
constexpr glm::vec2 kBarLines{1.2F, 0.9F};  ///< least width and height of a bar with text, in heights of the text

// What a box and a line cost to draw, in primitives.
constexpr float kBoxCost = 3;
constexpr float kLineCost = 0.6F;

enum class Form : std::uint8_t {
    points,
    events,  ///< counted in cells
    line,
    face,
    box,
    cell,  ///< a rectangle over the rows of the grid
};

/// A stretch of a row that is drawn as one.
struct Mark {
    double from = 0;  ///< cycles
    double to = 0;
    Rgba colour;
    Rgba several;  ///< colour of a cell that holds this mark and marks of other colours
    Form form = Form::line;
    bool rising = false;       ///< faces: tilted by +45°
    bool highlighted = false;  ///< drawn in full whatever the budget
    bool enlarged = false;     ///< enlarged for the pointer, and in front of marks that are not lit
    bool begins = true;        ///< not cut there: points are drawn only at events
    bool ends = true;
    bool leaves = false;  ///< the stay itself ends there
    bool dimmed = false;
    std::uint32_t stay = sim::Stay::kNone;  ///< none: of several
    std::size_t stripe = 0;                 ///< index among the lane's stripes, from above
    std::size_t stripes = 1;

    bool goesWith(const Mark& other) const {
        return stripe == other.stripe && stripes == other.stripes && colour == other.colour && form == other.form &&
               rising == other.rising && highlighted == other.highlighted;
    }
};

/// A row of one plane in the picture: clip coordinates are linear along it.
struct Rail {
    glm::vec4 start;  ///< where z is 0
    glm::vec4 step;   ///< for each unit of z
    glm::vec2 size;

    glm::vec4 clip(float z) const { return start + step * z; }
    glm::vec2 pixel(float z) const {
        const glm::vec4 c = clip(z);
        return glm::vec2(c.x / c.w, -c.y / c.w) * 0.5F * size;
    }
    /// Whether anything between two z may be in the picture.
    bool isSeen(float from, float to, float slack) const {
        const glm::vec4 a = clip(from);
        const glm::vec4 b = clip(to);
        if (a.w <= 0.01F && b.w <= 0.01F) return false;
        const auto beyond = [&](float va, float vb) {
            return (va > a.w + slack && vb > b.w + slack) || (va < -a.w - slack && vb < -b.w - slack);
        };
        return !beyond(a.x, b.x) && !beyond(a.y, b.y) && !(a.z < -a.w && b.z < -b.w);
    }
};

/// Mixes colours with the ground, by at least a share: far enough that they differ by at most `most` in lightness (lit
/// colours differ by more). The last colour is cached: mixing takes some time, and most colours repeat the last.
class Dimmer {
  public:
    Dimmer(Rgba ground, float share, float most = 1) : ground_(ground), share_(share), most_(most) {}

    Rgba operator()(Rgba colour) {
        if (!(colour == from_)) {
            from_ = colour;
            const float away = std::abs(oklab(colour).x - oklab(ground_).x);
            to_ = mixed(colour, ground_, std::max(share_, 1 - most_ / std::max(away, most_)));
        }
        return to_;
    }

  private:
    Rgba ground_;
    float share_;
    float most_;
    Rgba from_{0, 0, 0, 0};
    Rgba to_{0, 0, 0, 0};
};

float lightnessApart(Rgba a, Rgba b) {
    return std::abs(oklab(a).x - oklab(b).x);
}

/// How far the colours that a mark can have are at least from the ground, in lightness.
float faintest(const BlockView& view, const BlockLook& look) {
    const Palette& palette = paletteFor(look.ground);
    float least = lightnessApart(palette.several, palette.ground);
    const auto take = [&](Rgba colour) { least = std::min(least, lightnessApart(colour, palette.ground)); };
    switch (look.colour) {
        case BlockLook::Colour::cpu:
            for (std::uint32_t cpu = 0; cpu < view.planes() * view.level().cpusPerCache; ++cpu) {
                take(cpuColour(look.ground, cpu));
            }
            break;
        case BlockLook::Colour::state:
            std::ranges::for_each(palette.holding, take);
            break;
        case BlockLook::Colour::objectClass:
            take(palette.node);
            for (const BlockLook::ClassKey& key : look.classes) take(key.colour);
    }
    return least;
}

class MarkBuilder {
  public:
    MarkBuilder(SpaceScene& scene, const BlockView& view, const BlockLook& look, const BlockFrame& frame)
        : scene_(scene),
          view_(view),
          look_(look),
          frame_(frame),
          hasHighlights_(look.highlights != nullptr),
          dimmed_(scene.background, kDimMix, kMaxDimContrast * faintest(view, look)),
          outside_(scene.background, kOutside),
          folded_{foldGrid(look, frame), 0},
          foldedColours_(look.ground) {
        const Rgba several = paletteFor(look.ground).several;
        severals_ = {several, dimmed_(several), outside_(several), outside_(dimmed_(several))};
        pixels_ = look.camera.pixelsPerUnit(look.size);
        for (const auto& range : {look.lens, look.chosen}) {
            if (range) cuts_.insert(cuts_.end(), {range->from, range->to});
        }
        std::sort(cuts_.begin(), cuts_.end());
        if (!hasHighlights_) return;
        highlighted_.resize(view.level().stays.size());
        for (const std::uint32_t stay : *look.highlights) {
            if (stay < highlighted_.size()) highlighted_[stay] = true;
        }
    }

    StayMarks addAll() {
        if (frame_.merges()) {
            addRows({});
        } else {
            // The nearest plane first: what it hides then fails the depth test early.
            const bool lastFirst = scene_.toEye.x < 0;
            for (std::uint32_t i = 0; i < view_.planes(); ++i) {
                const std::uint32_t cache = lastFirst ? view_.planes() - 1 - i : i;
                if (frame_.showsCache(cache)) addRows(cache);
            }
        }
        spend();
        if (look_.picked) addPicked(*look_.picked);
        scene_.pointSize = pitch_ >= 4 ? 3.0F : pitch_ >= 1 ? 2.0F : 1.0F;
        return {folded_, std::move(bars_)};
    }

  private:
    const FoldGrid& grid() const { return folded_.grid; }

    /// The rows of a plane; without one, those of all planes in one lane.
    void addRows(std::optional<std::uint32_t> cache) {
        const auto [first, last] = frame_.rows();
        for (std::uint32_t row = first; row < last; row += grid().rows) {
            const std::uint32_t end = std::min(row + grid().rows, last);
            for (std::uint32_t r = row; r < end; ++r) {
                if (cache) {
                    addRow(r, *cache);
                } else {
                    addMerged(r);
                }
            }
            addCells(row, end, cache.value_or(0));
        }
    }

    void layRail(std::uint32_t cache, float y) {
        x_ = frame_.xOf(cache);
        y_ = y;
        rail_ = {scene_.toClip * glm::vec4(x_, y_, 0, 1), scene_.toClip[2], look_.size};
    }

    /// False if there is nothing of it in the picture.
    bool beginRow(std::uint32_t row, std::uint32_t cache) {
        long_.clear();
        layRail(cache, frame_.yOf(row, cache));
        if (!rail_.isSeen(-1, 1, 0.1F)) return false;
        thick_ = 2 * frame_.halfHigh() * pixels_;
        pitch_ = std::max(pitch_, frame_.rowHeight() * pixels_ / std::max(rail_.clip(0).w, 0.05F));
        lastPoint_ = glm::vec2(-1e9F);
        pending_ = false;
        return true;
    }

    void addRow(std::uint32_t row, std::uint32_t cache) {
        const auto [first, last] = view_.staysOf(row, cache);
        if (first == last || !beginRow(row, cache)) return;
        for (std::uint32_t s = first; s < last; ++s) addStay(s);
        flush();
    }

    /// A row in which the stays of all planes share one lane: fills and departures are counted together, or what is
    /// held at the same time is drawn as one. Highlighted and picked stays are drawn over that.
    void addMerged(std::uint32_t row) {
        if (!beginRow(row, 0)) return;
        std::vector<std::uint32_t> highlightedStays;
        for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
            if (!frame_.showsCache(cache)) continue;
            const auto [first, last] = view_.staysOf(row, cache);
            for (std::uint32_t s = first; s < last; ++s) {
                if (standsOut(s)) {
                    highlightedStays.push_back(s);
                } else {
                    addStay(s);
                }
            }
        }
        merge_.take([&](const LaneMerge::Span& span) { addSpan(span, false); });
        flush();
        for (const std::uint32_t s : highlightedStays) addStay(s);
        highlightedMerge_.take([&](const LaneMerge::Span& span) { addSpan(span, true); });
        flush();
    }

    /// Adds a stretch of a merged lane: one colour as it is, several as stripes above each other, or as one mark in the
    /// colour of several if the stripes would be too thin.
    void addSpan(const LaneMerge::Span& span, bool isHighlighted) {
        const std::size_t count = span.colours.size();
        const bool folds = !isHighlighted && grid().folds(span.to - span.from);
        const float thinnest = isHighlighted ? BlockLook::kHighlightPixels : kStripePixels;
        stay_ = span.stay;
        if (count == 1 || folds || thick_ < thinnest * static_cast<float>(count)) {
            const Rgba colour = count == 1 ? span.colours.front() : paletteFor(look_.ground).several;
            drawPart({}, span.from, span.to, colour, isHighlighted, folds);
            return;
        }
        stripes_ = count;
        for (stripe_ = 0; stripe_ < count; ++stripe_) {
            drawPart({}, span.from, span.to, span.colours[stripe_], isHighlighted, false);
        }
        stripe_ = 0;
        stripes_ = 1;
    }

    bool standsOut(std::uint32_t index) const {
        return (hasHighlights_ && highlighted_[index]) || look_.picked == index;
    }

    void addStay(std::uint32_t index) {
        const sim::Stay stay = view_.level().stays[index];
        if (!frame_.shows(stay)) return;
        const bool highlighted = standsOut(index);
        stay_ = index;
        const auto [from, to] = frame_.partOf(stay);
        if (look_.colour != BlockLook::Colour::state) {
            addPart(stay, from, to, plainColour(stay), highlighted, grid().folds(stay));
            return;
        }
        addStates(index, {from, to}, highlighted);
    }

    /// Adds the states of a stay within the shown part.
    void addStates(std::uint32_t index, const Interval& shown, bool highlighted) {
        const sim::Stay stay = view_.level().stays[index];
        const auto [first, last] = view_.level().changesOf(index);
        auto begin = static_cast<double>(stay.from);
        Rgba colour = paletteFor(look_.ground).holding[static_cast<std::size_t>(stay.holding)];
        const auto add = [&](double end, bool isOnly) {
            const double from = std::clamp(begin, shown.from, shown.to);
            const double to = std::clamp(end, from, shown.to);
            if (to > from || isOnly) addPart(stay, from, to, colour, highlighted, grid().folds(end - begin));
            begin = end;
        };
        for (std::uint32_t c = first; c < last; ++c) {
            const sim::Change change = view_.level().changes[c];
            add(static_cast<double>(change.at), false);
            colour = paletteFor(look_.ground).holding[static_cast<std::size_t>(change.holding)];
        }
        add(static_cast<double>(stay.to), first == last);
    }

    Rgba plainColour(const sim::Stay& stay) const {
        if (look_.colour == BlockLook::Colour::cpu) return cpuColour(stay.cpu);
        const bool known = look_.objectColours != nullptr && stay.object < look_.objectColours->size();
        if (known) return (*look_.objectColours)[stay.object];
        return look_.earlierColour ? look_.earlierColour(stay) : paletteFor(look_.ground).node;
    }

    /// Computed once: colours beyond the first eight take some time.
    Rgba cpuColour(std::uint8_t cpu) const {
        if (cpuColours_.empty()) {
            for (std::uint32_t i = 0; i < 256; ++i) cpuColours_.push_back(scene::cpuColour(look_.ground, i));
        }
        return cpuColours_[cpu];
    }

    /// Adds a part of a stay that has one colour, or keeps it until those of other planes in its lane are known.
    void addPart(const sim::Stay& stay, double from, double to, Rgba colour, bool highlighted, bool folds) {
        const bool isHeld = look_.draw != BlockLook::Draw::points && (highlighted || !grid().events);
        if (frame_.merges() && isHeld && to > from) {
            (highlighted ? highlightedMerge_ : merge_).add({from, to, colour, stay_});
        } else {
            drawPart(stay, from, to, colour, highlighted, folds);
        }
    }

    /// Folds a part of a stay, or cuts it where the lens and the selected range begin and end.
    void drawPart(const sim::Stay& stay, double from, double to, Rgba colour, bool highlighted, bool folds) {
        Mark mark{.colour = colour,
                  .rising = stay.leaving == sim::Leaving::invalidated,
                  .stay = stay_,
                  .stripe = stripe_,
                  .stripes = stripes_};
        if (folds && !highlighted && !contains(look_.lens, (from + to) / 2)) {
            mark.from = from;
            mark.to = to;
            dim(mark);
            fold(mark, from, to);
            return;
        }
        if (grid().isOn() && !grid().events) {
            long_.push_back({from, to});
            row_.split();
        }
        mark.begins = from > frame_.from() || frame_.comesInside(stay);
        do {
            mark.from = from;
            mark.to = cutAfter(from, to);
            mark.ends = mark.to == to && (to < frame_.to() || frame_.leavesInside(stay));
            mark.leaves = mark.ends && to == static_cast<double>(stay.to) && frame_.departsInside(stay);
            addPiece(mark, highlighted);
            mark.begins = false;
            from = mark.to;
        } while (from < to);
    }

    double cutAfter(double from, double to) const {
        const auto cut = std::upper_bound(cuts_.begin(), cuts_.end(), from);
        return cut == cuts_.end() ? to : std::min(*cut, to);
    }

    static bool contains(const std::optional<Interval>& range, double at) {
        return range && range->from <= at && at < range->to;
    }

    /// Adds a piece that lies inside or outside of the lens and of the selected range. Pieces in the lens are drawn in
    /// full.
    void addPiece(Mark mark, bool highlighted) {
        const double middle = (mark.from + mark.to) / 2;
        mark.highlighted = highlighted || contains(look_.lens, middle);
        mark.enlarged = highlighted;
        mark.form = mark.highlighted ? fullForm() : plainForm();
        dim(mark);
        add(mark);
    }

    /// Dims a mark that is not highlighted while others are, or that lies outside of the selected range.
    void dim(Mark& mark) {
        const bool isDimmed = hasHighlights_ && !mark.enlarged;
        const bool outside = look_.chosen && !contains(look_.chosen, (mark.from + mark.to) / 2);
        if (isDimmed) mark.colour = dimmed_(mark.colour);
        if (outside) mark.colour = outside_(mark.colour);
        mark.several = severals_[(isDimmed ? 1 : 0) + (outside ? 2 : 0)];
        mark.dimmed = isDimmed || outside;
    }

    Form fullForm() const { return look_.draw == BlockLook::Draw::faces ? Form::face : Form::box; }

    /// Whether what is not highlighted is thin beside what is.
    bool hasThin() const { return hasHighlights_ && look_.others != BlockLook::Others::alike; }

    Form plainForm() const {
        const float w = std::max(rail_.clip(0).w, 0.05F);
        if (look_.draw == BlockLook::Draw::automatic && grid().events) return Form::events;
        if (look_.draw == BlockLook::Draw::points) return Form::points;
        if (hasThin()) return look_.others == BlockLook::Others::points ? Form::points : Form::line;
        // With a lens, all other stays are not drawn in full.
        if (look_.lens || look_.draw == BlockLook::Draw::lines) return Form::line;
        if (look_.draw == BlockLook::Draw::faces) return Form::face;
        return look_.draw == BlockLook::Draw::automatic && thick_ / w < kBoxPixels ? Form::line : Form::box;
    }

    // --- from what was folded to marks ---

    void fold(const Mark& mark, double from, double to) {
        row_.add(grid(), from, to, mark.colour, mark.several, mark.dimmed);
    }

    /// Adds the cells of the rows [row, end): between the stays of the row that are drawn one by one.
    void addCells(std::uint32_t row, std::uint32_t end, std::uint32_t cache) {
        if (row_.isEmpty()) return;
        layRail(cache, (frame_.yOf(row, cache) + frame_.yOf(end - 1, cache)) / 2);
        cellHalf_ = static_cast<float>(end - row) * frame_.rowHeight() / 2;
        // A lane of one row keeps its height.
        if (frame_.isFlat() && end - row == 1) cellHalf_ = frame_.halfHigh();
        auto next = long_.cbegin();
        for (const FoldedRow::Cell& cell : row_.take()) {
            const double begin = static_cast<double>(cell.at) * grid().step;
            Mark mark{.from = std::max(begin, frame_.from()), .to = std::min(begin + grid().step, frame_.to())};
            if (!grid().events) {
                while (next != long_.cend() && next->to <= cell.from) ++next;
                if (next != long_.cbegin()) mark.from = std::max(mark.from, std::prev(next)->to);
                if (next != long_.cend()) mark.to = std::min(mark.to, std::max(next->from, cell.to));
            }
            if (!isSeen(mark)) continue;
            folded_.most = std::max(folded_.most, cell.count);
            mark.colour = foldedColours_.of(cell.colour, cell.count, cell.dimmed);
            mark.form = grid().events ? Form::cell : plainForm();
            add(mark);
        }
        flush();
    }

    // --- from marks to primitives ---

    bool isSeen(const Mark& mark) const { return rail_.isSeen(frame_.zOf(mark.from), frame_.zOf(mark.to), 0.05F); }

    /// Adds a mark, joined to the one before where no gap between them could be seen.
    void add(const Mark& mark) {
        const float z0 = frame_.zOf(mark.from);
        const float z1 = frame_.zOf(mark.to);
        if (!isSeen(mark)) return;
        if (mark.form == Form::events) {
            if (mark.begins) fold(mark, mark.from, mark.from);
            if (mark.leaves) fold(mark, mark.to, mark.to);
            return;
        }
        if (mark.form == Form::points) {
            if (mark.begins) addPoint(z0, mark.colour);
            if (mark.ends) addPoint(z1, mark.colour);
            return;
        }
        if (pending_ && mark_.goesWith(mark)) {
            const glm::vec2 gap = rail_.pixel(z0) - rail_.pixel(frame_.zOf(mark_.to));
            if (glm::dot(gap, gap) < kGapPixels * kGapPixels) {
                mark_.to = std::max(mark_.to, mark.to);
                if (mark_.stay != mark.stay) mark_.stay = sim::Stay::kNone;
                return;
            }
        }
        flush();
        mark_ = mark;
        pending_ = true;
    }

    void addPoint(float z, Rgba colour) {
        const glm::vec2 pixel = rail_.pixel(z);
        const glm::vec2 gap = pixel - lastPoint_;
        if (glm::dot(gap, gap) < 0.49F) return;
        lastPoint_ = pixel;
        scene_.points.push_back({{x_, y_, z}, colour});
    }

    void flush() {
        if (!pending_) return;
        pending_ = false;
        float z0 = frame_.zOf(mark_.from);
        float z1 = frame_.zOf(mark_.to);
        const float w = std::max(rail_.clip((z0 + z1) / 2).w, 0.05F);
        const auto stripes = static_cast<float>(mark_.stripes);
        float high = frame_.halfHigh() / stripes;
        const float y = y_ + high * (stripes - 1 - 2 * static_cast<float>(mark_.stripe));
        float deep = frame_.half();
        if (mark_.enlarged) {
            // A lit mark is large enough to point at, however short the stay, and lies in front of other marks at its
            // depth.
            const float least = BlockLook::kHighlightPixels / 2 * w / pixels_;
            high = std::max(high, least);
            deep = std::max(1.2F * deep, least);
            lengthen(z0, z1);
        }
        const float length = glm::distance(rail_.pixel(z0), rail_.pixel(z1));
        const float thick = 2 * high * pixels_ / w;
        if (mark_.form == Form::cell && hasThin()) {
            addThinCell(z0, z1, y);
        } else if (mark_.form == Form::cell) {
            addCell(z0, z1, deep, y, cellHalf_);
        } else if (grid().events) {
            addCell(z0, z1, 1.5F * frame_.half(), y, std::max(high, FoldGrid::kPixels / 2 / pixels_));
        } else if (mark_.form == Form::line || thick < kThinPixels) {
            addLine(z0, z1, length, y, high, thick);
        } else if (length < kThinPixels) {
            scene_.segments.push_back({{x_, y - high, z0}, {x_, y + high, z0}, mark_.colour});
        } else {
            const SpaceBox box{{x_ - deep, y - high, z0}, {x_ + deep, y + high, z1}, mark_.colour};
            large_.push_back({box, length * thick, mark_.form, mark_.rising, mark_.highlighted});
            if (frame_.isFlat()) addBar(z0, z1, y, high);
        }
    }

    /// Lengthens a mark to at least kHighlightPixels.
    void lengthen(float& z0, float& z1) const {
        const float seen = glm::distance(rail_.pixel(z0), rail_.pixel(z1));
        if (seen >= BlockLook::kHighlightPixels) return;
        const float perUnit = glm::distance(rail_.pixel(z0), rail_.pixel(z0 + 0.01F)) * 100;
        const float more = (BlockLook::kHighlightPixels - seen) / 2 / std::max(perUnit, 1.0F);
        // Stay within the axis: at its ends the mark grows to the other side.
        constexpr float kEnd = BlockFrame::kLength / 2;
        const float length = z1 - z0 + 2 * more;
        z0 = std::clamp(z0 - more, -kEnd, kEnd - length);
        z1 = z0 + length;
    }

    void addBar(float z0, float z1, float y, float high) {
        if (mark_.stay == sim::Stay::kNone || !look_.textOf || bars_.size() >= kMaxBars) return;
        const glm::vec2 a = pixelOf(scene_.toClip, {x_, y - high, z0}, look_.size);
        const glm::vec2 b = pixelOf(scene_.toClip, {x_, y + high, z1}, look_.size);
        const StayBar bar{mark_.stay, glm::min(a, b), glm::max(a, b), mark_.colour};
        const glm::vec2 room = bar.high - bar.low;
        if (room.x >= kBarLines.x * look_.textSize && room.y >= kBarLines.y * look_.textSize) bars_.push_back(bar);
    }

    void addCell(float z0, float z1, float deep, float y, float high) {
        scene_.faces.push_back(sideOf({{x_ - deep, y - high, z0}, {x_ + deep, y + high, z1}, mark_.colour}));
    }

    /// A cell of what is not highlighted, as a line or a point.
    void addThinCell(float z0, float z1, float y) {
        if (look_.others == BlockLook::Others::points) {
            scene_.points.push_back({{x_, y, (z0 + z1) / 2}, mark_.colour});
        } else {
            scene_.segments.push_back({{x_, y, z0}, {x_, y, z1}, mark_.colour});
        }
    }

    /// Seen face on, a mark too small for a box still fills its lane, unless lines are wanted.
    void addLine(float z0, float z1, float length, float y, float high, float thick) {
        const bool isThin = look_.draw == BlockLook::Draw::lines || (hasThin() && !mark_.highlighted);
        if (frame_.isFlat() && !isThin && thick > 1) {
            addCell(z0, std::max(z1, z0 + 1 / pixels_), frame_.half(), y, high);
        } else if (length < 1) {
            scene_.points.push_back({{x_, y, z0}, mark_.colour});
        } else {
            scene_.segments.push_back({{x_, y, z0}, {x_, y, z1}, mark_.colour});
        }
    }

    /// A box or face that is large enough to be drawn as one, if the budget allows.
    struct Large {
        SpaceBox box;
        float area;  ///< pixels
        Form form;
        bool rising;
        bool highlighted;
    };

    /// Spends the budget: the largest become boxes, smaller ones the side that is turned to the eye, the rest lines.
    void spend() {
        const auto count = static_cast<float>(large_.size());
        const float budget = static_cast<float>(look_.budget) - kLineCost * static_cast<float>(scene_.segments.size());
        std::size_t boxes = large_.size();
        std::size_t sides = large_.size();
        if (kBoxCost * count > budget) {
            boxes = static_cast<std::size_t>(std::max(0.0F, (budget - count) / (kBoxCost - 1)));
            if (count > budget) {
                sides = static_cast<std::size_t>(std::max(0.0F, (budget - kLineCost * count) / (1 - kLineCost)));
            }
            order(boxes, 0);
            order(sides, std::min(boxes, sides));
        }
        for (std::size_t i = 0; i < large_.size(); ++i) {
            const Large& l = large_[i];
            if (l.form == Form::face && (l.highlighted || i < sides)) {
                scene_.faces.push_back(tilted(l));
            } else if ((l.highlighted || i < boxes) && !frame_.isFlat()) {
                scene_.boxes.push_back(l.box);
            } else if (l.highlighted || i < sides) {
                scene_.faces.push_back(sideOf(l.box));
            } else {
                const glm::vec3 middle = (l.box.low + l.box.high) * 0.5F;
                scene_.segments.push_back(
                    {{middle.x, middle.y, l.box.low.z}, {middle.x, middle.y, l.box.high.z}, l.box.colour});
            }
        }
    }

    /// Partitions large_ from index `from` on: the most important elements come before index `count`.
    void order(std::size_t count, std::size_t from) {
        if (count <= from || count >= large_.size()) return;
        const auto begin = large_.begin() + static_cast<std::ptrdiff_t>(from);
        std::nth_element(begin, large_.begin() + static_cast<std::ptrdiff_t>(count), large_.end(),
                         [](const Large& a, const Large& b) {
                             if (a.highlighted != b.highlighted) return a.highlighted;
                             return a.area > b.area;
                         });
    }

    static SpaceFace tilted(const Large& l) {
        const glm::vec3 size = l.box.high - l.box.low;
        if (l.rising) return {l.box.low, {size.x, size.y, 0}, {0, 0, size.z}, l.box.colour};
        return {{l.box.low.x, l.box.high.y, l.box.low.z}, {size.x, -size.y, 0}, {0, 0, size.z}, l.box.colour};
    }

    SpaceFace sideOf(const SpaceBox& box) const {
        const glm::vec3 size = box.high - box.low;
        const glm::vec3 eye = scene_.toEye;
        if (std::abs(eye.x) >= std::abs(eye.y) && std::abs(eye.x) >= std::abs(eye.z)) {
            const float x = eye.x < 0 ? box.low.x : box.high.x;
            return {{x, box.low.y, box.low.z}, {0, size.y, 0}, {0, 0, size.z}, box.colour};
        }
        if (std::abs(eye.y) >= std::abs(eye.z)) {
            const float y = eye.y < 0 ? box.low.y : box.high.y;
            return {{box.low.x, y, box.low.z}, {size.x, 0, 0}, {0, 0, size.z}, box.colour};
        }
        const float z = eye.z < 0 ? box.low.z : box.high.z;
        return {{box.low.x, box.low.y, z}, {size.x, 0, 0}, {0, size.y, 0}, box.colour};
    }

    void addPicked(std::uint32_t index) {
        if (index >= view_.level().stays.size()) return;
        const sim::Stay stay = view_.level().stays[index];
        const std::optional<std::uint32_t> row = view_.rowOf(stay.block);
        if (!row || !frame_.shows(stay) || !frame_.showsCache(stay.cache)) return;
        if (!frame_.showsRow(*row)) return;
        const float around = 1.15F * frame_.half() + 1.5F / pixels_;
        const float above =
            1.05F * std::max(frame_.halfHigh(), BlockLook::kHighlightPixels / 2 / pixels_) + 1.5F / pixels_;
        const glm::vec3 middle(frame_.xOf(stay.cache), frame_.yOf(*row, stay.cache), 0);
        const auto [from, to] = frame_.partOf(stay);
        const glm::vec3 begin(0, 0, frame_.zOf(from) - 1.5F / pixels_);
        const glm::vec3 end(0, 0, frame_.zOf(to) + 1.5F / pixels_);
        addEdges(scene_.overlay, middle + begin - glm::vec3(around, above, 0),
                 middle + end + glm::vec3(around, above, 0), paletteFor(look_.ground).picked);
    }

    SpaceScene& scene_;
    const BlockView& view_;
    const BlockLook& look_;
    const BlockFrame& frame_;
    bool hasHighlights_;
    std::vector<bool> highlighted_;  ///< by stay
    mutable std::vector<Rgba> cpuColours_;
    Dimmer dimmed_;                 ///< for stays that are not highlighted
    Dimmer outside_;                ///< for stays outside of the selected range
    std::array<Rgba, 4> severals_;  ///< the colour of several things, dimmed by the first, the second, or both
    std::vector<double> cuts_;      ///< where the lens and the selected range begin and end, ascending
    std::vector<Large> large_;
    Folded folded_;
    FoldedColours foldedColours_;
    float pixels_ = 1;  ///< pixels that a length of one covers at the target
    float pitch_ = 0;   ///< pixels from row to row, where they are farthest apart

    // The row that is being drawn.
    Rail rail_{};
    float x_ = 0;
    float y_ = 0;
    float thick_ = 0;  ///< thickness of a stay, pixels at the target
    Mark mark_;
    bool pending_ = false;
    glm::vec2 lastPoint_{0};
    std::vector<Interval> long_;             ///< stays of the row that are not folded
    FoldedRow row_;                          ///< folded stays, from all rows of the grid's cells
    LaneMerge highlightedMerge_;             ///< highlighted stays of all planes, if these share the row's lane
    LaneMerge merge_;                        ///< all other stays of these planes
    std::uint32_t stay_ = sim::Stay::kNone;  ///< the stay that is being drawn
    std::size_t stripe_ = 0;                 ///< the stripe of the lane that is being drawn
    std::size_t stripes_ = 1;
    std::vector<StayBar> bars_;
    float cellHalf_ = 0;  ///< half the height of a cell
};

}  // namespace

void addEdges(std::vector<SpaceSegment>& segments, glm::vec3 low, glm::vec3 high, Rgba colour) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < 4; ++k) {
            glm::vec3 a = low;
            if ((k & 1) != 0) a[(axis + 1) % 3] = high[(axis + 1) % 3];
            if ((k & 2) != 0) a[(axis + 2) % 3] = high[(axis + 2) % 3];
            glm::vec3 b = a;
            b[axis] = high[axis];
            segments.push_back({a, b, colour});
        }
    }
}

StayMarks addStayMarks(SpaceScene& scene, const BlockView& view, const BlockLook& look, const BlockFrame& frame) {
    return MarkBuilder(scene, view, look, frame).addAll();
}

}  // namespace whorl::scene
