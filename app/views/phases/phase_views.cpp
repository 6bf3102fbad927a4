#include "app/views/phases/phase_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/commands/cell_commands.h"
#include "app/session/settings.h"
#include "app/views/seen_overview.h"
#include "app/views/views.h"
#include "sim/analysis/loops.h"
#include "sim/report/table.h"

namespace whorl::app {

using sim::grouped;

PhaseViews::PhaseViews(const ViewSources& sources)
    : run_(sources.opened.run), overview_(sources.overview), seen_(sources.seen), loops_(sources.runner) {
    keep(loops_);
}

void PhaseViews::update(const RunContext& context) {
    if (!context.viewSettings.showsKind(ViewId::Kind::phases)) return;
    loops_.ask({}, [trace = run_->sharedTrace()](sim::Progress& progress) -> sim::Expected<std::vector<std::uint64_t>> {
        auto loops = sim::loopsOf(*trace, progress);
        if (!loops) return tl::unexpected(sim::Error::byUser());
        return *std::move(loops);
    });
    loops_.update();
}

std::span<const std::uint64_t> PhaseViews::loops() const {
    return loops_.answer() ? std::span<const std::uint64_t>(*loops_.answer()) : std::span<const std::uint64_t>();
}

scene::PhaseSubject PhaseViews::subject(const ViewQuery& query) const {
    return {.overview = seen_.of(query.context.seen, overview_),
            .machine = run_->machine(),
            .accesses = run_->trace().size(),
            .built = std::min(run_->built().value, run_->trace().size()),
            .loops = longest_ > 0 ? std::span<const std::uint64_t>(commonLoops_) : loops()};
}

scene::PhaseLook PhaseViews::look(const ViewQuery& query) const {
    const PhaseChoice& choice = query.context.viewSettings.phases;
    scene::PhaseLook look{chartLook(query.context, query.size, query.scale)};
    look.rowLength = choice.rowLength;
    look.level = choice.level;
    look.shows = choice.shows;
    look.seen = query.context.seen;
    look.chosen = chosenIn(query.context);
    look.longest = longest_;
    look.common = common_;
    return look;
}

TileScene PhaseViews::pictureOf(const ViewQuery& query) {
    picture_ = phaseScene(subject(query), look(query), query.context.player.position());
    return &picture_;
}

std::optional<double> PhaseViews::largest(const ViewQuery& query) {
    return phaseMost(subject(query), look(query));
}

scene::PixelBox PhaseViews::mouseArea(const ViewQuery& query) {
    return phaseFrame(subject(query), look(query)).body;
}

std::optional<Hit> PhaseViews::hitAt(const ViewQuery& query, glm::ivec2 at) {
    const auto span = scene::phaseAt(subject(query), look(query), at);
    if (!span) return std::nullopt;
    return Hit{.time = span->from,
               .describe = [this, &overview = seen_.of(query.context.seen, overview_), span = *span] {
                   return describe(overview, span);
               }};
}

std::optional<TimePointer> PhaseViews::timeAt(const ViewQuery& query, glm::ivec2 at) {
    const scene::PhaseFrame frame = phaseFrame(subject(query), look(query));
    const auto span = scene::phaseAt(subject(query), look(query), at);
    if (!span) return std::nullopt;
    const auto end = static_cast<double>(std::max(run_->trace().size(), longest_));
    const scene::TimeSpan all{0, std::max(1.0, end)};
    // As if the time ran once from the left edge to the right.
    const scene::TimeAxis axis(query.context.seen.value_or(all), all.to, 0, 1);
    const double row = static_cast<double>(frame.rowLength) / frame.rows.height;
    const double cell = static_cast<double>(frame.rowLength) / static_cast<double>(frame.columns) / frame.cellWidth;
    return TimePointer{.here = *span,
                       .isWhole = !query.context.seen,
                       .zoomed = [axis, at = axis.x(span->from)](double factor) { return axis.zoomed(at, factor); },
                       .moved =
                           [axis, row, cell](glm::vec2 pixels) {
                               const double by = pixels.x * cell + pixels.y * row;
                               return axis.moved(static_cast<float>(by / axis.span().length()));
                           },
                       .zoomedOther = [length = frame.rowLength](double factor) -> Command {
                           const double now = std::round(static_cast<double>(length) / factor);
                           // At least one access more or less.
                           const auto other = static_cast<std::uint64_t>(std::max(1.0, now));
                           return command::PhaseRow{other != length ? other : factor > 1 ? length : length + 1};
                       }};
}

ViewControls PhaseViews::controls(const ViewQuery& query) {
    const PhaseChoice& choice = query.context.viewSettings.phases;
    ViewControls controls;
    controls.choose("level", "the level",
                    {70, levelOptions(run_->machine(), [](std::uint8_t level) { return command::PhaseLevel{level}; }),
                     choice.level});
    controls.choose("shows", "what the intensity shows",
                    {90,
                     {{"miss rate", changeOf("phase-shows", scene::PhaseShows::missRate)},
                      {"misses", changeOf("phase-shows", scene::PhaseShows::misses)}},
                     static_cast<std::size_t>(choice.shows)});
    controls.slide("row", "accesses in a row: adjust until columns are vertical",
                   {.width = 200,
                    .now = static_cast<float>(phaseFrame(subject(query), look(query)).rowLength),
                    .least = 1,
                    .most = static_cast<float>(std::max<std::uint64_t>(2, run_->trace().size())),
                    .format = "%.0f accesses a row",
                    .commandFor = [](float accesses) {
                        return command::PhaseRow{static_cast<std::uint64_t>(std::max(1.0f, accesses))};
                    }});
    controls.toggle("fit", choice.rowLength == 0, command::PhaseRow{0}, "rows that fit");
    addAllTime(controls, query.context);
    return controls;
}

std::vector<std::string> PhaseViews::describe(const sim::Overview& overview, const scene::TimeSpan& span) const {
    const auto from = static_cast<std::uint64_t>(span.from);
    const auto to = std::max(from + 1, static_cast<std::uint64_t>(span.to));
    const auto [first, last] = overview.outward({sim::Tick{from}, sim::Tick{to}});
    std::vector<std::string> lines{fmt::format("accesses {} – {}", grouped(first.value), grouped(last.value))};
    for (std::size_t l = 0; l < run_->machine().levels.size(); ++l) {
        const sim::Overview::Share share = overview.share(l, from, to);
        if (share.requests == 0) continue;
        const std::uint64_t misses = share.requests - share.hits;
        lines.push_back(fmt::format("{}: {} misses of {} ({:.1f} %)", run_->machine().levels[l].name, grouped(misses),
                                    grouped(share.requests),
                                    100.0 * static_cast<double>(misses) / static_cast<double>(share.requests)));
    }
    return lines;
}

}  // namespace whorl::app
