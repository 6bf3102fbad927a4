// The histories of one run that its views need, computed in the background, and the pictures in space made of them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/space/block_views.h"
#include "app/views/space/folded_views.h"
#include "app/views/views.h"

namespace whorl::app {

/// The views in space of one history.
class HistoryViews {
  public:
    HistoryViews(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history)
        : shown_(std::move(trace), std::move(history)) {}

    const ShownHistory& shown() const { return shown_; }
    const sim::History& history() const { return shown_.history(); }
    const std::shared_ptr<const sim::History>& shared() const { return shown_.shared(); }
    const sim::Trace& trace() const { return shown_.trace(); }

    /// Sets the histories of other runs shown beside this one, and the critical path that is lit; see ShownHistory.
    void compareWith(std::vector<std::shared_ptr<const sim::History>> others) { set(shown_.others, std::move(others)); }
    void light(std::shared_ptr<const HighlightedPath> path) { set(shown_.path, std::move(path)); }

    FoldedViews& folded() { return folded_; }
    BlockViews& blocks() { return blocks_; }
    /// The views in space that make the picture of a view.
    SpaceViews& of(const ViewId& view) {
        if (view.kind == ViewId::Kind::blocks) return blocks_;
        return folded_;
    }

  private:
    template <class T>
    void set(T& what, T to) {
        if (to == what) return;
        what = std::move(to);
        folded_.forget();
        blocks_.forget();
    }

    ShownHistory shown_;
    FoldedViews folded_{shown_};
    BlockViews blocks_{shown_};
};

class Histories final : public Views {
  public:
    static constexpr std::array kKinds{ViewId::Kind::sources, ViewId::Kind::objects, ViewId::Kind::blocks};

    Histories(std::shared_ptr<sim::Run> run, TaskRunner& runner)
        : run_(std::move(run)), ofRange_(runner), ofAll_(runner) {
        keep(ofRange_.task);
        keep(ofAll_.task);
    }

    /// Once per frame: takes the histories that have arrived, and requests those that the session's views need, or the
    /// tables of what costs most. The last history is kept until another one arrives. `path`: what is lit in them.
    void take(const RunContext& context, bool tablesNeedHistory, const std::shared_ptr<const HighlightedPath>& path);
    double fraction(const ViewId& /*view*/) const override {
        return ofRange_.task.working() ? ofRange_.task.fraction() : ofAll_.task.fraction();
    }

    TileScene pictureOf(const ViewQuery& query) override;
    std::optional<Hit> hitAt(const ViewQuery& query, glm::ivec2 at) override;

    /// The history of the selected range, or of all; null while there is none.
    HistoryViews* views() const { return views_.get(); }
    /// The history for a view: pictures over time, which only mark the range, show the history of the whole run.
    HistoryViews* views(const ViewId& view) const {
        const bool isOfAll = view.kind == ViewId::Kind::blocks && ofAll_.views;
        return isOfAll ? ofAll_.views.get() : views_.get();
    }

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
    std::shared_ptr<HistoryViews> views_;  ///< views of the history of the range, or of the whole run
};

}  // namespace whorl::app
