#include "app/session/view_history.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/tour/presenting.h"
#include "app/session/transitions.h"

namespace whorl::app {

struct Looked {
    Camera::Sight sight;
    Look look;

    bool operator==(const Looked&) const = default;
};

namespace {

/// What is on its way, and what a view chooses by itself, is not the user's choice.
ViewSettings settled(ViewSettings settings) {
    std::erase_if(settings.sights, [](const auto& sight) { return !sight.second.byHand; });
    settings.lensWanted = false;
    settings.wordsFit = false;
    for (auto& [view, choice] : settings.cells) {
        choice.interleavedShare = choice.interleaved ? 1.0f : 0.0f;
        choice.wantedZoom = 0;
        choice.wantedPan = {0, 0};
    }
    settings.blocks.depth = settings.blocks.solid ? 1.0f : 0.0f;
    for (auto& [view, choice] : settings.ownBlocks) choice.depth = choice.solid ? 1.0f : 0.0f;
    std::erase_if(settings.ownBlocks, [&](const auto& own) { return own.second == settings.blocks; });
    std::erase_if(settings.cells, [](const auto& cells) { return cells.second == CellChoice{}; });
    std::erase_if(settings.histories, [](const auto& history) { return history.second == HistoryChoice{}; });
    return settings;
}

/// The settings as they are to be, with what views know by themselves.
ViewSettings unsettled(const ViewSettings& wanted, const ViewSettings& now) {
    ViewSettings settings = wanted;
    settings.wordsFit = now.wordsFit;
    // A camera that is not moved by hand any more is put by its view; until then it stays.
    for (const auto& [view, sight] : now.sights) settings.sights.insert({view, {sight.camera, false}});
    for (auto& [view, choice] : settings.cells) {
        const auto known = now.cells.find(view);
        if (known != now.cells.end()) choice.interleavedShare = known->second.interleavedShare;
    }
    // What is turned goes on from where it is.
    settings.blocks.depth = now.blocks.depth;
    for (const auto& [view, own] : now.ownBlocks) settings.ownBlocksOf(view).depth = own.depth;
    for (auto& [view, own] : settings.ownBlocks) own.depth = now.blocksOf(view).depth;
    for (const auto& [view, choice] : now.cells) {
        if (settings.cells.find(view) == settings.cells.end() && choice.interleavedShare > 0) {
            settings.cells[view].interleavedShare = choice.interleavedShare;
        }
    }
    return settings;
}

/// It also bounds what is selected.
std::array<std::uint64_t, 4> shapeOf(const sim::Trace& trace) {
    return {trace.size(), trace.regions().size(), trace.sites().size(), trace.files().size()};
}

std::shared_ptr<const WasOpen> whatIsOpen(const Session& session) {
    WasOpen open{.request = session.opened.request,
                 .looked = lookedAt(session),
                 .position = session.player.position(),
                 .shape = shapeOf(session.opened.run->trace())};
    if (const auto& p = session.presentation) {
        open.tour = p->tour;
        open.file = p->file;
        open.reading = p->reading;
        open.scene = p->scene;
    }
    return std::make_shared<const WasOpen>(std::move(open));
}

void openAgain(Session& session, const std::shared_ptr<const WasOpen>& open) {
    session.error.clear();
    if (open->tour) {
        beginTour(session, *open->tour, open->file, open->scene, open->reading);
        goToScene(session, open->scene);
    } else {
        closeTour(session);
        if (!isSameRun(session.opened.request, open->request)) session.requests.add(request::Open{open->request});
    }
    session.comesBack = open;
    if (!session.requests.has<request::Open>()) ViewHistory::comeBack(session);
}

void lookAgain(Session& session, const Looked& looked) {
    session.camera.glideBack(looked.sight);
    const ViewSettings now = session.viewSettings;
    session.look() = looked.look;
    session.viewSettings = unsettled(looked.look.viewSettings, now);
}

}  // namespace

std::shared_ptr<const Looked> lookedAt(const Session& session) {
    Looked looked{.sight = session.camera.target(), .look = session.look()};
    looked.look.viewSettings = settled(session.viewSettings);
    return std::make_shared<const Looked>(std::move(looked));
}

bool areEqual(const Looked& a, const Looked& b) {
    return a == b;
}

void ViewHistory::note(const Command& command, const std::shared_ptr<const Looked>& before, const Session& after) {
    if (*before == *lookedAt(after)) return;
    const bool joins = command.flags().joins && last_ == command.id() && rested_ < kRest && !past_.empty();
    if (!joins) add({before});
    last_ = command.id();
    rested_ = 0;
}

void ViewHistory::leave(const Session& session) {
    constexpr std::string_view kOpening = "opening";
    // As when a value of the machine is dragged.
    const bool joins = last_ == kOpening && rested_ < kRest;
    if (!joins) add({lookedAt(session), whatIsOpen(session)});
    last_ = kOpening;
    rested_ = 0;
}

void ViewHistory::add(State state) {
    past_.push_back(std::move(state));
    if (past_.size() > kMost) past_.erase(past_.begin());
    future_.clear();
}

bool ViewHistory::move(Session& session, States ViewHistory::*from, States ViewHistory::*to) {
    ++moves_;
    last_.clear();
    if ((this->*from).empty()) return false;
    // Opening changes the history, which is not to lose what it has.
    ViewHistory next = *this;
    const State wanted = std::move((next.*from).back());
    (next.*from).pop_back();
    (next.*to).push_back({lookedAt(session), wanted.open ? whatIsOpen(session) : nullptr});
    if (wanted.open) {
        openAgain(session, wanted.open);
    } else {
        lookAgain(session, *wanted.looked);
    }
    *this = std::move(next);
    return true;
}

bool ViewHistory::undo(Session& session) {
    return move(session, &ViewHistory::past_, &ViewHistory::future_);
}

bool ViewHistory::redo(Session& session) {
    return move(session, &ViewHistory::future_, &ViewHistory::past_);
}

void ViewHistory::comeBack(Session& session) {
    const std::shared_ptr<const WasOpen> wanted = std::exchange(session.comesBack, nullptr);
    if (!wanted) return;
    lookAgain(session, *wanted->looked);
    // A file may have been written anew.
    if (shapeOf(session.opened.run->trace()) != wanted->shape) leaveTrace(session);
    if (!session.player.led()) session.resumeAt = wanted->position;
}

void ViewHistory::forgetChanges() {
    ++moves_;
    while (!past_.empty() && !past_.back().open) past_.pop_back();
    future_.clear();
    last_.clear();
}

void ViewHistory::clear() {
    ++moves_;
    past_.clear();
    future_.clear();
    last_.clear();
}

}  // namespace whorl::app
