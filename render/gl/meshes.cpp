#include "render/gl/meshes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "render/scene/rings/level_ring.h"

namespace whorl::gl {

namespace {

scene::Rgba withAlpha(scene::Rgba c, float alpha) {
    c.a = static_cast<std::uint8_t>(std::lround(std::clamp(alpha, 0.0F, 255.0F)));
    return c;
}

/// The number of corners that keeps the polygon within a twentieth of a pixel of the circle.
std::uint32_t cornersFor(float radius) {
    const float angle = 2 * std::acos(1 - 0.05F / std::max(radius, 1.0F));
    const auto corners = static_cast<std::uint32_t>(std::ceil(2 * std::numbers::pi_v<float> / angle));
    return std::clamp((corners + 7) / 8 * 8, 16U, 1024U);
}

bool touch(const scene::Annulus& inner, const scene::Annulus& outer) {
    return std::abs(inner.outer - outer.inner) < 1e-3F;
}

/// Too thin for two borders of half a pixel.
bool thin(const scene::Annulus& annulus, float scale) {
    return (annulus.outer - annulus.inner) * scale < 1;
}

}  // namespace

void AnnulusMesh::build(std::span<const scene::Annulus> annuli, std::span<const scene::RingSector> ringSectors,
                        glm::vec2 centre, float scale) {
    vertices_.clear();
    indices_.clear();
    for (std::size_t begin = 0; begin < annuli.size();) {
        std::size_t end = begin + 1;
        if (thin(annuli[begin], scale)) {
            addHairline(annuli[begin], scale);
        } else {
            while (end < annuli.size() && touch(annuli[end - 1], annuli[end]) && !thin(annuli[end], scale)) ++end;
            addBand(annuli.subspan(begin, end - begin), scale);
        }
        addRings(centre * scale);
        begin = end;
    }
    for (const scene::RingSector& sector : ringSectors) addSector(sector, centre * scale, scale);
}

/// Annuli from the inside out, each beginning where the one before ends.
void AnnulusMesh::addBand(std::span<const scene::Annulus> band, float scale) {
    stops_.clear();
    const scene::Annulus& first = band.front();
    if (first.inner > 0) {
        stops_.push_back({std::max(first.inner * scale - 0.5F, 0.0F), withAlpha(first.innerColour, 0)});
        stops_.push_back({first.inner * scale + 0.5F, first.innerColour});
    } else {
        stops_.push_back({0, first.innerColour});
    }
    for (std::size_t i = 1; i < band.size(); ++i) {
        const float radius = band[i].inner * scale;
        if (band[i - 1].outerColour == band[i].innerColour) {
            stops_.push_back({radius, band[i].innerColour});
        } else {
            stops_.push_back({radius - 0.5F, band[i - 1].outerColour});
            stops_.push_back({radius + 0.5F, band[i].innerColour});
        }
    }
    const scene::Annulus& last = band.back();
    stops_.push_back({last.outer * scale - 0.5F, last.outerColour});
    stops_.push_back({last.outer * scale + 0.5F, withAlpha(last.outerColour, 0)});
}

/// A circle thinner than a pixel: as faint as it is thin, and smooth.
void AnnulusMesh::addHairline(const scene::Annulus& annulus, float scale) {
    const float width = std::max(annulus.outer - annulus.inner, 0.0F) * scale;
    const float radius = (annulus.outer + annulus.inner) / 2 * scale;
    stops_.clear();
    stops_.push_back({std::max(radius - 1, 0.0F), withAlpha(annulus.innerColour, 0)});
    stops_.push_back({radius, withAlpha(annulus.innerColour, float(annulus.innerColour.a) * width)});
    stops_.push_back({radius + 1, withAlpha(annulus.innerColour, 0)});
}

void AnnulusMesh::addRings(glm::vec2 centre) {
    const std::uint32_t corners = cornersFor(stops_.back().radius);
    const auto rings = static_cast<std::uint32_t>(stops_.size());
    const auto base = static_cast<std::uint32_t>(vertices_.size());
    for (std::uint32_t i = 0; i < corners; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(corners);
        const glm::vec2 way{std::cos(angle), std::sin(angle)};
        for (const Stop& stop : stops_) vertices_.push_back({centre + way * stop.radius, stop.colour});
    }
    for (std::uint32_t i = 0; i < corners; ++i) {
        const std::uint32_t here = base + i * rings;
        const std::uint32_t next = base + (i + 1) % corners * rings;
        for (std::uint32_t k = 0; k + 1 < rings; ++k) {
            indices_.insert(indices_.end(), {here + k, here + k + 1, next + k});
            indices_.insert(indices_.end(), {next + k, here + k + 1, next + k + 1});
        }
    }
}

/// A sector as a net of rows from the inside out, each turned as its sides are. The sides fade out over a pixel; where
/// one sector begins at the outer edge of another, their colours meet.
void AnnulusMesh::addSector(const scene::RingSector& sector, glm::vec2 centre, float scale) {
    const float inner = sector.inner * scale;
    const float outer = sector.outer * scale;
    const auto rows = static_cast<std::uint32_t>(std::clamp((outer - inner) / 4, 1.0F, 64.0F));
    const float corners = static_cast<float>(cornersFor(outer)) * sector.span / (2 * std::numbers::pi_v<float>);
    const auto columns = static_cast<std::uint32_t>(std::clamp(corners, 4.0F, 1024.0F));
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    for (std::uint32_t row = 0; row <= rows; ++row) {
        const float share = static_cast<float>(row) / static_cast<float>(rows);
        const float r = inner + (outer - inner) * share;
        const float from = sector.from + scene::sideTurn(sector, r / scale);
        const float half = 0.5F / std::max(r, 1.0F);
        const scene::Rgba colour = scene::mixed(sector.innerColour, sector.outerColour, share);
        const auto add = [&](float angle, scene::Rgba c) {
            vertices_.push_back({centre + r * glm::vec2(std::cos(angle), std::sin(angle)), c});
        };
        add(from - half, withAlpha(colour, 0));
        for (std::uint32_t c = 0; c <= columns; ++c) {
            const float along = static_cast<float>(c) / static_cast<float>(columns);
            add(from + half + (sector.span - 2 * half) * along, colour);
        }
        add(from + sector.span + half, withAlpha(colour, 0));
    }
    const std::uint32_t width = columns + 3;
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t c = 0; c + 1 < width; ++c) {
            const std::uint32_t here = first + row * width + c;
            indices_.insert(indices_.end(), {here, here + 1, here + width});
            indices_.insert(indices_.end(), {here + width, here + 1, here + width + 1});
        }
    }
}

namespace {

// Points nearer to each other than this are one: the direction between them means nothing.
constexpr float kSamePoint = 1e-3F;
// Below a turn of about 40 degrees a corner is mitred, above it is rounded.
constexpr float kMitreCosine = 0.94F;

glm::vec2 turned(glm::vec2 v, float angle) {
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    return {c * v.x - s * v.y, s * v.x + c * v.y};
}

/// How far the mesh reaches to each side: the line and half a pixel more, in which it fades out.
float reachOf(float halfWidth) {
    return std::max(halfWidth, 0.5F) + 0.5F;
}

}  // namespace

void RibbonMesh::clear() {
    vertices_.clear();
    indices_.clear();
}

void RibbonMesh::add(const scene::Ribbon& ribbon, float scale) {
    line_.clear();
    for (const glm::vec2 at : ribbon.path) {
        const glm::vec2 here = at * scale;
        if (!line_.empty() && glm::distance(line_.back().at, here) < kSamePoint) continue;
        line_.push_back({here, ribbon.width * scale / 2, ribbon.colour, ribbon.colour});
    }
    addLine();
}

void RibbonMesh::add(std::span<const scene::Stroke> strokes, float scale) {
    line_.clear();
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        const scene::Stroke& s = strokes[i];
        const float halfWidth = s.width * scale / 2;
        const bool goesOn = !line_.empty() && strokes[i - 1].b == s.a;
        if (goesOn) {
            line_.back().halfWidth = (line_.back().halfWidth + halfWidth) / 2;
            line_.back().after = s.colourA;
        } else {
            addLine();
            line_.clear();
            line_.push_back({s.a * scale, halfWidth, s.colourA, s.colourA});
        }
        const glm::vec2 end = s.b * scale;
        if (glm::distance(line_.back().at, end) >= kSamePoint) {
            line_.push_back({end, halfWidth, s.colourB, s.colourB});
        }
    }
    addLine();
}

void RibbonMesh::addLine() {
    if (line_.empty()) return;
    const bool closed = line_.size() > 3 && glm::distance(line_.front().at, line_.back().at) < kSamePoint;
    if (closed) {
        line_.front().before = line_.back().before;
        line_.pop_back();
    }
    if (line_.size() == 1) {
        addDot(line_.front());
        return;
    }
    measureSegments(closed);
    const std::size_t count = line_.size();
    Section first{};
    Section open{};
    if (closed) {
        const Joint j = joint(line_[0], segments_.back(), segments_[0]);
        first = j.in;
        open = j.out;
    } else {
        open = cap(line_[0], segments_[0], true);
    }
    for (std::size_t i = 1; i < count; ++i) {
        if (i + 1 == count && !closed) {
            quad(open, cap(line_[i], segments_[i - 1], false));
            return;
        }
        const Joint j = joint(line_[i], segments_[i - 1], segments_[i]);
        quad(open, j.in);
        open = j.out;
    }
    quad(open, first);
}

void RibbonMesh::addDot(const Point& point) {
    const float r = reachOf(point.halfWidth);
    const auto corner = [&](float x, float y) { return vertex(point, {x, y}, {x, y}, point.after); };
    const Section upper{corner(-r, -r), corner(r, -r)};
    quad(upper, {corner(-r, r), corner(r, r)});
}

void RibbonMesh::measureSegments(bool closed) {
    segments_.clear();
    const std::size_t count = closed ? line_.size() : line_.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec2 way = line_[(i + 1) % line_.size()].at - line_[i].at;
        const float length = glm::length(way);
        const glm::vec2 along = way / length;
        // A segment between two joints is shared by them.
        const bool shared = closed || (i > 0 && i + 1 < count);
        segments_.push_back({along, {-along.y, along.x}, length, shared ? length / 2 : length});
    }
}

/// Where two segments meet. Gentle turns are mitred: both share the two corners on the bisector.
RibbonMesh::Joint RibbonMesh::joint(const Point& point, const Segment& from, const Segment& to) {
    const float reach = reachOf(point.halfWidth);
    const glm::vec2 sum = from.left + to.left;
    const float length = glm::length(sum);
    const float cosine = length / 2;  // cosine of half the turn
    const float room = std::min(from.room, to.room);
    const float cut = cosine > 0 ? reach * std::sqrt(std::max(1 - cosine * cosine, 0.0F)) / cosine : room + 1;
    if (cosine < kMitreCosine || cut > room) return roundJoint(point, from, to, reach);
    const glm::vec2 mitre = sum / length * (reach / cosine);
    const Section in{vertex(point, mitre, {0, reach}, point.before), vertex(point, -mitre, {0, -reach}, point.before)};
    if (point.before == point.after) return {in, in};
    return {in, {vertex(point, mitre, {0, reach}, point.after), vertex(point, -mitre, {0, -reach}, point.after)}};
}

/// A sharp turn: on the inner side both segments end in one corner on the bisector, on the outer side each ends square
/// and a fan around the point fills what is open between them.
RibbonMesh::Joint RibbonMesh::roundJoint(const Point& point, const Segment& from, const Segment& to, float reach) {
    const float cross = from.along.x * to.along.y - from.along.y * to.along.x;
    const float turn = std::atan2(cross, glm::dot(from.along, to.along));
    const float side = turn >= 0 ? 1.0F : -1.0F;  // the inner side: 1 is left
    const float cosine = std::cos(turn / 2);
    const float sine = std::abs(std::sin(turn / 2));
    const glm::vec2 bisector = turned(from.left, turn / 2) * side;
    // Where the segments are too short for the full mitre the corner moves in. Its distance from the line is then
    // smaller, and stays true.
    const float room = std::min(from.room, to.room);
    const float depth = sine * reach > room * cosine ? room / sine : reach / cosine;
    const glm::vec2 inner = bisector * depth;
    const glm::vec2 innerOff{0, side * depth * cosine};
    const glm::vec2 outerOff{0, -side * reach};

    const std::uint32_t innerIn = vertex(point, inner, innerOff, point.before);
    const std::uint32_t outerIn = vertex(point, from.left * (-side * reach), outerOff, point.before);
    const std::uint32_t hubIn = vertex(point, {0, 0}, {0, 0}, point.before);
    const std::uint32_t innerOut = vertex(point, inner, innerOff, point.after);
    const std::uint32_t outerOut = vertex(point, to.left * (-side * reach), outerOff, point.after);
    const std::uint32_t hubOut = vertex(point, {0, 0}, {0, 0}, point.after);
    triangle(innerIn, hubIn, outerIn);
    triangle(innerOut, hubOut, outerOut);
    fan(point, hubOut, from.left * (-side * reach), turn);
    if (side > 0) return {{innerIn, outerIn}, {innerOut, outerOut}};
    return {{outerIn, innerIn}, {outerOut, innerOut}};
}

/// A piece of a disc around the point, from the offset `from` through the angle `turn`. The corners lie around the arc,
/// not on it: the shader rounds it.
void RibbonMesh::fan(const Point& point, std::uint32_t hub, glm::vec2 from, float turn) {
    const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(turn) / (std::numbers::pi_v<float> / 3))));
    const float step = turn / static_cast<float>(steps);
    std::uint32_t last = vertex(point, from, from, point.after);
    for (int i = 0; i < steps; ++i) {
        const glm::vec2 tip = turned(from, step * (static_cast<float>(i) + 0.5F)) / std::cos(step / 2);
        const glm::vec2 end = turned(from, step * static_cast<float>(i + 1));
        const std::uint32_t middle = vertex(point, tip, tip, point.after);
        const std::uint32_t next = vertex(point, end, end, point.after);
        triangle(hub, last, middle);
        triangle(hub, middle, next);
        last = next;
    }
}

/// A round end. Gives the section where the segment itself begins or ends.
RibbonMesh::Section RibbonMesh::cap(const Point& point, const Segment& segment, bool atStart) {
    const float reach = reachOf(point.halfWidth);
    const scene::Rgba colour = atStart ? point.after : point.before;
    const glm::vec2 side = segment.left * reach;
    const glm::vec2 beyond = segment.along * (atStart ? -reach : reach);
    const Section section{vertex(point, side, {0, reach}, colour), vertex(point, -side, {0, -reach}, colour)};
    const Section end{vertex(point, beyond + side, {reach, reach}, colour),
                      vertex(point, beyond - side, {reach, -reach}, colour)};
    quad(section, end);
    return section;
}

std::uint32_t RibbonMesh::vertex(const Point& point, glm::vec2 offset, glm::vec2 off, scene::Rgba colour) {
    vertices_.push_back({point.at + offset, off, point.halfWidth, colour});
    return static_cast<std::uint32_t>(vertices_.size() - 1);
}

void RibbonMesh::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    indices_.insert(indices_.end(), {a, b, c});
}

void RibbonMesh::quad(Section from, Section to) {
    triangle(from.left, from.right, to.left);
    triangle(to.left, from.right, to.right);
}

}  // namespace whorl::gl
