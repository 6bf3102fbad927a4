#include "app/views/time/time_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/place_commands.h"
#include "app/session/range.h"
#include "app/views/tile_look.h"
#include "app/views/words_scene.h"
#include "sim/analysis/loops.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

using Kind = ViewId::Kind;
using sim::grouped;

struct PlaceRequest {
    sim::Place place;
    sim::Range range;
    bool operator==(const PlaceRequest&) const = default;
};

sim::Range rangeOf(const ViewId& view, const RunContext& context) {
    const auto known = context.viewSettings.histories.find(view.withoutRun());
    if (known != context.viewSettings.histories.end() && known->second.range) return *known->second.range;
    return {sim::Tick{0}, sim::Tick{context.opened.run->trace().size()}};
}

/// The words of a cell of memory, where they can be told apart and there are not too many.
std::vector<sim::PlaceRow> wordsOf(const sim::PlaceHistory& history, const sim::Trace& trace) {
    constexpr std::uint64_t kMost = 64;
    const std::size_t region = trace.regionAt(history.place.from);
    const std::uint64_t element = region < trace.regions().size() ? trace.regions()[region].elementSize : 0;
    const std::uint64_t word = element > 1 ? element : 8;
    const bool isFine = history.place.bytes > word && history.place.bytes / word <= kMost;
    return isFine ? rowsByWord(history, trace, word) : std::vector<sim::PlaceRow>{};
}

std::optional<scene::TimeSpan> chosenIn(const RunContext& context) {
    if (!context.range) return std::nullopt;
    return scene::spanOf(*context.range);
}

}  // namespace

struct TimeViews::View {
    explicit View(TaskRunner& runner) : query(runner) {}

    LatestTask<PlaceRequest, std::shared_ptr<const sim::PlaceHistory>> query;
    std::shared_ptr<const sim::PlaceHistory> history;
    std::optional<scene::CommonScale> common;

    // What the picture shows.
    std::optional<scene::HistoryLook> look;
    std::shared_ptr<const sim::PlaceHistory> shown;
    scene::FlatScene picture;
};

struct TimeViews::Pick {
    explicit Pick(TaskRunner& runner) : query(runner) {}
    LatestTask<PlaceRequest, SharedPicked> query;
};

TimeViews::TimeViews(Opened opened, const sim::Overview& whole, TaskRunner& runner)
    : opened_(std::move(opened)),
      whole_(whole),
      runner_(runner),
      seenOverview_(opened_.run, runner),
      cyclesView_(opened_.run, runner),
      loops_(runner) {}

TimeViews::~TimeViews() = default;

TimeViews::View& TimeViews::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (!v) v = std::make_unique<View>(runner_);
    return *v;
}

void TimeViews::updatePicked(const RunContext& context) {
    const auto& place = context.viewSettings.place;
    if (!place || !context.panels) {
        pick_.reset();
        return;
    }
    const sim::Range range =
        context.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{context.opened.run->trace().size()}});
    if (range.to > opened_.run->built()) return;
    if (!pick_) pick_ = std::make_unique<Pick>(runner_);
    // The rows are made in the background, too, and the accesses are not kept: there may be millions.
    pick_->query.ask(
        {*place, range},
        [run = opened_.run, place = *place, range](sim::Progress& progress) -> sim::Expected<SharedPicked> {
            const auto history = placeHistoryOf(*run, place, range, progress);
            if (!history) return tl::unexpected(sim::Error::byUser());
            const sim::Trace& trace = run->trace();
            return std::make_shared<const Picked>(
                Picked{inWords(place, trace, run->machine(), range.from) + ", " + inWords(range),
                       rowsByName(*history, trace), wordsOf(*history, trace), rowsByLine(*history, trace)});
        });
    pick_->query.update();
}

const TimeViews::Picked* TimeViews::picked() const {
    return pick_ && pick_->query.answer() ? pick_->query.answer()->get() : nullptr;
}

void TimeViews::update(const RunContext& context) {
    updatePicked(context);
    seenOverview_.update(context, whole_);
    cyclesView_.update(context);
    for (const ViewId& view : context.viewSettings.shown) {
        if (view.kind == Kind::phases) askForLoops();
        if (view.kind != Kind::history) continue;
        View& v = at(view);
        const auto place = placeOf(context, view);
        if (!place) {
            v.history = nullptr;
            v.query.reset();
            continue;
        }
        const sim::Range range = rangeOf(view, context);
        if (range.to > opened_.run->built()) continue;
        v.query.ask({*place, range}, [run = opened_.run, place = *place, range](sim::Progress& progress) {
            return orCancelled(placeHistoryOf(*run, place, range, progress));
        });
        if (v.query.update() && v.query.answer()) v.history = *v.query.answer();
    }
}

void TimeViews::askForLoops() {
    loops_.ask(
        {}, [trace = opened_.run->sharedTrace()](sim::Progress& progress) -> sim::Expected<std::vector<std::uint64_t>> {
            auto loops = sim::loopsOf(*trace, progress);
            if (!loops) return tl::unexpected(sim::Error::byUser());
            return *std::move(loops);
        });
    loops_.update();
}

std::span<const std::uint64_t> TimeViews::loops() const {
    return loops_.answer() ? std::span<const std::uint64_t>(*loops_.answer()) : std::span<const std::uint64_t>();
}

void TimeViews::cancel() {
    if (pick_) pick_->query.cancel();
    loops_.cancel();
    seenOverview_.cancel();
    cyclesView_.cancel();
    for (const auto& [id, view] : views_) view->query.cancel();
}

bool TimeViews::working() const {
    if (seenOverview_.working() || cyclesView_.working() || loops_.working() || (pick_ && pick_->query.working()))
        return true;
    return std::any_of(views_.begin(), views_.end(), [](const auto& v) { return v.second->query.working(); });
}

std::optional<sim::Error> TimeViews::takeError() {
    if (pick_) {
        if (auto error = pick_->query.takeError()) return error;
    }
    if (auto error = loops_.takeError()) return error;
    if (auto error = seenOverview_.takeError()) return error;
    if (auto error = cyclesView_.takeError()) return error;
    for (const auto& [id, view] : views_) {
        if (auto error = view->query.takeError()) return error;
    }
    return std::nullopt;
}

const sim::PlaceHistory* TimeViews::history(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? nullptr : known->second->history.get();
}

scene::HistorySubject TimeViews::subjectOf(const sim::PlaceHistory& history) const {
    return {history, trace(), machine(), *opened_.regionLooks};
}

scene::HistoryLook TimeViews::historyLook(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                          float scale) const {
    scene::HistoryLook look;
    look.size = size;
    look.ground = context.ground;
    look.text = viewText(scale);
    look.controls = controlHeight(context, scale);
    const sim::Range range = rangeOf(view, context);
    look.span = context.seen.value_or(scene::spanOf(range));
    look.chosen = chosenIn(context);
    look.hues = context.ringView.hues;
    look.common = commonOf(view);
    const sim::PlaceHistory* const known = history(view);
    if (known == nullptr) return look;
    look.title = "History of " + inWords(known->place, trace(), machine(), known->range.from);
    look.note = sim::counted(known->accesses.size(), "access", "accesses");
    if (known->leftOut > 0) look.note += fmt::format(", and {} more that are left out", grouped(known->leftOut));
    const auto place = placeOf(context, view);
    if (place && (*place != known->place || range != known->range)) look.note += ", being computed";
    return look;
}

scene::PhaseSubject TimeViews::phaseSubject() const {
    return {.overview = whole_,
            .machine = machine(),
            .accesses = trace().size(),
            .built = std::min(opened_.run->built().value, trace().size()),
            .loops = longest_ > 0 ? std::span<const std::uint64_t>(commonLoops_) : loops()};
}

std::optional<scene::CommonScale> TimeViews::commonOf(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? std::nullopt : known->second->common;
}

std::optional<double> TimeViews::largest(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) {
    if (view.kind == Kind::phases) return phaseMost(phaseSubject(), phaseLook(view, context, size, scale));
    if (view.kind == Kind::cycles) return cyclesView_.shownCycles(context);
    const sim::PlaceHistory* const known = history(view);
    return known == nullptr ? 0 : static_cast<double>(scene::highestOf(*known));
}

void TimeViews::setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) {
    at(view).common = common;
}

scene::CyclesLook TimeViews::cyclesLook(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                        float scale) const {
    return cyclesView_.look(context, size, scale, commonOf(view));
}

scene::PhaseLook TimeViews::phaseLook(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                      float scale) const {
    const PhaseChoice& choice = context.viewSettings.phases;
    return {.size = size,
            .ground = context.ground,
            .text = viewText(scale),
            .controls = controlHeight(context, scale),
            .rowLength = choice.rowLength,
            .level = choice.level,
            .shows = choice.shows,
            .chosen = chosenIn(context),
            .longest = longest_,
            .common = commonOf(view)};
}

const scene::FlatScene& TimeViews::scene(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale) {
    View& v = at(view);
    if (view.kind == Kind::cycles) return cyclesView_.scene(context, size, scale, commonOf(view));
    if (view.kind == Kind::phases) {
        v.picture = phaseScene(phaseSubject(), phaseLook(view, context, size, scale), context.player.position());
        return v.picture;
    }
    const scene::HistoryLook look = historyLook(view, context, size, scale);
    if (!v.history) {
        const bool isPicked = placeOf(context, view).has_value();
        v.picture =
            wordsScene(isPicked ? "The history is being computed." : "Pick a cell, or a block, to see its history.",
                       size, look.ground, look.text);
        v.look.reset();
        return v.picture;
    }
    const scene::HistorySubject subject = subjectOf(*v.history);
    if (v.look != look || v.shown != v.history) {
        v.picture = historyScene(subject, look);
        v.look = look;
        v.shown = v.history;
    }
    const scene::HistoryFrame frame = historyFrame(subject, look);
    v.picture.strokes = scene::playheadStrokes(frame.axis, frame.all, context.player.position(), look.ground);
    return v.picture;
}

std::vector<std::string> TimeViews::describeBar(const sim::PlaceHistory& history, const scene::HistoryBar& bar) const {
    std::vector<std::string> lines;
    const sim::PlaceAccess& first = history.accesses[bar.first];
    const std::size_t count = bar.last - bar.first;
    if (count > 1) {
        const sim::PlaceAccess& last = history.accesses[bar.last - 1];
        sim::Cycles penalty = 0;
        std::vector<std::uint64_t> served(machine().levels.size() + 1);
        for (std::size_t i = bar.first; i < bar.last; ++i) {
            penalty += history.accesses[i].penalty;
            ++served[std::min<std::size_t>(history.accesses[i].served, served.size() - 1)];
        }
        lines.push_back(
            fmt::format("{} accesses, {} to {}", grouped(count), grouped(first.tick.value), grouped(last.tick.value)));
        for (std::size_t l = 0; l < served.size(); ++l) {
            if (served[l] > 0)
                lines.push_back(fmt::format("{} served by {}", grouped(served[l]), machine().levelName(l)));
        }
        lines.push_back(fmt::format("miss penalty {} cycles together", grouped(penalty)));
        return lines;
    }
    lines.push_back(fmt::format("access {}: {} {}", grouped(first.tick.value), first.write ? "writes" : "reads",
                                trace().placeOf(first.address, first.tick)));
    if (machine().cpus > 1) lines.push_back(fmt::format("by CPU {}", first.cpu));
    const sim::Site& site = trace().site(first.site);
    if (site.line != 0) lines.push_back(fmt::format("{}:{}", trace().files()[site.file].path, site.line));
    lines.push_back(fmt::format("{}, miss penalty {} cycles", "served by " + machine().levelName(first.served),
                                grouped(first.penalty)));
    if (first.tlbMiss) lines.emplace_back("with a TLB miss");
    if (first.pageFault) lines.emplace_back("with a page fault");
    lines.emplace_back("click to go there");
    return lines;
}

std::vector<std::string> TimeViews::describeStay(const sim::PlaceHistory& history, std::size_t stay) const {
    const sim::PlaceStay& s = history.stays[stay];
    const sim::LevelConfig& level = machine().levels[s.level];
    const sim::ByteAddress base{s.block.value * level.block};
    std::vector<std::string> lines{fmt::format("{} in {}", trace().placeOf(base, history.range.from), level.name)};
    lines.push_back(s.in == sim::Stay::kNever ? "there from before the range"
                                              : "came in with access " + grouped(s.in.value));
    lines.push_back(s.out == sim::Stay::kNever ? "there until the end of the range"
                                               : "left during access " + grouped(s.out.value));
    return lines;
}

std::vector<std::string> TimeViews::describePhase(const scene::TimeSpan& span) const {
    const auto from = static_cast<std::uint64_t>(span.from);
    const auto to = std::max(from + 1, static_cast<std::uint64_t>(span.to));
    std::vector<std::string> lines{fmt::format("accesses {} – {}", grouped(from), grouped(to))};
    for (std::size_t l = 0; l < machine().levels.size(); ++l) {
        const sim::Overview::Share share = whole_.share(l, from, to);
        if (share.requests == 0) continue;
        const std::uint64_t misses = share.requests - share.hits;
        lines.push_back(fmt::format("{}: {} misses of {} ({:.1f} %)", machine().levels[l].name, grouped(misses),
                                    grouped(share.requests),
                                    100.0 * static_cast<double>(misses) / static_cast<double>(share.requests)));
    }
    return lines;
}

}  // namespace whorl::app
