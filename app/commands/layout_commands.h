// Commands that arrange the tiles of the window, and those of named layouts.
#pragma once

#include <cstdint>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

/// Shows these views and no others, unless none are named.
struct Arrange {
    Tiling tiles;
    static constexpr auto kForm =
        sceneForm("arrange", "arrange the tiles: row(rings*3,column(memory,source)*2), or auto for equal ones",
                  argument("tiles", &Arrange::tiles));
};
void apply(Session& session, const Arrange& command);

struct TileMove {
    ViewId view;
    TileSide side = TileSide::swap;
    ViewId target;
    static constexpr auto kForm =
        sceneForm("tile-move", "move a tile beside another one, or swap them", argument("view", &TileMove::view),
                  argument("side", &TileMove::side), argument("target", &TileMove::target));
};
void apply(Session& session, const TileMove& command);

/// See bordersOf() and withBorder().
struct TileBorder {
    std::uint32_t border = 0;
    double share = 0.5;
    static constexpr auto kForm =
        sceneForm("tile-border", "move the border between two tiles: the share of the first one, 0 to 1",
                  argument("border", &TileBorder::border), argument("share", &TileBorder::share))
            .joining();
};
void apply(Session& session, const TileBorder& command);

struct ShowLayout {
    Phrase name;
    static constexpr auto kForm = sceneForm("layout", "look at the run in a named layout: lecture, find my misses, …",
                                            argument("name", &ShowLayout::name));
};
void apply(Session& session, const ShowLayout& command);

/// Replaces one of the user's own with that name.
struct LayoutSave {
    Phrase name;
    static constexpr auto kForm =
        form("layout-save", "keep the views and their places as a layout", argument("name", &LayoutSave::name));
};
void apply(Session& session, const LayoutSave& command);

struct LayoutRemove {
    Phrase name;
    static constexpr auto kForm =
        form("layout-remove", "remove a layout of your own", argument("name", &LayoutRemove::name));
};
void apply(Session& session, const LayoutRemove& command);

using LayoutCommands = CommandList<Arrange, TileMove, TileBorder, ShowLayout, LayoutSave, LayoutRemove>;

}  // namespace command

}  // namespace whorl::app
