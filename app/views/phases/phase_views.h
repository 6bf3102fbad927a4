// Makes the pictures of the phases of one run, with rows that hold whole turns of its loops, which are found in the
// background, and describes what they show.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/views/views.h"
#include "render/scene/cells/phase_scene.h"

namespace whorl::app {

class PhaseViews final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::phases};

    explicit PhaseViews(const ViewSources& sources);

    /// Requests the lengths of the loops, if phases are shown, and takes them.
    void update(const RunContext& context) override;
    TileScene pictureOf(const ViewQuery& query) override;
    std::optional<double> largest(const ViewQuery& query) override;
    void setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& common) override {
        common_ = common;
    }
    scene::PixelBox mouseArea(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;
    std::optional<TimePointer> timeAt(const ViewQuery& query, glm::ivec2 at) override;
    ViewControls controls(const ViewQuery& query) override;

    void setCompared(std::uint64_t longest, const std::vector<std::uint64_t>& loops) override {
        longest_ = longest;
        commonLoops_ = loops;
    }
    std::span<const std::uint64_t> loops() const override;

    scene::PhaseSubject subject(const ViewQuery& query) const;
    scene::PhaseLook look(const ViewQuery& query) const;

  private:
    /// A stretch in words; the first line is the heading.
    std::vector<std::string> describe(const sim::Overview& overview, const scene::TimeSpan& span) const;

    std::shared_ptr<const sim::Run> run_;
    const sim::Overview& overview_;
    const SeenOverview& seen_;
    LatestTask<int, std::vector<std::uint64_t>> loops_;
    std::uint64_t longest_ = 0;
    std::vector<std::uint64_t> commonLoops_;
    std::optional<scene::CommonScale> common_;
    scene::FlatScene picture_;
};

}  // namespace whorl::app
