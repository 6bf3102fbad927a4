// The outer ring: a place for every memory slot, region by region clockwise from 12 o'clock in address order. Within a
// region slots run outward first, then along the arc, so that contiguous data is a wedge.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "render/scene/rings/subject.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// All places between two radii and two angles, seen from the centre of the rings.
struct PolarWindow {
    float inner = 0;
    float outer = 1e9f;
    float from = 0;     ///< clockwise from +x
    float span = 6.3f;  ///< more than a full turn: all of it
};

struct MemoryRing {
    /// The slots of a region: `rows` of them from the inside out in each of `columns` columns.
    struct Arc {
        float from = 0;  ///< angles, clockwise from +x
        float to = 0;
        std::uint32_t region = 0;  ///< index into Trace::regions()
        std::uint32_t firstSlot = 0;
        std::uint32_t slots = 0;  ///< how many
        std::uint32_t columns = 1;
    };

    float inner = 0;
    float outer = 0;
    std::uint32_t rows = 1;
    std::uint32_t parts = 1;  ///< glyphs a slot, one after the other as slots are
    std::vector<Arc> arcs;    ///< one for each of MemorySlots::spans()
    float room = 0;           ///< the smallest distance between neighbouring places, pixels

    /// The place of a slot's glyph, relative to the centre. `arc`: the index of the arc that the slot lies in.
    glm::vec2 place(std::size_t arc, std::uint32_t slot, std::uint32_t part = 0) const;

    /// The side, in rows and columns, of the square of neighbours that must share a place so that places are `least`
    /// pixels apart at a zoom.
    std::uint32_t sideFor(float zoom, float least) const;
    /// A square of neighbours that share a place.
    struct Cell {
        glm::vec2 at{0};  ///< the middle of the square
        std::uint32_t arc = 0;
        std::uint32_t row = 0;  ///< the first of its rows and columns
        std::uint32_t column = 0;
    };
    /// The cells that lie in a window, or reach into it.
    std::vector<Cell> cells(std::uint32_t side, const PolarWindow& window) const;
    /// Calls `use(slot)` for each slot that has a glyph in a cell: once for each glyph.
    template <class F>
    void eachSlot(const Cell& cell, std::uint32_t side, F&& use) const {
        const Arc& arc = arcs[cell.arc];
        const std::uint32_t glyphs = arc.slots * parts;
        for (std::uint32_t c = cell.column; c < cell.column + side && c < arc.columns; ++c) {
            for (std::uint32_t r = cell.row; r < cell.row + side && r < rows; ++r) {
                const std::uint32_t glyph = c * rows + r;
                if (glyph < glyphs) use(arc.firstSlot + glyph / parts);
            }
        }
    }
    /// The index of the arc at an angle, or arcs.size() in a gap.
    std::size_t arcAt(float angle) const;

  private:
    glm::vec2 placeAt(const Arc& arc, float row, float column) const;
};

/// Lays the slots out between two radii.
MemoryRing layMemory(float inner, float outer, const MemorySlots& memorySlots, const sim::Trace& trace,
                     std::uint32_t parts = 1);

// Maps the plane of the rings, with the origin in their centre, to the pixels of the picture: zoom and focus.

struct Lens {
    glm::vec2 size{0};   ///< size of the picture, pixels
    glm::vec2 focus{0};  ///< the place in the middle of the picture, pixels at zoom 1
    float zoom = 1;

    /// The pixel of a place, and the place of a pixel.
    glm::vec2 at(glm::vec2 place) const { return size / 2.0f + (place - focus) * zoom; }
    glm::vec2 back(glm::vec2 pixel) const { return (pixel - size / 2.0f) / zoom + focus; }
    /// Whether anything within `margin` pixels of a pixel is in the picture.
    bool sees(glm::vec2 pixel, float margin) const {
        return pixel.x > -margin && pixel.y > -margin && pixel.x < size.x + margin && pixel.y < size.y + margin;
    }
    /// A part of the plane, by radius and angle, that covers all of the picture.
    PolarWindow window() const;

    bool operator==(const Lens&) const = default;
};

}  // namespace whorl::scene
