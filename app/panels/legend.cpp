// The signs currently on the screen, and what they mean.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"
#include "render/scene/rings/signs.h"

namespace whorl::app {

namespace {

using Signs = std::span<const scene::Sign>;

/// Draws a sign around a point, with glyphs of this radius.
void drawSign(ImDrawList& list, const scene::Sign& sign, ImVec2 at, float r) {
    const auto place = [&](glm::vec2 p) { return ImVec2(at.x + p.x * r, at.y + p.y * r); };
    constexpr int kSides = 20;
    for (const scene::SignPart& part : sign.parts) {
        const ImU32 colour = packed(part.colour);
        const glm::vec2 half(part.size);
        switch (part.shape) {
            case scene::SignPart::Shape::disc:
                list.AddCircleFilled(place(part.a), part.size * r, colour, kSides);
                break;
            case scene::SignPart::Shape::rim:
                list.AddCircle(place(part.a), part.size * r, colour, kSides, part.width);
                break;
            case scene::SignPart::Shape::line:
                list.AddLine(place(part.a), place(part.b), colour, part.width);
                break;
            case scene::SignPart::Shape::bar:
                list.AddLine(place(part.a), place(part.b), colour, part.size * r);
                break;
            case scene::SignPart::Shape::box:
                list.AddRectFilled(place(part.a), place(part.b), colour);
                break;
            case scene::SignPart::Shape::square:
                list.AddRect(place(part.a - half), place(part.a + half), colour, 0, ImDrawCornerFlags_None, part.width);
                break;
            case scene::SignPart::Shape::curve:
                list.AddBezierQuadratic(place(part.a), place(scene::SignPart::kBend), place(part.b), colour,
                                        part.width);
                break;
        }
    }
}

/// A box of rows, each with a sign; as wide as its text.
class Box {
  public:
    Box(const PanelContext& c, std::size_t rows, float words) : c_(c), list_(*ImGui::GetWindowDrawList()) {
        line_ = c.fonts.small->FontSize + 3 * c.scale;
        sign_ = 26 * c.scale;
        size_ = {sign_ + words + 8 * c.scale, static_cast<float>(rows) * line_ + 6 * c.scale};
    }
    ImVec2 size() const { return size_; }
    float line() const { return line_; }

    void begin(ImVec2 from) {
        from_ = from;
        ImVec4 bed = c_.colours().ground;
        bed.w = 0.78f;
        list_.AddRectFilled(from, {from.x + size_.x, from.y + size_.y}, packed(bed), 4);
    }
    /// Returns the position of the next row's sign.
    ImVec2 row(const std::string& words) {
        const float y = from_.y + 3 * c_.scale + static_cast<float>(rows_++) * line_;
        list_.AddText(c_.fonts.small, c_.fonts.small->FontSize, {from_.x + sign_, y}, packed(c_.colours().text),
                      words.c_str());
        return {from_.x + sign_ / 2, y + line_ / 2 - 1};
    }

  private:
    const PanelContext& c_;
    ImDrawList& list_;
    float line_ = 0;
    float sign_ = 0;
    ImVec2 size_;
    ImVec2 from_;
    int rows_ = 0;
};

float widthOf(const PanelContext& c, const std::string& words) {
    return c.fonts.small->CalcTextSizeA(c.fonts.small->FontSize, 1e9f, 0, words.c_str()).x;
}

std::vector<scene::Sign> shownSigns(const PanelContext& c) {
    return scene::signsOf(c.picture()->scene().legend, c.context.ground, c.context.ringView.gauge.isOfSpan());
}

/// The boxes around the pieces of a text along a circle.
void addCurved(std::vector<ImRect>& out, const scene::Label& label, float width, glm::vec2 centre) {
    const int pieces = std::max(1, static_cast<int>(std::ceil(width / label.size)));
    for (int i = 0; i < pieces; ++i) {
        const float along = (static_cast<float>(i) + 0.5f) / static_cast<float>(pieces) - 0.5f;
        const float angle = label.at.y + along * width / label.at.x;
        const ImVec2 at(centre.x + label.at.x * std::cos(angle), centre.y + label.at.x * std::sin(angle));
        const float half = 0.7f * label.size;
        out.emplace_back(at.x - half, at.y - half, at.x + half, at.y + half);
    }
}

/// The names of regions, in pixels of the window. Other texts come and go with the accesses.
std::vector<ImRect> namesOfRegions(const PanelContext& c, const gl::Rect& canvas) {
    const scene::Scene& scene = c.picture()->scene();
    std::vector<ImRect> out;
    for (std::size_t i = 0; i < scene.labels.size(); ++i) {
        const scene::Label& label = scene.labels[i];
        if (scene.labelTargets[i].kind != scene::Target::Kind::region) continue;
        const ImVec2 size = c.fonts.body->CalcTextSizeA(label.size, 1e9f, 0, label.text.c_str());
        if (label.kind == scene::Label::Kind::curved) {
            addCurved(out, label, size.x,
                      scene.centre + glm::vec2(static_cast<float>(canvas.x), static_cast<float>(canvas.y)));
            continue;
        }
        const float before = label.kind == scene::Label::Kind::corner ? 0 : 0.5f;
        const ImVec2 low(static_cast<float>(canvas.x) + label.at.x - before * size.x,
                         static_cast<float>(canvas.y) + label.at.y - before * size.y);
        out.emplace_back(low, ImVec2(low.x + size.x, low.y + size.y));
    }
    return out;
}

/// A corner of the picture, and how much of it the rings and the names beside them leave free.
class Corner {
  public:
    Corner(const PanelContext& c, const gl::Rect& canvas, bool isRight, bool isBelow, float above = 0)
        : canvas_(canvas), margin_(6 * c.scale), above_(above), isRight_(isRight), isBelow_(isBelow) {
        names_ = namesOfRegions(c, canvas);
        // What is magnified fills the picture.
        if (c.context.camera.zoomed()) return;
        const scene::RingLayout& layout = c.runs.open()->composer().layout();
        radius_ = layout.memory.outer + layout.memoryRadius;
        centre_ = c.picture()->scene().centre;
    }

    /// Whether a box of this size lies beside the rings, and on no name.
    bool holds(ImVec2 size) const {
        const ImVec2 at = place(size);
        const ImRect box(at, {at.x + size.x, at.y + size.y});
        if (std::any_of(names_.begin(), names_.end(), [&](const ImRect& name) { return box.Overlaps(name); }))
            return false;
        const glm::vec2 whole(canvas_.width, canvas_.height);
        const glm::vec2 out =
            glm::vec2(isRight_ ? whole.x - centre_.x : centre_.x, isBelow_ ? whole.y - centre_.y : centre_.y - above_);
        return radius_ <= 0 || glm::length(glm::max(out - margin_ - glm::vec2(size.x, size.y), 0.0f)) >= radius_;
    }
    /// Position of the box.
    ImVec2 place(ImVec2 size) const {
        const glm::vec2 low(canvas_.x, canvas_.y);
        return {isRight_ ? low.x + static_cast<float>(canvas_.width) - size.x - margin_ : low.x + margin_,
                isBelow_ ? low.y + static_cast<float>(canvas_.height) - size.y - margin_ : low.y + margin_ + above_};
    }

  private:
    gl::Rect canvas_;
    float margin_;
    float above_;  ///< pixels of it that are taken
    bool isRight_;
    bool isBelow_;
    float radius_ = 0;  ///< radius of the rings; 0: ignore the rings
    glm::vec2 centre_{0};
    std::vector<ImRect> names_;
};

/// The signs that fit into a corner, the first ones of a list; the rest.
Signs drawSigns(const PanelContext& c, Signs signs, const Corner& corner) {
    const auto boxOf = [&](std::size_t count) {
        float words = 0;
        for (const scene::Sign& sign : signs.first(count)) words = std::max(words, widthOf(c, std::string(sign.words)));
        return Box(c, count, words);
    };
    std::size_t count = signs.size();
    while (count > 0 && !corner.holds(boxOf(count).size())) --count;
    if (count == 0) return signs;
    Box box = boxOf(count);
    box.begin(corner.place(box.size()));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const scene::Sign& sign : signs.first(count)) {
        drawSign(list, sign, box.row(std::string(sign.words)), 5 * c.scale);
    }
    return signs.subspan(count);
}

/// Below on the left; what would lie on the rings there is on the right.
void drawSigns(const PanelContext& c, const gl::Rect& canvas) {
    const std::vector<scene::Sign> signs = shownSigns(c);
    drawSigns(c, drawSigns(c, signs, {c, canvas, false, true}), {c, canvas, true, true});
}

/// The most important regions, sorted by index: all if there are at most `most`, else one fewer than `most`, as a row
/// for the rest takes one place.
std::vector<std::size_t> regionsShown(const PanelContext& c, std::size_t most) {
    const std::vector<std::size_t>& ranked = c.context.opened.regionLooks->byRank();
    const std::size_t shown = ranked.size() > most ? most - 1 : ranked.size();
    std::vector<std::size_t> out(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown));
    std::sort(out.begin(), out.end());
    return out;
}

/// As many regions as a corner holds; whether it holds any.
bool drawRegions(const PanelContext& c, const Corner& corner) {
    const auto& regions = c.trace().regions();
    constexpr std::size_t kMax = 10;
    for (std::size_t most = std::min(kMax, regions.size()); most > 0; --most) {
        const std::vector<std::size_t> shown = regionsShown(c, most);
        if (shown.empty()) return false;
        std::vector<std::string> names;
        names.reserve(most);
        for (const std::size_t r : shown) {
            const std::string& name = regions[r].name;
            names.push_back(name.size() > 18 ? name.substr(0, 17) + "…" : name);
        }
        if (shown.size() < regions.size()) names.push_back(fmt::format("and {} more", regions.size() - shown.size()));
        float words = 0;
        for (const std::string& name : names) words = std::max(words, widthOf(c, name));
        Box box(c, names.size(), words);
        if (!corner.holds(box.size())) continue;
        box.begin(corner.place(box.size()));
        for (std::size_t i = 0; i < names.size(); ++i) {
            const ImVec2 at = box.row(names[i]);
            if (i < shown.size()) drawRegionSign(c, at, 5 * c.scale, shown[i]);
            if (c.places != nullptr) c.places->add("legend " + names[i], at, at);
        }
        return true;
    }
    return false;
}

/// Above on the left; on the right where names take the place.
void drawRegions(const PanelContext& c, const gl::Rect& canvas) {
    // The name of a CPU shown alone, or the number of those without a sector, is in the corner.
    const bool hasWords = c.context.cpu || c.runs.open()->composer().layout().idle > 0;
    const float above = hasWords ? 2.2f * c.fonts.body->FontSize : 0;
    if (!drawRegions(c, {c, canvas, false, false, above})) drawRegions(c, {c, canvas, true, false});
}

/// How wide the entries of a key are, signs included.
std::vector<float> keyWidths(const PanelContext& c, Signs signs, float text) {
    std::vector<float> widths;
    widths.reserve(signs.size());
    for (const scene::Sign& sign : signs) {
        const std::string words(sign.words);
        widths.push_back(3.1f * text + c.fonts.body->CalcTextSizeA(text, 1e9f, 0, words.c_str()).x);
    }
    return widths;
}

/// The width of a column: that of the widest entry, except entries wider than half of the room, which span several
/// columns.
float columnOf(const std::vector<float>& widths, float room, float text) {
    float column = 10.0f * text;
    for (const float width : widths) {
        if (width <= room / 2) column = std::max(column, width);
    }
    return std::min(column, room);
}

}  // namespace

DrawnKey drawKey(const PanelContext& c, ImVec2 at, ImVec2 room, float text) {
    const float line = 1.3f * text;
    const std::vector<scene::Sign> signs = shownSigns(c);
    const std::vector<float> widths = keyWidths(c, signs, text);
    const float column = columnOf(widths, room.x, text);
    const int columns = std::max(1, static_cast<int>(room.x / column));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    int cell = 0;
    std::size_t drawn = 0;
    float bottom = at.y;
    for (; drawn < signs.size(); ++drawn) {
        const int across = std::clamp(static_cast<int>(std::ceil(widths[drawn] / column)), 1, columns);
        if (cell % columns + across > columns) cell += columns - cell % columns;
        const int down = cell / columns;
        const ImVec2 from(at.x + static_cast<float>(cell % columns) * column, at.y + static_cast<float>(down) * line);
        if (from.y + line > at.y + room.y) break;
        cell += across;
        drawSign(list, signs[drawn], {from.x + 0.85f * text, from.y + line / 2}, 0.36f * text);
        const std::string_view words = signs[drawn].words;
        list.AddText(c.fonts.body, text, {from.x + 2.1f * text, from.y + (line - text) / 2}, packed(c.colours().text),
                     words.data(), words.data() + words.size());
        bottom = from.y + line;
    }
    return {bottom, drawn == signs.size()};
}

void drawLegend(const PanelContext& c, const gl::Rect& canvas) {
    // In a small picture it would hide what it explains.
    if (static_cast<float>(std::min(canvas.width, canvas.height)) < 360 * c.scale) return;
    drawSigns(c, canvas);
    drawRegions(c, canvas);
}

}  // namespace whorl::app
