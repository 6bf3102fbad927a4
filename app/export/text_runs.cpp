#include "app/export/text_runs.h"

#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>

namespace whorl::app {

namespace {

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

}  // namespace

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

bool extend(TextRun& run, const TextRun& next) {
    constexpr int kMostSpaces = 8;
    constexpr float kNear = 0.6F;  // pixels of the font: less than half of a space
    if (!sameSize(run, next) || !(run.colour == next.colour) || run.outline) return false;
    const float unit = glm::length(run.along);
    const glm::vec2 way = run.along / unit;
    const glm::vec2 gap = next.at - run.end;
    const float space = run.font->GetCharAdvance(' ') * unit;
    const float along = glm::dot(gap, way);
    const float spaces = std::round(along / space);
    const bool isBeside = std::abs(gap.x * way.y - gap.y * way.x) < kNear * unit;
    if (!isBeside || spaces < 0 || spaces > kMostSpaces || std::abs(along - spaces * space) > kNear * unit)
        return false;
    run.text.append(static_cast<std::size_t>(spaces), ' ');
    run.text += next.text;
    run.end = next.end;
    return true;
}

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

}  // namespace whorl::app
