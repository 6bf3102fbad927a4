// The views that can be shown side by side in the window: the table of their kinds.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/scene/cells/cell_metric.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

struct ViewId {
    enum class Kind : std::uint8_t {
        rings,
        sources,
        objects,
        blocks,
        collisions,
        memory,
        memoryLive,
        cache,
        cacheLive,
        history,
        phases,
        cycles,
        life,
        table,
        array,
    };
    /// In place of levels: the TLBs, and the pages in memory.
    static constexpr std::uint8_t kTlb = sim::kMaxLevels;
    static constexpr std::uint8_t kPages = sim::kMaxLevels + 1;

    Kind kind = Kind::rings;
    std::uint8_t level = 0;  ///< for views that exist once per level; of a table also kTlb and kPages
    std::uint8_t run = 0;    ///< index into Session::openRuns()
    /// Which of several views of the kind (and level): of a cache, the CPU whose cache it is; else counted from 0.
    std::uint8_t part = 0;
    /// As many views of a kind, except of caches, may stand side by side: panes of memory, histories.
    static constexpr std::uint8_t kMaxParts = 8;

    /// The key of settings shared by the same view of all runs: visibility, camera.
    ViewId withoutRun() const { return {kind, level, 0, part}; }
    /// Which display of cells it is, with settings of its own (CellChoice); nothing if it is none.
    std::optional<scene::CellDisplay> cells() const;
    /// Shows a place: one that is picked, or the one that it keeps to (HistoryChoice).
    bool isOfPlace() const;
    /// Drawn in space (render/scene/space), with its own camera.
    bool isSpace() const;
    /// Shows the history of a run, not its state at the playhead.
    bool needsHistory() const;
    auto operator<=>(const ViewId&) const = default;
};

/// What of a picture is zoomed and moved: nothing, as it always shows all; the camera of the rings or of a space; the
/// plane; or the time, which all pictures over time share.
enum class Zoomed : std::uint8_t { nothing, camera, plane, time };

/// The properties of a kind of view except its pictures, which are made by the class in app/views that has the kind in
/// its kKinds.
struct ViewKind {
    ViewId::Kind kind;
    std::string_view word;    ///< in commands
    std::string_view title;   ///< above its settings
    std::string_view button;  ///< on the button that shows it; after the level's name for per-level views
    std::string_view key;     ///< shows and hides it, or all levels' views of the kind
    std::string_view help;    ///< its line in the list of keys
    Zoomed zoomed;
    bool ofLevel;            ///< exists once per level of the machine
    bool isSpace;            ///< see ViewId
    bool needsHistory;       ///< see ViewId
    bool hasParts = false;   ///< there may be several, see ViewId::part
    bool isOfPlace = false;  ///< see ViewId
    std::optional<scene::CellDisplay> cells = {};
    bool ofPages = false;  ///< exists also for TLBs and for bounded memory
};

/// In the order of ViewId::Kind.
inline constexpr std::array kViewKinds = {
    ViewKind{ViewId::Kind::rings, "rings", "Rings", "rings", "F2", "show or hide the rings", Zoomed::camera, false,
             false, false},
    ViewKind{ViewId::Kind::sources, "source", "SourceView", "source", "F3",
             "show or hide the SourceView: what each source line cost", Zoomed::camera, false, true, true},
    ViewKind{ViewId::Kind::objects, "object", "ObjectView", "object", "F4",
             "show or hide the ObjectView: what each object or word cost", Zoomed::camera, false, true, true},
    ViewKind{ViewId::Kind::blocks, "block", "BlockView", "blocks", "F5",
             "show or hide the BlockViews: how long blocks stayed in each cache", Zoomed::camera, true, true, true},
    ViewKind{ViewId::Kind::collisions, "collisions", "Collisions", "collisions", "F6",
             "show or hide the collisions: what evicts what", Zoomed::plane, false, false, true},
    ViewKind{ViewId::Kind::memory, "memory", "Memory", "memory", "Shift+F2",
             "show or hide memory: what a range did to each cell", Zoomed::plane, false, false, false, true, false,
             scene::CellDisplay::memory},
    ViewKind{ViewId::Kind::memoryLive, "memory-live", "Memory now", "memory now", "Shift+F3",
             "show or hide memory as it plays: recent hits and misses", Zoomed::plane, false, false, false, true, false,
             scene::CellDisplay::memoryLive},
    ViewKind{ViewId::Kind::cache, "cache", "Cache", "cache", "Shift+F4",
             "show or hide the caches: what a range did to each set and way", Zoomed::plane, true, false, false, true,
             false, scene::CellDisplay::cache},
    ViewKind{ViewId::Kind::cacheLive, "cache-live", "Cache now", "cache now", "Shift+F5",
             "show or hide the caches as they play", Zoomed::plane, true, false, false, true, false,
             scene::CellDisplay::cacheLive},
    ViewKind{ViewId::Kind::history, "history", "History", "history", "Shift+F6",
             "show or hide the history of the picked cell", Zoomed::time, false, false, false, true, true},
    ViewKind{ViewId::Kind::phases, "phases", "Phases", "phases", "Shift+F7",
             "show or hide the phases: the strip folded into rows", Zoomed::time, false, false, false},
    ViewKind{ViewId::Kind::cycles, "cycles", "Costs over time", "costs over time", "Shift+F8",
             "show or hide the costs over time: what each CPU spends its cycles on", Zoomed::time, false, false, false},
    ViewKind{ViewId::Kind::life, "life", "Life", "life", "Alt+F",
             "show or hide the life of the picked object: who touched it, and what its moves cost", Zoomed::nothing,
             false, false, false, true, true},
    ViewKind{ViewId::Kind::table, "table", "Table", "table", "Alt+B",
             "show or hide the tables of the caches: each set and way with valid, dirty, tag and order of eviction",
             Zoomed::nothing, true, false, false, true, false, std::nullopt, true},
    ViewKind{ViewId::Kind::array, "array", "Array", "array", "Alt+G",
             "show or hide an array: its rows and columns, which level holds each element, and its order in memory",
             Zoomed::nothing, false, false, false, true},
};
static_assert(sim::isInOrder(kViewKinds, &ViewKind::kind));
constexpr const ViewKind& kindOf(const ViewId& view) {
    return kViewKinds[static_cast<std::size_t>(view.kind)];
}
inline bool ViewId::isSpace() const {
    return kindOf(*this).isSpace;
}
inline std::optional<scene::CellDisplay> ViewId::cells() const {
    return kindOf(*this).cells;
}
inline bool ViewId::isOfPlace() const {
    return kindOf(*this).isOfPlace;
}
inline bool ViewId::needsHistory() const {
    return kindOf(*this).needsHistory;
}

/// The views of a kind that a machine has: one, or one for each level; of several CPUs, that of the first.
std::vector<ViewId> viewsOf(ViewId::Kind kind, const sim::MachineConfig& machine);
/// All views of a machine.
std::vector<ViewId> viewsOf(const sim::MachineConfig& machine);
/// Whether also a small player of pages makes the pictures of such views.
constexpr bool isBasic(ViewId::Kind kind) {
    return kind == ViewId::Kind::rings || kind == ViewId::Kind::table;
}
/// Whether this program makes them.
bool isOffered(ViewId::Kind kind);
/// Whether this program makes the view's pictures, and a machine has what it shows: its level, a TLB, bounded memory.
bool exists(const ViewId& view, const sim::MachineConfig& machine);
/// "L1", "TLB", "pages": what a view shows of those that exist once per level; empty for other views.
std::string levelName(const ViewId& view, const sim::MachineConfig& machine);

/// As used on the command line: "rings", "source", "block:L1", "cache:L1@2" (the cache of CPU 2).
std::string wordOf(const ViewId& view, const sim::MachineConfig& machine);
/// As displayed: "SourceView", "L1 BlockView".
std::string titleOf(const ViewId& view, const sim::MachineConfig& machine);
/// The inverse of wordOf(view, machine); "block" is the view of the nearest level. Nothing if there is no such view.
std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine);
/// As used in commands, independent of the machine: with the indices of the level and, if not 0, of the part and the
/// run: "rings", "block:0", "cache:0.2", "block:0@1"; and the inverse, or nothing.
std::string wordOf(const ViewId& view);
std::optional<ViewId> viewOf(std::string_view word);

}  // namespace whorl::app
