#include "app/views/run_view.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace whorl::app {

namespace {

/// The accesses of a stretch, whole ones.
sim::Range accessesOf(const scene::TimeSpan& seen, std::uint64_t end) {
    const auto from = std::min(end, static_cast<std::uint64_t>(std::max(0.0, std::floor(seen.from))));
    const auto to = std::min(end, static_cast<std::uint64_t>(std::max(0.0, std::ceil(seen.to))));
    return {sim::Tick{from}, sim::Tick{std::max(from, to)}};
}

}  // namespace

std::optional<sim::Range> closeRangeOf(const scene::TimeSpan& seen, std::uint64_t end, std::uint64_t step) {
    const sim::Range range = accessesOf(seen, end);
    if (range.size() == 0) return std::nullopt;
    // Between whole multiples of about half its length.
    const std::uint64_t grid = std::max<std::uint64_t>(1, std::bit_ceil(range.size()) / 2);
    const std::uint64_t from = range.from.value / grid * grid;
    const std::uint64_t to = std::min(end, (range.to.value + grid - 1) / grid * grid);
    if (sim::overviewStep(to - from) >= step) return std::nullopt;
    return sim::Range{sim::Tick{from}, sim::Tick{to}};
}

void SeenOverview::update(const RunContext& context, const sim::Overview& whole) {
    const auto range =
        context.seen ? closeRangeOf(*context.seen, run_->trace().size(), whole.accessesPerBucket()) : std::nullopt;
    if (range && range->to <= run_->built()) {
        query_.ask(*range, [run = run_, range = *range](sim::Progress& progress) {
            return orCancelled(overviewOf(*run, range, progress));
        });
    }
    query_.update();
}

const sim::Overview& SeenOverview::of(const std::optional<scene::TimeSpan>& seen, const sim::Overview& whole) const {
    if (!seen || !query_.answer()) return whole;
    const sim::Overview& close = **query_.answer();
    const sim::Range range = accessesOf(*seen, run_->trace().size());
    const bool isInside = close.begin() <= range.from && range.to <= close.end();
    return isInside && close.accessesPerBucket() < whole.accessesPerBucket() ? close : whole;
}

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
    histories_.take(context, tablesNeedHistory, highlightedPath(context));
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
std::shared_ptr<const HighlightedPath> RunView::highlightedPath(const RunContext& context) const {
    const bool isRecorded = run()->trace().recording() != nullptr && context.viewSettings.recorded;
    return isRecorded ? nullptr : flat_.of<CyclesView>().highlightedPath(context);
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

/// Without a range, gauges of the range cover the whole run, as histories do.
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
