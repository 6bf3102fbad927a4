// The menu of what is under the mouse: rows of commands about each kind of thing that can be picked.
#include <fmt/format.h>

#include <utility>

#include "app/commands/commands.h"
#include "app/commands/menu_items.h"
#include "app/commands/menus.h"
#include "app/commands/searching.h"

namespace whorl::app {

namespace command {
namespace {

bool isBlock(scene::Target::Kind kind) {
    using Kind = scene::Target::Kind;
    return kind == Kind::line || kind == Kind::slot || kind == Kind::trail;
}

template <class... C>
bool isOneOf(const Command& command, CommandList<C...>) {
    return ((command.id() == C::kForm.id) || ...);
}

using LinePicks = CommandList<PickSource, LookUp>;
using MemoryPicks = CommandList<Select, PickMemory, PickObject, PickStay>;

/// What the selection is, as far as menus tell it apart.
struct Selected {
    explicit Selected(const Session& session, const MenuSubject& subject) {
        if (!subject.pick) return;
        line = isOneOf(*subject.pick, LinePicks());
        memory = isOneOf(*subject.pick, MemoryPicks());
        way = isOneOf(*subject.pick, CommandList<PickWay>());
        const bool isPart = isOneOf(*subject.pick, CommandList<SelectPart, PickRegion>());
        if (isPart && session.selected) target = session.selected->target;
        memory = memory || isBlock(target.kind);
    }
    bool line = false;
    bool memory = false;  ///< a block, an element, an object, a stay
    bool way = false;
    scene::Target target = {};
};

void addSearches(MenuItems& items, std::string_view what, SearchKind kind) {
    items.add(fmt::format("Next {}", what), Search{sim::Direction::forward, kind});
    items.add(fmt::format("Previous {}", what), Search{sim::Direction::backward, kind});
}

void addMemory(const Session& session, MenuItems& items) {
    items.line()
        .toggle("Watch", WatchSelected{}, session.marked() && session.watches(*session.marked()))
        .add("History", HistoryShow{}, placeOf(session, {ViewId::Kind::history}).has_value())
        .add("Life", LifeShow{}, lifeOf(session, {ViewId::Kind::life}).has_value())
        .line();
    addSearches(items, "access to it", SearchKind::blockAccess);
    addSearches(items, "miss of it", SearchKind::blockMiss);
    addSearches(items, "eviction of it", SearchKind::eviction);
    addSearches(items, "miss in its region", SearchKind::regionMiss);
    addSearches(items, "eviction from its region", SearchKind::regionEviction);
    items.add("Range of its accesses", RangeOf{SearchKind::blockAccess})
        .line()
        .add("Copy its address", CopyAddress{})
        .add("Colour of its region …", RegionColourCard{});
}

void addLine(const Session& session, MenuItems& items) {
    items.line();
    addSearches(items, "access by it", SearchKind::lineAccess);
    addSearches(items, "miss by it", SearchKind::lineMiss);
    addSearches(items, "eviction by it", SearchKind::lineEviction);
    items.line()
        .add("Range of its accesses", RangeOf{SearchKind::lineAccess})
        .add("Range of its function", RangeOf{SearchKind::functionAccess},
             wordsFor(session, SearchKind::functionAccess).has_value())
        .line()
        .add("Open in the editor", Edit{}, !session.editor.empty());
}

/// The views of a level, or of one of its caches.
void addLevel(const Session& session, std::uint8_t level, std::uint8_t cache, MenuItems& items) {
    const sim::MachineConfig& machine = session.opened.run->machine();
    if (level >= machine.levels.size()) return;
    items.line();
    for (const ViewKind& kind : kViewKinds) {
        if (!kind.ofLevel) continue;
        const ViewId view{kind.kind, level, 0, kind.hasParts ? cache : std::uint8_t{0}};
        items.toggle(titleOf(view, machine), View{view}, session.viewSettings.shows(view));
    }
}

void addTarget(const Session& session, const scene::Target& target, MenuItems& items) {
    using Kind = scene::Target::Kind;
    if (target.kind == Kind::set || target.kind == Kind::level || target.kind == Kind::cell) {
        addLevel(session, target.level, target.cache, items);
    }
    if (target.kind == Kind::region) {
        items.line();
        addSearches(items, "miss in it", SearchKind::regionMiss);
        addSearches(items, "access to it", SearchKind::regionAccess);
        addSearches(items, "eviction from it", SearchKind::regionEviction);
        items.add("Range of its accesses", RangeOf{SearchKind::regionAccess}).add("Colour …", RegionColourCard{});
    }
    if (target.kind == Kind::cpu) {
        items.line()
            .toggle("Its caches alone", Cpu{target.cpu}, session.cpu == target.cpu)
            .add("The caches of all CPUs", Cpu{}, session.cpu.has_value());
    }
}

/// Times are those of the open run.
void addMoment(const Session& session, double time, MenuItems& items) {
    const double end = static_cast<double>(session.opened.run->trace().size());
    const double from = session.range ? static_cast<double>(session.range->from.value) : 0;
    const double to = session.range ? static_cast<double>(session.range->to.value) : end;
    items.line()
        .add("Go here", Seek{time})
        .add("Start the range here", Range{time, to > time ? to : end})
        .add("End the range here", Range{from < time ? from : 0, time})
        .all("Bookmark here", {Seek{time}, SetBookmark{}})
        .add("Show all of the time", TimeAll{}, session.seen.has_value());
}

void addRange(const Session& session, MenuItems& items) {
    const double from = static_cast<double>(session.range->from.value);
    const double to = static_cast<double>(session.range->to.value);
    items.line()
        .add("Zoom to the range", TimeSeen{from, to})
        .all("Play the range", {Seek{from}, Play{}}, !session.player.playing())
        .add("Memory of the range", PaneAdd{{ViewId::Kind::memory}, true})
        .add("Record the range as a film", Record{})
        .add("Clear the range", RangeClear{});
}

void addView(const Session& session, const ViewId& shown, MenuItems& items) {
    const ViewId view = shown.withoutRun();
    const ViewKind& kind = kindOf(view);
    const std::string name = titleOf(view, session.opened.run->machine());
    items.line();
    if (kind.zoomed != Zoomed::nothing) items.all(fmt::format("Show all of {}", name), {ViewActive{view}, ZoomReset{}});
    if (kind.hasParts && !kind.ofLevel) items.add("A second one beside it", PaneAdd{view, {}});
    const bool isAlone = session.viewSettings.shown.size() == 1;
    if (!isAlone || !session.viewSettings.aside.empty()) {
        items.all(isAlone ? "Show all views" : fmt::format("Show {} alone", name), {ViewActive{view}, ViewAlone{}});
    }
    if (!isAlone) items.add(fmt::format("Close {}", name), View{view});
    items.add("Equal tiles", Arrange{}, session.viewSettings.arrangement.has_value());
    items.add("Save picture", SavePicture{}).add("Display settings …", PictureCard{});
}

}  // namespace
}  // namespace command

bool picksForMenu(const Command& command) {
    using namespace command;
    return isOneOf(command, LinePicks()) || isOneOf(command, MemoryPicks()) ||
           isOneOf(command, CommandList<PickWay, SelectPart, PickRegion>());
}

std::vector<MenuItem> contextMenu(const Session& session, const MenuSubject& subject) {
    MenuItems items;
    if (!session.opened.run) return {};
    const command::Selected selected(session, subject);
    if (subject.next && *subject.next != subject.time) items.add("Go to its access", command::Seek{*subject.next});
    if (selected.memory) command::addMemory(session, items);
    if (selected.way) items.add("History", command::HistoryShow{});
    if (selected.way && session.viewSettings.place) {
        const sim::Place& place = *session.viewSettings.place;
        command::addLevel(session, place.level, place.cache, items);
    }
    if (selected.line) command::addLine(session, items);
    command::addTarget(session, selected.target, items);
    if (subject.time) command::addMoment(session, *subject.time, items);
    if (subject.ofRange && session.range) command::addRange(session, items);
    if (session.selected || session.viewSettings.hasPicks())
        items.line().add("Clear the selection", command::SelectNone{});
    if (subject.view) command::addView(session, *subject.view, items);
    return std::move(items).take();
}

}  // namespace whorl::app
