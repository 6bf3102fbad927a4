// The histories of one run that its views need, computed in the background, and the pictures made of them: the views in
// space and the collisions.
#pragma once

#include <memory>
#include <optional>

#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/collisions/collision_view.h"
#include "app/views/space/history_views.h"
#include "app/views/views.h"

namespace whorl::app {

class Histories final : public Views {
  public:
    Histories(std::shared_ptr<sim::Run> run, TaskRunner& runner)
        : run_(std::move(run)), ofRange_(runner), ofAll_(runner) {}

    /// Once per frame: takes the histories that have arrived, and requests those that the session's views need, or the
    /// tables of what costs most. The last history is kept until another one arrives. `path`: what is lit in them.
    void update(const RunContext& context, bool tablesNeedHistory, const std::shared_ptr<const LitPath>& path);
    void cancel() override;
    bool working() const override { return ofRange_.task.working() || ofAll_.task.working(); }
    /// Of the history, from 0 to 1; negative if unknown or if none is being computed.
    double fraction() const { return ofRange_.task.working() ? ofRange_.task.fraction() : ofAll_.task.fraction(); }
    std::optional<sim::Error> takeError() override;

    TileScene pictureOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) override;
    std::optional<double> largest(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) override;
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) override;

    /// The history of the selected range, or of all; null while there is none.
    HistoryViews* views() const { return views_.get(); }
    /// That of a view: pictures over time, which only mark the range, show the history of all.
    HistoryViews* views(const ViewId& view) const {
        const bool isOfAll = view.kind == ViewId::Kind::blocks && ofAll_.views;
        return isOfAll ? ofAll_.views.get() : views_.get();
    }
    /// The picture of the history's collisions; null likewise.
    CollisionView* collisions() const { return collisions_.get(); }

  private:
    /// A history that is computed in the background, and the pictures of the last one that arrived.
    struct Query {
        explicit Query(TaskRunner& runner) : task(runner) {}

        void ask(const HistoryRequest& request, const std::shared_ptr<sim::Run>& run);
        void update(const sim::Run& run);
        /// Forgets the history, and what was asked.
        void reset();

        LatestTask<HistoryRequest, std::shared_ptr<const sim::History>> task;
        std::shared_ptr<HistoryViews> views;  ///< null while there is none
    };

    void ask(const RunContext& context);

    std::shared_ptr<sim::Run> run_;
    Query ofRange_;
    Query ofAll_;
    std::optional<HistoryRequest> asked_;  ///< last
    std::shared_ptr<HistoryViews> views_;  ///< of either
    std::unique_ptr<CollisionView> collisions_;
};

}  // namespace whorl::app
