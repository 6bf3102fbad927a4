#include "app/views/run_view.h"

#include <algorithm>

namespace whorl::app {

Views& RunView::views(const ViewId& view) {
    Views* found = &composer_;
    const auto isOfKind = [&](auto& views) {
        const auto& kinds = views.kKinds;
        const bool is = std::find(kinds.begin(), kinds.end(), view.kind) != kinds.end();
        if (is) found = &views;
        return is;
    };
    if (!isOfKind(histories_)) flat_.anyOf(isOfKind);
    return *found;
}

void RunView::update(const RunContext& context, bool tablesNeedHistory) {
    seenOverview_.update(context, composer_.overview());
    flat_.anyOf([&](Views& views) {
        views.update(context);
        return false;
    });
    histories_.take(context, tablesNeedHistory, litPath(context));
}

void RunView::cancel() {
    histories_.cancel();
    flat_.anyOf([](Views& views) {
        views.cancel();
        return false;
    });
    seenOverview_.cancel();
    gaugeSpan_.cancel();
}

bool RunView::working() const {
    return gaugeSpan_.working() || seenOverview_.working() || histories_.working() ||
           flat_.anyOf([](const Views& views) { return views.working(); });
}

std::optional<sim::Error> RunView::takeError() {
    std::optional<sim::Error> error = gaugeSpan_.takeError();
    if (!error) error = histories_.takeError();
    if (!error) flat_.anyOf([&](Views& views) { return (error = views.takeError()).has_value(); });
    return error ? error : seenOverview_.takeError();
}

/// A recorded history has other times than the simulation, whose path it is.
std::shared_ptr<const LitPath> RunView::litPath(const RunContext& context) const {
    const bool isRecorded = run()->trace().recording() != nullptr && context.viewSettings.recorded;
    return isRecorded ? nullptr : flat_.of<CyclesView>().litPath(context);
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
