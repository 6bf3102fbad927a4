#include "app/page/space_pointer.h"

#include "app/commands/view_commands.h"
#include "app/views/space/space_views.h"

namespace whorl::app {

Commands inSpace(const PointerEvent& event, const Session& session, RunView& run, const ViewQuery& query,
                 glm::vec2 at) {
    HistoryViews* const history = run.historyViews(query.view);
    if (history == nullptr) return {};
    SpaceViews& views = history->of(query.view);
    auto* const blocks = dynamic_cast<BlockViews*>(&views);
    const glm::vec2 size(query.size);
    scene::SpaceCamera camera = views.cameraOf(query);
    const auto put = [&](bool byHand = true) {
        return Command(command::Camera{query.view.withoutRun(), byHand, camera});
    };
    const auto seen = [&](const scene::TimeSpan& span) { return timeSeen(session, query.view.run, span); };
    const auto& shown = query.context.seen;
    switch (event.kind) {
        case PointerEvent::Kind::zoom:
            if (blocks != nullptr) {
                const scene::Interval span = blocks->time().shown(shown);
                return {seen(blocks->time().zoomed(span, blocks->timeAt(query, at), zoomFactor(event.notches)))};
            }
            camera.zoom(static_cast<float>(zoomFactor(event.notches)), at, size);
            return {put()};
        case PointerEvent::Kind::drag:
            if (blocks != nullptr && shown) {
                const scene::Interval span = blocks->time().shown(shown);
                return {seen(blocks->time().moved(span, -blocks->cyclesAcross(query, event.by.x)))};
            }
            if (blocks != nullptr || !views.isZoomed(query)) {
                camera.turn(event.by, size);
            } else {
                camera.pan(event.by, size);
            }
            return {put()};
        case PointerEvent::Kind::turn:
            camera.turn(event.by, size);
            return {put()};
        case PointerEvent::Kind::showAll: {
            Commands out{put(false)};
            if (blocks != nullptr && shown) out.push_back(command::TimeAll{});
            return out;
        }
        default:
            return {};
    }
}

}  // namespace whorl::app
