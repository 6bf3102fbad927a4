#include "render/svg/document.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace whorl::svg {

namespace {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            three = three << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k <= bytes.size() ? kDigits[three >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

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
        number(low.x), number(low.y), number(high.x - low.x), number(high.y - low.y), base64(png));
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

}  // namespace whorl::svg
