#include "app/tasks/background_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/tasks/event_search.h"

namespace whorl::app {

namespace {

/// A question that nobody waits for any more goes on in the dark until it notices that it was cancelled.
template <class T>
void giveUp(std::unique_ptr<T>& question, std::vector<std::unique_ptr<T>>& old) {
    if (!question) return;
    question->cancel();
    old.push_back(std::move(question));
}

template <class T>
void sweep(std::vector<std::unique_ptr<T>>& old) {
    std::erase_if(old, [](const auto& question) { return question->done(); });
}

std::string nothingFound(const Search& search, bool complete) {
    const bool forward = search.way == sim::Way::forward;
    return fmt::format("No {} {}{}.", forward ? "further" : "earlier", search.words,
                       complete || !forward ? "" : " in what is simulated by now");
}

}  // namespace

void BackgroundQueries::update(const Session& session, const sim::Overview& overview, Commands& commands) {
    sweep(oldRanges_);
    sweep(oldKinds_);
    sweep(oldSearches_);
    sweep(oldSharing_);
    measure(session);
    count(session, overview);
    search(session, commands);
    findSharing(session);
    results_.measuring = range_ != nullptr;
    results_.measured = range_ ? range_->fraction() : -1;
    results_.searching = search_ != nullptr;
    results_.findingSharing = sharing_ != nullptr;
}

void BackgroundQueries::measure(const Session& session) {
    if (range_ && range_->done()) {
        if (auto answer = range_->take(); answer && *answer) results_.range = *answer;
        range_.reset();
    }
    if (!session.range) {
        giveUp(range_, oldRanges_);
        asked_.reset();
        results_.range.reset();
        return;
    }
    const Range& wanted = *session.range;
    if (asked_ == wanted || session.opened.run->built() < wanted.to) return;
    giveUp(range_, oldRanges_);
    asked_ = wanted;
    range_ = std::make_unique<Ranging>(
        [run = session.opened.run, wanted](sim::Progress& progress) { return figuresOf(*run, wanted, progress); });
}

void BackgroundQueries::count(const Session& session, const sim::Overview& overview) {
    if (kinds_ && kinds_->done()) {
        if (auto answer = kinds_->take(); answer && *answer) results_.soFar = *answer;
        kinds_.reset();
    }
    const sim::Tick at{static_cast<std::uint64_t>(std::ceil(session.player.position()))};
    if (kinds_ || (results_.soFar && results_.soFar->at == at)) return;
    KindsSoFar known = kindsKnown(overview, at);
    if (known.at == at) {
        results_.soFar = std::make_shared<const KindsSoFar>(std::move(known));
        return;
    }
    kinds_ =
        std::make_unique<Counting>([run = session.opened.run, known = std::move(known), at](sim::Progress& progress) {
            return kindsBefore(*run, known, at, progress);
        });
}

void BackgroundQueries::search(const Session& session, Commands& commands) {
    if (session.search) {
        giveUp(search_, oldSearches_);
        searched_ = *session.search;
        search_ = std::make_unique<Searching>([run = session.opened.run, search = searched_](sim::Progress& progress) {
            return findNearest(run, search, progress);
        });
        commands.push_back({"hunting"});
    }
    if (!search_ || !search_->done()) return;
    const auto answer = search_->take();
    const bool stopped = search_->cancelled();
    search_.reset();
    if (stopped) return;
    if (answer && *answer) {
        commands.push_back({"found", static_cast<double>((*answer)->tick.value), std::to_string((*answer)->cpu)});
    } else {
        commands.push_back({"remark", 0, nothingFound(searched_, session.complete())});
    }
}

/// Who takes blocks from whom, and what would cure it: only when a person asks.
void BackgroundQueries::findSharing(const Session& session) {
    if (sharing_ && sharing_->done()) {
        if (auto answer = sharing_->take(); answer && *answer) results_.sharing = *answer;
        sharing_.reset();
    }
    if (!session.viewSettings.cures || !session.complete()) return;
    sim::Stretch wanted{sim::Tick{0}, sim::Tick{session.opened.run->trace().size()}};
    if (session.range) wanted = {session.range->from, session.range->to};
    if (sharingFoundFor_ && sharingFoundFor_->from == wanted.from && sharingFoundFor_->to == wanted.to) return;
    giveUp(sharing_, oldSharing_);
    sharingFoundFor_ = wanted;
    sharing_ = std::make_unique<SharingSearch>([run = session.opened.run, wanted](sim::Progress& progress) {
        auto report = sim::sharingOf(*run, wanted, progress);
        return report ? std::make_shared<const sim::SharingReport>(*std::move(report)) : nullptr;
    });
}

void BackgroundQueries::cancel() {
    if (sharing_) sharing_->cancel();
    if (range_) range_->cancel();
    if (search_) search_->cancel();
}

void BackgroundQueries::forget() {
    giveUp(range_, oldRanges_);
    giveUp(kinds_, oldKinds_);
    giveUp(search_, oldSearches_);
    giveUp(sharing_, oldSharing_);
    sharingFoundFor_.reset();
    asked_.reset();
    results_ = {};
}

}  // namespace whorl::app
