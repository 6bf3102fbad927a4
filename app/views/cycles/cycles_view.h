// Costs over time of one run, and its critical path: what is computed in the background, and the picture. What is kept
// does not affect the picture.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/space/highlights.h"
#include "app/views/views.h"
#include "render/scene/cells/chart.h"
#include "render/scene/cells/cycles_scene.h"
#include "render/scene/space/block_time.h"

namespace whorl::app {

class CyclesView final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::cycles};

    explicit CyclesView(const ViewSources& sources);

    void update(const RunContext& context) override;
    TileScene pictureOf(const ViewQuery& query) override {
        return &scene(query.context, query.size, query.scale, common_);
    }
    std::optional<double> largest(const ViewQuery& query) override { return shownCycles(query.context); }
    void setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& common) override {
        common_ = common;
    }
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    std::optional<TimePointer> timeAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

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

    std::shared_ptr<const HighlightedPath> highlightedPath(const RunContext& context) const override;

  private:
    /// What is shown, how, and where.
    struct ShownCosts {
        scene::CyclesSubject subject;
        scene::CyclesLook look;
        scene::CyclesFrame frame;
    };
    std::optional<ShownCosts> shownBy(const ViewQuery& query) const;
    /// The waits under a pixel where a CPU waits.
    sim::WaitsDuring waitsOf(const scene::CyclesSubject& subject, const scene::CyclesHit& hit) const;
    std::optional<Hit> nameAt(const RunContext& context, const ShownCosts& shown, glm::ivec2 at) const;
    const sim::RunCosts* whole() const { return whole_.answer() ? whole_.answer()->get() : nullptr; }

    std::shared_ptr<const sim::Run> run_;
    LatestTask<bool, std::shared_ptr<const sim::RunCosts>> whole_;
    LatestTask<sim::CycleRange, std::shared_ptr<const sim::CycleCosts>> close_;
    LatestTask<bool, std::shared_ptr<const HighlightedPath>> path_;
    std::optional<scene::CommonScale> common_;

    // The last picture, and what it shows.
    std::optional<scene::CyclesLook> drawn_;
    const sim::CycleCosts* drawnOf_ = nullptr;
    scene::FlatScene picture_;
};

}  // namespace whorl::app
