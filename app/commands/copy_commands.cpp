#include "app/commands/copy_commands.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/commands/film_wish.h"
#include "app/commands/moment.h"
#include "app/session/transitions.h"
#include "sim/base/text.h"
#include "sim/replay/snapshot_reader.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

/// A text is copied, and the message tells what.
void copy(Session& session, std::string text, const std::string& note = {}) {
    session.message = fmt::format("Copied: {}{}", text, note.empty() ? "" : "\n" + note);
    session.requests.add(request::Copy{std::move(text)});
}

}  // namespace

namespace command {

void apply(Session& session, const CopyAddress&) {
    if (const auto byte = session.marked()) {
        copy(session, fmt::format("{:#x}", byte->value));
    } else {
        refuse(session, "Nothing to copy: select a block first, by a click or with /.");
    }
}

void apply(Session& session, const CopySentence&) {
    if (!session.opened.run) return;
    // From the nearest checkpoint: within a frame.
    sim::SnapshotReader reader(session.opened.run);
    const sim::Snapshot& snapshot = reader.at(session.player.position(), {.steps = 1});
    const sim::Step* const step = snapshot.current();
    if (step == nullptr) {
        refuse(session, "Nothing to copy: no access has happened yet.");
        return;
    }
    copy(session, sim::sentenceFor(*step, session.opened.run->trace(), session.opened.run->machine()));
}

void apply(Session& session, const CopyCommand&) {
    if (!session.opened.run) return;
    const MomentCommand moment = momentCommandOf(session, session.pictureSize);
    const std::string missing =
        moment.missing.empty() ? "" : fmt::format("It leaves out {}.", sim::joinNames(moment.missing));
    copy(session, moment.text, missing);
}

void apply(Session& session, const SavePicture&) {
    if (session.opened.run) session.requests.add(request::SavePicture{});
}

void apply(Session& session, const Record&) {
    if (!session.opened.run) return;
    auto wish = filmOfMoment(session);
    if (wish) {
        session.requests.add(request::Film{std::make_shared<const FilmWish>(*std::move(wish))});
    } else {
        refuse(session, "Not recorded: " + wish.error().sentence() + ".");
    }
}

void apply(Session& session, const Reload&) {
    session.changedOnDisk.clear();
    const std::string& input = session.opened.request.input;
    if (!session.opened.run) return;
    if (input == "-") {
        refuse(session, "Standard input can be read only once.");
        return;
    }
    reopen(session, input);
}

void apply(Session& session, const ReloadIgnore&) {
    session.changedOnDisk.clear();
}

}  // namespace command
}  // namespace whorl::app
