#include "app/views/space/histories.h"

#include <algorithm>

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

void Histories::update(const RunContext& context, bool tablesNeedHistory, const std::shared_ptr<const LitPath>& path) {
    ofRange_.update(*run_);
    ofAll_.update(*run_);
    if (context.viewSettings.needsHistory() || tablesNeedHistory) ask(context);
    const auto& views = context.range ? ofRange_.views : ofAll_.views;
    if (views_) views_->light(path);
    if (ofAll_.views) ofAll_.views->light(path);
    if (!views || views == views_) return;
    views_ = views;
    collisions_ = std::make_unique<CollisionView>(run_->sharedTrace(), views->shared());
}

void Histories::ask(const RunContext& context) {
    const HistoryRequest request = historyRequestOf(context, *run_);
    if (!canMakeHistory(*run_, request)) return;
    const auto& shown = context.viewSettings.shown;
    const bool hasBlocks =
        std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::blocks; });
    const bool needsAll = !request.range || hasBlocks;
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

void Histories::cancel() {
    ofRange_.task.cancel();
    ofAll_.task.cancel();
}

std::optional<sim::Error> Histories::takeError() {
    auto error = ofRange_.task.takeError();
    return error ? error : ofAll_.task.takeError();
}

TileScene Histories::pictureOf(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) {
    if (view.kind == ViewId::Kind::collisions) {
        return collisions_ ? TileScene(&collisions_->picture(context, size, scale).scene) : TileScene();
    }
    HistoryViews* const history = views(view);
    if (history == nullptr || !history->has(view)) return {};
    return &history->scene(view, context, glm::vec2(size), scale);
}

std::optional<double> Histories::largest(const ViewId& view, const RunContext& context, glm::ivec2 /*size*/,
                                         float /*scale*/) {
    const bool collides = view.kind == ViewId::Kind::collisions && collisions_;
    return collides ? std::optional(collisions_->largest(context)) : std::nullopt;
}

void Histories::setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) {
    if (view.kind == ViewId::Kind::collisions && collisions_) collisions_->setCommon(common);
}

}  // namespace whorl::app
