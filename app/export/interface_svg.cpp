#include "app/export/interface_svg.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/player_signs.h"
#include "render/scene/colour.h"

namespace whorl::app {

namespace {

/// Finds which character a quad of ImGui shows: the way back from the atlas of its fonts to text.
class GlyphBook {
  public:
    struct Entry {
        const ImFont* font;
        const ImFontGlyph* glyph;
    };
    /// Of all fonts of a built atlas, which must not change while the book is used.
    explicit GlyphBook(const ImFontAtlas& atlas);

    /// The character at a place of the texture, 0 to 1 in both directions; nothing where there is none.
    std::optional<Entry> at(ImVec2 uv) const;

  private:
    int width_;
    int height_;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> pixels_;  ///< for each pixel of the texture: index into the entries plus one; 0: none
};

/// A line of text in one font and colour.
struct TextRun {
    std::string text;  ///< UTF-8
    const ImFont* font = nullptr;
    glm::vec2 at{0};     ///< where it begins, on its baseline
    glm::vec2 end{0};    ///< where the next character would begin
    glm::vec2 along{1};  ///< a pixel of the font along the line
    glm::vec2 down{1};   ///< and across it
    scene::Rgba colour;
    std::optional<scene::Rgba> outline;
};

/// A character: what it is, where its quad's corners are (from the upper left one on, clockwise), and in which colour.
struct DrawnGlyph {
    GlyphBook::Entry entry;
    ImDrawVert corners[4];  // NOLINT(modernize-avoid-c-arrays)
};

glm::vec2 vec(ImVec2 v) {
    return {v.x, v.y};
}

scene::Rgba colourOf(ImU32 packed) {
    const auto channel = [&](int shift) { return static_cast<std::uint8_t>(packed >> shift & 255U); };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

std::string utf8(unsigned int codepoint) {
    std::array<char, 5> bytes{};
    return ImTextCharToUtf8(bytes.data(), codepoint);
}

bool sameSize(const TextRun& a, const TextRun& b) {
    constexpr float kAlike = 0.01F;
    return a.font == b.font && glm::length(a.along - b.along) < kAlike && glm::length(a.down - b.down) < kAlike;
}

GlyphBook::GlyphBook(const ImFontAtlas& atlas)
    : width_(atlas.TexWidth),
      height_(atlas.TexHeight),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {
    const auto pixel = [](float share, int size) {
        return static_cast<int>(std::lround(share * static_cast<float>(size)));
    };
    for (const ImFont* font : atlas.Fonts) {
        for (const ImFontGlyph& glyph : font->Glyphs) {
            if (!glyph.Visible) continue;
            entries_.push_back({font, &glyph});
            const int left = pixel(glyph.U0, width_);
            const int right = std::min(pixel(glyph.U1, width_), width_);
            for (int y = pixel(glyph.V0, height_); y < std::min(pixel(glyph.V1, height_), height_); ++y) {
                const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
                std::fill(pixels_.begin() + static_cast<std::ptrdiff_t>(row) + left,
                          pixels_.begin() + static_cast<std::ptrdiff_t>(row) + right,
                          static_cast<std::uint16_t>(entries_.size()));
            }
        }
    }
}

std::optional<GlyphBook::Entry> GlyphBook::at(ImVec2 uv) const {
    const int x = static_cast<int>(uv.x * static_cast<float>(width_));
    const int y = static_cast<int>(uv.y * static_cast<float>(height_));
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return std::nullopt;
    const std::uint16_t entry =
        pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
    if (entry == 0) return std::nullopt;
    return entries_[entry - 1U];
}

/// The character as a run of its own.
TextRun runOf(const DrawnGlyph& drawn) {
    const ImFontGlyph& glyph = *drawn.entry.glyph;
    const auto& [a, b, c, d] = drawn.corners;
    TextRun run;
    run.text = utf8(glyph.Codepoint);
    run.font = drawn.entry.font;
    run.colour = colourOf(a.col);
    // A quad that is cut at the edge of a panel shows a part of the character's place in the texture. How many pixels
    // of the font a step of the texture is:
    const float perU = (glyph.X1 - glyph.X0) / (glyph.U1 - glyph.U0);
    const float perV = (glyph.Y1 - glyph.Y0) / (glyph.V1 - glyph.V0);
    run.along = (vec(b.pos) - vec(a.pos)) / ((b.uv.x - a.uv.x) * perU);
    run.down = (vec(d.pos) - vec(a.pos)) / ((d.uv.y - a.uv.y) * perV);
    const float x = glyph.X0 + (a.uv.x - glyph.U0) * perU;
    // The atlas counts from the top of the line, the baseline lies the rounded ascent below it.
    const float y = glyph.Y0 + (a.uv.y - glyph.V0) * perV - std::round(drawn.entry.font->Ascent);
    run.at = vec(a.pos) - x * run.along - y * run.down;
    run.end = run.at + glyph.AdvanceX * run.along;
    return run;
}

/// Adds a character to the run that it continues, with the spaces between them. False if it does not.
bool extend(TextRun& run, const TextRun& next) {
    constexpr int kMaxSpaces = 8;
    constexpr float kNear = 0.6F;  // pixels of the font: less than half of a space
    if (!sameSize(run, next) || !(run.colour == next.colour) || run.outline) return false;
    const float unit = glm::length(run.along);
    const glm::vec2 way = run.along / unit;
    const glm::vec2 gap = next.at - run.end;
    const float space = run.font->GetCharAdvance(' ') * unit;
    const float along = glm::dot(gap, way);
    const float spaces = std::round(along / space);
    const bool isOnLine = std::abs(gap.x * way.y - gap.y * way.x) < kNear * unit;
    if (!isOnLine || spaces < 0 || spaces > kMaxSpaces || std::abs(along - spaces * space) > kNear * unit) return false;
    run.text.append(static_cast<std::size_t>(spaces), ' ');
    run.text += next.text;
    run.end = next.end;
    return true;
}

/// Labels are drawn several times, a pixel apart: first as an outline, then as themselves. If `next` is the same text
/// as `run`, they become one. False if it is not.
bool overlay(TextRun& run, const TextRun& next) {
    constexpr float kApart = 2.5F;  // pixels: copies lie on both sides
    if (run.text != next.text || !sameSize(run, next) || glm::length(run.at - next.at) > kApart) return false;
    if (!(run.colour == next.colour)) {
        run.outline = run.colour;
        run.colour = next.colour;
        run.at = next.at;
        run.end = next.end;
    }
    return true;
}

/// DejaVu's ascender and descender, 1901 and 483 units of 2048 an em: ImGui's sizes are the sum of both.
constexpr float kLineOverEm = 2384.0F / 2048.0F;

struct DrawnBox {
    glm::vec2 low{std::numeric_limits<float>::max()};
    glm::vec2 high{std::numeric_limits<float>::lowest()};
    void add(glm::vec2 at) {
        low = glm::min(low, at);
        high = glm::max(high, at);
    }
};

/// Turns the commands of ImGui's lists into elements.
class InterfaceDrawing {
  public:
    InterfaceDrawing(svg::Document& to, const Fonts& fonts)
        : to_(to), fonts_(fonts), atlas_(*ImGui::GetIO().Fonts), book_(atlas_) {}

    void draw(const ImDrawList& list);

  private:
    void draw(const ImDrawList& list, const ImDrawCmd& command);
    void addTriangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);
    bool addSign(const DrawnGlyph& drawn);
    void addGlyph(const DrawnGlyph& drawn);
    void endPolygon();
    void endRun();
    void endText();
    template <class Draw>
    void clipped(const DrawnBox& box, const Draw& draw);
    std::string_view fontOf(const TextRun& run) const;
    std::string placeOf(const TextRun& run) const;
    void draw(const TextRun& run);
    bool isPlain(const ImDrawVert& v) const {
        return v.uv.x == atlas_.TexUvWhitePixel.x && v.uv.y == atlas_.TexUvWhitePixel.y;
    }

    svg::Document& to_;
    const Fonts& fonts_;
    const ImFontAtlas& atlas_;
    GlyphBook book_;
    DrawnBox clip_;
    std::vector<ImDrawVert> polygon_;  ///< a fan of triangles
    std::optional<TextRun> run_;       ///< its characters still come
    std::optional<TextRun> text_;      ///< complete, but what comes may lie over it
};

void InterfaceDrawing::draw(const ImDrawList& list) {
    for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback == nullptr) draw(list, command);
    }
}

void InterfaceDrawing::draw(const ImDrawList& list, const ImDrawCmd& command) {
    const ImVec4& c = command.ClipRect;
    clip_ = {{c.x, c.y}, {c.z, c.w}};
    const auto vertex = [&](unsigned int i) -> const ImDrawVert& {
        const int index = static_cast<int>(command.IdxOffset + i);
        return list.VtxBuffer[static_cast<int>(command.VtxOffset) + list.IdxBuffer[index]];
    };
    for (unsigned int i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawVert& first = vertex(i);
        if (isPlain(first)) {
            endText();
            addTriangle(first, vertex(i + 1), vertex(i + 2));
            continue;
        }
        endPolygon();
        // A character is a quad of two triangles: 0 1 2, 0 2 3.
        if (i + 5 >= command.ElemCount) break;
        const ImDrawVert& across = vertex(i + 2);
        const auto entry = book_.at({(first.uv.x + across.uv.x) / 2, (first.uv.y + across.uv.y) / 2});
        if (entry) addGlyph({*entry, {first, vertex(i + 1), across, vertex(i + 5)}});
        i += 3;
    }
    endPolygon();
    endText();
}

/// The triangles of a convex shape all share its first corner, and each begins where the one before ended.
void InterfaceDrawing::addTriangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const auto same = [](const ImDrawVert& v, const ImDrawVert& w) { return v.pos.x == w.pos.x && v.pos.y == w.pos.y; };
    const bool continues =
        polygon_.size() >= 3 && same(polygon_.front(), a) && same(polygon_.back(), b) && polygon_.front().col == a.col;
    if (continues) {
        polygon_.push_back(c);
        return;
    }
    endPolygon();
    polygon_ = {a, b, c};
}

/// Draws, cut to the clip of the command if it reaches beyond.
template <class Draw>
void InterfaceDrawing::clipped(const DrawnBox& box, const Draw& draw) {
    const glm::vec2 low = glm::max(box.low, clip_.low);
    const glm::vec2 high = glm::min(box.high, clip_.high);
    if (low.x >= high.x || low.y >= high.y) return;
    const bool isCut = low != box.low || high != box.high;
    if (isCut) to_.add("<g clip-path=\"url(#{})\">", to_.clip(clip_.low, clip_.high));
    draw();
    if (isCut) to_.add("</g>");
}

void InterfaceDrawing::endPolygon() {
    if (polygon_.empty()) return;
    DrawnBox box;
    std::vector<glm::vec2> outline;
    glm::vec4 sum{0};
    for (const ImDrawVert& v : polygon_) {
        outline.emplace_back(v.pos.x, v.pos.y);
        box.add(outline.back());
        const ImVec4 c = ImGui::ColorConvertU32ToFloat4(v.col);
        sum += glm::vec4(c.x, c.y, c.z, c.w);
    }
    const glm::vec4 mean = sum * 255.0F / static_cast<float>(polygon_.size());
    const auto channel = [](float v) { return static_cast<std::uint8_t>(std::lround(v)); };
    const scene::Rgba colour{channel(mean.r), channel(mean.g), channel(mean.b), channel(mean.a)};
    if (colour.a > 0) {
        clipped(box, [&] { to_.polygon(outline, colour); });
    }
    polygon_.clear();
}

/// The signs that DejaVu lacks are shapes.
bool InterfaceDrawing::addSign(const DrawnGlyph& drawn) {
    const auto parts = PlayerSigns::outlines(static_cast<ImWchar>(drawn.entry.glyph->Codepoint));
    if (parts.empty()) return false;
    endText();
    const glm::vec2 low(drawn.corners[0].pos.x, drawn.corners[0].pos.y);
    const glm::vec2 high(drawn.corners[2].pos.x, drawn.corners[2].pos.y);
    for (const std::vector<glm::vec2>& part : parts) {
        for (const glm::vec2 at : part) {
            const glm::vec2 p = glm::mix(low, high, at);
            polygon_.push_back({{p.x, p.y}, {}, drawn.corners[0].col});
        }
        endPolygon();
    }
    return true;
}

void InterfaceDrawing::addGlyph(const DrawnGlyph& drawn) {
    if (addSign(drawn)) return;
    const TextRun next = runOf(drawn);
    if (run_ && extend(*run_, next)) return;
    endRun();
    run_ = next;
}

void InterfaceDrawing::endRun() {
    if (!run_) return;
    const TextRun run = *std::exchange(run_, std::nullopt);
    if (text_ && overlay(*text_, run)) return;
    if (text_) draw(*text_);
    text_ = run;
}

void InterfaceDrawing::endText() {
    endRun();
    if (text_) draw(*std::exchange(text_, std::nullopt));
}

std::string_view InterfaceDrawing::fontOf(const TextRun& run) const {
    if (run.font == fonts_.heading) return " font-weight=\"bold\"";
    return run.font == fonts_.mono ? " font-family=\"DejaVu Sans Mono, monospace\"" : "";
}

std::string InterfaceDrawing::placeOf(const TextRun& run) const {
    if (run.along.y == 0) return fmt::format(" x=\"{}\" y=\"{}\"", svg::number(run.at.x), svg::number(run.at.y));
    const glm::vec2 way = glm::normalize(run.along);
    return fmt::format(" transform=\"matrix({:.4g} {:.4g} {:.4g} {:.4g} {})\"", way.x, way.y, -way.y, way.x,
                       svg::point(run.at));
}

void InterfaceDrawing::draw(const TextRun& run) {
    const float line = run.font->FontSize * glm::length(run.down);
    DrawnBox box;
    for (const glm::vec2 at : {run.at, run.end}) {
        box.add(at - run.down * run.font->Ascent);
        box.add(at - run.down * run.font->Descent);
    }
    std::string look = svg::fill(run.colour);
    if (run.outline) {
        look += svg::stroke(*run.outline, 2) + " stroke-linejoin=\"round\" paint-order=\"stroke\"";
    }
    clipped(box, [&] {
        to_.add("<text{} font-size=\"{}\"{}{}>{}</text>", placeOf(run), svg::number(line / kLineOverEm), fontOf(run),
                look, svg::escaped(run.text));
    });
}

}  // namespace

SharpEdges::SharpEdges() : before_(ImGui::GetStyle()) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = false;
    style.CircleTessellationMaxError = 0.03F;
    style.CurveTessellationTol = 0.2F;
}

SharpEdges::~SharpEdges() {
    ImGui::GetStyle() = before_;
}

void draw(svg::Document& to, const ImDrawData& data, const Fonts& fonts) {
    to.add("<g font-family=\"DejaVu Sans, Verdana, sans-serif\" xml:space=\"preserve\">");
    InterfaceDrawing drawing(to, fonts);
    for (int i = 0; i < data.CmdListsCount; ++i) drawing.draw(*data.CmdLists[i]);
    to.add("</g>");
}

}  // namespace whorl::app
