#include "app/commands/control_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/commands.h"
#include "app/session/view_id.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

using Json = nlohmann::ordered_json;

bool isPrintable(std::string_view text) {
    while (!text.empty()) {
        // A tab separates words.
        const std::size_t length = text.front() == '\t' ? 1 : sim::printableLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// The requests that are no commands; nothing if it is none of them.
std::optional<sim::Expected<ControlRequest>> queryFrom(WordReader words) {
    const auto id = words.next();
    if (!id) return std::nullopt;
    const auto whole = [&](ControlRequest request, const char* form) -> sim::Expected<ControlRequest> {
        if (words.empty()) return request;
        return sim::fail({}, fmt::format("{}: there are too many words", *id), fmt::format("write {}", form));
    };
    if (*id == "state") return whole(control::State{}, "state");
    if (*id == "wait") return whole(control::Wait{}, "wait");
    if (*id != "shot") return std::nullopt;
    const auto file = words.next();
    if (!file) return sim::fail({}, "shot: the file is missing", "write shot FILE.png");
    if (!file->ends_with(".png")) {
        return sim::fail({}, fmt::format("shot: {} is not the name of a PNG file", sim::quotedText(*file)),
                         "give a name that ends in .png");
    }
    return whole(control::Shot{*file}, "shot FILE.png");
}

template <class T>
std::string wordsOf(const T& value) {
    WordWriter out;
    put(out, value);
    return out.text();
}

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(wordsOf(*value)) : Json(nullptr);
}

Json lineOf(const SourcePick& pick, const sim::Trace& trace) {
    if (pick.site >= trace.sites().size()) return nullptr;
    const sim::Site& site = trace.sites()[pick.site];
    if (site.file >= trace.files().size()) return nullptr;
    return fmt::format("{}:{}", trace.files()[site.file].path, site.line);
}

Json runOf(const Opened& opened) {
    return {{"input", opened.request.input},
            {"machine", opened.run->machine().name},
            {"accesses", opened.run->trace().size()},
            {"built", opened.run->built().value}};
}

Json picksOf(const Session& session) {
    const ViewSettings& picks = session.viewSettings;
    return {{"source", picks.source ? lineOf(*picks.source, session.opened.run->trace()) : Json(nullptr)},
            {"object", orNull(picks.object)},
            {"stay", orNull(picks.stay)}};
}

}  // namespace

bool isBlankRequest(std::string_view line) {
    const std::string_view words = sim::trimmed(line);
    return words.empty() || words.front() == '#';
}

sim::Expected<ControlRequest> controlRequest(const Session& session, std::string_view line) {
    if (!isPrintable(line)) return sim::fail({}, "the line is not text in UTF-8", "write one command a line");
    const auto words = WHORL_TRY(WordReader::of(line));
    if (auto query = queryFrom(words)) return *std::move(query);
    return typedCommand(session, line).map([](Command&& command) { return ControlRequest(std::move(command)); });
}

std::string stateReport(const Session& session) {
    Json out;
    if (session.opened.run) {
        out = runOf(session.opened);
        out["position"] = session.player.position();
        out["playing"] = session.player.playing();
        out["pace"] = session.player.pace();
        out["range"] =
            session.range ? Json{{"from", session.range->from.value}, {"to", session.range->to.value}} : Json(nullptr);
        out["beside"] = Json::array();
        for (const ComparedRun& run : session.compared) out["beside"].push_back(runOf(run.opened));
        out["selected"] = session.selected ? Json(wordsOf(session.selected->target)) : Json(nullptr);
        out["block"] = orNull(session.marked());
        out["picks"] = picksOf(session);
    }
    out["views"] = Json::array();
    for (const ViewId& view : session.viewSettings.shown) out["views"].push_back(wordOf(view));
    out["active"] = wordOf(session.viewSettings.active);
    out["watched"] = Json::array();
    for (const sim::ByteAddress byte : session.watched) out["watched"].push_back(wordsOf(byte));
    out["scene"] = session.sceneText ? Json(session.sceneText->title) : Json(nullptr);
    out["undo"] = session.history.undoable();
    out["redo"] = session.history.redoable();
    out["error"] = session.error;
    out["message"] = session.message;
    // Names in traces need not be UTF-8.
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string refusalOf(std::string_view sentence) {
    std::string line = "error: " + std::string(sentence);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

}  // namespace whorl::app
