#include "app/views/space/histories.h"

namespace whorl::app {

void Histories::Query::ask(const HistoryRequest& request, const std::shared_ptr<sim::Run>& run) {
    task.ask(request,
             [run, request](sim::Progress& progress) { return orCancelled(historyFor(*run, request, progress)); });
    update(*run);  // the runner may have run it already
}

void Histories::Query::update(const sim::Run& run) {
    if (!task.update() || !task.answer()) return;
    const auto& history = *task.answer();
    if (views && views->shared() == history) return;
    views = std::make_shared<HistoryViews>(run.sharedTrace(), history);
}

void Histories::Query::reset() {
    task.reset();
    views.reset();
}

void Histories::take(const RunContext& context, bool tablesNeedHistory,
                     const std::shared_ptr<const HighlightedPath>& path) {
    ofRange_.update(*run_);
    ofAll_.update(*run_);
    if (context.viewSettings.needsHistory() || tablesNeedHistory) ask(context);
    const auto& views = context.range ? ofRange_.views : ofAll_.views;
    if (views_) views_->light(path);
    if (ofAll_.views) ofAll_.views->light(path);
    if (views) views_ = views;
}

void Histories::ask(const RunContext& context) {
    const HistoryRequest request = historyRequestOf(context, *run_);
    if (!canMakeHistory(*run_, request)) return;
    const bool needsAll = !request.range || context.viewSettings.showsKind(ViewId::Kind::blocks);
    // What was cancelled is repeated once another history is needed.
    const bool wasCancelled = asked_ != request && !ofAll_.views && !ofAll_.task.working();
    const bool isOutdated = asked_ && asked_->recorded != request.recorded && !needsAll;
    if (wasCancelled || isOutdated) ofAll_.reset();
    asked_ = request;
    if (request.range) {
        ofRange_.ask(request, run_);
    } else {
        ofRange_.reset();
    }
    if (needsAll) ofAll_.ask({.range = std::nullopt, .recorded = request.recorded}, run_);
}

TileScene Histories::pictureOf(const ViewQuery& query) {
    HistoryViews* const history = views(query.view);
    if (history == nullptr || !history->of(query.view).has(query.view)) return {};
    return &history->of(query.view).scene(query);
}

std::optional<Hit> Histories::hitAt(const ViewQuery& query, glm::ivec2 at) {
    HistoryViews* const history = views(query.view);
    return history == nullptr ? std::nullopt : history->of(query.view).hitAt(query, at);
}

}  // namespace whorl::app
