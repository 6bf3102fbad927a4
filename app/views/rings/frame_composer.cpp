#include "app/views/rings/frame_composer.h"

#include <algorithm>

namespace whorl::app {

namespace {

/// The last accesses that the panels list.
constexpr std::uint64_t kListed = 24;

}  // namespace

FrameComposer::FrameComposer(Opened opened)
    : opened_(std::move(opened)), reader_(opened_.run), sceneBuilder_(subject()) {}

const Picture& FrameComposer::compose(double t, const scene::View& view) {
    sim::Lookback lookback = scene::lookbackOf(view);
    lookback.steps = std::max(lookback.steps, kListed);
    const sim::Snapshot& snapshot = reader_.at(t, lookback);
    picture_.emplace(Picture{snapshot, sceneBuilder_.scene(snapshot, view), view});
    return *picture_;
}

const sim::Overview& FrameComposer::overview() {
    const sim::Tick built = opened_.run->built();
    if (!overview_ || overviewAt_ != built) {
        overview_ = opened_.run->overview();
        overviewAt_ = built;
    }
    return *overview_;
}

}  // namespace whorl::app
