#include "app/views/rings/frame_composer.h"

#include <algorithm>

#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "render/scene/easing.h"
#include "render/scene/rings/describe.h"

namespace whorl::app {

namespace {

/// The number of recent accesses that the panels list.
constexpr std::uint64_t kListed = 24;

Command selectCommand(const scene::Target& target) {
    if (target.kind == scene::Target::Kind::line || target.kind == scene::Target::Kind::slot) {
        return command::Select{target.address};
    }
    return command::SelectPart{target};
}

}  // namespace

double Picture::ageOf(const sim::Step& step) const {
    const double old = snapshot.t - static_cast<double>(step.tick.value);
    if (view.lapse <= 1) return old / scene::moveTicksOf(view);
    if (view.lapse > scene::View::kMaxSteps) return scene::kFlashMoves;
    return std::max(scene::kLeavingMoves,
                    scene::kFlashMoves * old / scene::flashTicksOf(static_cast<double>(view.lapse)));
}

FrameComposer::FrameComposer(Opened opened)
    : opened_(std::move(opened)),
      reader_(opened_.run),
      sceneBuilder_(subject()),
      overviewAt_(opened_.run->built()),
      overview_(opened_.run->overview()) {}

const Picture& FrameComposer::compose(double t, const scene::View& view) {
    sim::Lookback lookback = scene::lookbackOf(view);
    lookback.steps = std::max(lookback.steps, kListed);
    const sim::Snapshot& snapshot = reader_.at(t, lookback);
    if (const sim::Tick built = opened_.run->built(); overviewAt_ != built) {
        overviewAt_ = built;
        overview_ = opened_.run->overview();
    }
    picture_.emplace(snapshot, view, sceneBuilder_);
    return *picture_;
}

scene::Target FrameComposer::targetAt(glm::vec2 at) const {
    if (!picture_) return {};
    return scene::pick(picture_->scene(), layout(), picture_->view, at);
}

std::optional<Hit> FrameComposer::hitAt(const ViewQuery& /*query*/, glm::ivec2 at) {
    const scene::Target target = targetAt(at);
    if (target.kind == scene::Target::Kind::none) return std::nullopt;
    const Command select = selectCommand(target);
    Hit hit{.click = {select},
            .describe = [this, target] { return scene::describe(target, picture_->snapshot, subject()); }};
    if (selectionOf(target).byte) hit.shift = Commands{select, command::HistoryShow{}};
    return hit;
}

}  // namespace whorl::app
