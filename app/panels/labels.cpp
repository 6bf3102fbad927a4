#include "app/panels/labels.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <numbers>
#include <string_view>

#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;

constexpr std::uint8_t kBed = 215;  ///< the opacity of what is behind a text

struct Pen {
    ImDrawList& list;
    ImFont& font;
    ImVec2 origin;  ///< upper left corner of the picture, in pixels of the window
    scene::Rgba ground;
};

ImVec2 measure(const Pen& pen, const scene::Label& label) {
    return pen.font.CalcTextSizeA(label.size, 1e9f, 0, label.text.c_str());
}

/// Text with an outline in the background colour, so that it is legible on anything.
void drawText(const Pen& pen, ImVec2 at, const scene::Label& label) {
    scene::Rgba outline = pen.ground;
    outline.a = 200;
    const char* text = label.text.c_str();
    if (label.isBare) {
        pen.list.AddText(&pen.font, label.size, at, packed(label.colour), text);
        return;
    }
    const float wide = std::max(1.0f, label.size / 16);
    for (const ImVec2 d : {ImVec2(-1, 0), ImVec2(1, 0), ImVec2(0, -1), ImVec2(0, 1)}) {
        pen.list.AddText(&pen.font, label.size, {at.x + wide * d.x, at.y + wide * d.y}, packed(outline), text);
    }
    pen.list.AddText(&pen.font, label.size, at, packed(label.colour), text);
}

void drawPlain(const Pen& pen, const scene::Label& label) {
    const ImVec2 size = measure(pen, label);
    const float before = label.kind == scene::Label::Kind::corner ? 0 : 0.5f;
    const ImVec2 at(std::round(pen.origin.x + label.at.x - before * size.x),
                    std::round(pen.origin.y + label.at.y - before * size.y));
    if (label.hasBed) {
        scene::Rgba ground = pen.ground;
        ground.a = kBed;
        const float rim = 0.15f * label.size;
        pen.list.AddRectFilled({at.x - rim, at.y}, {at.x + size.x + rim, at.y + size.y}, packed(ground), rim);
    }
    drawText(pen, at, label);
}

/// Rotates what was drawn since `first` about a point: ImGui has no rotated text, but its vertices can be rotated.
void turn(ImDrawList& list, int first, ImVec2 about, float angle) {
    const float s = std::sin(angle);
    const float c = std::cos(angle);
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
        ImVec2& p = list.VtxBuffer[i].pos;
        const ImVec2 d(p.x - about.x, p.y - about.y);
        p = {about.x + d.x * c - d.y * s, about.y + d.x * s + d.y * c};
    }
}

/// Fills the background behind a curved text, `from` an angle on, so that trails do not cross its letters.
void drawBed(const Pen& pen, const scene::Label& label, glm::vec2 centre, float from, float way) {
    scene::Rgba ground = pen.ground;
    ground.a = kBed;
    // Spaces as wide as digits, which only keep room at its end, have none.
    constexpr std::string_view kSpace = "\u2007";
    std::string_view text = label.text;
    while (text.ends_with(kSpace)) text.remove_suffix(kSpace.size());
    const float width = pen.font.CalcTextSizeA(label.size, 1e9f, 0, text.data(), text.data() + text.size()).x;
    const float rim = 0.3f * label.size / label.at.x;
    const float to = from + way * width / label.at.x;
    pen.list.PathArcTo({pen.origin.x + centre.x, pen.origin.y + centre.y}, label.at.x, std::min(from, to) - rim,
                       std::max(from, to) + rim, 24);
    pen.list.PathStroke(packed(ground), ImDrawFlags_None, 1.05f * label.size);
}

/// Letter by letter along the circle; upright in the lower half, where the direction is reversed.
void drawCurved(const Pen& pen, const scene::Label& label, glm::vec2 centre) {
    const float radius = label.at.x;
    const float width = measure(pen, label).x;
    const bool upper = std::sin(label.at.y) < 0.35f;
    const float way = upper ? 1.0f : -1.0f;
    float angle = label.at.y - way * width / 2 / radius;
    drawBed(pen, label, centre, angle, way);
    const char* at = label.text.c_str();
    const char* const end = at + label.text.size();
    while (at < end) {
        unsigned int code = 0;
        const int bytes = ImTextCharFromUtf8(&code, at, end);
        const float advance = pen.font.GetCharAdvance(static_cast<ImWchar>(code)) * label.size / pen.font.FontSize;
        const float middle = angle + way * advance / 2 / radius;
        const ImVec2 on(pen.origin.x + centre.x + radius * std::cos(middle),
                        pen.origin.y + centre.y + radius * std::sin(middle));
        const int first = pen.list.VtxBuffer.Size;
        pen.font.RenderChar(&pen.list, label.size, {on.x - advance / 2, on.y - label.size / 2}, packed(label.colour),
                            static_cast<ImWchar>(code));
        turn(pen.list, first, on, middle + way * kPi / 2);
        angle += way * advance / radius;
        at += bytes;
    }
}

}  // namespace

glm::ivec2 placeBeside(const scene::PixelBox& highlighted, glm::ivec2 size, glm::ivec2 screen, int gap) {
    const auto inside = [](int at, int length, int all) { return std::clamp(at, 0, std::max(0, all - length)); };
    const int x = inside(highlighted.low.x, size.x, screen.x);
    const int y = inside(highlighted.low.y, size.y, screen.y);
    if (highlighted.high.x + gap + size.x <= screen.x) return {highlighted.high.x + gap, y};
    if (highlighted.low.x - gap - size.x >= 0) return {highlighted.low.x - gap - size.x, y};
    if (highlighted.high.y + gap + size.y <= screen.y) return {x, highlighted.high.y + gap};
    if (highlighted.low.y - gap - size.y >= 0) return {x, highlighted.low.y - gap - size.y};
    return {std::max(0, screen.x - size.x), y};
}

void drawLabels(const PanelContext& c, const gl::Rect& canvas, std::span<const scene::Label> labels, scene::Rgba ground,
                glm::vec2 centre) {
    const ImVec2 origin(static_cast<float>(canvas.x), static_cast<float>(canvas.y));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Pen pen{list, *c.fonts.body, origin, ground};
    const ImVec2 end(origin.x + static_cast<float>(canvas.width), origin.y + static_cast<float>(canvas.height));
    list.PushClipRect(origin, end, true);
    for (const scene::Label& label : labels) {
        if (label.kind == scene::Label::Kind::curved) {
            drawCurved(pen, label, centre);
        } else {
            drawPlain(pen, label);
        }
    }
    list.PopClipRect();
}

/// Never wider or higher than the window, so that it fits inside.
void drawTooltip(const PanelContext& c, std::vector<std::string> lines,
                 const std::optional<scene::PixelBox>& highlighted) {
    if (lines.empty()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float wrap = std::min(460 * c.scale, screen.x - 2 * style.WindowPadding.x);
    // By default a tooltip has the size of its text in the previous frame.
    ImVec2 size(0, 0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const ImFont& font = i == 0 ? *c.fonts.heading : *c.fonts.body;
        lines[i] = inLines(font, font.FontSize, wrap, lines[i]);
        const ImVec2 line = font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, lines[i].c_str());
        size.x = std::max(size.x, std::ceil(line.x));
        size.y += line.y + (i == 0 ? 0 : style.ItemSpacing.y);
    }
    size = {std::min(size.x + 2 * style.WindowPadding.x + 1, screen.x),
            std::min(size.y + 2 * style.WindowPadding.y, screen.y)};
    ImGui::SetNextWindowSizeConstraints(size, size);
    if (highlighted) {
        const glm::ivec2 at =
            placeBeside(*highlighted, glm::ivec2(glm::ceil(glm::vec2(size.x, size.y))),
                        glm::ivec2(glm::vec2(screen.x, screen.y)), static_cast<int>(std::lround(6 * c.scale)));
        ImGui::SetNextWindowPos({static_cast<float>(at.x), static_cast<float>(at.y)});
    }
    ImGui::BeginTooltip();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i == 0) {
            ImGui::PushFont(c.fonts.heading);
            ImGui::TextUnformatted(lines[i].c_str());
            ImGui::PopFont();
        } else {
            muted(c, lines[i]);
        }
    }
    ImGui::EndTooltip();
}

}  // namespace whorl::app
