// The views that can be shown side by side in the window: the table of their kinds.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::app {

struct ViewId {
    enum class Kind : std::uint8_t { rings, sources, objects, blocks, collisions };
    Kind kind = Kind::rings;
    std::uint8_t level = 0;  ///< for views that exist once per level
    std::uint8_t run = 0;    ///< index into Session::openRuns()

    /// The key of settings shared by the same view of all runs: visibility, camera.
    ViewId withoutRun() const { return {kind, level}; }
    /// Drawn in space (render/scene/space), with its own camera.
    bool isSpace() const;
    /// Shows the history of a run, not its state at the playhead.
    bool needsHistory() const;
    auto operator<=>(const ViewId&) const = default;
};

/// The properties of a kind of view except how it is drawn, which is up to ViewRenderer and the panels' tiles.
struct ViewKind {
    ViewId::Kind kind;
    std::string_view word;    ///< in commands
    std::string_view title;   ///< above its settings
    std::string_view button;  ///< on the button that shows it; after the level's name for per-level views
    std::string_view key;     ///< shows and hides it, or all levels' views of the kind
    std::string_view help;    ///< its line in the list of keys
    bool ofLevel;             ///< exists once per level of the machine
    bool isSpace;             ///< see ViewId
    bool needsHistory;        ///< likewise
};

/// In the order of ViewId::Kind.
inline constexpr std::array kViewKinds = {
    ViewKind{ViewId::Kind::rings, "rings", "Rings", "rings", "F2", "show or hide the rings", false, false, false},
    ViewKind{ViewId::Kind::sources, "source", "SourceView", "source", "F3",
             "… the SourceView: what each source line cost", false, true, true},
    ViewKind{ViewId::Kind::objects, "object", "ObjectView", "object", "F4",
             "… the ObjectView: what each object or word cost", false, true, true},
    ViewKind{ViewId::Kind::blocks, "block", "BlockView", "blocks", "F5",
             "… the BlockViews: how long blocks stayed in each cache", true, true, true},
    ViewKind{ViewId::Kind::collisions, "collisions", "Collisions", "collisions", "F6",
             "… the collisions: what evicts what", false, false, true},
};
constexpr const ViewKind& kindOf(const ViewId& view) {
    return kViewKinds[static_cast<std::size_t>(view.kind)];
}
inline bool ViewId::isSpace() const {
    return kindOf(*this).isSpace;
}
inline bool ViewId::needsHistory() const {
    return kindOf(*this).needsHistory;
}

/// All views of a machine.
std::vector<ViewId> viewsOf(const sim::MachineConfig& machine);

/// As used on the command line: "rings", "source", "object", "block:L1", "collisions".
std::string wordOf(const ViewId& view, const sim::MachineConfig& machine);
/// As displayed: "SourceView", "L1 BlockView".
std::string titleOf(const ViewId& view, const sim::MachineConfig& machine);
/// The inverse of wordOf(view, machine); "block" is the view of the nearest level. Nothing if there is no such view.
std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine);
/// As used in commands, independent of the machine: with the indices of the level and, if not 0, of the run: "rings",
/// "block:0", "block:0@1"; and the inverse, or nothing.
std::string wordOf(const ViewId& view);
std::optional<ViewId> viewOf(std::string_view word);

}  // namespace whorl::app
