#include "app/views/run_views.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/commands/cost_tables.h"
#include "app/session/compared_runs.h"

namespace whorl::app {

Views& RunView::views(const ViewId& view) {
    if (view.isSpace()) return histories_;
    const auto found = std::find_if(flat_.begin(), flat_.end(), [&](const FlatViews& flat) {
        return std::find(flat.kinds.begin(), flat.kinds.end(), view.kind) != flat.kinds.end();
    });
    return found == flat_.end() ? composer_ : *found->views;
}

void RunView::update(const RunContext& context, bool tablesNeedHistory) {
    seenOverview_.update(context, composer_.overview());
    forEachFlat([&](Views& views) { views.update(context); });
    histories_.take(context, tablesNeedHistory, highlightedPath(context));
}

void RunView::cancel() {
    histories_.cancel();
    forEachFlat([](Views& views) { views.cancel(); });
    seenOverview_.cancel();
    gaugeSpan_.cancel();
}

bool RunView::working() const {
    return gaugeSpan_.working() || seenOverview_.working() || histories_.working() ||
           std::any_of(flat_.begin(), flat_.end(), [](const FlatViews& flat) { return flat.views->working(); });
}

std::optional<sim::Error> RunView::takeError() {
    std::optional<sim::Error> error = gaugeSpan_.takeError();
    if (!error) error = histories_.takeError();
    forEachFlat([&](Views& views) {
        if (!error) error = views.takeError();
    });
    return error ? error : seenOverview_.takeError();
}

/// A recorded history has other times than the simulation, whose path it is.
std::shared_ptr<const HighlightedPath> RunView::highlightedPath(const RunContext& context) const {
    const bool isRecorded = run()->trace().recording() != nullptr && context.viewSettings.recorded;
    std::shared_ptr<const HighlightedPath> path;
    forEachFlat([&](const Views& views) {
        if (!isRecorded && !path) path = views.highlightedPath(context);
    });
    return path;
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

void RunViews::follow(const Session& session) {
    std::vector<std::unique_ptr<RunView>> before = std::exchange(views_, {});
    for (const Opened* opened : session.openRuns()) {
        const auto known =
            std::find_if(before.begin(), before.end(), [&](const auto& v) { return v && v->run() == opened->run; });
        views_.push_back(known != before.end() ? std::move(*known) : std::make_unique<RunView>(*opened, runner_));
    }
}

void RunViews::update(const Session& session, std::span<const Tile> tiles, const gl::Rect& canvas, float scale,
                      double moveTicks) {
    std::vector<RunContext> all;
    all.reserve(views_.size());
    for (std::size_t i = 0; i < views_.size(); ++i) {
        const gl::Rect rings = ringsOf(tiles, canvas, i);
        const RunContext& context = all.emplace_back(contextOf(session, i));
        scene::View view = session.view(context, {rings.width, rings.height}, scale);
        view.moveTicks =
            moveTicks * (i == 0 ? 1 : lockedPace(session.lock, lockedTraces(session, session.compared[i - 1])));
        view.gaugeSpan = views_[i]->gaugeSpan(context);
        views_[i]->composer().compose(context.player.position(), view);
        views_[i]->update(context, costsNeedHistory(session.overlays));
    }
    compareHistories();
    shareScales(all, tiles, scale);
}

/// Tells each of the runs' histories that are shown beside each other about the others.
template <class HistoryOf>
void RunViews::compare(const HistoryOf& historyOf) {
    for (const auto& view : views_) {
        if (historyOf(*view) == nullptr) continue;
        std::vector<std::shared_ptr<const sim::History>> others;
        for (const auto& other : views_) {
            if (other != view && historyOf(*other) != nullptr) others.push_back(historyOf(*other)->shared());
        }
        historyOf(*view)->compareWith(std::move(others));
    }
}

void RunViews::compareHistories() {
    compare([](const RunView& view) { return view.historyViews(); });
    compare([](const RunView& view) {
        HistoryViews* const ofAllTime = view.historyViews({ViewId::Kind::blocks});
        return ofAllTime == view.historyViews() ? nullptr : ofAllTime;
    });
}

/// The lengths of the loops that all runs have.
std::vector<std::uint64_t> RunViews::commonLoops() const {
    std::optional<std::vector<std::uint64_t>> common;
    for (const auto& view : views_) {
        std::vector<std::uint64_t> loops;
        view->forEachFlat([&](const Views& flat) {
            if (!flat.loops().empty()) loops.assign(flat.loops().begin(), flat.loops().end());
        });
        if (!common) common = loops;
        std::erase_if(*common, [&](std::uint64_t l) { return !std::binary_search(loops.begin(), loops.end(), l); });
    }
    return common.value_or(std::vector<std::uint64_t>());
}

/// Equal numbers have equal colours in the pictures of all runs, unless each has its own scale. `contexts`: of each of
/// them.
void RunViews::shareScales(const std::vector<RunContext>& contexts, std::span<const Tile> tiles, float scale) {
    if (views_.empty()) return;
    const bool areCompared = views_.size() > 1;
    std::uint64_t longest = 0;
    for (const auto& view : views_) longest = std::max(longest, view->run()->trace().size());
    const std::vector<std::uint64_t> loops = commonLoops();
    for (const auto& view : views_) {
        view->forEachFlat([&](Views& flat) { flat.setCompared(areCompared ? longest : 0, loops); });
    }
    for (const ViewId& view : contexts.front().viewSettings.shown) {
        const auto tile =
            std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view.withoutRun() == view; });
        if (tile == tiles.end()) continue;
        const glm::ivec2 size(tile->where.width, tile->where.height);
        std::vector<std::optional<scene::CommonScale>> scales(views_.size());
        std::optional<double> most;
        for (std::size_t i = 0; areCompared && i < views_.size(); ++i) {
            const auto largest = views_[i]->views(view).largest({view, contexts[i], size, scale});
            if (largest) scales[i] = scene::CommonScale{*largest, 1};
            if (largest) most = std::max(most.value_or(0), *largest);
        }
        if (most && contexts.front().viewSettings.commonScale)
            std::ranges::fill(scales, scene::CommonScale{*most, views_.size()});
        for (std::size_t i = 0; i < views_.size(); ++i) views_[i]->views(view).setCommon(view, scales[i]);
    }
}

void RunViews::cancel() {
    for (const auto& view : views_) view->cancel();
}

bool RunViews::working() const {
    return std::any_of(views_.begin(), views_.end(), [](const auto& view) { return view->working(); });
}

std::optional<sim::Error> RunViews::takeError() {
    for (const auto& view : views_) {
        if (auto error = view->takeError()) return error;
    }
    return std::nullopt;
}

TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale) {
    RunView* const run = runs.at(tile.view.run);
    if (run == nullptr) return {};
    const glm::ivec2 pixels(tile.where.width, tile.where.height);
    const auto picture = [&](const RunContext& context) {
        return run->views(tile.view).pictureOf({tile.view, context, pixels, scale});
    };
    return tile.view.run == 0 ? picture(session) : picture(contextOf(session, tile.view.run));
}

}  // namespace whorl::app
