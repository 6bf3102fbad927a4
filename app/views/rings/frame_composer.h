// Creates the picture of the rings from a run and a time. Caches objects that are slow to create and depend on little
// else: the scene builder, the snapshot reader, the overview. The cache does not affect the pictures.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/session/opened.h"
#include "app/views/views.h"
#include "render/scene/rings/scene_builder.h"
#include "sim/replay/snapshot.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

/// The picture at one time: the state of the machine, and the scene that shows it.
class Picture {
  public:
    Picture(const sim::Snapshot& state, const scene::View& look, scene::SceneBuilder& builder)
        : snapshot(state), view(look), builder_(&builder) {}

    const sim::Snapshot& snapshot;
    scene::View view;

    /// Made when it is first asked for: other views need only the state.
    const scene::Scene& scene() const {
        if (scene_ == nullptr) scene_ = &builder_->scene(snapshot, view);
        return *scene_;
    }

    /// What other pictures of the same time that show moves depend on.
    struct Time {
        double t = 0;
        sim::Tick begun;
        double moveTicks = 0;
        std::uint64_t lapse = 1;
        bool operator==(const Time&) const = default;
    };
    Time time() const { return {snapshot.t, snapshot.begun(), scene::moveTicksOf(view), view.lapse}; }
    /// How old what a step did is, in moves. In time-lapse nothing is between two places, and lights last several
    /// frames.
    double ageOf(const sim::Step& step) const;

  private:
    scene::SceneBuilder* builder_;
    mutable const scene::Scene* scene_ = nullptr;
};

class FrameComposer final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::rings};

    explicit FrameComposer(Opened opened);

    /// The picture at time t. The reference is valid until the next call.
    const Picture& compose(double t, const scene::View& view);
    TileScene pictureOf(const ViewQuery& /*query*/) override {
        return picture_ ? TileScene(&picture_->scene()) : TileScene();
    }
    /// What is under a pixel of the last picture; also where it is painted by another query.
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    scene::Target targetAt(glm::vec2 at) const;
    /// The last picture; null before the first.
    const Picture* picture() const { return picture_ ? &*picture_ : nullptr; }
    /// The overview of what was built when the last picture was made; before the first, at construction.
    const sim::Overview& overview() const { return overview_; }

    const Opened& opened() const { return opened_; }
    /// The layout of the last picture; before the first, of an empty one.
    const scene::RingLayout& layout() const {
        if (picture_) picture_->scene();
        return sceneBuilder_.layout();
    }
    scene::Subject subject() const {
        return {opened_.run->trace(), opened_.run->machine(), *opened_.memorySlots,
                *opened_.regionLooks, opened_.usable,         opened_.idleCpus};
    }

  private:
    Opened opened_;
    sim::SnapshotReader reader_;
    scene::SceneBuilder sceneBuilder_;
    std::optional<Picture> picture_;
    sim::Tick overviewAt_;
    sim::Overview overview_;
};

}  // namespace whorl::app
