#include "app/views/cycles/cycles_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "app/commands/display_commands.h"
#include "app/commands/time_commands.h"
#include "app/session/settings.h"
#include "app/views/views.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/table.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using sim::grouped;

/// Cycles around those that are seen, whole ones; a short move asks for no others.
sim::CycleRange closeRangeOf(const scene::Interval& shown, sim::Cycles end) {
    const scene::Interval around = scene::BlockTime::around(shown);
    const auto whole = [&](double cycle) {
        return static_cast<sim::Cycles>(std::clamp(cycle, 0.0, static_cast<double>(end)));
    };
    return {whole(std::floor(around.from)), whole(std::ceil(around.to))};
}

}  // namespace

CyclesView::CyclesView(const ViewSources& sources)
    : run_(sources.opened.run), whole_(sources.runner), close_(sources.runner), path_(sources.runner) {
    keep(whole_);
    keep(close_);
    keep(path_);
}

void CyclesView::update(const RunContext& context) {
    const bool isShown = context.viewSettings.showsKind(ViewId::Kind::cycles);
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
            return orCancelled(highlightedPathOf(*run, costs, progress));
        });
    }
    path_.update();
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
    scene::CyclesLook look{chartLook(context, size, scale)};
    look.path = context.viewSettings.path;
    look.cpu = context.cpu;
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
    picture_.strokes = scene::playheadStrokes(frame, whole()->scale.cyclesAt(context.player.position()), look.ground);
    return picture_;
}

sim::WaitsDuring CyclesView::waitsOf(const scene::CyclesSubject& subject, const scene::CyclesHit& hit) const {
    if (!hit.cpu || !subject.costs.classes().isWait(hit.what)) return {};
    return waitsDuring(subject.run, *hit.cpu, subject.costs.cyclesOf(hit.buckets.first, hit.buckets.last));
}

namespace {

/// "at locks: 80 cycles, 12.5 %", of the cycles of all classes.
std::string partInWords(const sim::CycleClasses& classes, const std::vector<sim::Cycles>& sums, std::size_t what) {
    const sim::Cycles all = std::accumulate(sums.begin(), sums.end(), sim::Cycles{0});
    return fmt::format("{}: {}, {:.1f} %", classes.words(what), sim::counted(sums[what], "cycle", "cycles"),
                       100.0 * static_cast<double>(sums[what]) / static_cast<double>(std::max<sim::Cycles>(1, all)));
}

/// Adds the classes that took any cycles, as they are stacked, from the top.
void addParts(std::vector<std::string>& lines, const sim::CycleClasses& classes, const std::vector<sim::Cycles>& sums,
              std::optional<std::size_t> except = {}) {
    for (std::size_t c = sums.size(); c-- > 0;) {
        if (c != except && sums[c] > 0) lines.push_back(partInWords(classes, sums, c));
    }
}

/// " at queue.cpp:31": the last line of the program that the CPU reached before an access; empty if there is none. What
/// takes a lock in a library often has no lines.
std::string lineReached(const sim::Trace& trace, std::uint8_t cpu, sim::Tick before) {
    constexpr std::uint64_t kLookBack = 1 << 16;  // accesses: a millisecond
    std::optional<sim::SiteId> last;
    const sim::Tick from{before.value - std::min(before.value, kLookBack)};
    trace.forEach(from, before, [&](sim::Tick, const sim::Access& access) {
        if (access.cpu == cpu && trace.site(access.site).line != 0) last = access.site;
    });
    return last ? fmt::format(" at {}", siteName(trace, trace.site(*last))) : std::string();
}

}  // namespace

std::vector<std::string> CyclesView::describe(const scene::CyclesSubject& subject, const scene::CyclesHit& hit) const {
    const sim::CycleClasses& classes = subject.costs.classes();
    const sim::CycleRange range = subject.costs.cyclesOf(hit.buckets.first, hit.buckets.last);
    const std::vector<sim::Cycles> sums = sumsOf(subject.costs, hit.cpu, hit.buckets);
    std::vector<std::string> lines{partInWords(classes, sums, hit.what)};
    lines.push_back(fmt::format("{}, cycles {} – {}", hit.cpu ? sim::cpuWords(subject.trace, *hit.cpu) : "all CPUs",
                                grouped(range.from), grouped(range.to)));
    addParts(lines, classes, sums, hit.what);
    if (const sim::WaitsDuring waits = waitsOf(subject, hit); waits.longest != nullptr) {
        const sim::Wait& wait = *waits.longest;
        const auto accessAt = [this](sim::Cycles cycle) {
            return sim::Tick{static_cast<std::uint64_t>(std::ceil(accessesAt(static_cast<double>(cycle))))};
        };
        lines.push_back(fmt::format("{} for {}{}: cycles {} – {} ({}),",
                                    waits.count == 1 ? "waits" : fmt::format("{} waits, the longest", waits.count),
                                    sim::inWords(wait.what), lineReached(subject.trace, wait.cpu, accessAt(wait.from)),
                                    grouped(wait.from), grouped(wait.to), grouped(wait.to - wait.from)));
        lines.push_back(fmt::format("until {} ends it{}", sim::cpuWords(subject.trace, wait.by),
                                    lineReached(subject.trace, wait.by, accessAt(wait.to))));
    }
    const bool isOnPath = hit.cpu && subject.run.path.contains(*hit.cpu, range.from);
    if (isOnPath) lines.emplace_back("on the critical path");
    lines.emplace_back("click to go there");
    return lines;
}

std::shared_ptr<const HighlightedPath> CyclesView::highlightedPath(const RunContext& context) const {
    return context.viewSettings.path && path_.answer() ? *path_.answer() : nullptr;
}

std::optional<CyclesView::ShownCosts> CyclesView::shownBy(const ViewQuery& query) const {
    const auto known = subject(query.context);
    if (!known) return std::nullopt;
    scene::CyclesLook how = look(query.context, query.size, query.scale, common_);
    const scene::CyclesFrame frame = cyclesFrame(*known, how);
    return ShownCosts{*known, std::move(how), frame};
}

scene::PixelBox CyclesView::mouseArea(const ViewQuery& query) {
    const auto shown = shownBy(query);
    // With the names of the rows.
    return shown ? scene::PixelBox{{0, shown->frame.all.low.y}, shown->frame.all.high} : scene::PixelBox{};
}

std::optional<Hit> CyclesView::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const auto shown = shownBy(query);
    if (!shown) return std::nullopt;
    if (at.x < shown->frame.all.low.x) return nameAt(query.context, *shown, at);
    const auto hit = cyclesAt(shown->subject, shown->look, at);
    if (!hit) return std::nullopt;
    std::optional<Commands> shift;
    if (const sim::WaitsDuring waits = waitsOf(shown->subject, *hit); waits.longest != nullptr) {
        const auto accessAt = [this](sim::Cycles cycle) {
            return Position{std::floor(accessesAt(static_cast<double>(cycle)))};
        };
        shift = Commands{command::Range{accessAt(waits.longest->from), accessAt(waits.longest->to)}};
    }
    return Hit{.box = hit->box,
               .time = std::floor(accessesAt(shown->frame.axis.at(static_cast<float>(at.x)))),
               .shift = std::move(shift),
               .describe = [this, subject = shown->subject, hit = *hit] { return describe(subject, hit); }};
}

std::optional<Hit> CyclesView::nameAt(const RunContext& context, const ShownCosts& shown, glm::ivec2 at) const {
    const auto row = shown.frame.rows.rowAt({shown.frame.body.low.x, at.y});
    if (!row) return std::nullopt;
    const auto cpu = shown.frame.cpuOf(*row);
    const scene::PixelBox box = shown.frame.rows.boxOf(*row);
    const auto shows = cpu == context.cpu ? std::nullopt : cpu;
    return Hit{
        .box = {{0, box.low.y}, {box.low.x, box.high.y}},
        .click = {command::Cpu{shows}},
        .describe = [subject = shown.subject, seen = scene::seenBuckets(shown.subject, shown.frame), cpu, shows] {
            const sim::CycleRange range = subject.costs.cyclesOf(seen.first, seen.last);
            const std::vector<sim::Cycles> sums = sumsOf(subject.costs, cpu, seen);
            std::vector<std::string> lines{cpu ? sim::cpuWords(subject.trace, *cpu) : "all CPUs",
                                           fmt::format("cycles {} – {}", grouped(range.from), grouped(range.to))};
            addParts(lines, subject.costs.classes(), sums);
            lines.emplace_back(shows ? "click: its cycles and caches alone" : "click: those of all CPUs");
            return lines;
        }};
}

/// The axis measures cycles.
std::optional<TimePointer> CyclesView::timeAt(const ViewQuery& query, glm::ivec2 at) {
    const auto shown = shownBy(query);
    if (!shown || at.x < shown->frame.all.low.x) return std::nullopt;
    const scene::TimeAxis axis = shown->frame.axis;
    const double cycle = axis.at(static_cast<float>(at.x));
    const double here = accessesAt(cycle);
    const scene::Interval seen{axis.span().from, axis.span().to};
    return TimePointer{
        .here = {here, here},
        .isWhole = !query.context.seen,
        .zoomed = [this, seen, cycle](double factor) { return time().zoomed(seen, cycle, factor); },
        .moved = [this, seen, axis](glm::vec2 pixels) { return time().moved(seen, -pixels.x * axis.perPixel()); }};
}

ViewControls CyclesView::controls(const ViewQuery& query) {
    ViewControls controls;
    controls.toggle("critical path", query.context.viewSettings.path, changeOf("critical-path"),
                    "the chain of events on the CPUs that determined the end of the run");
    addAllTime(controls, query.context);
    return controls;
}

}  // namespace whorl::app
