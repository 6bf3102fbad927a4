#include "app/commands/view_commands.h"

#include <algorithm>
#include <optional>

#include "render/scene/time_axis.h"

namespace whorl::app {

namespace {

GraphChoice& activeGraph(ViewSettings& settings) {
    return settings.active.kind == ViewId::Kind::sources ? settings.sources : settings.objects;
}

/// False for a view of a level that the machine does not have.
bool exists(const ViewId& view, const Session& session) {
    return session.opened.run ? exists(view, session.opened.run->machine()) : !kindOf(view).ofLevel;
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

constexpr float kZoomStep = 1.5f;

/// Size of a picture in space, for calculations that use only fractions of its height.
constexpr glm::vec2 kSquare{1, 1};

/// The sight of the active view, if that is a picture in space that has been shown.
Sight* spaceSight(Session& session) {
    if (!session.viewSettings.active.isSpace()) return nullptr;
    const auto sight = session.viewSettings.sights.find(session.viewSettings.active.withoutRun());
    return sight == session.viewSettings.sights.end() ? nullptr : &sight->second;
}

/// The settings of the active view, if that is a BlockView that is seen face on: there time and rows are zoomed, so
/// that axes and names stay in the picture.
BlockChoice* flatBlocks(Session& session) {
    ViewSettings& settings = session.viewSettings;
    if (settings.active.kind != ViewId::Kind::blocks) return nullptr;
    const auto sight = settings.sights.find(settings.active.withoutRun());
    const bool isFlat = sight == settings.sights.end() ? !settings.blocksOf(settings.active).solid
                                                       : sight->second.camera.isFacing(scene::Plane::yz);
    return isFlat ? &settings.ownBlocksOf(settings.active) : nullptr;
}

double accessesOf(const Session& session) {
    return session.opened.run ? static_cast<double>(session.opened.run->trace().size()) : 0;
}

scene::TimeSpan timeShown(const Session& session) {
    return session.seen.value_or(scene::TimeSpan{0, std::max(1.0, accessesOf(session))});
}

void showTime(Session& session, double from, double length) {
    const double all = accessesOf(session);
    if (all <= 0) return;
    const scene::TimeSpan seen = scene::keptWithin({from, from + length}, all);
    session.seen = seen.length() >= all ? std::nullopt : std::optional(seen);
}

void zoomTime(Session& session, double factor) {
    const scene::TimeSpan shown = timeShown(session);
    const double length = std::max(shown.length() / factor, scene::TimeAxis::kMin);
    showTime(session, shown.from + (shown.length() - length) / 2, length);
}

void zoom(Session& session, float factor) {
    const Zoomed zoomed = kindOf(session.viewSettings.active).zoomed;
    if (zoomed == Zoomed::plane) session.viewSettings.wanted.zoom += factor > 1 ? 1 : -1;
    if (zoomed == Zoomed::time) zoomTime(session, double{factor});
    if (zoomed != Zoomed::camera) return;
    if (BlockChoice* const flat = flatBlocks(session)) {
        zoomTime(session, double{factor});
        flat->rows = scene::zoomedRows(flat->rows, double{factor});
        return;
    }
    if (Sight* sight = spaceSight(session)) {
        sight->camera.zoom(factor, kSquare / 2.0f, kSquare);
        sight->byHand = true;
    } else {
        session.camera.zoomAt(factor, {0, 0});
    }
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
    if (kindOf({command.kind}).ofLevel && !session.opened.run) return;
    const sim::MachineConfig none;
    const std::vector<ViewId> views = viewsOf(command.kind, session.opened.run ? session.opened.run->machine() : none);
    const bool all = std::all_of(views.begin(), views.end(), [&](const ViewId& view) { return settings.shows(view); });
    for (const ViewId& view : views) {
        if (settings.shows(view) == all) settings.toggle(view);
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

void apply(Session& session, const ZoomIn&) {
    zoom(session, kZoomStep);
}

void apply(Session& session, const ZoomOut&) {
    zoom(session, 1 / kZoomStep);
}

void apply(Session& session, const ZoomReset&) {
    ViewSettings& settings = session.viewSettings;
    const Zoomed zoomed = kindOf(settings.active).zoomed;
    const bool isOfBlocks = settings.active.kind == ViewId::Kind::blocks;
    if (zoomed == Zoomed::plane) settings.wanted = {.all = true};
    if (zoomed == Zoomed::time || isOfBlocks) session.seen.reset();
    if (isOfBlocks) settings.ownBlocksOf(settings.active).rows.reset();
    if (zoomed != Zoomed::camera) return;
    if (Sight* sight = spaceSight(session)) {
        sight->byHand = false;
    } else {
        session.camera.glideTo({});
    }
}

void apply(Session& session, const Pan& command) {
    const Zoomed zoomed = kindOf(session.viewSettings.active).zoomed;
    BlockChoice* const flat = flatBlocks(session);
    if (zoomed == Zoomed::plane) session.viewSettings.wanted.pan += command.by / 2.0f;
    if (zoomed == Zoomed::time || flat != nullptr) {
        const scene::TimeSpan shown = timeShown(session);
        showTime(session, shown.from + double{command.by.x} / 2 * shown.length(), shown.length());
    }
    if (flat != nullptr && flat->rows) {
        flat->rows = scene::movedRows(flat->rows, double{command.by.y} / 2 * flat->rows->length());
    }
    if (zoomed != Zoomed::camera || flat != nullptr) return;
    if (Sight* sight = spaceSight(session)) {
        sight->camera.pan(-command.by / 2.0f, kSquare);
        sight->byHand = true;
    } else {
        session.camera.pan(command.by);
    }
}

void apply(Session& session, const Turn& command) {
    Sight* sight = spaceSight(session);
    if (sight == nullptr) return;
    sight->camera.turn(command.by / 16.0f, kSquare);
    sight->byHand = true;
}

void apply(Session& session, const Face& command) {
    Sight* sight = spaceSight(session);
    if (sight == nullptr) return;
    sight->camera.face(command.plane);
    // Seen face on, the lanes of a BlockView lie in rows only without perspective.
    const bool isFlat = session.viewSettings.active.kind == ViewId::Kind::blocks && command.plane == scene::Plane::yz;
    if (isFlat) sight->camera.perspective = 0;
    sight->byHand = true;
}

void apply(Session& session, const Perspective& command) {
    const auto sight = session.viewSettings.sights.find(session.viewSettings.active.withoutRun());
    if (sight == session.viewSettings.sights.end()) return;
    sight->second.camera.perspective = std::clamp(command.share, 0.0f, 1.0f);
    sight->second.byHand = true;
}

void apply(Session& session, const Camera& command) {
    session.viewSettings.sights[command.view.withoutRun()] = {command.camera, command.byHand};
}

void apply(Session& session, const ZoomAt& command) {
    session.camera.zoomAt(command.factor, command.at);
}

void apply(Session& session, const Drag& command) {
    session.camera.drag(command.by);
}

void apply(Session& session, const LookAt& command) {
    session.camera.glideTo({session.camera.target().zoom, command.place});
}

}  // namespace command

}  // namespace whorl::app
