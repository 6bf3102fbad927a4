#include "render/svg/ring_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/scene/angle.h"
#include "render/scene/rings/arms.h"
#include "render/svg/glyphs.h"
#include "render/svg/lines.h"

namespace whorl::svg {

namespace {

/// The attribute that fills an area between two circles around the centre.
std::string fillBetween(Document& to, glm::vec2 centre, float inner, float outer, scene::Rgba from, scene::Rgba till) {
    if (from == till) return fill(from);
    const std::string where = fmt::format(" gradientUnits=\"userSpaceOnUse\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
                                          number(centre.x), number(centre.y), number(outer));
    return fmt::format(" fill=\"url(#{})\"",
                       to.define("radialGradient", where, stop(inner / outer, from) + stop(1, till)));
}

std::string circleData(glm::vec2 centre, float r) {
    const std::string radius = number(r);
    return fmt::format("M{}A{r} {r} 0 1 1 {}A{r} {r} 0 1 1 {}Z", point(centre - glm::vec2(r, 0)),
                       point(centre + glm::vec2(r, 0)), point(centre - glm::vec2(r, 0)), fmt::arg("r", radius));
}

void draw(Document& to, glm::vec2 centre, const scene::Annulus& ring) {
    if (!(ring.outer > 0) || (ring.innerColour.a == 0 && ring.outerColour.a == 0)) return;
    const std::string inside = ring.inner > 0 ? circleData(centre, ring.inner) : "";
    to.add("<path d=\"{}{}\" fill-rule=\"evenodd\"{}/>", circleData(centre, ring.outer), inside,
           fillBetween(to, centre, ring.inner, ring.outer, ring.innerColour, ring.outerColour));
}

/// Its sides in steps of a few pixels: they are not straight.
void draw(Document& to, glm::vec2 centre, const scene::RingSector& sector) {
    constexpr float kStep = 4;
    const auto at = [&](float r, float angle) {
        return point(centre + r * glm::vec2(std::cos(angle), std::sin(angle)));
    };
    const auto steps = static_cast<int>(std::ceil(std::max(sector.outer - sector.inner, 1.0F) / kStep));
    const auto radius = [&](int i) {
        return sector.inner + (sector.outer - sector.inner) * static_cast<float>(i) / static_cast<float>(steps);
    };
    const auto turned = [&](float r) { return sector.from + scene::sideTurn(sector, r); };
    const int large = sector.span > scene::kPi ? 1 : 0;
    std::string data = "M" + at(sector.inner, sector.from);
    for (int i = 1; i <= steps; ++i) data += "L" + at(radius(i), turned(radius(i)));
    data += fmt::format("A{0} {0} 0 {1} 1 {2}", number(sector.outer), large,
                        at(sector.outer, turned(sector.outer) + sector.span));
    for (int i = steps - 1; i >= 0; --i) data += "L" + at(radius(i), turned(radius(i)) + sector.span);
    data += fmt::format("A{0} {0} 0 {1} 0 {2}Z", number(sector.inner), large, at(sector.inner, sector.from));
    to.add("<path d=\"{}\"{}/>", data,
           fillBetween(to, centre, sector.inner, sector.outer, sector.innerColour, sector.outerColour));
}

/// What adds as much light to the picture, or takes as much away, as a transparent colour: opaque, so that PDF needs no
/// masks for it.
scene::Rgba opaque(scene::Rgba c, scene::Ground ground) {
    const auto channel = [&](int v) {
        const int nothing = ground == scene::Ground::dark ? 0 : 255;
        return static_cast<std::uint8_t>((v * c.a + nothing * (255 - c.a) + 127) / 255);
    };
    return {channel(c.r), channel(c.g), channel(c.b)};
}

/// As in OpenGL, each trail adds light on the dark ground and takes it away on the light one.
void drawTrails(Document& to, const scene::Scene& scene) {
    const std::string_view blend = scene.ground == scene::Ground::dark ? "screen" : "multiply";
    std::vector<scene::Stroke> trails = scene.trails;
    for (scene::Stroke& s : trails) {
        s.colourA = opaque(s.colourA, scene.ground);
        s.colourB = opaque(s.colourB, scene.ground);
    }
    for (std::size_t i = 0; i < trails.size();) {
        const std::size_t count = lengthOfLine(trails, i);
        to.add("<g style=\"mix-blend-mode:{}\">", blend);
        draw(to, std::span(trails).subspan(i, count));
        to.add("</g>");
        i += count;
    }
}

}  // namespace

void draw(Document& to, const scene::Scene& scene) {
    to.rectangle({0, 0}, scene.size, scene.background);
    for (const scene::Annulus& ring : scene.annuli) draw(to, scene.centre, ring);
    for (const scene::RingSector& sector : scene.ringSectors) draw(to, scene.centre, sector);
    for (const scene::Ribbon& ribbon : scene.ribbons) draw(to, ribbon);
    draw(to, scene.flows);
    draw(to, scene.cells);
    for (const scene::Glyph& glyph : scene.resting) draw(to, glyph);
    drawTrails(to, scene);
    draw(to, scene.threads);
    draw(to, scene.leaders);
    for (const scene::Glyph& glyph : scene.moving) draw(to, glyph);
}

}  // namespace whorl::svg
