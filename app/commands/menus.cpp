#include "app/commands/menus.h"

#include <utility>

#include "app/commands/commands.h"
#include "app/commands/cost_tables.h"
#include "app/commands/menu_items.h"
#include "app/session/layouts.h"
#include "app/tours/tour_catalogue.h"
#include "sim/machine/host_machine.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace command {
namespace {

/// One item a name: `commandFor(name)`.
template <class Names, class F>
std::vector<MenuItem> itemsOf(const Names& names, F&& commandFor) {
    MenuItems items;
    for (const auto& name : names) items.add(std::string(name), commandFor(std::string(name)));
    return std::move(items).take();
}

std::vector<std::string> programNames() {
    std::vector<std::string> names;
    for (const sim::Program& program : sim::programs()) names.push_back(program.name);
    return names;
}

/// The machines on which the open run can stand beside itself.
std::vector<std::string> otherMachines(const Session& session) {
    if (!session.opened.run) return {};
    std::vector<std::string> names = sim::machineNames();
    // Without the values that were set it is another one.
    if (session.opened.request.settings.empty()) std::erase(names, session.opened.request.machine);
    return names;
}

std::vector<MenuItem> compareItems(const Session& session) {
    if (!session.opened.run) return {};
    MenuItems items;
    items
        .add("With another machine",
             itemsOf(otherMachines(session), [](const std::string& m) { return CompareMachine{m}; }))
        .add("With another program", itemsOf(programNames(), [](const std::string& p) { return CompareWith{p}; }))
        .add("With a file, or with other options …", Ask{Asks::command, "compare-with "})
        .add("Close what is compared", CompareEnd{}, !session.compared.empty());
    return std::move(items).take();
}

std::vector<MenuItem> fileMenu(const Session& session) {
    const bool isOpen = session.opened.run != nullptr;
    const auto open = [](const std::string& input) { return Open{input}; };
    MenuItems items;
    items.add("Open …", Ask{Asks::file, {}})
        .add("Open recent", itemsOf(session.recentInputs, open))
        .add("Open a program", itemsOf(programNames(), open))
        .add("Reload", Reload{}, isOpen && !isProgram(session.opened.request.input))
        .line()
        .add("Compare", compareItems(session))
        .line()
        .add("Save picture", SavePicture{}, isOpen)
        .add("Record a film", Record{}, isOpen)
        .add("Copy the sentence", CopySentence{}, isOpen && session.player.position() > 0)
        .add("Copy the command line", CopyCommand{}, isOpen)
        .line()
        .add("Quit", Quit{});
    return std::move(items).take();
}

std::vector<MenuItem> runMenu(const Session& session) {
    const bool isOpen = session.opened.run != nullptr;
    MenuItems items;
    items.add(session.player.playing() ? "Pause" : "Play", Play{}, isOpen)
        .add("Step forward", Step{1}, isOpen)
        .add("Step back", Step{-1}, isOpen)
        .add("To the start", SeekStart{}, isOpen)
        .add("To the end", SeekEnd{}, isOpen)
        .add("Go to …", Ask{Asks::position, {}}, isOpen)
        .line()
        .add("Faster", Faster{})
        .add("Slower", Slower{})
        .toggle("Loop", Loop{}, session.player.loops())
        .setting(session, "By cycles", "by-cycles")
        .line()
        .add("Start the range here", RangeStart{}, isOpen)
        .add("End the range here", RangeEnd{}, isOpen)
        .add("Clear the range", RangeClear{}, session.range.has_value())
        .line()
        .add("Machine", itemsOf(sim::machineNames(), [](const std::string& m) { return Machine{m}; }))
        .add("Another machine …", Ask{Asks::command, "machine "}, isOpen)
        .toggle("Try other values", Live{}, session.overlays.live)
        .line()
        .add("Stop the background work", Cancel{});
    return std::move(items).take();
}

/// Each view of the machine, those of one kind together.
void addViews(const Session& session, MenuItems& items) {
    const sim::MachineConfig none;
    const sim::MachineConfig& machine = session.opened.run ? session.opened.run->machine() : none;
    for (const ViewKind& kind : kViewKinds) {
        MenuItems ofKind;
        for (const ViewId& view : viewsOf(kind.kind, machine)) {
            ofKind.toggle(titleOf(view, machine), View{view}, session.viewSettings.shows(view));
        }
        std::vector<MenuItem> views = std::move(ofKind).take();
        const std::string keys(kind.key);
        if (views.size() == 1) {
            views.front().keys = keys;
            items.add(std::move(views.front()));
        } else if (!views.empty()) {
            views.insert(views.begin(), MenuItem{.words = "All levels", .commands = {Views{kind.kind}}, .keys = keys});
            items.add(std::string(kind.title), std::move(views));
        }
    }
}

std::vector<MenuItem> layoutItems(const Session& session) {
    std::vector<std::string> names;
    for (const app::Layout& layout : layoutsOf(session)) names.push_back(layout.name);
    return itemsOf(names, [](const std::string& name) { return ShowLayout{{name}}; });
}

std::vector<MenuItem> viewMenu(const Session& session) {
    MenuItems items;
    addViews(session, items);
    items.line()
        .toggle("The active view alone", ViewAlone{}, !session.viewSettings.aside.empty())
        .add("A second view of its kind", PaneAdd{session.viewSettings.active, {}},
             kindOf(session.viewSettings.active).hasParts)
        .add("Equal tiles", Arrange{}, session.viewSettings.arrangement.has_value())
        .add("Show all of it", ZoomReset{})
        .line()
        .add("Layout", layoutItems(session))
        .add("Save the layout as …", Ask{Asks::command, "layout-save "}, session.opened.run != nullptr)
        .line()
        .setting(session, "Panels", "panels")
        .setting(session, "Menu bar", "menu-bar")
        .setting(session, "Legend", "legend")
        .setting(session, "Caption", "caption")
        .setting(session, "Explain the access", "explain")
        .setting(session, "For a lecture hall", "lecture")
        .setting(session, "Strip", "strip")
        .setting(session, "Ground", "ground")
        .toggle("Display settings …", PictureCard{}, session.overlays.picture)
        .add("Larger", ScaleUp{})
        .add("Smaller", ScaleDown{})
        .line()
        .add("Undo", Undo{}, session.history.undoable() > 0)
        .add("Redo", Redo{}, session.history.redoable() > 0);
    return std::move(items).take();
}

/// What the keys find, forwards and backwards.
void addSearches(const Session& session, MenuItems& items) {
    struct Row {
        const char* words;
        SearchKind kind;
        bool can;
    };
    const bool isOpen = session.opened.run != nullptr;
    const bool ofBlock = session.marked().has_value();
    const bool ofRegion = ofBlock || session.region.has_value();
    const bool ofLine = session.viewSettings.source || session.line;
    const bool ofCpus = isOpen && session.opened.run->machine().cpus > 1;
    const Row rows[] = {{"miss", SearchKind::miss, isOpen},
                        {"access to the selected block", SearchKind::blockAccess, ofBlock},
                        {"miss of the selected block", SearchKind::blockMiss, ofBlock},
                        {"eviction of the selected block", SearchKind::eviction, ofBlock},
                        {"miss in its region", SearchKind::regionMiss, ofRegion},
                        {"access by the selected line", SearchKind::lineAccess, ofLine},
                        {"miss by the selected line", SearchKind::lineMiss, ofLine},
                        {"transfer between CPUs", SearchKind::transfer, ofCpus},
                        {"marker", SearchKind::mark, isOpen && !session.opened.run->trace().marks().empty()}};
    for (const auto& [words, way] :
         {std::pair("Next", sim::Direction::forward), std::pair("Previous", sim::Direction::backward)}) {
        MenuItems found;
        for (const Row& row : rows) found.add(row.words, Search{way, row.kind}, row.can);
        items.add(words, std::move(found).take());
    }
}

std::vector<MenuItem> findMenu(const Session& session) {
    const bool isOpen = session.opened.run != nullptr;
    MenuItems items;
    items.add("Anything …", Ask{Asks::command, {}}).add("An address or name …", Focus{Field::lookUp}, isOpen).line();
    addSearches(session, items);
    items.line()
        .add("Set or remove a bookmark", SetBookmark{}, isOpen)
        .add("Bookmark with a note …", Ask{Asks::note, {}}, isOpen)
        .add("Next bookmark", BookmarkGo{sim::Direction::forward}, !session.bookmarks.empty())
        .add("Previous bookmark", BookmarkGo{sim::Direction::backward}, !session.bookmarks.empty())
        .line()
        .add("Watch the selected block", WatchSelected{}, session.marked().has_value())
        .add("Clear the watch list", WatchNone{}, !session.watched.empty())
        .add("Clear the selection", SelectNone{}, session.selected || session.viewSettings.hasPicks());
    return std::move(items).take();
}

std::vector<MenuItem> toolsMenu(const Session& session) {
    const bool isOpen = session.opened.run != nullptr;
    const bool ofCpus = isOpen && session.opened.run->machine().cpus > 1;
    MenuItems tables;
    for (std::size_t tab = 0; tab < costTables().size(); ++tab) {
        tables.add(std::string(costTables()[tab].word), CostsBy{static_cast<CostTab>(tab)});
    }
    MenuItems items;
    items.toggle("What costs most", Costs{}, session.overlays.costs)
        .add("Costs by", std::move(tables).take())
        .toggle("Sharing between CPUs", Sharing{}, session.overlays.showsCosts(sharingTab()), ofCpus)
        .setting(session, "Critical path", "critical-path")
        .setting(session, "Colours by class", "class-colours")
        .line()
        .add("Predict the next access", Predict{}, isOpen)
        .add("Predict the next eviction", Predict{PredictKind::telling}, isOpen)
        .add("Play the cache", Predict{PredictKind::sequence}, isOpen)
        .line()
        .setting(session, "Source listing", "heat")
        .setting(session, "Gauges of the levels", "gauge")
        .setting(session, "Gauges over", "gauge-over")
        .setting(session, "Glyphs", "grain")
        .setting(session, "Reduced motion", "reduced-motion")
        .setting(session, "Playheads of compared runs", "lock");
    return std::move(items).take();
}

std::vector<MenuItem> tourMenu(const Session& session) {
    const bool hasTour = session.presentation.has_value();
    MenuItems items;
    items.add("Built-in tours", itemsOf(tourNames(), [](const std::string& name) { return TourOpen{name}; }))
        .add("Next step", TourNext{}, hasTour)
        .add("Previous step", TourPrevious{}, hasTour)
        .line()
        .toggle("Present", Present{}, session.talk.on)
        .toggle("Speaker's window", Speaker{}, session.talk.speaker)
        .line()
        .add("Add this moment", TourAdd{}, session.opened.run != nullptr)
        .toggle("Edit the tour", TourEdit{}, session.showsTourForm(), hasTour)
        .add("Save the tour …", Ask{Asks::command, "tour-save "}, hasTour)
        .add("Check", TourCheck{}, hasTour)
        .add("Film", TourFilm{}, hasTour)
        .add("Slides", TourSlides{}, hasTour)
        .add("Close the tour", TourClose{}, hasTour);
    return std::move(items).take();
}

std::vector<MenuItem> helpMenu(const Session& session) {
    MenuItems items;
    items.toggle("Keys", Help{}, session.help).add("Whorl in five minutes", TourOpen{kFirstTour});
    return std::move(items).take();
}

}  // namespace
}  // namespace command

std::span<const Menu> menuBar() {
    static constexpr Menu kMenus[] = {{"File", command::fileMenu},   {"Run", command::runMenu},
                                      {"View", command::viewMenu},   {"Find", command::findMenu},
                                      {"Tools", command::toolsMenu}, {"Tour", command::tourMenu},
                                      {"Help", command::helpMenu}};
    return kMenus;
}

std::vector<MenuItem> menuButtons(const Session& session) {
    const bool isOpen = session.opened.run != nullptr;
    MenuItems items;
    items.add("Open", command::Ask{Asks::file, {}})
        .toggle("Why", command::CostsBy{CostTab::why}, session.overlays.showsCosts(CostTab::why))
        .add("Compare", command::compareItems(session))
        .add("Undo", command::Undo{}, session.history.undoable() > 0)
        .add("Save picture", command::SavePicture{}, isOpen);
    return std::move(items).take();
}

}  // namespace whorl::app
