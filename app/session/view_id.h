// The pictures that can stand beside each other on the window, and what each is called.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/machine/machine_config.h"

namespace whorl::app {

struct ViewId {
    enum class Kind : std::uint8_t { rings, sources, objects, blocks, collisions };
    Kind kind = Kind::rings;
    std::uint8_t level = 0;   ///< of a BlockView
    bool isBaseline = false;  ///< of the run that another is compared with

    bool isSpace() const { return kind != Kind::rings && kind != Kind::collisions; }
    auto operator<=>(const ViewId&) const = default;
};

/// "rings", "source", "object", "block:L1", "collisions".
std::string wordOf(const ViewId& view, const sim::MachineConfig& machine);
/// For people: "SourceView", "L1 BlockView".
std::string titleOf(const ViewId& view, const sim::MachineConfig& machine);
/// The view of such a word; "block" is that of the nearest level. Nothing when there is none.
std::optional<ViewId> viewNamed(std::string_view word, const sim::MachineConfig& machine);
/// As a command carries it, and back.
double asNumber(const ViewId& view);
ViewId viewOf(double number);

}  // namespace whorl::app
