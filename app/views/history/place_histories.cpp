#include "app/views/history/place_histories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/session/selection.h"
#include "app/views/views.h"
#include "sim/report/table.h"

namespace whorl::app {

namespace {

using sim::grouped;

sim::Range rangeOf(const ViewId& view, const RunContext& context) {
    const auto known = context.viewSettings.histories.find(view.withoutRun());
    if (known != context.viewSettings.histories.end() && known->second.range) return *known->second.range;
    return {sim::Tick{0}, sim::Tick{context.opened.run->trace().size()}};
}

/// The words of a cell of memory; empty if it is no larger than a word, or has more than kMax.
std::vector<sim::PlaceRow> wordsOf(const sim::PlaceHistory& history, const sim::Trace& trace) {
    constexpr std::uint64_t kMax = 64;
    const std::size_t region = trace.regionAt(history.place.from);
    const std::uint64_t element = region < trace.regions().size() ? trace.regions()[region].elementSize : 0;
    const std::uint64_t word = element > 1 ? element : 8;
    const bool isFine = history.place.bytes > word && history.place.bytes / word <= kMax;
    return isFine ? rowsByWord(history, trace, word) : std::vector<sim::PlaceRow>{};
}

/// The accesses of a range in a history of a longer one.
sim::PlaceHistory partOf(const sim::PlaceHistory& history, sim::Range range) {
    sim::PlaceHistory part{.place = history.place,
                           .range = range,
                           .levels = history.levels,
                           .blockBytes = history.blockBytes,
                           .accesses = {},
                           .stays = {}};
    std::copy_if(history.accesses.begin(), history.accesses.end(), std::back_inserter(part.accesses),
                 [&](const sim::PlaceAccess& a) { return range.from <= a.tick && a.tick < range.to; });
    return part;
}

}  // namespace

struct PlaceHistories::View {
    explicit View(TaskRunner& runner) : query(runner) {}

    LatestTask<PlaceRequest, std::shared_ptr<const sim::PlaceHistory>> query;
    std::optional<scene::CommonScale> common;

    /// The last one that has arrived; null: none has.
    std::shared_ptr<const sim::PlaceHistory> history() const { return query.answer().value_or(nullptr); }

    // What the picture shows.
    std::optional<scene::HistoryLook> look;
    std::shared_ptr<const sim::PlaceHistory> shown;
    scene::FlatScene picture;
};

PlaceHistories::PlaceHistories(const ViewSources& sources)
    : opened_(sources.opened), runner_(sources.runner), picked_(runner_), steps_(opened_.run) {
    keep(picked_);
}

PlaceHistories::~PlaceHistories() = default;

PlaceHistories::View& PlaceHistories::at(const ViewId& view) {
    std::unique_ptr<View>& v = views_[view.withoutRun()];
    if (v) return *v;
    v = std::make_unique<View>(runner_);
    keep(v->query);
    return *v;
}

std::optional<PlaceHistories::PlaceRequest> PlaceHistories::requestOf(const RunContext& context) {
    const auto place = pickedPlace(context);
    if (!place || !context.panels) return std::nullopt;
    const sim::Range whole{sim::Tick{0}, sim::Tick{context.opened.run->trace().size()}};
    return PlaceRequest{*place, context.range.value_or(whole)};
}

PlaceHistories::SharedPicked PlaceHistories::pickedOf(const sim::Run& run, const PlaceRequest& request, sim::Range span,
                                                      sim::Progress& progress) {
    const auto history = placeHistoryOf(run, request.place, span, progress);
    if (!history) return nullptr;
    const sim::Trace& trace = run.trace();
    const sim::PlaceHistory part = partOf(*history, request.range);
    auto picked = std::make_shared<Picked>(Picked{
        .of = request,
        .title = inWords(request.place, trace, run.machine(), request.range.from) + ", " + inWords(request.range),
        .names = rowsByName(part, trace),
        .words = wordsOf(part, trace),
        .lines = rowsByLine(part, trace),
        .span = span,
        .accesses = {},
        .leftOut = history->leftOut});
    picked->accesses.reserve(history->accesses.size());
    for (const sim::PlaceAccess& a : history->accesses) {
        picked->accesses.push_back({.tick = a.tick,
                                    .address = a.address,
                                    .site = a.site,
                                    .size = static_cast<std::uint8_t>(std::min<std::uint32_t>(a.size, 255)),
                                    .cpu = a.cpu,
                                    .write = a.write,
                                    .hit = a.hit,
                                    .counts = a.counts});
    }
    return picked;
}

void PlaceHistories::updatePicked(const RunContext& context) {
    const auto request = requestOf(context);
    if (!request) {
        picked_.reset();
        return;
    }
    const sim::Range whole{sim::Tick{0}, sim::Tick{trace().size()}};
    const sim::Range span = opened_.run->complete() ? whole : request->range;
    if (span.to > opened_.run->built()) return;
    // The rows are made in the background, too: there may be millions of accesses.
    picked_.ask({*request, span}, [run = opened_.run, request = *request, span](sim::Progress& progress) {
        return orCancelled(pickedOf(*run, request, span, progress));
    });
    picked_.update();
}

std::shared_ptr<const PlaceHistories::Picked> PlaceHistories::picked(const RunContext& context) const {
    const SharedPicked known = picked_.answer().value_or(nullptr);
    return known && requestOf(context) == known->of ? known : nullptr;
}

const sim::Step& PlaceHistories::stepAt(sim::Tick tick) {
    return *steps_.at(static_cast<double>(tick.value) + 1, {.steps = 1}).current();
}

void PlaceHistories::update(const RunContext& context) {
    updatePicked(context);
    for (const ViewId& view : context.viewSettings.shown) {
        if (view.kind != ViewId::Kind::history) continue;
        View& v = at(view);
        const auto place = placeOf(context, view);
        if (!place) {
            v.query.reset();
            continue;
        }
        const sim::Range range = rangeOf(view, context);
        if (range.to > opened_.run->built()) continue;
        v.query.ask({*place, range}, [run = opened_.run, place = *place, range](sim::Progress& progress) {
            return orCancelled(placeHistoryOf(*run, place, range, progress));
        });
        v.query.update();
    }
}

const sim::PlaceHistory* PlaceHistories::history(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? nullptr : known->second->history().get();
}

scene::HistorySubject PlaceHistories::subjectOf(const sim::PlaceHistory& history) const {
    return {history, trace(), machine(), *opened_.regionLooks};
}

scene::HistoryLook PlaceHistories::historyLook(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                               float scale) const {
    scene::HistoryLook look{chartLook(context, size, scale)};
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

std::optional<scene::CommonScale> PlaceHistories::commonOf(const ViewId& view) const {
    const auto known = views_.find(view.withoutRun());
    return known == views_.end() ? std::nullopt : known->second->common;
}

std::optional<double> PlaceHistories::largest(const ViewQuery& query) {
    const sim::PlaceHistory* const known = history(query.view);
    return known == nullptr ? 0 : static_cast<double>(scene::highestOf(*known));
}

void PlaceHistories::setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common) {
    at(view).common = common;
}

const scene::FlatScene& PlaceHistories::scene(const ViewId& view, const RunContext& context, glm::ivec2 size,
                                              float scale) {
    View& v = at(view);
    const scene::HistoryLook look = historyLook(view, context, size, scale);
    if (!v.history()) {
        const bool isPicked = placeOf(context, view).has_value();
        v.picture =
            wordsScene(isPicked ? "The history is being computed." : "Pick a cell, or a block, to see its history.",
                       size, look.ground, look.text);
        v.look.reset();
        return v.picture;
    }
    const scene::HistorySubject subject = subjectOf(*v.history());
    if (v.look != look || v.shown != v.history()) {
        v.picture = historyScene(subject, look);
        v.look = look;
        v.shown = v.history();
    }
    const scene::HistoryFrame frame = historyFrame(subject, look);
    v.picture.strokes = scene::playheadStrokes(frame, context.player.position(), look.ground);
    return v.picture;
}

std::vector<std::string> PlaceHistories::describeBar(const sim::PlaceHistory& history,
                                                     const scene::HistoryBar& bar) const {
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

std::vector<std::string> PlaceHistories::describeStay(const sim::PlaceHistory& history, std::size_t stay) const {
    const sim::PlaceStay& s = history.stays[stay];
    const sim::LevelConfig& level = machine().levels[s.level];
    const sim::ByteAddress base{s.block.value * level.block};
    std::vector<std::string> lines{fmt::format("{} in {}", trace().placeOf(base, history.range.from), level.name)};
    lines.push_back(s.in == sim::Stay::kNever ? "filled before the range"
                                              : "filled during access " + grouped(s.in.value));
    lines.push_back(s.out == sim::Stay::kNever ? "cached until the end of the range"
                                               : "left during access " + grouped(s.out.value));
    return lines;
}

scene::PixelBox PlaceHistories::mouseArea(const ViewQuery& query) {
    const auto shown = shownBy(query);
    return shown ? historyFrame(shown->subject, shown->look).all : scene::PixelBox{};
}

std::optional<PlaceHistories::ShownHistory> PlaceHistories::shownBy(const ViewQuery& query) const {
    const sim::PlaceHistory* const known = history(query.view);
    if (known == nullptr) return std::nullopt;
    return ShownHistory{subjectOf(*known), historyLook(query.view, query.context, query.size, query.scale)};
}

std::optional<Hit> PlaceHistories::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const auto shown = shownBy(query);
    if (!shown) return std::nullopt;
    const sim::PlaceHistory& known = shown->subject.history;
    const auto after = [](sim::Tick tick) { return static_cast<double>(tick.value) + 1; };
    if (const auto bar = scene::barAt(shown->subject, shown->look, at)) {
        return Hit{.box = bar->box,
                   .time = after(known.accesses[bar->first].tick),
                   .describe = [this, &known, bar = *bar] { return describeBar(known, bar); }};
    }
    const auto stay = scene::stayAt(shown->subject, shown->look, at);
    if (!stay) return std::nullopt;
    const sim::Tick in = known.stays[*stay].in;
    return Hit{.time = in == sim::Stay::kNever ? std::nullopt : std::optional(after(in)),
               .describe = [this, &known, stay = *stay] { return describeStay(known, stay); }};
}

std::optional<TimePointer> PlaceHistories::timeAt(const ViewQuery& query, glm::ivec2 at) {
    const auto shown = shownBy(query);
    if (!shown) return std::nullopt;
    return pointerOn(historyFrame(shown->subject, shown->look).axis, static_cast<float>(at.x));
}

ViewControls PlaceHistories::controls(const ViewQuery& query) {
    ViewControls controls;
    addPlaceControls(controls, query, "place");
    if (query.context.range) {
        controls.toggle("memory of the range", false, command::PaneAdd{ViewId{ViewId::Kind::memory}, true},
                        "a memory view that stays at the selected range");
    }
    addAllTime(controls, query.context);
    return controls;
}

}  // namespace whorl::app
