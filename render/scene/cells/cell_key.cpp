#include "render/scene/cells/cell_key.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/scene/cells/cell_colours.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// Puts signs and texts from left to right, and into further lines where they do not fit.
class KeyWriter {
  public:
    KeyWriter(FlatScene* scene, const PixelBox& where, float text)
        : scene_(scene), where_(where), text_(text), x_(where.low.x), y_(where.low.y) {}

    int lineHeight() const { return static_cast<int>(std::ceil(1.5f * text_)); }
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
        const int width = side + space() / 2 + widthOfWords(sign.words);
        makeRoom(width);
        if (scene_ != nullptr) {
            const int thick = sign.isLine ? std::max(2, side / 6) : side;
            const int top = y_ + (lineHeight() - thick) / 2;
            scene_->raster.fill({{x_, top}, {x_ + side, top + thick}}, sign.colour);
        }
        x_ += side + space() / 2;
        put(sign.words);
        x_ += widthOfWords(sign.words) + space();
    }

    void ramp(Ground ground, CellRamp ramp, const std::string& most) {
        const int words = widthOfWords("0") + widthOfWords(most) + space();
        // Shorter where the picture is narrow.
        const int length = std::clamp(where_.width() - words, 2, std::max(2, static_cast<int>(8 * text_)));
        makeRoom(words + length);
        put("0");
        x_ += widthOfWords("0") + space() / 2;
        if (scene_ != nullptr) {
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

    void put(const std::string& words) {
        if (scene_ == nullptr) return;
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
            writer.ramp(ground, CellRamp::misses, key.most);
            break;
        case CellScaling::number:
        case CellScaling::share:
            writer.ramp(ground, CellRamp::neutral, key.most);
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

}  // namespace whorl::scene
