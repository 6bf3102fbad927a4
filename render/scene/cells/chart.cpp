#include "render/scene/cells/chart.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// Puts signs and texts from left to right, and into further lines where they do not fit.
class KeyWriter {
  public:
    KeyWriter(FlatScene* scene, const PixelBox& where, float text)
        : scene_(scene), where_(where), text_(text), x_(where.low.x), y_(where.low.y) {}

    static int lineOf(float text) { return static_cast<int>(std::ceil(1.5f * text)); }
    int lineHeight() const { return lineOf(text_); }
    int height() const { return y_ + lineHeight() - where_.low.y; }

    /// Whether a text has room after another one that is written next.
    bool fits(const std::string& words, const std::string& more) const {
        const int rest = where_.high.x - x_;
        const int room = widthOfWords(words) <= rest ? rest : where_.width();
        return widthOfWords(words + ' ' + more) <= room;
    }

    void words(const std::string& words) {
        const std::string shown = shortened(words, static_cast<float>(where_.width()), text_);
        if (shown.empty()) return;
        const int width = widthOfWords(shown);
        makeRoom(width);
        put(shown);
        x_ += width + space();
    }

    void sign(const CellKey::Sign& sign) {
        const int side = static_cast<int>(text_);
        const int before = side + space() / 2;
        const std::string words = shortened(sign.words, static_cast<float>(where_.width() - before), text_);
        const int width = widthOfWords(words);
        makeRoom(before + width);
        if (isSeen()) {
            const int thick = sign.isLine ? std::max(2, side / 6) : side;
            const int top = y_ + (lineHeight() - thick) / 2;
            const PixelBox box{{x_, top}, {x_ + side, top + thick}};
            scene_->raster.fill(box, sign.colour);
            // What hardly differs from the ground has an edge.
            if (contrast(sign.colour.colour, scene_->background) < 1.5f) {
                scene_->raster.frame(box, 1, paletteFor(scene_->ground).line);
            }
        }
        x_ += before;
        put(words);
        x_ += width + space();
    }

    void ramp(Ground ground, CellRamp ramp, const std::string& least, const std::string& most) {
        const int words = widthOfWords(least) + widthOfWords(most) + space();
        // Shorter where the picture is narrow.
        const int length = std::clamp(where_.width() - words, 2, std::max(2, static_cast<int>(8 * text_)));
        makeRoom(words + length);
        put(least);
        x_ += widthOfWords(least) + space() / 2;
        if (isSeen()) {
            const int high = static_cast<int>(0.8f * text_);
            const int top = y_ + (lineHeight() - high) / 2;
            for (int i = 0; i < length; ++i) {
                const float share = static_cast<float>(i) / static_cast<float>(length - 1);
                scene_->raster.fill({{x_ + i, top}, {x_ + i + 1, top + high}}, rampColour(ground, ramp, share));
            }
        }
        x_ += length + space() / 2;
        put(most);
        x_ += widthOfWords(most) + space();
    }

  private:
    int space() const { return static_cast<int>(text_); }
    int widthOfWords(const std::string& words) const { return static_cast<int>(std::ceil(widthOf(words, text_))); }

    void makeRoom(int width) {
        if (x_ > where_.low.x && x_ + width > where_.high.x) {
            x_ = where_.low.x;
            y_ += lineHeight();
        }
    }

    /// Lines below the key's room are left out.
    bool isSeen() const { return scene_ != nullptr && y_ + lineHeight() <= where_.high.y; }

    void put(const std::string& words) {
        if (!isSeen()) return;
        const glm::ivec2 at(x_, y_ + static_cast<int>(0.2f * text_));
        scene_->labels.push_back(cornerLabel(words, at, text_, paletteFor(scene_->ground).text));
    }

    FlatScene* scene_;
    PixelBox where_;
    float text_;
    int x_;
    int y_;
};

/// Writes a note, whose parts, divided by semicolons, may stand below each other. The parts in a line are one text, as
/// widths are only estimates.
void writeNote(KeyWriter& writer, std::string_view note) {
    std::string line;
    while (!note.empty()) {
        const std::size_t end = note.find("; ");
        const bool isLast = end == std::string_view::npos;
        const std::string part(note.substr(0, isLast ? end : end + 1));
        note = isLast ? std::string_view() : note.substr(end + 2);
        if (!line.empty() && writer.fits(line, part)) {
            line += ' ' + part;
            continue;
        }
        writer.words(line);
        line = part;
    }
    writer.words(line);
}

void write(KeyWriter& writer, const CellKey& key, Ground ground) {
    switch (key.scaling) {
        case CellScaling::misses:
            writer.ramp(ground, CellRamp::misses, key.least, key.most);
            break;
        case CellScaling::number:
        case CellScaling::share:
            writer.ramp(ground, CellRamp::neutral, key.least, key.most);
            break;
        case CellScaling::category:
        case CellScaling::glow:
            break;
    }
    if (key.logarithmic) writer.words("(logarithmic)");
    for (const CellKey::Sign& sign : key.signs) writer.sign(sign);
    writeNote(writer, key.note);
}

}  // namespace

void addNote(CellKey& key, const std::string& words) {
    if (!words.empty()) key.note += (key.note.empty() ? "" : "; ") + words;
}

int keyHeight(const CellKey& key, int width, float text) {
    KeyWriter writer(nullptr, {{0, 0}, {width, 0}}, text);
    write(writer, key, Ground::dark);
    return writer.height();
}

void paintKey(FlatScene& scene, const CellKey& key, const PixelBox& where, float text) {
    KeyWriter writer(&scene, where, text);
    write(writer, key, scene.ground);
}

namespace {

// Lengths in heights of the text.
constexpr float kMargin = 0.6f;
constexpr float kTitle = 1.6f;  ///< height of the title with the room below it
constexpr float kLine = 1.3f;
constexpr float kRuler = 1.5f;
constexpr float kRowName = 1.1f;  ///< least distance of names beside the rows

}  // namespace

int ChartLook::em(float share) const {
    return static_cast<int>(std::ceil(share * text));
}

int ChartLook::line() const {
    return em(kLine);
}

int ChartLook::margin() const {
    return static_cast<int>(std::lround(kMargin * text));
}

ChartFrame chartFrame(const ChartLook& look, int key) {
    const int margin = look.margin();
    const int top = margin / 2 + look.em(kTitle) + look.controls;
    // In a small picture, the first lines of the key: the rest of the room is for what they explain.
    const int line = KeyWriter::lineOf(look.text);
    const int lines = std::max(0, (look.size.y - top) / 2 / line);
    const int keyTop = look.size.y - std::min(key, lines * line) - margin / 2;
    const int right = std::max(margin + 1, look.size.x - margin);
    return {.body = {{margin, top}, {right, std::max(top + 1, keyTop - margin / 2)}},
            .key = {{margin, keyTop}, {look.size.x - margin, look.size.y}}};
}

ChartFrame chartFrame(const ChartLook& look, const CellKey& key) {
    return chartFrame(look, keyHeight(key, static_cast<int>(look.widthInside()), look.text));
}

TimeFrame timeFrame(const ChartFrame& frame, const ChartLook& look, int before, int after, TimeSpan seen, double end) {
    const int left = frame.body.low.x + before;
    const int right = std::max(left + 1, frame.body.high.x - after);
    const int top = frame.body.low.y;
    const int line = look.em(kRuler);
    const int ruler = std::max(top + 1, frame.body.high.y - line);
    TimeFrame out{frame, TimeAxis(seen, end, static_cast<float>(left), static_cast<float>(right - left))};
    out.body = {{left, top}, {right, std::max(top + 1, ruler - look.margin() / 2)}};
    out.ruler = {{left, ruler}, {right, ruler + line}};
    out.all = {{left, top}, out.ruler.high};
    return out;
}

PixelBox ChartRows::boxOf(std::size_t row) const {
    const int top = box.low.y + static_cast<int>(row) * height;
    return {{box.low.x, top}, {box.high.x, top + height - gap}};
}

std::optional<std::size_t> ChartRows::rowAt(glm::ivec2 at) const {
    if (!box.contains(at)) return std::nullopt;
    const auto row = static_cast<std::size_t>((at.y - box.low.y) / height);
    return row < count ? std::optional(row) : std::nullopt;
}

void addRowNames(FlatScene& scene, const ChartLook& look, const ChartRows& rows, const RowNames& names) {
    const auto height = static_cast<float>(std::max(1, rows.height));
    const float size = names.smallest ? std::min(look.text, height) : look.text;
    if (names.smallest && size < *names.smallest * look.text) return;
    const float each = names.smallest ? 1 : std::max(1.0f, std::ceil(kRowName * look.text / height));
    const int right = rows.box.low.x - look.margin() / 2;
    const auto room = static_cast<float>(right - look.margin());
    for (std::size_t row = 0; row < rows.count; row += static_cast<std::size_t>(each)) {
        const std::string words = shortened(names.name(row), room, size);
        if (words.empty()) continue;
        const PixelBox box = rows.boxOf(row);
        const int y = box.low.y + (box.height() - static_cast<int>(size)) / 2;
        const int left = names.isNumber ? right - static_cast<int>(widthOf(words, size)) : look.margin();
        scene.labels.push_back(cornerLabel(words, {left, y}, size, names.colour(row)));
    }
}

FlatScene chartScene(const ChartLook& look, const PixelBox& clip) {
    FlatScene scene;
    scene.ground = look.ground;
    scene.background = paletteFor(look.ground).ground;
    scene.raster = Raster(look.size, scene.background);
    scene.clip = clip;
    return scene;
}

void addTitle(FlatScene& scene, const ChartLook& look, const std::string& title) {
    const Palette& palette = paletteFor(look.ground);
    const int margin = look.margin();
    const std::string shown = fittingTitle(title, look.widthInside(), look.text);
    scene.labels.push_back(cornerLabel(shown, {margin, margin / 2}, look.text, palette.text));
    const float used = widthOf(shown, look.text) + look.text;
    const std::string note = wholeParts(look.note, look.widthInside() - used, look.text);
    if (note.empty()) return;
    scene.labels.push_back(cornerLabel(note, {margin + static_cast<int>(used), margin / 2}, look.text, palette.muted));
}

void addSentence(FlatScene& scene, const ChartLook& look, const std::string& words) {
    glm::ivec2 at = chartFrame(look, 0).body.low;
    for (std::string& line : wrapped(words, look.widthInside(), look.text)) {
        scene.labels.push_back(cornerLabel(std::move(line), at, look.text, paletteFor(look.ground).muted));
        at.y += look.em(1.3f);
    }
}

std::vector<Stroke> playheadStrokes(const TimeFrame& frame, double t, Ground ground) {
    if (t < frame.axis.span().from || t > frame.axis.span().to) return {};
    const float x = std::round(frame.axis.x(t)) + 0.5f;
    const Rgba colour = paletteFor(ground).text;
    return {
        {{x, static_cast<float>(frame.all.low.y)}, {x, static_cast<float>(frame.all.high.y)}, 1.5f, colour, colour}};
}

void paintRuler(FlatScene& scene, const TimeFrame& frame, float text) {
    const PixelBox& where = frame.ruler;
    const Palette& palette = paletteFor(scene.ground);
    scene.raster.fill({where.low, {where.high.x, where.low.y + 1}}, palette.line);
    for (const TimeAxis::Mark& mark : frame.axis.marks(8 * text)) {
        const int x = static_cast<int>(std::lround(mark.x));
        scene.raster.fill({{x, where.low.y}, {x + 1, where.low.y + static_cast<int>(0.4f * text)}}, palette.muted);
        const float width = widthOf(mark.words, text);
        const int left = static_cast<int>(
            std::clamp(mark.x - width / 2, static_cast<float>(where.low.x),
                       std::max(static_cast<float>(where.low.x), static_cast<float>(where.high.x) - width)));
        scene.labels.push_back(
            cornerLabel(mark.words, {left, where.low.y + static_cast<int>(0.45f * text)}, text, palette.muted));
    }
}

void paintChosen(FlatScene& scene, const TimeAxis& axis, const PixelBox& where, const TimeSpan& chosen) {
    Rgba shade = scene.background;
    shade.a = 150;
    const auto at = [&](double t) {
        return std::clamp(static_cast<int>(std::lround(axis.x(t))), where.low.x, where.high.x);
    };
    const int from = at(chosen.from);
    const int to = std::max(from + 1, at(chosen.to));
    scene.raster.blend({where.low, {from, where.high.y}}, shade);
    scene.raster.blend({{to, where.low.y}, where.high}, shade);
    const Rgba accent = paletteFor(scene.ground).accent;
    for (const double t : {chosen.from, chosen.to}) {
        if (t < axis.span().from || t > axis.span().to) continue;
        const int x = at(t);
        scene.raster.fill({{x, where.low.y}, {x + 1, where.high.y}}, accent);
    }
}

}  // namespace whorl::scene
