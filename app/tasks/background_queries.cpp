#include "app/tasks/background_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "app/tasks/opening.h"
#include "app/tasks/other_order.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/base/progress.h"
#include "sim/replay/snapshot.h"

namespace whorl::app {

namespace {

using QueryKind = sim::EventQuery::Kind;

std::optional<sim::Tick> nearest(const sim::Run& run, const sim::EventQuery& query, const Search& search,
                                 sim::Progress& progress) {
    if (search.from) return findEvent(run, query, *search.from, search.direction, progress);
    if (search.direction == sim::Direction::backward) return std::nullopt;
    if (query.kind != QueryKind::mark) {
        // The tick before the first; it wraps around.
        return findEvent(run, query, sim::Tick{~std::uint64_t{0}}, search.direction, progress);
    }
    const auto& marks = run.trace().marks();
    const bool atOnce = std::any_of(marks.begin(), marks.end(), [](const sim::Mark& m) { return m.at.value == 0; });
    if (atOnce && run.built().value > 0) return sim::Tick{0};
    return findEvent(run, query, sim::Tick{0}, search.direction, progress);
}

bool isIn(const sim::Event& e, const std::vector<sim::EventQuery>& queries) {
    return std::any_of(queries.begin(), queries.end(), [&](const sim::EventQuery& q) {
        switch (q.kind) {
            case QueryKind::miss:
                return e.kind == sim::EventKind::miss && e.level == 0;
            case QueryKind::eviction:
            case QueryKind::conflict:
                return e.kind == sim::EventKind::eviction || e.kind == sim::EventKind::invalidation;
            case QueryKind::transfer:
            case QueryKind::pageFault:
            case QueryKind::fill:
                return e.kind == sim::EventKind::fill;
            case QueryKind::access:
                return e.demand && (e.kind == sim::EventKind::hit || e.kind == sim::EventKind::miss);
            case QueryKind::mark:
                break;
        }
        return false;
    });
}

/// The CPU whose caches show the event: the one currently shown if its caches do, else the one that made the access if
/// its caches do, else one whose cache was affected.
std::uint32_t witness(const std::shared_ptr<const sim::Run>& run, const Search& search, sim::Tick tick) {
    const sim::MachineConfig& machine = run->machine();
    if (machine.cpus == 1) return 0;
    sim::SnapshotReader reader(run);
    const sim::Snapshot snapshot = reader.at(static_cast<double>(tick.value + 1), {.steps = 1});
    const sim::Step& step = *snapshot.current();
    std::vector<sim::Event> struck;
    std::copy_if(step.events.begin(), step.events.end(), std::back_inserter(struck), [&](const sim::Event& e) {
        if (!isIn(e, search.queries)) return false;
        const auto& address = search.queries.front().address;
        return !address || address->value / machine.levels[e.level].block == e.block.value;
    });
    const auto sees = [&](std::uint32_t cpu) {
        return std::any_of(struck.begin(), struck.end(),
                           [&](const sim::Event& e) { return e.cache == machine.cacheOf(e.level, cpu); });
    };
    if (struck.empty() || sees(step.access.cpu)) {
        return !struck.empty() && sees(search.cpu) ? search.cpu : std::uint32_t{step.access.cpu};
    }
    if (sees(search.cpu)) return search.cpu;
    return machine.firstCpu(struck.front().level, struck.front().cache);
}

/// The nearest access that matches any query of the search. Nothing if there is none or if cancelled.
std::optional<sim::Tick> nearestOfAny(const sim::Run& run, const Search& search, sim::Progress& progress) {
    std::optional<sim::Tick> best;
    for (const sim::EventQuery& query : search.queries) {
        const auto found = nearest(run, query, search, progress);
        if (progress.cancelled()) return std::nullopt;
        if (!found) continue;
        const bool isNearer = !best || (search.direction == sim::Direction::forward ? *found < *best : *found > *best);
        if (isNearer) best = found;
    }
    return best;
}

std::optional<SearchHit> findHit(const std::shared_ptr<const sim::Run>& run, const Search& search,
                                 sim::Progress& progress) {
    const auto found = nearestOfAny(*run, search, progress);
    if (!found) return std::nullopt;
    if (!search.isSpan) return SearchHit{*found, witness(run, search, *found), *found};
    Search fromEnd = search;
    fromEnd.direction = sim::Direction::backward;
    fromEnd.from = run->built();
    const auto last = nearestOfAny(*run, fromEnd, progress);
    return last ? std::optional(SearchHit{*found, search.cpu, *last}) : std::nullopt;
}

std::string nothingFound(const Search& search, bool complete) {
    if (search.isSpan) return fmt::format("No {}{}.", search.words, complete ? "" : " so far");
    const bool forward = search.direction == sim::Direction::forward;
    return fmt::format("No {} {}{}.", forward ? "further" : "earlier", search.words,
                       complete || !forward ? "" : " in the part that is simulated so far");
}

void reportError(const sim::Error& error, Commands& commands) {
    if (!error.cancelled) commands.push_back(command::Message{error.sentence()});
}

/// The answer of `whorl why`.
sim::Expected<std::shared_ptr<const WhyAnswer>> whyAnswerOf(const sim::Run& run, const OpenRequest& request,
                                                            std::size_t rows, sim::Progress& progress) {
    progress.split();
    auto report = WHORL_TRY([&] {
        sim::Progress part(progress, 0.8);
        const sim::WhyRequest wanted{.top = rows, .loops = otherLoopsOf(request, run.trace())};
        return sim::whyOf(run.sharedTrace(), run.machine(), wanted, part);
    }());
    sim::Progress part(progress, 0.2);
    auto order = WHORL_TRY(noteOnOrder(request, run.trace(), run.machine(), true, part));
    return std::make_shared<const WhyAnswer>(WhyAnswer{std::move(report), std::move(order)});
}

/// Takes the answer if it has arrived.
template <class Key, class Answer>
void take(LatestTask<Key, Answer>& question, Answer& result, Commands& commands) {
    if (!question.update()) return;
    if (question.answer()) result = *question.answer();
    if (const auto error = question.takeError()) reportError(*error, commands);
}

}  // namespace

void BackgroundQueries::update(const Session& session, const sim::Overview& overview, Commands& commands) {
    if (run_ != session.opened.run) forget();
    run_ = session.opened.run;
    measureRange(session, commands);
    countKinds(session, overview);
    search(session, commands);
    findSharing(session, commands);
    findWhy(session, commands);
    results_.measuring = range_.working();
    results_.measured = range_.fraction();
    results_.searching = search_.has_value();
    results_.findingSharing = sharing_.working();
    results_.sharingFraction = sharing_.fraction();
    results_.findingWhy = why_.working();
    results_.whyFraction = why_.fraction();
}

void BackgroundQueries::measureRange(const Session& session, Commands& commands) {
    take(range_, results_.range, commands);
    if (!session.range) {
        range_.reset();
        results_.range.reset();
    } else if (run_->built() >= session.range->to) {
        range_.ask(*session.range, [run = run_, range = *session.range](sim::Progress& progress) {
            return orCancelled(figuresOf(*run, range, progress));
        });
        take(range_, results_.range, commands);
    }
}

/// Each count runs to its end instead of being replaced by the latest: while the playhead moves, every new count would
/// cancel the previous one. While it plays, they take at most a fifth of a core from the picture.
void BackgroundQueries::countKinds(const Session& session, const sim::Overview& overview) {
    // What is answered at once, as in films, takes no time from the picture: there each frame has its own counts.
    constexpr int kRest = 4;
    if (takeKinds()) kindsRest_ = Clock::now() + kRest * (Clock::now() - kindsSince_);
    const sim::Tick at{static_cast<std::uint64_t>(std::ceil(session.player.position()))};
    if (kinds_ || (results_.soFar && results_.soFar->at == at)) return;
    if (session.player.moving() && Clock::now() < kindsRest_) return;
    KindsSoFar known = kindsKnown(overview, at);
    if (known.at == at) {
        results_.soFar = std::make_shared<const KindsSoFar>(std::move(known));
        return;
    }
    kindsSince_ = Clock::now();
    kinds_.emplace(runner_, [run = run_, known = std::move(known), at](sim::Progress& progress) {
        return orCancelled(kindsBefore(*run, known, at, progress));
    });
    takeKinds();
}

/// True if a count has arrived.
bool BackgroundQueries::takeKinds() {
    if (!kinds_ || !kinds_->done()) return false;
    if (auto answer = *kinds_->take()) results_.soFar = *std::move(answer);
    kinds_.reset();
    return true;
}

void BackgroundQueries::search(const Session& session, Commands& commands) {
    if (session.search) {
        searched_ = *session.search;
        search_.emplace(runner_, [run = run_, search = searched_](sim::Progress& progress) {
            return sim::Expected<std::optional<SearchHit>>(findHit(run, search, progress));
        });
        commands.push_back(command::SearchBegun{});
    }
    if (!search_ || !search_->done()) return;
    const bool stopped = search_->cancelled();
    const auto hit = *search_->take();
    search_.reset();
    if (stopped) return;
    if (!hit) {
        reportError(hit.error(), commands);
    } else if (*hit) {
        const SearchHit& found = **hit;
        if (searched_.isSpan) {
            commands.push_back(
                command::Range{static_cast<double>(found.tick.value), static_cast<double>(found.last.value) + 1});
        } else {
            commands.push_back(command::SearchFound{found.tick, found.cpu});
        }
    } else {
        commands.push_back(command::Message{nothingFound(searched_, session.complete())});
    }
}

/// Finds which CPUs take blocks from which, and tries what would prevent it; only while it is shown.
void BackgroundQueries::findSharing(const Session& session, Commands& commands) {
    take(sharing_, results_.sharing, commands);
    const bool isWanted = session.overlays.showsCosts(sharingTab());
    // A cancelled or failed query is asked again when its answer is shown again.
    if (!isWanted) sharing_.reset();
    if (!isWanted || !session.complete()) return;
    const sim::Range wanted = session.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{run_->trace().size()}});
    if (results_.sharing != nullptr && results_.sharing->range == wanted) {
        sharing_.reset();  // it may be of another range
        return;
    }
    sharing_.ask(wanted, [run = run_, wanted](sim::Progress& progress) {
        progress.split();
        auto report = [&] {
            sim::Progress part(progress, 0.3);
            return sim::sharingOf(*run, wanted, part);
        }();
        sim::Progress part(progress, 0.7);
        if (report && !sim::tryCures(*report, *run, part)) report.reset();
        return orCancelled(report ? std::make_shared<const sim::SharingReport>(*std::move(report)) : nullptr);
    });
    take(sharing_, results_.sharing, commands);
}

/// Computes the report for the whole run, only while it is shown.
void BackgroundQueries::findWhy(const Session& session, Commands& commands) {
    constexpr std::size_t kRows = 5;
    take(why_, results_.why, commands);
    const bool isWanted = session.overlays.showsCosts(CostTab::why);
    // A cancelled or failed query is asked again when its answer is shown again.
    if (!isWanted && results_.why == nullptr) why_.reset();
    if (!isWanted || !session.complete()) return;
    why_.ask(kRows, [run = run_, request = session.opened.request](sim::Progress& progress) {
        return whyAnswerOf(*run, request, kRows, progress);
    });
    take(why_, results_.why, commands);
}

void BackgroundQueries::cancel() {
    range_.cancel();
    sharing_.cancel();
    why_.cancel();
    if (search_) search_->cancel();
}

void BackgroundQueries::forget() {
    range_.reset();
    sharing_.reset();
    why_.reset();
    kinds_.reset();
    search_.reset();
    results_ = {};
}

}  // namespace whorl::app
