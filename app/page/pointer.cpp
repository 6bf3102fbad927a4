#include "app/page/pointer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/commands/display_commands.h"
#include "app/commands/selection_commands.h"
#include "app/commands/time_commands.h"
#include "app/commands/view_commands.h"
#include "app/page/space_pointer.h"
#include "app/session/compared_runs.h"

namespace whorl::app {

namespace {

/// A tile, the run that it shows, and the pixel of it that an event is at.
class Pointed {
  public:
    Pointed(const Shown& shown, const Tile& tile, glm::vec2 at, float scale)
        : shown_(shown),
          tile_(tile),
          context_(contextOf(shown.session, tile.view.run)),
          run_(*shown.runs.at(tile.view.run)),
          query_{tile.view, context_, {tile.where.width, tile.where.height}, scale},
          at_(at - glm::vec2(tile.where.x, tile.where.y)) {}

    Commands act(const PointerEvent& event) {
        const ViewKind& kind = kindOf(tile_.view);
        if (tile_.view.run != 0 && kind.zoomed != Zoomed::time) return {};  // the selection is of the open run
        if (event.kind == PointerEvent::Kind::click) return click(event);
        if (tile_.view.kind == ViewId::Kind::rings) return onRings(event);
        return tile_.view.isSpace() ? inSpace(event, shown_.session, run_, query_, at_) : onFlat(event);
    }

    std::vector<std::string> words() {
        const auto hit = hitHere();
        return hit ? hit->describe() : std::vector<std::string>();
    }

  private:
    glm::ivec2 pixel() const { return {static_cast<int>(at_.x), static_cast<int>(at_.y)}; }
    std::optional<Hit> hitHere() { return run_.views(tile_.view).hitAt(query_, pixel()); }
    Command seek(double time) const { return command::Seek{openRunTime(shown_.session, tile_.view.run, time)}; }
    Command seen(const scene::TimeSpan& span) const { return timeSeen(shown_.session, tile_.view.run, span); }

    Commands click(const PointerEvent& event) {
        Commands out;
        if (const auto hit = hitHere()) {
            const bool isOther = event.shift && hit->shift;
            if (hit->time && !isOther) out.push_back(seek(*hit->time));
            const Commands& more = isOther ? *hit->shift : hit->click;
            out.insert(out.end(), more.begin(), more.end());
            return out;
        }
        const bool isFlat = tile_.view.kind != ViewId::Kind::rings && !tile_.view.isSpace();
        const auto time = isFlat ? run_.views(tile_.view).timeAt(query_, pixel()) : std::nullopt;
        if (time) out.push_back(seek(std::floor(time->here.from)));
        const bool isPicked = context_.selected || context_.viewSettings.hasPicks();
        if (!isFlat && isPicked) out.push_back(command::SelectNone{});
        return out;
    }

    Commands onRings(const PointerEvent& event) {
        const FrameComposer& rings = run_.composer();
        if (rings.picture() == nullptr) return {};
        const float unit = rings.layout().unit;
        switch (event.kind) {
            case PointerEvent::Kind::zoom:
            case PointerEvent::Kind::zoomOther:
                return {command::ZoomAt{static_cast<float>(zoomFactor(event.notches)),
                                        (at_ - rings.picture()->scene().size / 2.0f) / unit}};
            case PointerEvent::Kind::drag:
            case PointerEvent::Kind::turn:
                if (context_.camera.zoomed()) return {command::Drag{event.by / unit}};
                return {};
            case PointerEvent::Kind::showAll:
                return {command::ZoomReset{}};
            default:
                return {};
        }
    }

    Commands onFlat(const PointerEvent& event) {
        Views& views = run_.views(tile_.view);
        const auto time = views.timeAt(query_, pixel());
        const auto plane = views.planeAt(query_, pixel());
        switch (event.kind) {
            case PointerEvent::Kind::zoom:
                if (time) return {seen(time->zoomed(zoomFactor(event.notches)))};
                if (plane) return {plane->zoomed(event.notches > 0 ? 1 : -1)};
                return {};
            case PointerEvent::Kind::zoomOther:
                if (time && time->zoomedOther) return {time->zoomedOther(zoomFactor(event.notches))};
                return {};
            case PointerEvent::Kind::drag:
                if (time && !time->isWhole) return {seen(time->moved(event.by))};
                if (plane && plane->isInset && plane->centred) {
                    if (auto centred = plane->centred()) return {*std::move(centred)};
                } else if (plane && plane->moved) {
                    return {plane->moved({static_cast<int>(event.by.x), static_cast<int>(event.by.y)})};
                }
                return {};
            case PointerEvent::Kind::showAll:
                if (plane) return {plane->fitted};
                return time ? Commands{command::TimeAll{}} : Commands{};
            case PointerEvent::Kind::select:
                return time ? select(views, event, time->here) : Commands{};
            default:
                return {};
        }
    }

    /// From where it began to here.
    Commands select(Views& views, const PointerEvent& event, const scene::TimeSpan& here) {
        const glm::ivec2 begun(static_cast<int>(event.by.x) - tile_.where.x, pixel().y);
        const auto from = views.timeAt(query_, begun);
        if (!from) return {};
        const double a = std::round(from->here.from);
        const double b = std::round(here.from >= a ? here.to : here.from);
        return {command::Range{openRunTime(shown_.session, tile_.view.run, a),
                               openRunTime(shown_.session, tile_.view.run, b)}};
    }

    const Shown& shown_;
    const Tile& tile_;
    RunContext context_;
    RunView& run_;
    ViewQuery query_;
    glm::vec2 at_;
};

const Tile* tileAt(std::span<const Tile> tiles, glm::vec2 at) {
    const auto holds = [&](const Tile& tile) {
        const gl::Rect& r = tile.where;
        return at.x >= static_cast<float>(r.x) && at.y >= static_cast<float>(r.y) &&
               at.x < static_cast<float>(r.x + r.width) && at.y < static_cast<float>(r.y + r.height);
    };
    const auto found = std::find_if(tiles.begin(), tiles.end(), holds);
    return found == tiles.end() ? nullptr : &*found;
}

}  // namespace

std::optional<PointerEvent::Kind> pointerKind(std::string_view word) {
    constexpr std::array<std::string_view, 8> kWords{"move", "tap",  "double",     "drag",
                                                     "turn", "zoom", "zoom-other", "select"};
    const auto found = std::find(kWords.begin(), kWords.end(), word);
    if (found == kWords.end()) return std::nullopt;
    return static_cast<PointerEvent::Kind>(found - kWords.begin());
}

Commands commandsFor(const PointerEvent& event, const Shown& shown, std::span<const Tile> tiles, float scale) {
    const Tile* const tile = tileAt(tiles, event.at);
    if (tile == nullptr || shown.runs.at(tile->view.run) == nullptr) return {};
    Commands commands = Pointed(shown, *tile, event.at, scale).act(event);
    const bool isOneOfMany = shown.session.viewSettings.shown.size() > 1;
    if (!commands.empty() && isOneOfMany) {
        commands.insert(commands.begin(), command::ViewActive{tile->view.withoutRun()});
    }
    return commands;
}

std::vector<std::string> wordsUnder(glm::vec2 at, const Shown& shown, std::span<const Tile> tiles, float scale) {
    const Tile* const tile = tileAt(tiles, at);
    if (tile == nullptr || shown.runs.at(tile->view.run) == nullptr) return {};
    return Pointed(shown, *tile, at, scale).words();
}

}  // namespace whorl::app
