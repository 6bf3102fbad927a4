#include "render/gl/annulus_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/scene/rings/arms.h"

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

}  // namespace whorl::gl
