#include "app/commands/view_commands.h"

#include <algorithm>

namespace whorl::app {

namespace {

GraphChoice& activeGraph(ViewSettings& settings) {
    return settings.active.kind == ViewId::Kind::sources ? settings.sources : settings.objects;
}

/// False for a view of a level that the machine does not have.
bool exists(const ViewId& view, const Session& session) {
    const std::size_t levels = session.opened.run ? session.opened.run->machine().levels.size() : 0;
    return !kindOf(view).ofLevel || view.level < levels;
}

constexpr double kRowsZoom = 1.5;

/// Rows of the active BlockView, or of all, about the middle of those that are shown.
void zoomRows(Session& session, double factor) {
    session.viewSettings.changeBlocks(
        [&](BlockChoice& blocks) { blocks.rows = scene::zoomedRows(blocks.rows, factor); });
}

template <class Order>
void turnOrder(Order& order) {
    order = order == Order::cost ? Order::address : Order::cost;
}

}  // namespace

namespace command {

void apply(Session& session, const View& command) {
    if (exists(command.view, session)) session.viewSettings.toggle(command.view.withoutRun());
}

void apply(Session& session, const ViewOnly& command) {
    if (!exists(command.view, session)) return;
    ViewSettings& settings = session.viewSettings;
    settings.active = command.view.withoutRun();
    settings.shown = {settings.active};
    settings.aside.clear();
}

void apply(Session& session, const Views& command) {
    ViewSettings& settings = session.viewSettings;
    const bool ofLevel = kindOf({command.kind}).ofLevel;
    if (ofLevel && !session.opened.run) return;
    const std::size_t count = ofLevel ? session.opened.run->machine().levels.size() : 1;
    const auto view = [&](std::size_t level) { return ViewId{command.kind, static_cast<std::uint8_t>(level)}; };
    bool all = true;
    for (std::size_t l = 0; l < count; ++l) all = all && settings.shows(view(l));
    for (std::size_t l = 0; l < count; ++l) {
        if (settings.shows(view(l)) == all) settings.toggle(view(l));
    }
}

void apply(Session& session, const ViewActive& command) {
    if (session.viewSettings.shows(command.view)) session.viewSettings.active = command.view;
}

void apply(Session& session, const ViewNext&) {
    ViewSettings& settings = session.viewSettings;
    const auto at = std::find(settings.shown.begin(), settings.shown.end(), settings.active);
    const bool isLast = at == settings.shown.end() || at + 1 == settings.shown.end();
    settings.active = isLast ? settings.shown.front() : *(at + 1);
}

void apply(Session& session, const ViewAlone&) {
    session.viewSettings.toggleAlone();
}

void apply(Session& session, const Order&) {
    ViewSettings& settings = session.viewSettings;
    if (settings.active.kind == ViewId::Kind::blocks) {
        settings.changeBlocks([](BlockChoice& blocks) {
            turnOrder(blocks.order);
            blocks.rows.reset();
        });
    } else {
        turnOrder(activeGraph(settings).order);
    }
}

void apply(Session& session, const Words& command) {
    bool words = session.viewSettings.words.value_or(session.viewSettings.wordsFit);
    turn(words, command.on);
    session.viewSettings.words = words;
}

void apply(Session& session, const WordsFit& command) {
    session.viewSettings.wordsFit = command.fit;
}

void apply(Session& session, const GraphHeight& command) {
    activeGraph(session.viewSettings).height = std::clamp(command.height, 0.1f, 10.0f);
}

void apply(Session& session, const CpuPlane& command) {
    if (command.cpu >= 64) return;
    session.viewSettings.changeBlocks([&](BlockChoice& blocks) { blocks.cpus ^= std::uint64_t{1} << command.cpu; });
}

void apply(Session& session, const CpuPlanesAll&) {
    session.viewSettings.changeBlocks([](BlockChoice& blocks) { blocks.cpus = ~std::uint64_t{0}; });
}

void apply(Session& session, const BlockRows& command) {
    if (command.view.kind != ViewId::Kind::blocks) return;
    if (!(command.from >= 0 && command.from < command.to && command.to <= 1)) return;
    const bool isAll = command.from == 0 && command.to == 1;
    session.viewSettings.ownBlocksOf(command.view).rows =
        isAll ? std::nullopt : std::optional(scene::RowSpan{command.from, command.to});
}

void apply(Session& session, const RowsIn&) {
    zoomRows(session, kRowsZoom);
}

void apply(Session& session, const RowsOut&) {
    zoomRows(session, 1 / kRowsZoom);
}

void apply(Session& session, const Lens& command) {
    if (command.from >= command.to) return;
    session.viewSettings.lens = scene::Interval{static_cast<double>(command.from), static_cast<double>(command.to)};
}

/// Without a lens, the BlockView that shows it lays one.
void apply(Session& session, const LensView&) {
    ViewSettings& settings = session.viewSettings;
    settings.lensWanted = settings.lens.has_value() || settings.showsKind(ViewId::Kind::blocks);
    if (settings.lensWanted) settings.putBlockCameras();
}

void apply(Session& session, const LensOff&) {
    session.viewSettings.lens.reset();
    session.viewSettings.lensWanted = false;
}

void apply(Session& session, const ClassColoured& command) {
    std::set<std::string>& classes = session.viewSettings.classes;
    if (classes.erase(command.name) == 0) classes.insert(command.name);
    session.viewSettings.classColours = true;
}

void apply(Session& session, const ClassColour& command) {
    session.viewSettings.hues[command.name] = command.colour;
}

}  // namespace command
}  // namespace whorl::app
