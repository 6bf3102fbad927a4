#include "app/window/control.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/prompt_commands.h"
#include "app/session/command.h"

namespace whorl::app {

namespace {

/// How long a frame is held up by what other programs ask.
constexpr std::chrono::milliseconds kMaxTime{8};

template <class... F>
struct Cases : F... {
    using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

}  // namespace

std::size_t Control::update(Session& session, bool settled) {
    const auto end = std::chrono::steady_clock::now() + kMaxTime;
    server_->update();
    std::erase_if(known_, [&](const auto& known) { return !server_->has(known.first); });
    letGo(session, settled);
    std::size_t applied = 0;
    while (!session.requests.has<request::Quit>()) {
        const auto asked = server_->next();
        if (!asked) break;
        applied += obey(session, *asked) ? 1 : 0;
        if (std::chrono::steady_clock::now() >= end) break;
    }
    return applied;
}

/// True if it was a command that could be read.
bool Control::obey(Session& session, const LineServer::Request& asked) {
    known_.try_emplace(asked.client, session.error);
    if (asked.tooLong) {
        server_->answer(asked.client, refusalOf(fmt::format("a line has more than {} bytes.", LineServer::kMaxLine)));
        return false;
    }
    if (isBlankRequest(asked.text)) {
        server_->skip(asked.client);
        return false;
    }
    const auto request = controlRequest(session, asked.text);
    if (!request) {
        server_->answer(asked.client, refusalOf(sentenceOf(request.error())));
        return false;
    }
    std::visit(Cases{[&](const Command& command) { obey(session, asked.client, command); },
                     [&](const control::State&) { server_->answer(asked.client, stateReport(session)); },
                     [&](const control::Wait&) { waiting_.push_back(asked.client); },
                     [&](const control::Shot& shot) {
                         pictures_.push_back({asked.client, shot.file});
                     }},
               *request);
    return std::holds_alternative<Command>(*request);
}

/// Makes each command a separate change to undo, however fast the commands follow each other.
void Control::obey(Session& session, LineServer::ClientId client, const Command& command) {
    session.history.rest(ViewHistory::kRest);
    applyAll(session, {command});
    session.history.rest(ViewHistory::kRest);
    server_->answer(client, session.refused.empty() ? "ok" : refusalOf(session.refused));
}

/// Answers the waiting clients once the window has settled, and those that have left. Reports an error that occurred
/// while the client waited.
void Control::letGo(const Session& session, bool settled) {
    for (const LineServer::ClientId client : std::exchange(waiting_, {})) {
        if (!settled && !server_->hasLeft(client)) {
            waiting_.push_back(client);
            continue;
        }
        const bool isNew = session.error != std::exchange(known_[client], session.error) && !session.error.empty();
        server_->answer(client, isNew ? refusalOf(session.error) : "ok");
    }
}

void Control::pictureIsSaved(const sim::Expected<void>& saved) {
    const Picture picture = std::move(pictures_.front());
    pictures_.pop_front();
    server_->answer(picture.client, saved ? "ok" : refusalOf(sentenceOf(saved.error())));
}

}  // namespace whorl::app
