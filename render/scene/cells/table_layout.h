// The table of a cache as textbooks draw it, and where its parts are: above, the address at hand cut into tag, index
// and offset; below, lines of ways, one for each set where they fit, in several columns where sets are many. Where not
// all sets have room, those of the last accesses are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/chart.h"
#include "render/scene/region_looks.h"
#include "sim/base/types.h"
#include "sim/cache/contents.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// A way of a set.
struct TablePlace {
    sim::SetIndex set;
    sim::WayIndex way;
    bool operator==(const TablePlace&) const = default;
};

/// Something that one of the last accesses did in the store.
struct TableChange {
    enum class Kind : std::uint8_t {
        hit,
        fill,
        leave,  ///< evicted, or invalidated
    };
    Kind kind = Kind::hit;
    TablePlace at;
    sim::BlockAddress block;
    double age = 0;      ///< since its access began, in moves
    bool dirty = false;  ///< leave: it is written back
};

/// The access whose address is cut.
struct TableAccess {
    sim::Access access;
    sim::Tick tick;
    sim::BlockAddress block;
    bool isAsked = false;     ///< the access reached the store
    bool isHit = false;       ///< … and found its block
    bool isQuestion = false;  ///< it is still to come, and the audience is asked what it will do: it is not cut
    double age = 0;           ///< in moves
};

struct TableSubject {
    const sim::Contents& contents;
    const sim::Trace& trace;
    const RegionLooks& looks;
    std::string name;  ///< "L1 of CPU 2"
    sim::Tick now;     ///< accesses that have begun
    /// The values of a block's elements, "5 0.5 ·"; null where the trace has none.
    std::function<std::string(sim::BlockAddress)> data = nullptr;
    std::size_t elements = 0;  ///< values of a block at most
    std::optional<TableAccess> access = {};
    std::vector<TableChange> changes = {};  ///< of the last accesses, the oldest first
    std::vector<TablePlace> happened = {};  ///< where the last accesses were, the latest first
};

struct TableLook : ChartLook {
    ChosenHues hues = {};
    std::optional<TablePlace> picked = {};
    bool operator==(const TableLook&) const = default;
};

/// What is shown of a way, from left to right.
enum class TableField : std::uint8_t { valid, dirty, tag, block, data, order, state };

/// A field in the cell of a way: pixels from the cell's left edge.
struct FieldPlace {
    TableField field = TableField::tag;
    int left = 0;
    int width = 0;
};

/// Some ways of a set beside each other.
struct TableLine {
    sim::SetIndex set;
    std::uint32_t firstWay = 0;
    std::uint32_t ways = 0;
    PixelBox box;             ///< of the ways
    PixelBox name;            ///< of the set's number
    PixelBox wayName;         ///< of the ways' numbers, where a set has several lines; else empty
    bool beginsSet = true;    ///< the set's number stands here
    bool followsGap = false;  ///< lines before it are left out
};

/// The parts of the address, above the lines.
struct AddressPlace {
    PixelBox box;    ///< empty: no room; above the fields it has room for a sentence, below for their names
    float text = 0;  ///< height of the text, pixels
    PixelBox tag, index, offset;
    unsigned tagBits = 0, indexBits = 0, offsetBits = 0;
    bool inHex = false;  ///< the tag has too many bits
};

struct TableFrame : ChartFrame {
    float text = 14;  ///< height of the text in the lines, pixels
    AddressPlace address;
    std::vector<FieldPlace> fields;
    int cellWidth = 1;
    int treeWidth = 0;  ///< of the tree after the ways of a set; 0: none
    int headHeight = 0;
    std::vector<PixelBox> heads;  ///< above the ways of each column of lines
    std::vector<TableLine> lines;
    std::uint64_t hidden = 0;  ///< sets, or of one set ways, that are not shown

    PixelBox boxOf(const TableLine& line, std::uint32_t way) const;
    /// The line of a way; null if it is not shown.
    const TableLine* lineOf(const TablePlace& place) const;
};
TableFrame tableFrame(const TableSubject& subject, const TableLook& look);

/// The way at a pixel.
std::optional<TablePlace> tablePlaceAt(const TableFrame& frame, glm::ivec2 at);

/// The key of a picture: what its fields mean; of a frame without fields, all of them.
CellKey tableKey(const TableSubject& subject, const TableLook& look, const TableFrame& frame);

/// "tag", "LRU", "RRPV": the heading of a field.
std::string headingOf(TableField field, const TableSubject& subject);
/// "3", "4–7": some ways beside each other.
std::string waysInWords(std::uint32_t first, std::uint32_t ways);

}  // namespace whorl::scene
