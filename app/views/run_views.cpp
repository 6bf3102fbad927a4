#include "app/views/run_views.h"

#include <algorithm>
#include <utility>

#include "app/commands/cost_tables.h"
#include "app/session/compared_runs.h"

namespace whorl::app {

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
    const auto first = views_.front()->of<PhaseViews>().loops();
    std::vector<std::uint64_t> common(first.begin(), first.end());
    for (const auto& view : views_) {
        const auto loops = view->of<PhaseViews>().loops();
        std::erase_if(common, [&](std::uint64_t l) { return !std::binary_search(loops.begin(), loops.end(), l); });
    }
    return common;
}

/// Equal numbers have equal colours in the pictures of all runs. `contexts`: of each of them.
void RunViews::shareScales(const std::vector<RunContext>& contexts, std::span<const Tile> tiles, float scale) {
    if (views_.empty()) return;
    const bool areCompared = views_.size() > 1;
    std::uint64_t longest = 0;
    for (const auto& view : views_) longest = std::max(longest, view->run()->trace().size());
    const std::vector<std::uint64_t> loops = commonLoops();
    for (const auto& view : views_) view->of<PhaseViews>().setCompared(areCompared ? longest : 0, loops);
    for (const ViewId& view : contexts.front().viewSettings.shown) {
        const auto tile =
            std::find_if(tiles.begin(), tiles.end(), [&](const Tile& t) { return t.view.withoutRun() == view; });
        if (tile == tiles.end()) continue;
        const glm::ivec2 size(tile->where.width, tile->where.height);
        std::optional<double> most;
        for (std::size_t i = 0; areCompared && i < views_.size(); ++i) {
            if (const auto largest = views_[i]->views(view).largest({view, contexts[i], size, scale}))
                most = std::max(most.value_or(0), *largest);
        }
        std::optional<scene::CommonScale> common;
        if (most) common = scene::CommonScale{*most, views_.size()};
        for (const auto& run : views_) run->views(view).setCommon(view, common);
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
