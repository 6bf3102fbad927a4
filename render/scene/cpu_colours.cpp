#include "render/scene/cpu_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>

#include "render/scene/angle.h"
#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr std::uint32_t kColours = 64;
constexpr std::size_t kFirst = 8;

/// The first eight colours of CPUs and of classes, found by a search: far from each other and from the hues of regions
/// under all four visions, and from each other also in the shade, since faces turned away from the headlight are
/// darker.
struct Family {
    std::array<Rgba, kFirst> onDark;
    std::array<Rgba, kFirst> onLight;
    float turn;    ///< the hue at which the later colours begin, in turns
    float chroma;  ///< chroma of the later colours, in OKLab
};
constexpr Family kCpus{{hex(0x8AB6D7), hex(0xC7DF00), hex(0xBD6CCB), hex(0x30E6B1), hex(0x915F3D), hex(0x5F54D9),
                        hex(0x6A9A00), hex(0xBE009C)},
                       {hex(0x62A058), hex(0x4D06DD), hex(0xE060AE), hex(0x084735), hex(0xCE06A3), hex(0x8B644A),
                        hex(0xB26CF0), hex(0x5C3375)},
                       0,
                       0.13F};
constexpr Family kClasses{{hex(0xF2BE83), hex(0x8A53B7), hex(0x83A966), hex(0xD5FFDA), hex(0xC18BB7), hex(0x008363),
                           hex(0xB0CCFF), hex(0xD61CFA)},
                          {hex(0x5979CE), hex(0x693900), hex(0x8B0FB9), hex(0x7C8355), hex(0xAC3180), hex(0x481D3A),
                           hex(0x7214FF), hex(0x222376)},
                          0.5F,
                          0.09F};

const std::array<Rgba, kFirst>& firstOf(const Family& family, Ground ground) {
    return ground == Ground::dark ? family.onDark : family.onLight;
}

/// Whether a colour is too near to that of a region, of a miss, or of the first CPUs and classes.
bool isTaken(Ground ground, glm::vec3 lab) {
    const Palette& palette = paletteFor(ground);
    const auto near = [&](Rgba other, float reach) { return glm::distance(lab, oklab(other)) < reach; };
    if (near(palette.flash, 0.1F) || near(palette.scrap, 0.06F)) return true;
    const auto isAmong = [&](const auto& others, float reach) {
        return std::any_of(others.begin(), others.end(), [&](Rgba other) { return near(other, reach); });
    };
    return isAmong(palette.hues, 0.06F) || isAmong(firstOf(kCpus, ground), 0.05F) ||
           isAmong(firstOf(kClasses, ground), 0.05F);
}

/// A later colour of a family: hues a golden angle apart, none of them red, in three lightnesses by turns, so that
/// neighbours differ in both; and so much darker or lighter that it is not taken.
Rgba laterColour(const Family& family, Ground ground, std::uint32_t index) {
    const float turn = static_cast<float>(index) * 0.381966F + family.turn;
    const float angle = (65 + 285 * (turn - std::floor(turn))) / 180 * kPi;
    const float step = static_cast<float>(index % 3) * 0.11F;
    const float light = (ground == Ground::dark ? 0.62F : 0.36F) + step;
    const glm::vec3 lab(light, family.chroma * std::cos(angle), family.chroma * std::sin(angle));
    glm::vec3 out = lab;
    for (int i = 1; i < 12 && isTaken(ground, oklab(fromOklab(out))); ++i) {
        const int steps = (i + 1) / 2;
        out.x = light + (i % 2 == 0 ? -0.02F : 0.02F) * static_cast<float>(steps);
    }
    return fromOklab(out);
}

using Colours = std::array<Rgba, kColours>;

Colours coloursOf(const Family& family, Ground ground) {
    Colours out{};
    for (std::uint32_t i = 0; i < kColours; ++i) {
        out[i] = i < kFirst ? firstOf(family, ground)[i] : laterColour(family, ground, i);
    }
    return out;
}

Rgba colourOf(const std::array<Colours, 2>& byGround, Ground ground, std::uint32_t index) {
    return byGround[ground == Ground::dark ? 0 : 1][index % kColours];
}

}  // namespace

Rgba cpuColour(Ground ground, std::uint32_t cpu) {
    static const std::array colours{coloursOf(kCpus, Ground::dark), coloursOf(kCpus, Ground::light)};
    return colourOf(colours, ground, cpu);
}

Rgba classColour(Ground ground, std::uint32_t number) {
    static const std::array colours{coloursOf(kClasses, Ground::dark), coloursOf(kClasses, Ground::light)};
    return colourOf(colours, ground, number);
}

}  // namespace whorl::scene
