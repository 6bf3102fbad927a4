// Makes the pictures over time of one run: histories of places, its phases, and costs. They are computed in the
// background. What is kept does not affect the pictures.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/time/cycles_view.h"
#include "app/views/time/seen_overview.h"
#include "app/views/views.h"
#include "render/scene/cells/history_scene.h"
#include "render/scene/cells/phase_scene.h"
#include "sim/analysis/place_rows.h"

namespace whorl::app {

class TimeViews final : public Views {
  public:
    /// `whole`: the run's overview, which may grow, and must outlive it.
    TimeViews(Opened opened, const sim::Overview& whole, TaskRunner& runner);
    ~TimeViews() override;

    /// Once per frame: requests the histories that the session's views need, and takes what has arrived.
    void update(const RunContext& context);
    void cancel() override;
    bool working() const override;
    std::optional<sim::Error> takeError() override;

    const SeenOverview& seenOverview() const { return seenOverview_; }
    const CyclesView& cyclesView() const { return cyclesView_; }
    std::optional<double> largest(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) override;
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) override;
    TileScene pictureOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) override {
        return &scene(view, context, size, scale);
    }
    /// The accesses of the longest of them, and the loops that all of them have: the rows of their phases are of one
    /// length. 0: there are no others.
    void setBeside(std::uint64_t longest, std::vector<std::uint64_t> loops) {
        longest_ = longest;
        commonLoops_ = std::move(loops);
    }
    /// The lengths of the run's loops, once the phases are shown and they are known.
    std::span<const std::uint64_t> loops() const;
    /// The picture of a view, `size` in pixels. Valid until the next call for that view.
    const scene::FlatScene& scene(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale);
    /// What a history's picture shows: null while there is none.
    const sim::PlaceHistory* history(const ViewId& view) const;
    scene::HistorySubject subjectOf(const sim::PlaceHistory& history) const;
    scene::HistoryLook historyLook(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    scene::CyclesLook cyclesLook(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;
    scene::PhaseSubject phaseSubject() const;
    scene::PhaseLook phaseLook(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) const;

    /// What lived in the cell that was picked last, and which lines used it, over the chosen range or all of the time.
    struct Picked {
        std::string title;
        std::vector<sim::PlaceRow> names;
        std::vector<sim::PlaceRow> words;  ///< of a cell of memory; empty if it has one, or very many
        std::vector<sim::PlaceRow> lines;
    };
    /// Null while nothing is picked, or it is being computed.
    const Picked* picked() const;

    /// A bar, or a stay, of a history in words; the first line is the heading.
    std::vector<std::string> describeBar(const sim::PlaceHistory& history, const scene::HistoryBar& bar) const;
    std::vector<std::string> describeStay(const sim::PlaceHistory& history, std::size_t stay) const;
    /// A stretch of the phases in words.
    std::vector<std::string> describePhase(const scene::TimeSpan& span) const;

  private:
    struct View;
    struct Pick;
    using SharedPicked = std::shared_ptr<const Picked>;
    View& at(const ViewId& view);
    std::optional<scene::CommonScale> commonOf(const ViewId& view) const;
    void updatePicked(const RunContext& context);
    void askForLoops();

    const sim::MachineConfig& machine() const { return opened_.run->machine(); }
    const sim::Trace& trace() const { return opened_.run->trace(); }

    Opened opened_;
    const sim::Overview& whole_;
    TaskRunner& runner_;
    std::map<ViewId, std::unique_ptr<View>> views_;
    std::unique_ptr<Pick> pick_;
    SeenOverview seenOverview_;
    CyclesView cyclesView_;
    LatestTask<std::monostate, std::vector<std::uint64_t>> loops_;
    std::uint64_t longest_ = 0;
    std::vector<std::uint64_t> commonLoops_;
};

}  // namespace whorl::app
