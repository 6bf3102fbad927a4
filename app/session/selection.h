// What the user selects: a target in the picture, picks in the views, a range of the trace. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/scene/scene.h"
#include "sim/analysis/history.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct Selection {
    scene::Target target;
    std::optional<sim::ByteAddress> byte;  ///< a byte of the selected block, if the target is a block

    bool operator==(const Selection&) const = default;
};

/// The selection for a click on a target; a cell shared by several blocks selects its set.
Selection selectionOf(scene::Target target);
/// The block that contains a byte.
Selection blockAt(sim::ByteAddress byte);
Selection regionAt(std::uint32_t region);

/// Whether the target exists in the run's machine and trace.
bool exists(const scene::Target& target, const sim::Run& run);

/// Two conflicting regions: an access to `evictor` evicts blocks of `victim`; numbered as in the ledger.
struct RegionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    bool operator==(const RegionPair&) const = default;
};

/// A line of the trace's source files; `line` starts at 1.
struct SourceLine {
    std::uint32_t file = 0;  ///< index into Trace::files()
    std::uint32_t line = 0;
    bool operator==(const SourceLine&) const = default;
};

// The user's picks in the views: a source line, an object or word, a stay of a block. They are identified by content,
// not by their position in a history, so that they persist when the range, the machine or the addresses change. Plain
// data.

struct SourcePick {
    std::uint32_t site = 0;  ///< the first SiteId of the line
    bool operator==(const SourcePick&) const = default;
};

struct ObjectPick {
    sim::CostNode::Kind kind = sim::CostNode::Kind::word;
    std::uint32_t id = 0;      ///< object, region: index in the trace
    sim::ByteAddress address;  ///< word
    bool operator==(const ObjectPick&) const = default;
};

struct StayPick {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::BlockAddress block;
    sim::Cycles from = 0;
    bool operator==(const StayPick&) const = default;
};

/// What has the same name in another trace, if anything. A word is where it was.
std::optional<SourcePick> sameIn(const SourcePick& pick, const sim::Trace& trace, const sim::Trace& other);
std::optional<ObjectPick> sameIn(const ObjectPick& pick, const sim::Trace& trace, const sim::Trace& other);

/// The memory of what was picked.
struct PickedMemory {
    sim::ByteAddress from;
    std::uint64_t bytes = 1;
    std::string name;  ///< name of the object or region
    bool operator==(const PickedMemory&) const = default;
};
/// The memory of a pick; for a word only its first byte. None if the trace has no such object or region, or if that is
/// empty.
std::optional<PickedMemory> memoryOf(const ObjectPick& pick, const sim::Trace& trace);
/// The object that is picked; null: something else is, or the trace has no such object.
const sim::Object* objectOf(const ObjectPick& pick, const sim::Trace& trace);

/// The current picks.
struct Picks {
    std::optional<SourcePick> source;
    std::optional<ObjectPick> object;
    /// The memory of `object`, if known. A history that has no such object, as of a region inside of one, is searched
    /// for this.
    std::optional<PickedMemory> memory;
    std::optional<StayPick> stay;
    std::optional<sim::ByteAddress> byte;  ///< a byte of the block selected in the rings or in a list
    bool sourceIsNewer = false;            ///< the source line was picked after the object
    bool operator==(const Picks&) const = default;
};

// The range of a trace that the user selects. It is never empty.

/// The range between two positions, in either order, in a trace of `size` accesses; it contains at least one access.
/// Accesses that have only started are included.
sim::Range rangeBetween(double a, double b, std::uint64_t size);

/// "accesses 1 200 – 5 000 (3 800)": first and last position, and number of accesses.
std::string inWords(const sim::Range& range);
/// The words of inWords() after a comma, for a title; "whole run" if the range is the whole trace.
std::string partInWords(const sim::Range& range, const sim::Trace& trace);

}  // namespace whorl::app
