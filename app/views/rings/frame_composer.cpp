#include "app/views/rings/frame_composer.h"

#include <algorithm>

#include "render/scene/easing.h"

namespace whorl::app {

namespace {

/// The number of recent accesses that the panels list.
constexpr std::uint64_t kListed = 24;

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

}  // namespace whorl::app
