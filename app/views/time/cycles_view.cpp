#include "app/views/time/cycles_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/views/tile_look.h"
#include "app/views/words_scene.h"
#include "render/scene/time_marks.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

using sim::grouped;

bool showsCycles(const RunContext& context) {
    const auto& shown = context.viewSettings.shown;
    return std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::cycles; });
}

/// Cycles around those that are seen, whole ones; a short move asks for no others.
sim::CycleRange closeRangeOf(const scene::Interval& shown, sim::Cycles end) {
    const scene::Interval around = scene::BlockTime::around(shown);
    const auto whole = [&](double cycle) {
        return static_cast<sim::Cycles>(std::clamp(cycle, 0.0, static_cast<double>(end)));
    };
    return {whole(std::floor(around.from)), whole(std::ceil(around.to))};
}

}  // namespace

CyclesView::CyclesView(std::shared_ptr<const sim::Run> run, TaskRunner& runner)
    : run_(std::move(run)), whole_(runner), close_(runner), path_(runner) {}

void CyclesView::update(const RunContext& context) {
    const bool isShown = showsCycles(context);
    if (!run_->complete() || (!isShown && !context.viewSettings.path)) return;
    whole_.ask(true, [run = run_](sim::Progress& progress) { return orCancelled(costsOverTime(*run, progress)); });
    whole_.update();
    if (whole() == nullptr) return;
    if (isShown && context.seen) {
        const sim::CycleRange range = closeRangeOf(time().shown(context.seen), whole()->scale.end);
        if (range.size() > 0 && sim::closeStep(range.size()) < whole()->all.step()) {
            close_.ask(range, [run = run_, costs = *whole_.answer(), range](sim::Progress& progress) {
                return orCancelled(costsDuring(*run, *costs, range, progress));
            });
        }
    }
    close_.update();
    if (context.viewSettings.path) {
        path_.ask(true, [run = run_, costs = *whole_.answer()](sim::Progress& progress) {
            return orCancelled(litPathOf(*run, costs, progress));
        });
    }
    path_.update();
}

void CyclesView::cancel() {
    whole_.cancel();
    close_.cancel();
    path_.cancel();
}

std::optional<sim::Error> CyclesView::takeError() {
    if (auto error = whole_.takeError()) return error;
    if (auto error = close_.takeError()) return error;
    return path_.takeError();
}

std::optional<scene::CyclesSubject> CyclesView::subject(const RunContext& context) const {
    if (whole() == nullptr) return std::nullopt;
    const sim::CycleCosts* costs = &whole()->all;
    if (context.seen && close_.answer()) {
        const sim::CycleCosts& close = **close_.answer();
        const scene::Interval shown = time().shown(context.seen);
        const bool isInside =
            static_cast<double>(close.range().from) <= shown.from &&
            std::min(shown.to, static_cast<double>(whole()->scale.end)) <= static_cast<double>(close.range().to);
        if (isInside && close.step() < costs->step()) costs = &close;
    }
    return scene::CyclesSubject{*whole(), *costs, run_->trace()};
}

double CyclesView::shownCycles(const RunContext& context) const {
    return whole() == nullptr ? 0 : time().shown(context.seen).length();
}

scene::CyclesLook CyclesView::look(const RunContext& context, glm::ivec2 size, float scale,
                                   const std::optional<scene::CommonScale>& common) const {
    scene::CyclesLook look;
    look.size = size;
    look.ground = context.ground;
    look.text = viewText(scale);
    look.controls = controlHeight(context, scale);
    look.path = context.viewSettings.path;
    if (whole() == nullptr) return look;
    const scene::Interval shown = time().shown(context.seen);
    look.seen = {shown.from, shown.from + (common ? std::max(1.0, common->most) : shown.length())};
    if (context.range) {
        const scene::Interval chosen = time().cyclesOf(scene::spanOf(*context.range));
        look.chosen = scene::TimeSpan{chosen.from, chosen.to};
    }
    if (close_.working()) look.note = "finer sums are being computed";
    return look;
}

const scene::FlatScene& CyclesView::scene(const RunContext& context, glm::ivec2 size, float scale,
                                          const std::optional<scene::CommonScale>& common) {
    const scene::CyclesLook look = this->look(context, size, scale, common);
    const auto subject = this->subject(context);
    if (!subject) {
        picture_ = wordsScene("The costs over time are being computed.", size, look.ground, look.text);
        drawn_.reset();
        return picture_;
    }
    if (drawn_ != look || drawnOf_ != &subject->costs) {
        picture_ = cyclesScene(*subject, look);
        drawn_ = look;
        drawnOf_ = &subject->costs;
    }
    const scene::CyclesFrame frame = cyclesFrame(*subject, look);
    picture_.strokes =
        scene::playheadStrokes(frame.axis, frame.all, whole()->scale.cyclesAt(context.player.position()), look.ground);
    return picture_;
}

std::vector<std::string> CyclesView::describe(const scene::CyclesSubject& subject, const scene::CyclesHit& hit) const {
    const sim::CycleClasses& classes = subject.costs.classes();
    const sim::CycleRange range = subject.costs.cyclesOf(hit.buckets.first, hit.buckets.last);
    const std::vector<sim::Cycles> sums = sumsOf(subject.costs, hit.cpu, hit.buckets);
    const sim::Cycles all = std::accumulate(sums.begin(), sums.end(), sim::Cycles{0});
    const auto line = [&](std::size_t c) {
        return fmt::format("{}: {}, {:.1f} %", classes.words(c), sim::counted(sums[c], "cycle", "cycles"),
                           100.0 * static_cast<double>(sums[c]) / static_cast<double>(std::max<sim::Cycles>(1, all)));
    };
    std::vector<std::string> lines{line(hit.what)};
    lines.push_back(fmt::format("{}, cycles {} – {}", hit.cpu ? sim::cpuWords(subject.trace, *hit.cpu) : "all CPUs",
                                grouped(range.from), grouped(range.to)));
    for (std::size_t c = sums.size(); c-- > 0;) {
        if (c != hit.what && sums[c] > 0) lines.push_back(line(c));
    }
    const bool isOnPath = hit.cpu && subject.run.path.contains(*hit.cpu, range.from);
    if (isOnPath) lines.emplace_back("on the critical path");
    lines.emplace_back("click to go there");
    return lines;
}

std::shared_ptr<const LitPath> CyclesView::litPath(const RunContext& context) const {
    return context.viewSettings.path && path_.answer() ? *path_.answer() : nullptr;
}

}  // namespace whorl::app
