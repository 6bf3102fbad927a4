#include "app/views/run_view.h"

#include <algorithm>

namespace whorl::app {

Views& RunView::views(const ViewId& view) {
    switch (view.kind) {
        case ViewId::Kind::rings:
            return composer_;
        case ViewId::Kind::sources:
        case ViewId::Kind::objects:
        case ViewId::Kind::blocks:
        case ViewId::Kind::collisions:
            return histories_;
        case ViewId::Kind::memory:
        case ViewId::Kind::memoryLive:
        case ViewId::Kind::cache:
        case ViewId::Kind::cacheLive:
            return cellViews_;
        case ViewId::Kind::history:
        case ViewId::Kind::phases:
        case ViewId::Kind::cycles:
            return timeViews_;
        case ViewId::Kind::life:
            break;
    }
    return lifeViews_;
}

void RunView::update(const RunContext& context, bool tablesNeedHistory) {
    cellViews_.update(context);
    timeViews_.update(context);
    lifeViews_.update(context);
    histories_.update(context, tablesNeedHistory, litPath(context));
}

void RunView::cancel() {
    anyOf(*this, [](Views& views) {
        views.cancel();
        return false;
    });
    gaugeSpan_.cancel();
}

bool RunView::working() const {
    return gaugeSpan_.working() || anyOf(*this, [](const Views& views) { return views.working(); });
}

std::optional<sim::Error> RunView::takeError() {
    std::optional<sim::Error> error = gaugeSpan_.takeError();
    if (!error) anyOf(*this, [&](Views& views) { return (error = views.takeError()).has_value(); });
    return error;
}

/// A recorded history has other times than the simulation, whose path it is.
std::shared_ptr<const LitPath> RunView::litPath(const RunContext& context) const {
    const bool isRecorded = run()->trace().recording() != nullptr && context.viewSettings.recorded;
    return isRecorded ? nullptr : timeViews_.cyclesView().litPath(context);
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

}  // namespace whorl::app
