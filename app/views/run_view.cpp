#include "app/views/run_view.h"

#include <algorithm>

namespace whorl::app {

void RunView::update(const RunContext& context, bool tablesNeedHistory) {
    cellViews_.update(context);
    timeViews_.update(context, composer_.overview());
    lifeViews_.update(context);
    ofRange_.update(*run());
    ofAll_.update(*run());
    if (context.viewSettings.needsHistory() || tablesNeedHistory) askForHistories(context);
    const auto& views = context.range ? ofRange_.views() : ofAll_.views();
    if (historyViews_) historyViews_->light(litPath(context));
    if (ofAll_.views()) ofAll_.views()->light(litPath(context));
    if (!views || views == historyViews_) return;
    historyViews_ = views;
    collisionView_ = std::make_unique<CollisionView>(run()->sharedTrace(), views->shared());
}

/// A recorded history has other times than the simulation, whose path it is.
std::shared_ptr<const LitPath> RunView::litPath(const RunContext& context) const {
    const bool isRecorded = run()->trace().recording() != nullptr && context.viewSettings.recorded;
    return isRecorded ? nullptr : timeViews_.cyclesView().litPath(context);
}

void RunView::askForHistories(const RunContext& context) {
    const HistoryRequest request = historyRequestOf(context, *run());
    if (!canMakeHistory(*run(), request)) return;
    const auto& shown = context.viewSettings.shown;
    const bool hasBlocks =
        std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::blocks; });
    const bool needsAll = !request.range || hasBlocks;
    // What was cancelled is repeated once another history is needed.
    const bool wasCancelled = asked_ != request && !ofAll_.views() && !ofAll_.working();
    const bool isOutdated = asked_ && asked_->recorded != request.recorded && !needsAll;
    if (wasCancelled || isOutdated) ofAll_.reset();
    asked_ = request;
    if (request.range) {
        ofRange_.ask(request, run());
    } else {
        ofRange_.reset();
    }
    if (needsAll) ofAll_.ask({.range = std::nullopt, .recorded = request.recorded}, run());
}

std::optional<sim::Measures> RunView::countsOf(const RunContext& context) {
    const bool isTimed = run()->trace().hasTimes();
    if (!context.range) {
        if (composer_.picture() == nullptr) return std::nullopt;
        return sim::measuresOf(composer_.picture()->snapshot.now, isTimed);
    }
    const sim::Range range = *context.range;
    if (range.to > run()->built()) return std::nullopt;
    if (!counted_ || counted_->range != range) {
        counted_.emplace(Counted{range, sim::measuresOf(run()->stateAt(range.to), isTimed)});
        counted_->measures -= sim::measuresOf(run()->stateAt(range.from), isTimed);
    }
    return counted_->measures;
}

/// Without a range, gauges of the range are of the whole run, as histories are.
std::shared_ptr<const sim::SpanRequests> RunView::gaugeSpan(const RunContext& context) {
    gaugeSpan_.update();
    const sim::GaugeSettings& gauge = context.ringView.gauge;
    if (!gauge.isOfSpan()) return nullptr;
    const sim::Range whole{sim::Tick{0}, sim::Tick{run()->trace().size()}};
    const sim::Range range = gauge.over == sim::GaugeSettings::Over::range ? context.range.value_or(whole) : whole;
    if (range.to > run()->built()) return nullptr;
    gaugeSpan_.ask(range, [run = run(), range, isWhole = range == whole](sim::Progress& progress) {
        std::shared_ptr<const sim::SpanRequests> requests;
        if (const auto measures = run->between(range, progress)) {
            requests = std::make_shared<const sim::SpanRequests>(sim::spanRequests(*measures, range, isWhole));
        }
        return orCancelled(requests);
    });
    gaugeSpan_.update();
    const auto& known = gaugeSpan_.answer();
    return known && (*known)->of == range ? *known : nullptr;
}

std::optional<double> RunView::largest(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) {
    if (view.cells()) return cellViews_.largest(view, context, size, scale);
    if (view.isOverTime()) return timeViews_.largest(view, context, composer_.overview(), size, scale);
    const bool collides = view.kind == ViewId::Kind::collisions && collisionView_;
    return collides ? std::optional(collisionView_->largest(context)) : std::nullopt;
}

void RunView::setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) {
    if (view.cells()) cellViews_.setCommon(view, common);
    if (view.isOverTime()) timeViews_.setCommon(view, common);
    if (view.kind == ViewId::Kind::collisions && collisionView_) collisionView_->setCommon(common);
}

std::optional<sim::Error> RunView::takeError() {
    for (HistoryQuery* query : {&ofRange_, &ofAll_}) {
        if (auto error = query->takeError()) return error;
    }
    if (auto error = timeViews_.takeError()) return error;
    if (auto error = gaugeSpan_.takeError()) return error;
    if (auto error = lifeViews_.takeError()) return error;
    return cellViews_.takeError();
}

}  // namespace whorl::app
