#include "app/panels/player_signs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace whorl::app {
namespace {

/// A part of a sign in a square from 0 to 1. A triangle has its base at `from` and its tip at `to`.
struct Part {
    enum class Shape { bar, triangle, disc } shape;
    float from;
    float to;
};
using Shape = Part::Shape;

struct Sign {
    ImWchar character;
    std::array<Part, 2> parts;
    int count;
};

constexpr std::array<Sign, 9> kSigns{{
    {0x23E9, {{{Shape::triangle, 0.0F, 0.5F}, {Shape::triangle, 0.5F, 1.0F}}}, 2},  // fast forward
    {0x23EA, {{{Shape::triangle, 0.5F, 0.0F}, {Shape::triangle, 1.0F, 0.5F}}}, 2},  // rewind
    {0x23ED, {{{Shape::triangle, 0.08F, 0.72F}, {Shape::bar, 0.74F, 0.92F}}}, 2},   // to the end
    {0x23EE, {{{Shape::triangle, 0.92F, 0.28F}, {Shape::bar, 0.08F, 0.26F}}}, 2},   // to the beginning
    {0x23F4, {{{Shape::triangle, 0.9F, 0.1F}}}, 1},                                 // backwards
    {0x23F5, {{{Shape::triangle, 0.1F, 0.9F}}}, 1},                                 // play
    {0x23F8, {{{Shape::bar, 0.14F, 0.4F}, {Shape::bar, 0.6F, 0.86F}}}, 2},          // pause
    {0x23F9, {{{Shape::bar, 0.06F, 0.94F}}}, 1},                                    // stop
    {0x23FA, {{{Shape::disc, 0.0F, 1.0F}}}, 1},                                     // record
}};

bool covers(const Part& part, float x, float y) {
    switch (part.shape) {
        case Shape::bar:
            return x >= part.from && x <= part.to && y >= 0.06F && y <= 0.94F;
        case Shape::triangle: {
            const float along = (x - part.from) / (part.to - part.from);
            return along >= 0 && along <= 1 && std::abs(y - 0.5F) <= 0.5F * (1 - along);
        }
        case Shape::disc:
            return std::hypot(x - 0.5F, y - 0.5F) <= 0.5F;
    }
    return false;
}

/// How much of the pixel the sign covers, 0 to 255, from 8 by 8 samples.
unsigned char coverage(const Sign& sign, int column, int row, int side) {
    constexpr int kSamples = 8;
    const std::span parts(sign.parts.data(), std::size_t(sign.count));
    const auto place = [side](int pixel, int sample) {
        return (float(pixel) + (float(sample) + 0.5F) / kSamples) / float(side);
    };
    int hits = 0;
    for (int i = 0; i < kSamples * kSamples; ++i) {
        const int down = i / kSamples;
        const float x = place(column, i % kSamples);
        const float y = place(row, down);
        hits += std::ranges::any_of(parts, [x, y](const Part& part) { return covers(part, x, y); }) ? 1 : 0;
    }
    return static_cast<unsigned char>(hits * 255 / (kSamples * kSamples));
}

const Sign* find(ImWchar character) {
    for (const Sign& sign : kSigns) {
        if (sign.character == character) return &sign;
    }
    return nullptr;
}

/// The edge of a part; covers() tests its inside.
std::vector<glm::vec2> outline(const Part& part) {
    constexpr float kLow = 0.06F;
    switch (part.shape) {
        case Shape::bar:
            return {{part.from, kLow}, {part.to, kLow}, {part.to, 1 - kLow}, {part.from, 1 - kLow}};
        case Shape::triangle:
            return {{part.from, 0}, {part.to, 0.5F}, {part.from, 1}};
        case Shape::disc:
            break;
    }
    constexpr int kCorners = 48;
    std::vector<glm::vec2> corners;
    for (int i = 0; i < kCorners; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * float(i) / kCorners;
        corners.emplace_back(0.5F + 0.5F * std::cos(angle), 0.5F + 0.5F * std::sin(angle));
    }
    return corners;
}

}  // namespace

std::vector<std::vector<glm::vec2>> PlayerSigns::outlines(ImWchar character) {
    std::vector<std::vector<glm::vec2>> parts;
    const Sign* const sign = find(character);
    if (sign == nullptr) return parts;
    for (const Part& part : std::span(sign->parts.data(), std::size_t(sign->count))) parts.push_back(outline(part));
    return parts;
}

void PlayerSigns::reserve(ImFontAtlas& atlas, ImFont& font, float size) {
    // As high as a capital, and on the baseline: DejaVu's ascent is 0.797 of a line, its capitals 0.626.
    const int side = int(std::round(0.64F * size));
    const float top = std::round(0.797F * size) - float(side);
    const float advance = float(side) + std::round(0.12F * size);
    for (const Sign& sign : kSigns) {
        const ImVec2 offset(std::round(0.06F * size), top);
        places_.push_back(
            {sign.character, atlas.AddCustomRectFontGlyph(&font, sign.character, side, side, advance, offset)});
    }
}

void PlayerSigns::paint(ImFontAtlas& atlas) const {
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    for (const Place& place : places_) {
        const ImFontAtlasCustomRect& box = *atlas.GetCustomRectByIndex(place.rectangle);
        if (!box.IsPacked()) continue;  // there was no room for it: it lies outside of the atlas
        const Sign& sign = *find(place.sign);
        for (int row = 0; row < box.Height; ++row) {
            for (int column = 0; column < box.Width; ++column) {
                const std::size_t at = std::size_t(box.Y + row) * std::size_t(width) + std::size_t(box.X + column);
                pixels[at] = coverage(sign, column, row, box.Width);
            }
        }
    }
}

}  // namespace whorl::app
