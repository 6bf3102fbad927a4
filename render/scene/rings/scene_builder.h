// Makes the scene of a snapshot. A pure function: the same snapshot and view give the same scene, to the byte, whatever
// was drawn before. What is kept from frame to frame only saves time.
#pragma once

#include <memory>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "render/scene/rings/view.h"
#include "render/scene/scene.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

class SceneBuilder {
  public:
    /// The objects that the subject refers to must outlive the builder.
    explicit SceneBuilder(const Subject& subject);
    ~SceneBuilder();
    SceneBuilder(SceneBuilder&&) noexcept;
    SceneBuilder& operator=(SceneBuilder&&) = delete;

    /// The scene of a snapshot, which must reach back as far as lookbackOf(view) says, or to the start. The reference
    /// is good until the next call.
    const Scene& scene(const sim::Snapshot& snapshot, const View& view);

    /// The layout of the last scene.
    const RingLayout& layout() const;

  private:
    struct Kept;
    Subject subject_;
    std::unique_ptr<Kept> kept_;
};

}  // namespace whorl::scene
