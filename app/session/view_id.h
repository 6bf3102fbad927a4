// The views that can be shown beside each other in the window: the one table of what kinds there are.
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
    std::uint8_t level = 0;  ///< of a view of which there is one for each level
    std::uint8_t run = 0;    ///< whose view it is: a place in Session::openRuns()

    /// What the same view of every run has in common goes by this: whether it is shown, its camera.
    ViewId withoutRun() const { return {kind, level}; }
    /// Drawn in space (render/scene/space), with a camera of its own.
    bool isSpace() const;
    /// Shows the history of a run, not its state at the playhead.
    bool needsHistory() const;
    auto operator<=>(const ViewId&) const = default;
};

/// What there is to know of a kind of view but how it is drawn: that is for ViewRenderer and the tiles of the panels.
struct ViewKind {
    ViewId::Kind kind;
    std::string_view word;    ///< in commands
    std::string_view title;   ///< above its settings
    std::string_view button;  ///< on the button that shows it; after the level's name, where there is one for each
    std::string_view key;     ///< shows and hides it, or those of all levels
    std::string_view help;    ///< its line in the list of keys
    bool ofLevel;             ///< there is one for each level of the machine
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
             "… the collisions: which accesses evict which blocks", false, false, true},
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

/// "rings", "source", "object", "block:L1", "collisions".
std::string wordOf(const ViewId& view, const sim::MachineConfig& machine);
/// For people: "SourceView", "L1 BlockView".
std::string titleOf(const ViewId& view, const sim::MachineConfig& machine);
/// The view of such a word; "block" is that of the nearest level. Nothing when there is none.
std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine);
/// As a command has it, whatever the machine: with the numbers of the level and, from 1, of the run: "rings",
/// "block:0", "block:0@1"; and back, or nothing.
std::string wordOf(const ViewId& view);
std::optional<ViewId> viewOf(std::string_view word);

}  // namespace whorl::app
