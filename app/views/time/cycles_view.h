// Costs over time of one run, and its critical path: what is computed in the background, and the picture. What is kept
// does not affect the picture.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/space/path_highlights.h"
#include "render/scene/cells/common_scale.h"
#include "render/scene/cells/cycles_scene.h"
#include "render/scene/space/block_time.h"

namespace whorl::app {

class CyclesView {
  public:
    CyclesView(std::shared_ptr<const sim::Run> run, TaskRunner& runner);

    /// Once per frame: requests what the session's views need, and takes what has arrived.
    void update(const RunContext& context);
    void cancel();
    bool working() const { return whole_.working() || close_.working() || path_.working(); }
    std::optional<sim::Error> takeError();

    /// What the picture shows; nothing while it is being computed.
    std::optional<scene::CyclesSubject> subject(const RunContext& context) const;
    /// `common`: the cycles that all runs beside each other show.
    scene::CyclesLook look(const RunContext& context, glm::ivec2 size, float scale,
                           const std::optional<scene::CommonScale>& common) const;
    const scene::FlatScene& scene(const RunContext& context, glm::ivec2 size, float scale,
                                  const std::optional<scene::CommonScale>& common);
    /// The cycles that are shown; 0 while nothing is known.
    double shownCycles(const RunContext& context) const;
    /// How the picture is zoomed and moved; only while there is a subject.
    scene::BlockTime time() const { return scene::BlockTime(whole()->scale); }
    /// The accesses made before a cycle.
    double accessesAt(double cycle) const { return whole()->scale.accessesAt(cycle); }
    /// What is at a pixel in words; the first line is the heading.
    std::vector<std::string> describe(const scene::CyclesSubject& subject, const scene::CyclesHit& hit) const;

    /// What lies on the critical path, for other views: null unless it is to be lit, and known.
    std::shared_ptr<const LitPath> litPath(const RunContext& context) const;

  private:
    const sim::RunCosts* whole() const { return whole_.answer() ? whole_.answer()->get() : nullptr; }

    std::shared_ptr<const sim::Run> run_;
    LatestTask<bool, std::shared_ptr<const sim::RunCosts>> whole_;
    LatestTask<sim::CycleRange, std::shared_ptr<const sim::CycleCosts>> close_;
    LatestTask<bool, std::shared_ptr<const LitPath>> path_;

    // The last picture, and what it shows.
    std::optional<scene::CyclesLook> drawn_;
    const sim::CycleCosts* drawnOf_ = nullptr;
    scene::FlatScene picture_;
};

}  // namespace whorl::app
