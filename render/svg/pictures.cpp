#include "render/svg/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "render/scene/rings/level_ring.h"
#include "render/scene/scene.h"
#include "render/svg/document.h"

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

// The glyphs of blocks as elements of SVG: shape, rim, core, halo, stripes and shading as the shader glyph.frag paints
// them.

/// The shape as an element that still lacks its end, with a radius of its own: for the rim it is smaller.
std::string shapeOf(const scene::Glyph& glyph, float r) {
    const float x = glyph.at.x;
    const float y = glyph.at.y;
    // Sizes as in the shader: a square has about the area of a disc.
    constexpr float kSide = 0.84F;
    constexpr float kRound = 0.18F;
    const auto square = [&](std::string_view more) {
        return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}", number(x - kSide * r),
                           number(y - kSide * r), number(2 * kSide * r), number(2 * kSide * r), number(kRound * r),
                           more);
    };
    switch (glyph.shape) {
        case scene::Shape::square:
            return square("");
        case scene::Shape::diamond:
            return square(fmt::format(" transform=\"rotate(45 {} {})\"", number(x), number(y)));
        case scene::Shape::triangle: {
            constexpr float kInner = 0.68F;  // the radius of the circle inside it, whose centre is lower than `at`
            constexpr float kSqrt3 = 1.7320508F;
            const glm::vec2 middle = glyph.at + glm::vec2(0, 0.2F * r);
            const float low = kInner * r;
            return fmt::format("<path d=\"M{}L{}L{}Z\"", point(middle - glm::vec2(0, 2 * low)),
                               point(middle + glm::vec2(kSqrt3 * low, low)),
                               point(middle + glm::vec2(-kSqrt3 * low, low)));
        }
        case scene::Shape::disc:
            break;
    }
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(x), number(y), number(r));
}

/// Fades to nothing at twice the radius, by the square of the way that is left.
void drawHalo(Document& to, const scene::Glyph& glyph) {
    std::string stops;
    for (const float at : {0.5F, 0.625F, 0.75F, 0.875F, 1.0F}) {
        const float left = 2 - 2 * at;
        stops += stop(at, scene::faded(glyph.fill, 0.55F * glyph.glow * left * left));
    }
    to.add("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"url(#{})\"/>", number(glyph.at.x), number(glyph.at.y),
           number(2 * glyph.radius), to.define("radialGradient", "", stops));
}

constexpr float kFlat = 2.5F;  ///< the radius up to which a glyph has no shading

/// The fill of a glyph. A bead is lit from the upper left: bright there, of its own colour in the middle, dark towards
/// the lower right.
std::string fillOf(Document& to, const scene::Glyph& glyph) {
    const scene::Rgba c = glyph.fill;
    const float opacity = static_cast<float>(c.a) / 255;
    // As in the shader, without shading on small glyphs; in steps, so that glyphs share what fills them.
    const float relief = std::round(8 * std::clamp((glyph.radius - kFlat) / 4, 0.0F, 1.0F) * opacity) / 8;
    if (relief == 0) return fill(c);
    const auto opaque = [](glm::vec3 rgb) {
        const auto channel = [](float v) { return static_cast<std::uint8_t>(std::lround(v)); };
        return scene::Rgba{channel(rgb.r), channel(rgb.g), channel(rgb.b)};
    };
    const glm::vec3 base(c.r, c.g, c.b);
    // The far side is 0.755 widths from the spot, which reaches 0.236.
    constexpr float kSpot = 0.312F;
    std::string stops;
    for (const float at : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) {
        const float left = 1 - at * at;
        stops += stop(kSpot * at, opaque(glm::mix(base, glm::vec3(255), 0.34F * relief * left * left)));
    }
    constexpr float kMiddle = 0.337F;
    for (const float at : {0.5F, 0.75F, 1.0F}) {
        stops += stop(kMiddle + (1 - kMiddle) * at, opaque(base * (1 - 0.16F * relief * at * at * at)));
    }
    std::string text =
        fmt::format(" fill=\"url(#{})\"", to.define("radialGradient", " cx=\".32\" cy=\".32\" r=\".755\"", stops));
    if (c.a != 255) text += fmt::format(" fill-opacity=\"{:.3g}\"", opacity);
    return text;
}

/// Everything of the glyph but the two stripes beside its middle, in units of its box.
std::string betweenStripes(Document& to, scene::Texture texture) {
    // Half of 0.41 ± 0.21 radii, as the box is two radii wide.
    constexpr float kFrom = 0.10F;
    constexpr float kTo = 0.31F;
    std::string bars;
    for (const auto& [low, high] : {std::pair(-1.0F, -kTo), std::pair(-kFrom, kFrom), std::pair(kTo, 1.0F)}) {
        bars += fmt::format("<rect x=\"-1\" y=\"{}\" width=\"3\" height=\"{}\" transform=\"rotate({} .5 .5)\"/>",
                            number(0.5F + low), number(high - low),
                            texture == scene::Texture::rising    ? -45
                            : texture == scene::Texture::upright ? 90
                                                                 : 0);
    }
    return to.define("clipPath", " clipPathUnits=\"objectBoundingBox\"", bars);
}

void drawBody(Document& to, const scene::Glyph& glyph) {
    const std::string look = fillOf(to, glyph);
    const bool isStriped = glyph.texture != scene::Texture::plain && glyph.radius > 2;
    std::string cut;
    if (isStriped) {
        to.add("{}{}/>", shapeOf(glyph, glyph.radius), fill(scene::faded(glyph.fill, 0.25F)));
        cut = fmt::format(" clip-path=\"url(#{})\"", betweenStripes(to, glyph.texture));
    }
    to.add("{}{}{}/>", shapeOf(glyph, glyph.radius), cut, look);
}

void draw(Document& to, const scene::Glyph& glyph) {
    if (!(glyph.radius > 0)) return;
    if (glyph.glow > 0 && glyph.fill.a > 0) drawHalo(to, glyph);
    if (glyph.fill.a > 0) drawBody(to, glyph);
    if (glyph.rimWidth > 0 && glyph.rim.a > 0) {
        const float wide = std::min(glyph.rimWidth, glyph.radius);
        to.add("{} fill=\"none\"{}/>", shapeOf(glyph, glyph.radius - wide / 2), stroke(glyph.rim, wide));
    }
    if (glyph.coreRadius > 0 && glyph.core.a > 0) to.circle(glyph.at, glyph.coreRadius, glyph.core);
}

/// Whether it is a disc of one colour and nothing else.
bool isPlain(const scene::Glyph& glyph) {
    return glyph.shape == scene::Shape::disc && glyph.radius > 0 && glyph.radius <= kFlat && glyph.glow == 0 &&
           glyph.fill.a > 0 && glyph.texture == scene::Texture::plain && (glyph.rimWidth == 0 || glyph.rim.a == 0) &&
           (glyph.coreRadius == 0 || glyph.core.a == 0);
}

/// Glyphs in their order. Small ones that look the same are dots of one line: there are thousands in a large cache.
void draw(Document& to, std::span<const scene::Glyph> glyphs) {
    for (std::size_t i = 0; i < glyphs.size();) {
        const scene::Glyph& first = glyphs[i];
        std::string dots;
        std::size_t end = i;
        for (; end < glyphs.size() && isPlain(glyphs[end]) && glyphs[end].radius == first.radius &&
               glyphs[end].fill == first.fill;
             ++end) {
            dots += "M" + point(glyphs[end].at) + "h0";
        }
        if (end > i + 1) {
            to.add("<path d=\"{}\" fill=\"none\" stroke-linecap=\"round\"{}/>", dots,
                   stroke(first.fill, 2 * first.radius));
            i = end;
        } else {
            draw(to, glyphs[i++]);
        }
    }
}

void draw(Document& to, glm::vec2 centre, const scene::Annulus& ring) {
    if (!(ring.outer > 0) || (ring.innerColour.a == 0 && ring.outerColour.a == 0)) return;
    const std::string inside = ring.inner > 0 ? circleData(centre, ring.inner) : "";
    to.add("<path d=\"{}{}\" fill-rule=\"evenodd\"{}/>", circleData(centre, ring.outer), inside,
           fillBetween(to, centre, ring.inner, ring.outer, ring.innerColour, ring.outerColour));
}

/// The sides of a sector are involutes: draw them as straight steps of a few pixels.
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

/// The opaque colour that adds as much light to the picture, or takes as much away, as a transparent one: PDF needs no
/// masks for it.
scene::Rgba opaque(scene::Rgba c, scene::Ground ground) {
    const auto channel = [&](int v) {
        const int nothing = scene::isDark(ground) ? 0 : 255;
        return static_cast<std::uint8_t>((v * c.a + nothing * (255 - c.a) + 127) / 255);
    };
    return {channel(c.r), channel(c.g), channel(c.b)};
}

/// As in OpenGL, each trail adds light on the dark ground and takes it away on the light one.
void drawTrails(Document& to, const scene::Scene& scene) {
    const std::string_view blend = scene::isDark(scene.ground) ? "screen" : "multiply";
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
    draw(to, std::span(scene.resting));
    drawTrails(to, scene);
    draw(to, scene.threads);
    draw(to, scene.leaders);
    draw(to, std::span(scene.moving));
}

namespace {

/// Cuts a picture into boxes from its upper left corner on.
class Cutting {
  public:
    explicit Cutting(const scene::Raster& raster) : raster_(raster), done_(raster.pixels().size()) {}

    bool isDone(glm::ivec2 p) const { return done_[index(p)]; }
    /// The box of one colour that begins at a pixel: as wide as it can be, then as high.
    ColouredBox take(glm::ivec2 p) {
        const scene::Rgba colour = raster_.at(p);
        int right = p.x;
        while (right < raster_.width() && isFree({right, p.y}, colour)) ++right;
        int low = p.y + 1;
        while (low < raster_.height() && isRow(p.x, right, low, colour)) ++low;
        for (int y = p.y; y < low; ++y) {
            for (int x = p.x; x < right; ++x) done_[index({x, y})] = true;
        }
        return {{p, {right, low}}, colour};
    }

  private:
    std::size_t index(glm::ivec2 p) const {
        return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(raster_.width()) +
               static_cast<std::size_t>(p.x);
    }
    bool isFree(glm::ivec2 p, scene::Rgba colour) const { return !done_[index(p)] && raster_.at(p) == colour; }
    bool isRow(int left, int right, int y, scene::Rgba colour) const {
        for (int x = left; x < right; ++x) {
            if (!isFree({x, y}, colour)) return false;
        }
        return true;
    }

    const scene::Raster& raster_;
    std::vector<bool> done_;
};

}  // namespace

std::vector<ColouredBox> boxesOf(const scene::Raster& raster, std::size_t most) {
    std::vector<ColouredBox> boxes;
    Cutting cutting(raster);
    for (int y = 0; y < raster.height(); ++y) {
        for (int x = 0; x < raster.width(); ++x) {
            if (cutting.isDone({x, y})) continue;
            if (boxes.size() > most) return boxes;
            boxes.push_back(cutting.take({x, y}));
        }
    }
    return boxes;
}

void draw(Document& to, const std::vector<ColouredBox>& boxes) {
    // Without smoothing, so that the ground does not show where two boxes meet.
    to.add("<g shape-rendering=\"crispEdges\">");
    for (const ColouredBox& box : boxes) to.rectangle(box.where.low, box.where.high, box.colour);
    to.add("</g>");
}

void drawStrokes(Document& to, const scene::FlatScene& scene) {
    if (scene.strokes.empty() || scene.clip.isEmpty()) return;
    to.add("<g clip-path=\"url(#{})\">", to.clip(scene.clip.low, scene.clip.high));
    draw(to, scene.strokes);
    to.add("</g>");
}

}  // namespace whorl::svg
