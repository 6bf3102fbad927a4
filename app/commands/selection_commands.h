// Commands that select something, look it up by name, watch blocks, and pick items in the views of the history.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/command.h"
#include "app/session/requests.h"
#include "app/session/selection.h"

namespace whorl::app {

namespace command {

struct Select {
    sim::ByteAddress address;
    static constexpr auto kForm =
        sceneForm("select", "select a block", argument("address", &Select::address)).picking();
};
void apply(Session& session, const Select& command);

/// The arguments are those of scene::Target; those that its kind does not use are 0. A target that does not exist in
/// the run is ignored.
struct SelectPart {
    scene::Target target;
    static constexpr auto kForm =
        form("select-part", "select a part of the picture",
             argument("kind level cache cpu rank set address region flow tick", &SelectPart::target));
};
void apply(Session& session, const SelectPart& command);

/// As SelectPart, for as long as the mouse is over a word that names it.
struct Touch {
    scene::Target target;
    static constexpr auto kForm =
        form("touch", "light a part of the picture while the mouse is over its name",
             argument("kind level cache cpu rank set address region flow tick", &Touch::target));
};
void apply(Session& session, const Touch& command);

struct SelectNone {
    static constexpr auto kForm = form("select-none", "clear what is selected and picked");
};
void apply(Session& session, const SelectNone&);

struct LookUp {
    std::string text;
    static constexpr auto kForm =
        form("look-up", "select an address, a variable or a source line", argument("text", &LookUp::text));
};
void apply(Session& session, const LookUp& command);

struct LookUpClose {
    static constexpr auto kForm = form("look-up-close", "close the look-up field");
};
void apply(Session& session, const LookUpClose&);

/// Addresses in the same block of the nearest level are equivalent.
struct Watch {
    sim::ByteAddress address;
    static constexpr auto kForm =
        sceneForm("watch", "watch or unwatch a block", argument("address", &Watch::address)).picking();
};
void apply(Session& session, const Watch& command);

struct WatchSelected {
    static constexpr auto kForm = form("watch-selected", "watch or unwatch the selected block");
};
void apply(Session& session, const WatchSelected&);

struct WatchNone {
    static constexpr auto kForm = form("watch-none", "clear the watch list");
};
void apply(Session& session, const WatchNone&);

/// Selecting the selected region or pair again deselects it.
struct PickRegion {
    std::uint32_t region = 0;  ///< as numbered in the ledger
    static constexpr auto kForm =
        form("pick-region", "select or deselect a region", argument("region", &PickRegion::region));
};
void apply(Session& session, const PickRegion& command);

struct PickPair {
    std::uint32_t culprit = 0;
    std::uint32_t victim = 0;
    static constexpr auto kForm = form("pick-pair", "select or deselect a pair of conflicting regions",
                                       argument("culprit", &PickPair::culprit), argument("victim", &PickPair::victim));
};
void apply(Session& session, const PickPair& command);

struct PickSource {
    std::uint32_t site = 0;
    static constexpr auto kForm = form("pick-source", "pick a source line", argument("site", &PickSource::site));
};
void apply(Session& session, const PickSource& command);

struct PickObject {
    ObjectPick object;  ///< includes the address for every kind
    static constexpr auto kForm =
        form("pick-object", "pick an object or a word", argument("kind id address", &PickObject::object));
};
void apply(Session& session, const PickObject& command);

struct PickStay {
    StayPick stay;
    sim::ByteAddress address;  ///< the first byte of its block
    static constexpr auto kForm =
        form("pick-stay", "pick a stay of a block", argument("level cache block cycle", &PickStay::stay),
             argument("address", &PickStay::address));
};
void apply(Session& session, const PickStay& command);

using SelectionCommands = CommandList<Select, SelectPart, Touch, SelectNone, LookUp, LookUpClose, Watch, WatchSelected,
                                      WatchNone, PickRegion, PickPair, PickSource, PickObject, PickStay>;

}  // namespace command
}  // namespace whorl::app
