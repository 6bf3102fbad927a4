#include "render/scene/colour.h"

#include <algorithm>
#include <cmath>

namespace whorl::scene {

namespace {

float linear(std::uint8_t channel) {
    const float c = static_cast<float>(channel) / 255.0f;
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

std::uint8_t encoded(float c) {
    const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1.0f / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::lround(std::clamp(s, 0.0f, 1.0f) * 255.0f));
}

float luminance(Rgba c) {
    return 0.2126f * linear(c.r) + 0.7152f * linear(c.g) + 0.0722f * linear(c.b);
}

std::uint8_t between(std::uint8_t from, std::uint8_t to, float share) {
    const auto a = static_cast<float>(from);
    const auto b = static_cast<float>(to);
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
}

}  // namespace

Rgba faded(Rgba c, float factor) {
    c.a = static_cast<std::uint8_t>(std::lround(static_cast<float>(c.a) * std::clamp(factor, 0.0f, 1.0f)));
    return c;
}

Rgba mixed(Rgba from, Rgba to, float share) {
    if (share <= 0.0f) return from;
    if (share >= 1.0f) return to;
    const glm::vec3 a = oklab(from);
    const glm::vec3 b = oklab(to);
    return fromOklab(a + (b - a) * share, between(from.a, to.a, share));
}

glm::vec3 oklab(Rgba c) {
    const float r = linear(c.r);
    const float g = linear(c.g);
    const float b = linear(c.b);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Rgba fromOklab(glm::vec3 lab, std::uint8_t alpha) {
    const auto cube = [](float x) { return x * x * x; };
    const float l = cube(lab.x + 0.3963377774f * lab.y + 0.2158037573f * lab.z);
    const float m = cube(lab.x - 0.1055613458f * lab.y - 0.0638541728f * lab.z);
    const float s = cube(lab.x - 0.0894841775f * lab.y - 1.2914855480f * lab.z);
    return {encoded(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
            encoded(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
            encoded(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s), alpha};
}

float contrast(Rgba a, Rgba b) {
    const float la = luminance(a) + 0.05f;
    const float lb = luminance(b) + 0.05f;
    return std::max(la, lb) / std::min(la, lb);
}

Rgba readableOn(Rgba ground) {
    constexpr Rgba kBlack = hex(0x000000);
    constexpr Rgba kWhite = hex(0xFFFFFF);
    return contrast(ground, kBlack) >= contrast(ground, kWhite) ? kBlack : kWhite;
}

}  // namespace whorl::scene
