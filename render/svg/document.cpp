#include "render/svg/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sim/base/base64.h"

namespace whorl::svg {

namespace {

/// "#rrggbb", without the alpha.
std::string hueOf(scene::Rgba c) {
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

std::string paint(std::string_view what, scene::Rgba c) {
    std::string text = fmt::format(" {}=\"{}\"", what, hueOf(c));
    if (c.a != 255) fmt::format_to(std::back_inserter(text), " {}-opacity=\"{:.3g}\"", what, c.a / 255.0);
    return text;
}

}  // namespace

std::string number(float value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string point(glm::vec2 at) {
    return number(at.x) + " " + number(at.y);
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20) out += c;
        }
    }
    return out;
}

std::string stop(float at, scene::Rgba colour) {
    std::string text = fmt::format("<stop offset=\"{:.4g}\" stop-color=\"{}\"", at, hueOf(colour));
    if (colour.a != 255) fmt::format_to(std::back_inserter(text), " stop-opacity=\"{:.3g}\"", colour.a / 255.0);
    return text + "/>";
}

std::string fill(scene::Rgba colour) {
    return paint("fill", colour);
}

std::string stroke(scene::Rgba colour, float width) {
    return paint("stroke", colour) + fmt::format(" stroke-width=\"{}\"", number(width));
}

void Document::beginPart(glm::vec2 by, glm::vec2 size) {
    add("<g transform=\"translate({})\" clip-path=\"url(#{})\">", point(by), clip({0, 0}, size));
}

std::string Document::define(std::string_view element, std::string_view attributes, std::string_view content) {
    const std::string rest = fmt::format("{}>{}</{}>\n", attributes, content, element);
    const auto [known, isNew] = ids_.try_emplace(fmt::format("{}{}", element, rest), fmt::format("d{}", ids_.size()));
    if (isNew) fmt::format_to(std::back_inserter(definitions_), "<{} id=\"{}\"{}", element, known->second, rest);
    return known->second;
}

std::string Document::clip(glm::vec2 low, glm::vec2 high) {
    return define("clipPath", "",
                  fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", number(low.x), number(low.y),
                              number(high.x - low.x), number(high.y - low.y)));
}

void Document::circle(glm::vec2 at, float radius, scene::Rgba colour) {
    add("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>", number(at.x), number(at.y), number(radius), fill(colour));
}

void Document::rectangle(glm::vec2 low, glm::vec2 high, scene::Rgba colour) {
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>", number(low.x), number(low.y), number(high.x - low.x),
        number(high.y - low.y), fill(colour));
}

void Document::polygon(std::span<const glm::vec2> outline, scene::Rgba colour) {
    std::string data;
    for (const glm::vec2 at : outline) data += (data.empty() ? "M" : "L") + point(at);
    add("<path d=\"{}Z\"{}/>", data, fill(colour));
}

void Document::image(glm::vec2 low, glm::vec2 high, std::string_view png) {
    add("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"image-rendering:pixelated\" "
        "xlink:href=\"data:image/png;base64,{}\"/>",
        number(low.x), number(low.y), number(high.x - low.x), number(high.y - low.y), sim::base64(png));
}

std::string Document::finish(std::string_view title) const {
    const std::string width = number(size_.x);
    const std::string height = number(size_.y);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<title>{2}</title>\n<defs>\n{3}</defs>\n{4}</svg>\n",
        width, height, escaped(title), definitions_, body_);
}

namespace {

/// How far two colours are apart: the largest difference of a channel.
int apart(scene::Rgba a, scene::Rgba b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

/// The attribute that colours a stroke: by one colour where its ends are alike.
std::string colourOf(Document& to, const scene::Stroke& s) {
    constexpr int kAlike = 24;
    if (apart(s.colourA, s.colourB) <= kAlike) return stroke(scene::mixed(s.colourA, s.colourB, 0.5F), s.width);
    const std::string way = fmt::format(" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                                        number(s.a.x), number(s.a.y), number(s.b.x), number(s.b.y));
    const std::string id = to.define("linearGradient", way, stop(0, s.colourA) + stop(1, s.colourB));
    return fmt::format(" stroke=\"url(#{})\" stroke-width=\"{}\"", id, number(s.width));
}

bool isDot(const scene::Stroke& s) {
    return s.a == s.b;
}

bool sameLook(const scene::Stroke& a, const scene::Stroke& b) {
    return a.width == b.width && a.colourA == b.colourA && a.colourB == b.colourB && a.colourA == a.colourB;
}

/// Whether nobody sees where the one becomes the other.
bool passesAsOne(const scene::Stroke& first, const scene::Stroke& last) {
    constexpr int kUnseen = 10;
    constexpr float kUnseenWidth = 0.1F;
    return apart(first.colourA, last.colourB) <= kUnseen && std::abs(first.width - last.width) <= kUnseenWidth;
}

/// A line whose colour and width change from stroke to stroke. Round ends would show where transparent strokes overlap,
/// so only the line's own ends are round.
void drawLine(Document& to, std::span<const scene::Stroke> line) {
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t from = i;
        const scene::Stroke& s = line[from];
        std::string data = "M" + point(s.a) + "L" + point(s.b);
        for (++i; i < line.size() && passesAsOne(s, line[i]); ++i) data += "L" + point(line[i].b);
        if (s.colourA.a == 0 && line[i - 1].colourB.a == 0) continue;
        to.add("<path d=\"{}\"{}{}/>", data, colourOf(to, line[(from + i - 1) / 2]),
               i == line.size() ? "" : " stroke-linecap=\"butt\"");
    }
}

/// Separate strokes of one look as one element.
void drawAlike(Document& to, std::span<const scene::Stroke> strokes) {
    std::string data;
    for (const scene::Stroke& s : strokes) data += "M" + point(s.a) + "L" + point(s.b);
    to.add("<path d=\"{}\"{}/>", data, stroke(strokes.front().colourA, strokes.front().width));
}

/// How many strokes from `first` on look alike and may be one element: transparent ones would be laid over each other
/// only once.
std::size_t lengthOfAlike(std::span<const scene::Stroke> strokes, std::size_t first) {
    std::size_t last = first;
    if (strokes[first].colourA.a != 255) return 1;
    while (last + 1 < strokes.size() && sameLook(strokes[first], strokes[last + 1]) && !isDot(strokes[last + 1])) {
        ++last;
    }
    return last + 1 - first;
}

}  // namespace

std::size_t lengthOfLine(std::span<const scene::Stroke> strokes, std::size_t first) {
    std::size_t last = first;
    while (last + 1 < strokes.size() && !isDot(strokes[last]) && !isDot(strokes[last + 1]) &&
           strokes[last].b == strokes[last + 1].a) {
        ++last;
    }
    return last + 1 - first;
}

void draw(Document& to, std::span<const scene::Stroke> strokes) {
    if (strokes.empty()) return;
    to.add("<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">");
    for (std::size_t i = 0; i < strokes.size();) {
        const scene::Stroke& s = strokes[i];
        if (isDot(s)) {
            to.circle(s.a, s.width / 2, s.colourA);
            ++i;
            continue;
        }
        const std::size_t alike = lengthOfAlike(strokes, i);
        const std::size_t line = lengthOfLine(strokes, i);
        if (alike > 1 && sameLook(s, s)) {
            drawAlike(to, strokes.subspan(i, alike));
            i += alike;
        } else {
            drawLine(to, strokes.subspan(i, line));
            i += line;
        }
    }
    to.add("</g>");
}

void draw(Document& to, const scene::Ribbon& ribbon) {
    if (ribbon.path.empty() || ribbon.colour.a == 0) return;
    std::string data;
    for (const glm::vec2 at : ribbon.path) data += (data.empty() ? "M" : "L") + point(at);
    const bool isClosed = ribbon.path.size() > 2 && ribbon.path.front() == ribbon.path.back();
    to.add("<path d=\"{}{}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{}/>", data,
           isClosed ? "Z" : "", stroke(ribbon.colour, ribbon.width));
}

}  // namespace whorl::svg
