#include "app/commands/layout_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/commands/cell_commands.h"
#include "app/commands/prompt_commands.h"
#include "app/session/layouts.h"
#include "app/session/transitions.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// The tiles of the window as they are seen.
TileTree tilesOf(const Session& session) {
    const int together = session.compares() ? static_cast<int>(session.openRuns().size()) : 1;
    return session.viewSettings.tiles(session.pictureSize, together);
}

}  // namespace

namespace command {

void apply(Session& session, const Arrange& command) {
    session.viewSettings.take(command.tiles, [&](const ViewId& view) {
        // Before a run is open, its machine is not known: takeRun() removes what that lacks.
        return !session.opened.run || exists(view, session.opened.run->machine());
    });
}

void apply(Session& session, const TileMove& command) {
    ViewSettings& settings = session.viewSettings;
    for (const ViewId& view : {command.view.withoutRun(), command.target.withoutRun()}) {
        if (!settings.shows(view))
            return refuse(session, fmt::format("There is no tile {} to be moved.", wordOf(view)));
    }
    settings.arrangement =
        withMoved(tilesOf(session), command.view.withoutRun(), command.side, command.target.withoutRun());
}

void apply(Session& session, const TileBorder& command) {
    ViewSettings& settings = session.viewSettings;
    if (command.border + 1 >= settings.shown.size() || !(command.share > 0 && command.share < 1)) {
        return refuse(session,
                      fmt::format("The tiles have no border {} that can be at {}.", command.border, command.share));
    }
    settings.arrangement = withBorder(tilesOf(session), command.border, command.share);
}

void apply(Session& session, const ShowLayout& command) {
    if (const auto shown = showLayout(session, command.name.words); !shown) refuse(session, sentenceOf(shown.error()));
}

void apply(Session& session, const LayoutSave& command) {
    const std::string& name = command.name.words;
    if (const auto checked = checkLayoutName(name); !checked) return refuse(session, sentenceOf(checked.error()));
    Layout layout = layoutOf(session, name);
    for (std::string& text : cellsAsCommands(session)) layout.commands.push_back(std::move(text));
    std::erase_if(session.layouts, [&](const Layout& known) { return sim::sameName(known.name, name); });
    session.layouts.insert(std::ranges::upper_bound(session.layouts, name, {}, &Layout::name), std::move(layout));
    session.message = fmt::format("The layout {} is kept.", name);
}

void apply(Session& session, const LayoutRemove& command) {
    const std::string& name = command.name.words;
    const auto isNamed = [&](const Layout& known) { return sim::sameName(known.name, name); };
    if (std::erase_if(session.layouts, isNamed) > 0) return;
    refuse(session, fmt::format("The layout {} {}.", name,
                                isShipped(name) ? "comes with Whorl and stays" : "is not one of your own"));
}

}  // namespace command

}  // namespace whorl::app
