#include "render/scene/cells/history_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/analysis/place_history.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kBand = 1.5f;  ///< height of a band, in heights of the text
constexpr int kFold = 3;       ///< bars and spans narrower than this are folded, pixels
/// How much of a name's colour is on the page, so that the name on it is read.
constexpr float kDim = 0.42f;
/// The most words that marks can distinguish.
constexpr std::uint64_t kMaxWords = 8;

bool isOfCache(const sim::PlaceHistory& history) {
    return history.place.kind == sim::Place::Kind::cache;
}

/// The bytes of a word of the place: an element of what lives there, else 8.
std::uint64_t wordOf(const HistorySubject& subject) {
    const std::size_t region = subject.trace.regionAt(subject.history.place.from);
    if (region == subject.trace.regions().size()) return 8;
    const std::uint64_t element = subject.trace.regions()[region].elementSize;
    return element > 1 ? element : 8;
}

/// The number of words that are marked; 0 if they are not, because there is one, or too many.
std::uint64_t markedWords(const HistorySubject& subject) {
    if (isOfCache(subject.history)) return 0;
    const std::uint64_t word = wordOf(subject);
    const std::uint64_t words = (subject.history.place.bytes + word - 1) / word;
    return words > 1 && words <= kMaxWords ? words : 0;
}

/// The mark of a word: the farther in the place, the farther on the neutral scale. Hues are for regions.
Rgba wordColour(Ground ground, std::uint64_t word, std::uint64_t words) {
    return rampColour(ground, CellRamp::neutral, static_cast<float>(word + 1) / static_cast<float>(words));
}

CellKey keyOf(const HistorySubject& subject, const HistoryLook& look) {
    const Palette& palette = paletteFor(look.ground);
    const std::size_t levels = subject.machine.levels.size();
    CellKey key;
    key.scaling = CellScaling::category;
    if (isOfCache(subject.history)) {
        const std::string& level = subject.machine.levels[subject.history.place.level].name;
        key.signs = {{level + " hit", palette.hit}, {level + " miss", palette.miss}};
    } else {
        for (std::size_t l = 0; l < levels; ++l) {
            key.signs.push_back({subject.machine.levels[l].name, servedColour(look.ground, l, levels)});
        }
        key.signs.push_back({"memory", servedColour(look.ground, levels, levels)});
        const std::uint64_t word = wordOf(subject);
        for (std::uint64_t i = 0; i < markedWords(subject); ++i) {
            const sim::ByteAddress at{subject.history.place.from.value + i * word};
            key.signs.push_back({subject.trace.placeOf(at, subject.history.range.from),
                                 wordColour(look.ground, i, markedWords(subject)), true});
        }
    }
    key.note = "height: miss penalty; under 3 pixels folded to the highest";
    return key;
}

/// The accesses that are seen: indices [first, last).
std::pair<std::size_t, std::size_t> seenOf(const sim::PlaceHistory& history, const TimeSpan& span) {
    const auto before = [](const sim::PlaceAccess& a, double t) { return static_cast<double>(a.tick.value) + 1 <= t; };
    const auto first = std::lower_bound(history.accesses.begin(), history.accesses.end(), span.from, before);
    const auto startsBefore = [](const sim::PlaceAccess& a, double t) { return static_cast<double>(a.tick.value) < t; };
    const auto last = std::lower_bound(first, history.accesses.end(), span.to, startsBefore);
    return {static_cast<std::size_t>(first - history.accesses.begin()),
            static_cast<std::size_t>(last - history.accesses.begin())};
}

/// Calls f(HistoryBar, highest penalty, farthest level, any miss) for each bar that is seen, from left to right; the
/// boxes are as high as the plot. Accesses whose bars would begin within the same three pixels are one.
template <class F>
void forEachBar(const HistorySubject& subject, const HistoryFrame& frame, F&& f) {
    const sim::PlaceHistory& history = subject.history;
    const auto [first, last] = seenOf(history, frame.axis.span());
    const int wide = std::max(static_cast<int>(0.8 / frame.axis.perPixel()), kFold);
    const auto slotOf = [&](std::size_t i) {
        const float x = frame.axis.x(static_cast<double>(history.accesses[i].tick.value)) - frame.axis.left();
        return std::max(0, static_cast<int>(std::floor(x))) / kFold;
    };
    for (std::size_t i = first; i < last;) {
        const int slot = slotOf(i);
        std::size_t end = i + 1;
        while (end < last && slotOf(end) == slot) ++end;
        sim::Cycles penalty = 0;
        std::uint8_t served = 0;
        bool missed = false;
        for (std::size_t k = i; k < end; ++k) {
            penalty = std::max(penalty, history.accesses[k].penalty);
            served = std::max(served, history.accesses[k].served);
            missed = missed || !history.accesses[k].hit;
        }
        const int left = static_cast<int>(frame.axis.left());
        const bool isFolded = end - i > 1;
        const int x =
            isFolded ? left + slot * kFold
                     : static_cast<int>(std::floor(frame.axis.x(static_cast<double>(history.accesses[i].tick.value))));
        // The first access may have begun before the left edge.
        const int right = std::max(x + (isFolded ? kFold : wide), left + 1);
        const PixelBox box{{std::max(x, left), frame.plot.low.y}, {right, frame.plot.high.y}};
        f(HistoryBar{i, end, box}, penalty, served, missed);
        i = end;
    }
}

void paintBars(FlatScene& scene, const HistorySubject& subject, const HistoryLook& look, const HistoryFrame& frame) {
    const sim::PlaceHistory& history = subject.history;
    const Palette& palette = paletteFor(look.ground);
    const std::size_t levels = subject.machine.levels.size();
    const sim::Cycles most = look.common ? static_cast<sim::Cycles>(look.common->most) : highestOf(history);
    const std::uint64_t word = wordOf(subject);
    const std::uint64_t words = markedWords(subject);
    const int least = std::max(3, look.em(kBand) / 4);
    const int room = std::max(1, frame.plot.height() - least - look.em(kBand));
    const int mark = static_cast<int>(std::lround(0.3f * look.text));
    forEachBar(subject, frame, [&](const HistoryBar& bar, sim::Cycles penalty, std::uint8_t served, bool missed) {
        const int height = least + static_cast<int>(static_cast<double>(penalty) / static_cast<double>(most) * room);
        const Rgba colour =
            isOfCache(history) ? (missed ? palette.miss : palette.hit) : servedColour(look.ground, served, levels);
        const int top = frame.plot.high.y - height;
        scene.raster.fill({{bar.box.low.x, top}, bar.box.high}, colour);
        if (words == 0 || bar.last - bar.first > 1) return;
        const std::uint64_t byte = std::max(history.accesses[bar.first].address, history.place.from).value;
        const std::uint64_t index = std::min((byte - history.place.from.value) / word, words - 1);
        scene.raster.fill({{bar.box.low.x, top - mark}, {bar.box.high.x, top}}, wordColour(look.ground, index, words));
    });
    scene.raster.fill({{frame.plot.low.x, frame.plot.high.y}, {frame.plot.high.x, frame.plot.high.y + 1}},
                      palette.page);
    if (static_cast<float>(frame.plot.height()) < 2 * look.text) return;
    std::string scale = sim::counted(most, "cycle", "cycles");
    if (look.common) scale += ", " + commonScaleInWords(look.common->runs);
    scene.labels.push_back(cornerLabel(scale, {frame.plot.low.x + 4, frame.plot.low.y}, look.text, palette.muted));
}

/// Spans of time with the same words, such as a name; the words of those that are too narrow stand together, where
/// these are too narrow for that, too, before those of the next one: "a b c".
class SpanPainter {
  public:
    SpanPainter(FlatScene& scene, const PixelBox& where, float text) : scene_(scene), where_(where), text_(text) {}

    void add(float from, float to, const std::string& words, const Ink& colour) {
        const int left = std::max(where_.low.x, static_cast<int>(std::floor(from)));
        const int right = std::min(where_.high.x, std::max(left + 1, static_cast<int>(std::ceil(to))));
        if (left >= right) return;
        const bool isDrawn = right - left < kFold && left < drawn_;  // the span drawn there stands for this one
        if (!isDrawn) paint(left, right, colour);
        if (words.empty()) return;
        const bool hasRoom = widthOf(words, text_) <= static_cast<float>(right - left - kPad);
        if (hasRoom && (fits(waiting_, to_) || !fits(waitingAnd(words), right))) finish();
        if (waiting_.empty()) from_ = left;
        if (waiting_.size() < kMost) waiting_.push_back(words);
        to_ = right;
        if (hasRoom) finish();
    }

    /// Writes the words that wait for more room; after the last span.
    void finish() {
        const std::string shown = shortened(inRuns(waiting_), static_cast<float>(to_ - from_ - kPad), text_);
        waiting_.clear();
        if (shown.empty()) return;
        Label label =
            cornerLabel(shown, {from_ + kPad / 2, where_.low.y + (where_.height() - static_cast<int>(text_)) / 2},
                        text_, paletteFor(scene_.ground).text);
        label.isBare = false;
        scene_.labels.push_back(std::move(label));
    }

  private:
    bool fits(const std::vector<std::string>& words, int right) const {
        return widthOf(inRuns(words), text_) <= static_cast<float>(right - from_ - kPad);
    }
    std::vector<std::string> waitingAnd(const std::string& words) const {
        std::vector<std::string> all = waiting_;
        all.push_back(words);
        return all;
    }

    static constexpr int kPad = 6;
    static constexpr std::size_t kMost = 1000;  ///< words that are written together, at most

    void paint(int left, int right, const Ink& colour) {
        drawn_ = std::max(right, left + kFold);
        const PixelBox box{{left, where_.low.y + 1}, {right, where_.high.y - 1}};
        const Rgba page = scene_.background;
        scene_.raster.fill(box,
                           Ink(mixed(page, colour.colour, kDim), colour.texture, mixed(page, colour.stripe, kDim)));
        scene_.raster.fill({box.low, {std::min(box.low.x + 1, box.high.x), box.high.y}}, colour.colour);
    }

    FlatScene& scene_;
    PixelBox where_;
    float text_;
    int drawn_ = 0;
    std::vector<std::string> waiting_;
    int from_ = 0;
    int to_ = 0;
};

/// The region of an address gives the colour of its name.
Ink colourOf(const HistorySubject& subject, sim::ByteAddress byte, const HistoryLook& look) {
    const std::size_t region = subject.trace.regionAt(byte);
    if (region == subject.trace.regions().size()) return paletteFor(look.ground).muted;
    return subject.looks.inkOf(region, look.hues, look.ground);
}

/// A unique number for the object, or else the region, that holds a byte at a time.
std::uint64_t holderOf(const HistorySubject& subject, sim::ByteAddress byte, sim::Tick t) {
    const sim::Object* const object = subject.trace.objectAt(byte, t);
    if (object == nullptr) return subject.trace.regionAt(byte);
    return subject.trace.regions().size() + 1 + static_cast<std::uint64_t>(object - subject.trace.objects().data());
}

/// The name of the object or region that holds a byte at a time; that of the element if the place is no larger than
/// one.
std::string nameOfHolder(const HistorySubject& subject, sim::ByteAddress byte, sim::Tick t) {
    const bool isElement = !isOfCache(subject.history) && subject.history.place.bytes <= wordOf(subject);
    const std::size_t region = subject.trace.regionAt(byte);
    if (isElement || region == subject.trace.regions().size()) return subject.trace.placeOf(byte, t);
    const sim::Object* const object = subject.trace.objectAt(byte, t);
    return object != nullptr ? object->name : subject.trace.regions()[region].name;
}

/// The names of what was accessed, from the first access to something to the first to something else.
void paintNames(FlatScene& scene, const HistorySubject& subject, const HistoryLook& look, const HistoryFrame& frame) {
    const sim::PlaceHistory& history = subject.history;
    auto [first, last] = seenOf(history, frame.axis.span());
    // Include the access before: its object is there when the picture begins.
    if (first > 0) --first;
    SpanPainter painter(scene, frame.names, look.text);
    const auto holder = [&](std::size_t i) {
        return holderOf(subject, sim::namingByte(history, history.accesses[i]), history.accesses[i].tick);
    };
    const auto xOf = [&](std::size_t i) { return frame.axis.x(static_cast<double>(history.accesses[i].tick.value)); };
    for (std::size_t i = first; i < last;) {
        std::size_t end = i + 1;
        const std::uint64_t held = holder(i);
        const float from = xOf(i);
        while (end < last && holder(end) == held) ++end;
        const sim::ByteAddress byte = sim::namingByte(history, history.accesses[i]);
        const float until =
            end < history.accesses.size() ? xOf(end) : frame.axis.x(static_cast<double>(history.range.to.value));
        painter.add(from, until, nameOfHolder(subject, byte, history.accesses[i].tick), colourOf(subject, byte, look));
        i = end;
    }
    painter.finish();
}

std::size_t stayRows(const HistorySubject& subject) {
    return isOfCache(subject.history) ? 1 : subject.machine.levels.size();
}

/// Where a stay begins and ends, in accesses.
TimeSpan spanOf(const sim::PlaceStay& stay, const sim::Range& range) {
    const sim::Tick in = stay.in == sim::Stay::kNever ? range.from : stay.in;
    const sim::Tick out = stay.out == sim::Stay::kNever ? range.to : stay.out;
    return {static_cast<double>(in.value), static_cast<double>(out.value)};
}

void paintStays(FlatScene& scene, const HistorySubject& subject, const HistoryLook& look, const HistoryFrame& frame) {
    const sim::PlaceHistory& history = subject.history;
    std::vector<SpanPainter> painters;
    painters.reserve(frame.stays.count);
    for (std::size_t r = 0; r < frame.stays.count; ++r) {
        painters.emplace_back(scene, frame.stays.boxOf(r), look.text);
    }
    for (const sim::PlaceStay& stay : history.stays) {
        const TimeSpan span = spanOf(stay, history.range);
        if (span.to < frame.axis.span().from || span.from > frame.axis.span().to) continue;
        const auto row = static_cast<std::size_t>(isOfCache(history) ? 0 : stay.level);
        const sim::ByteAddress base{stay.block.value * subject.machine.levels[stay.level].block};
        const std::string words = isOfCache(history)
                                      ? subject.trace.placeOf(base, sim::Tick{static_cast<std::uint64_t>(span.from)})
                                      : std::string();
        const Ink colour = isOfCache(history) ? colourOf(subject, base, look)
                                              : servedColour(look.ground, stay.level, subject.machine.levels.size());
        painters[row].add(frame.axis.x(span.from), frame.axis.x(span.to), words, colour);
    }
    for (SpanPainter& painter : painters) painter.finish();
    if (isOfCache(history) || static_cast<float>(frame.stays.height) < look.text) return;
    // The rows' names stay at the edge at any zoom.
    for (std::size_t r = 0; r < frame.stays.count; ++r) {
        const PixelBox row = frame.stays.boxOf(r);
        const glm::ivec2 at(row.low.x + 3, row.low.y + (row.height() - static_cast<int>(look.text)) / 2);
        Label label = cornerLabel("in " + subject.machine.levels[r].name, at, look.text, paletteFor(look.ground).text);
        label.isBare = false;
        scene.labels.push_back(std::move(label));
    }
}

}  // namespace

std::string inRuns(const std::vector<std::string>& names) {
    constexpr std::size_t kLongest = 8;  // names of a run
    std::string words;
    for (std::size_t i = 0; i < names.size();) {
        std::size_t length = 1;
        std::size_t times = 1;
        for (std::size_t n = 1; n <= kLongest && i + 2 * n <= names.size(); ++n) {
            std::size_t end = i + n;
            while (end < names.size() && names[end] == names[end - n]) ++end;
            const std::size_t again = (end - i) / n;
            if (again > 1 && again * n > length * times) {
                length = n;
                times = again;
            }
        }
        if (!words.empty()) words += ", ";
        for (std::size_t k = 0; k < length; ++k) words += (k == 0 ? "" : " ") + names[i + k];
        if (times > 1) words += fmt::format(" ×{}", times);
        i += length * times;
    }
    return words;
}

HistoryFrame historyFrame(const HistorySubject& subject, const HistoryLook& look) {
    HistoryFrame frame{timeFrame(chartFrame(look, keyOf(subject, look)), look, 0, 0, look.span,
                                 static_cast<double>(subject.trace.size()))};
    const int line = look.em(kBand);
    const auto& [low, high] = frame.body;
    // In a low picture the bars keep half of the room.
    const auto rows = static_cast<int>(stayRows(subject));
    const int room = std::max(rows, (frame.ruler.low.y - low.y - line - look.margin()) / 2);
    const int staysTop = high.y - std::min(rows * (line + 2), room);
    frame.names = {low, {high.x, low.y + line}};
    frame.plot = {{low.x, low.y + line + 4}, {high.x, std::max(low.y + line + 5, staysTop - 6)}};
    frame.stays = {.box = {{low.x, staysTop}, high},
                   .height = std::max(1, (high.y - staysTop) / std::max(1, rows)),
                   .count = stayRows(subject)};
    return frame;
}

sim::Cycles highestOf(const sim::PlaceHistory& history) {
    sim::Cycles most = 1;
    for (const sim::PlaceAccess& a : history.accesses) most = std::max(most, a.penalty);
    return most;
}

FlatScene historyScene(const HistorySubject& subject, const HistoryLook& look) {
    const HistoryFrame frame = historyFrame(subject, look);
    FlatScene scene = chartScene(look, frame.all);
    scene.raster.setClip(frame.all);
    scene.raster.fill(frame.plot, paletteFor(look.ground).untouched);
    paintBars(scene, subject, look, frame);
    paintNames(scene, subject, look, frame);
    paintStays(scene, subject, look, frame);
    if (look.chosen) paintChosen(scene, frame.axis, frame.all, *look.chosen);
    paintRuler(scene, frame, look.text);
    scene.raster.setClip(scene.raster.box());
    addTitle(scene, look, look.title);
    paintKey(scene, keyOf(subject, look), frame.key, look.text);
    return scene;
}

std::optional<HistoryBar> barAt(const HistorySubject& subject, const HistoryLook& look, glm::ivec2 at) {
    const HistoryFrame frame = historyFrame(subject, look);
    if (!frame.plot.contains(at) && !frame.names.contains(at)) return std::nullopt;
    std::optional<HistoryBar> found;
    forEachBar(subject, frame, [&](const HistoryBar& bar, sim::Cycles, std::uint8_t, bool) {
        // A pixel beside a bar is near enough.
        if (at.x >= bar.box.low.x - 1 && at.x <= bar.box.high.x) found = bar;
    });
    return found;
}

std::optional<std::size_t> stayAt(const HistorySubject& subject, const HistoryLook& look, glm::ivec2 at) {
    const HistoryFrame frame = historyFrame(subject, look);
    const auto row = frame.stays.rowAt(at);
    if (!row) return std::nullopt;
    const double t = frame.axis.at(static_cast<float>(at.x));
    for (std::size_t i = 0; i < subject.history.stays.size(); ++i) {
        const sim::PlaceStay& stay = subject.history.stays[i];
        const TimeSpan span = spanOf(stay, subject.history.range);
        const bool isRow = isOfCache(subject.history) || stay.level == *row;
        if (isRow && span.from <= t && t <= span.to) return i;
    }
    return std::nullopt;
}

}  // namespace whorl::scene
