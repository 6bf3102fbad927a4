// From the session to the picture of this instant. Keeps what is dear to make and depends on little: the choreographer,
// the reader of moments, the overview. None of it has an influence on the picture.
#pragma once

#include <memory>
#include <optional>

#include "app/session/opened.h"
#include "render/scene/rings/scene_builder.h"
#include "sim/replay/snapshot_reader.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

/// What is seen at an instant: the moment, and the scene that shows it.
struct Picture {
    const sim::Snapshot& snapshot;
    const scene::Scene& scene;
    scene::View view;
};

class FrameComposer {
  public:
    explicit FrameComposer(Opened opened);

    /// The picture at time t. The reference is good until the next call.
    const Picture& compose(double t, const scene::View& view);
    /// The overview of what is built by now.
    const sim::Overview& overview();

    const Opened& opened() const { return opened_; }
    /// Of the last picture.
    const scene::RingLayout& layout() const { return sceneBuilder_.layout(); }
    scene::Subject subject() const { return {opened_.run->trace(), opened_.run->machine(), *opened_.memorySlots}; }

  private:
    Opened opened_;
    sim::SnapshotReader reader_;
    scene::SceneBuilder sceneBuilder_;
    std::optional<Picture> picture_;
    std::optional<sim::Overview> overview_;
    sim::Tick overviewAt_;
};

}  // namespace whorl::app
