#include "render/scene/rings/memory_ring.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/scene.h"

namespace whorl::scene {

namespace {

constexpr float kTop = -kPi / 2;

/// The arcs: as wide as the square root of the number of slots, none below a floor; the gaps take at most a quarter in
/// all.
void layArcs(MemoryRing& ring, const MemorySlots& memorySlots) {
    const auto n = static_cast<float>(memorySlots.spans().size());
    const float gap = std::min(std::clamp(0.4f / n, 0.03f, 0.09f), kPi / 2 / n);
    const float room = 2 * kPi - n * gap;
    const float floor = std::min(0.21f, 0.5f * room / n);
    float sum = 0;
    for (const MemorySlots::Span& span : memorySlots.spans()) sum += std::sqrt(static_cast<float>(span.count));
    // What lies above the floor is shared by the square root, so every arc gets the floor and the sum comes out even.
    float at = kTop + gap / 2;
    for (const MemorySlots::Span& span : memorySlots.spans()) {
        const float width = floor + (room - n * floor) * std::sqrt(static_cast<float>(span.count)) / sum;
        ring.arcs.push_back({.from = at,
                             .to = at + width,
                             .region = static_cast<std::uint32_t>(span.region),
                             .firstSlot = span.first,
                             .slots = span.count});
        at += width + gap;
    }
}

std::uint32_t columnsOf(const MemoryRing& ring, const MemoryRing::Arc& arc, std::uint32_t rows) {
    return (arc.slots * ring.parts + rows - 1) / rows;
}

/// The smallest distance between places if the ring had `rows` rows, and each arc the columns that it needs.
float roomWith(const MemoryRing& ring, std::uint32_t rows) {
    const float radial = (ring.outer - ring.inner) / static_cast<float>(rows);
    float least = radial;
    for (const MemoryRing::Arc& arc : ring.arcs) {
        const float length = (arc.to - arc.from) * (ring.inner + radial / 2);
        least = std::min(least, length / static_cast<float>(columnsOf(ring, arc, rows)));
    }
    return least;
}

/// True when a row of an array fills the rows of the ring evenly, so that its columns line up.
bool suits(const MemoryRing& ring, std::uint32_t rows, const MemorySlots& memorySlots, const sim::Trace& trace) {
    for (const MemorySlots::Span& span : memorySlots.spans()) {
        const sim::Region& region = trace.regions()[span.region];
        const std::uint64_t glyphs = region.columns * region.elementSize * ring.parts / memorySlots.blockSize();
        if (glyphs > 1 && glyphs % rows != 0 && rows % glyphs != 0) return false;
    }
    return true;
}

std::uint32_t chooseRows(const MemoryRing& ring, const MemorySlots& memorySlots, const sim::Trace& trace) {
    // More rows make radial room smaller and room along the arcs larger: the best is where they meet.
    constexpr std::uint32_t kMaxRows = 1u << 12;
    std::uint32_t best = 1;
    float bestRoom = 0;
    for (std::uint32_t rows = 1; rows <= kMaxRows; ++rows) {
        if ((ring.outer - ring.inner) / static_cast<float>(rows) < bestRoom / 1.5f) break;
        const float room = roomWith(ring, rows);
        // A number of rows that suits the arrays may cost a third of the room.
        const float worth = suits(ring, rows, memorySlots, trace) ? room * 1.5f : room;
        if (worth > bestRoom) {
            best = rows;
            bestRoom = worth;
        }
    }
    return best;
}

}  // namespace

glm::vec2 MemoryRing::placeAt(const Arc& arc, float row, float column) const {
    const float r = inner + row * (outer - inner) / static_cast<float>(rows);
    const float theta = arc.from + column / static_cast<float>(arc.columns) * (arc.to - arc.from);
    return r * glm::vec2(std::cos(theta), std::sin(theta));
}

glm::vec2 MemoryRing::place(std::size_t arc, std::uint32_t slot, std::uint32_t part) const {
    const std::uint32_t glyph = (slot - arcs[arc].firstSlot) * parts + part;
    const std::uint32_t column = glyph / rows;
    return placeAt(arcs[arc], static_cast<float>(glyph % rows) + 0.5f, static_cast<float>(column) + 0.5f);
}

std::uint32_t MemoryRing::sideFor(float zoom, float least) const {
    std::uint32_t side = 1;
    while (static_cast<float>(side) * room * zoom < least && side < 1u << 14) side *= 2;
    return side;
}

std::vector<MemoryRing::Cell> MemoryRing::cells(std::uint32_t side, const PolarWindow& window) const {
    std::vector<Cell> out;
    const float radial = (outer - inner) / static_cast<float>(rows);
    const auto rowAt = [&](float r) {
        return static_cast<std::uint32_t>(std::clamp((r - inner) / radial, 0.0f, static_cast<float>(rows)));
    };
    const std::uint32_t lowRow = rowAt(window.inner - static_cast<float>(side) * radial) / side * side;
    const std::uint32_t highRow = std::min(rows, rowAt(window.outer) + 1);
    const auto half = static_cast<float>(side) / 2;
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
        const Arc& arc = arcs[a];
        const float width = (arc.to - arc.from) / static_cast<float>(arc.columns);
        for (std::uint32_t c = 0; c < arc.columns; c += side) {
            const auto across = std::min(static_cast<float>(side), static_cast<float>(arc.columns - c));
            const float middle = static_cast<float>(c) + across / 2;
            const float margin = half * width;
            const float turn = std::remainder(arc.from + middle * width - window.from - window.span / 2, 2 * kPi);
            if (std::abs(turn) > window.span / 2 + margin) continue;
            const std::uint32_t last = std::min(arc.slots * parts - c * rows, rows);  // the last column may be short
            for (std::uint32_t r = lowRow; r < std::min(highRow, side > 1 ? rows : last); r += side) {
                const auto high = std::min(static_cast<float>(side), static_cast<float>(rows - r));
                out.push_back({placeAt(arc, static_cast<float>(r) + high / 2, middle), a, r, c});
            }
        }
    }
    return out;
}

std::size_t MemoryRing::arcAt(float angle) const {
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        const float middle = (arcs[a].from + arcs[a].to) / 2;
        if (std::abs(std::remainder(angle - middle, 2 * kPi)) <= (arcs[a].to - arcs[a].from) / 2) return a;
    }
    return arcs.size();
}

MemoryRing layMemory(float inner, float outer, const MemorySlots& memorySlots, const sim::Trace& trace,
                     std::uint32_t parts) {
    MemoryRing ring{.inner = inner, .outer = outer, .parts = parts, .arcs = {}};
    if (memorySlots.count() == 0) return ring;
    layArcs(ring, memorySlots);
    ring.rows = chooseRows(ring, memorySlots, trace);
    for (MemoryRing::Arc& arc : ring.arcs) arc.columns = columnsOf(ring, arc, ring.rows);
    ring.room = roomWith(ring, ring.rows);
    return ring;
}

PolarWindow Lens::window() const {
    const glm::vec2 low = back({0, 0});
    const glm::vec2 high = back(size);
    const glm::vec2 nearest(std::clamp(0.0f, low.x, high.x), std::clamp(0.0f, low.y, high.y));
    const std::array corners = {low, glm::vec2(high.x, low.y), high, glm::vec2(low.x, high.y)};
    PolarWindow window{.inner = glm::length(nearest), .outer = 0};
    for (const glm::vec2 c : corners) window.outer = std::max(window.outer, glm::length(c));
    if (window.inner == 0) return window;
    // The centre lies outside, so all corners are within half a turn of the middle of the rectangle.
    const glm::vec2 middle = (low + high) / 2.0f;
    const float towards = std::atan2(middle.y, middle.x);
    float least = 0;
    float most = 0;
    for (const glm::vec2 c : corners) {
        const float turn = std::remainder(std::atan2(c.y, c.x) - towards, 2 * kPi);
        least = std::min(least, turn);
        most = std::max(most, turn);
    }
    window.from = towards + least;
    window.span = most - least;
    return window;
}

}  // namespace whorl::scene
