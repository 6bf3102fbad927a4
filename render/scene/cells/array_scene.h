// An array in the shape that its program declares: rows and columns of elements, each in the colour of the nearest
// level that holds its block, with its value where that is known. Below it the order in which memory has them. The
// element of the access at hand and the elements of its block are outlined in both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "sim/analysis/array_moment.h"
#include "sim/machine/machine_config.h"

namespace whorl::scene {

struct ArraySubject {
    const sim::ArrayShape& shape;
    const sim::MachineConfig& machine;
};

struct ArrayLook : ChartLook {
    std::optional<std::uint64_t> latest;  ///< the element accessed last: the strip shows memory around it
    std::vector<std::uint64_t> picked;    ///< elements with the mark of a pick
    bool hasValues = false;               ///< values of elements are known
    bool operator==(const ArrayLook&) const = default;
};

struct ArrayFrame : ChartFrame {
    sim::ArrayGrid grid;
    PixelBox cells = {};    ///< of all rows and columns
    glm::ivec2 pitch{1};    ///< from one cell to the next, pixels
    int gap = 0;            ///< pixels between cells
    PixelBox strip = {};    ///< memory in its own order
    sim::ByteAddress from;  ///< the bytes [from, to) of memory that the strip shows
    std::uint64_t bytes = 0;
    struct Slot {
        std::uint64_t element;
        PixelBox box;
    };
    std::vector<Slot> slots;  ///< the elements in the strip, by address
    std::vector<std::uint64_t> inStrip() const;

    /// The box of the cell that holds an element.
    PixelBox boxOf(std::uint64_t element) const { return cellBox(grid.cellOf(element)); }
    PixelBox cellBox(std::size_t cell) const;
};
ArrayFrame arrayFrame(const ArraySubject& subject, const ArrayLook& look);

using ArrayValues = std::function<std::optional<double>(std::uint64_t element)>;

/// `moment` must be of the frame's grid; its single elements are those of the slots.
FlatScene arrayScene(const ArraySubject& subject, const ArrayLook& look, const ArrayFrame& frame,
                     const sim::ArrayMoment& moment, const ArrayValues& valueOf);

/// What is under a pixel: an element, or the first of a cell of several.
struct ArrayUnder {
    std::uint64_t element = 0;
    std::uint64_t rows = 1;  ///< of elements in the cell
    std::uint64_t columns = 1;
    PixelBox box = {};
};
std::optional<ArrayUnder> arrayUnder(const ArraySubject& subject, const ArrayFrame& frame, glm::ivec2 at);

}  // namespace whorl::scene
