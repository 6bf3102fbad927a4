#include "app/session/view_history.h"

#include <utility>

namespace whorl::app {

namespace {

ViewSettings settled(ViewSettings settings) {
    std::erase_if(settings.sights, [](const auto& sight) { return !sight.second.byHand; });
    settings.lensWanted = false;
    settings.wordsFit = false;
    settings.wanted = {};
    for (auto& [view, choice] : settings.cells) {
        choice.interleavedShare = choice.interleaved ? 1.0f : 0.0f;
    }
    settings.blocks.depth = settings.blocks.solid ? 1.0f : 0.0f;
    for (auto& [view, choice] : settings.ownBlocks) choice.depth = choice.solid ? 1.0f : 0.0f;
    std::erase_if(settings.ownBlocks, [&](const auto& own) { return own.second == settings.blocks; });
    std::erase_if(settings.cells, [](const auto& cells) { return cells.second == CellChoice{}; });
    std::erase_if(settings.histories, [](const auto& history) { return history.second == HistoryChoice{}; });
    return settings;
}

/// The wanted settings, combined with the state that views maintain themselves.
ViewSettings unsettled(const ViewSettings& wanted, const ViewSettings& now) {
    ViewSettings settings = wanted;
    settings.wordsFit = now.wordsFit;
    // A camera no longer moved by hand stays here until its view places it.
    for (const auto& [view, sight] : now.sights) settings.sights.insert({view, {sight.camera, false}});
    for (auto& [view, choice] : settings.cells) {
        const auto known = now.cells.find(view);
        if (known != now.cells.end()) choice.interleavedShare = known->second.interleavedShare;
    }
    // Running animations continue from their present state.
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

}  // namespace

std::shared_ptr<const ViewState> captureViewState(const Camera& camera, const Look& look) {
    ViewState state{.sight = camera.target(), .look = look};
    state.look.viewSettings = settled(look.viewSettings);
    return std::make_shared<const ViewState>(std::move(state));
}

void restoreViewState(const ViewState& state, Camera& camera, Look& look) {
    camera.glideBack(state.sight);
    const ViewSettings now = std::exchange(look, state.look).viewSettings;
    look.viewSettings = unsettled(state.look.viewSettings, now);
}

void ViewHistory::note(std::string_view id, bool joins, std::shared_ptr<const ViewState> before) {
    const bool isJoined = joins && last_ == id && rested_ < kRest && !past_.empty();
    if (!isJoined) add({std::move(before)});
    last_ = id;
    rested_ = 0;
}

void ViewHistory::leave(State now) {
    constexpr std::string_view kOpening = "opening";
    // Quick successive openings join, as when the user drags a value of the machine.
    const bool joins = last_ == kOpening && rested_ < kRest;
    if (!joins) add(std::move(now));
    last_ = kOpening;
    rested_ = 0;
}

void ViewHistory::add(State state) {
    past_.push_back(std::move(state));
    if (past_.size() > kMax) past_.erase(past_.begin());
    future_.clear();
}

const ViewHistory::State* ViewHistory::next(Direction direction) const {
    const std::vector<State>& states = direction == Direction::undo ? past_ : future_;
    return states.empty() ? nullptr : &states.back();
}

ViewHistory::State ViewHistory::move(Direction direction, State now) {
    std::vector<State>& from = direction == Direction::undo ? past_ : future_;
    std::vector<State>& to = direction == Direction::undo ? future_ : past_;
    State wanted = std::move(from.back());
    from.pop_back();
    to.push_back(std::move(now));
    ++moves_;
    last_.clear();
    return wanted;
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
