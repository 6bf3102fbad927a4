#include "app/session/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace whorl::app {

namespace {

void step(Session& s, std::int64_t accesses) {
    s.player.step(accesses, s.end());
}

/// By how much the long steps go: a fiftieth of the trace, at least ten accesses.
std::int64_t stride(const Session& s) {
    return std::max<std::int64_t>(10, static_cast<std::int64_t>(s.end() / 50));
}

void want(Session& s, OpenRequest request) {
    s.error.clear();
    s.openNext = std::move(request);
}

std::vector<Action> playing() {
    return {
        {"play",
         "Playing",
         "play or pause",
         {"Space"},
         [](Session& s, const Command&) {
             if (!s.player.playing() && s.complete() && s.player.position() >= s.end()) s.player.seek(0, s.end());
             s.player.toggle();
         }},
        {"step", "Playing", "one access on", {"Right", "."}, [](Session& s, const Command&) { step(s, 1); }},
        {"step-back", "Playing", "one access back", {"Left", ","}, [](Session& s, const Command&) { step(s, -1); }},
        {"stride",
         "Playing",
         "a stretch on, or back",
         {"PageDown"},
         [](Session& s, const Command&) { step(s, stride(s)); }},
        {"stride-back", "Playing", "… back", {"PageUp"}, [](Session& s, const Command&) { step(s, -stride(s)); }},
        {"restart", "Playing", "to the start", {"Home"}, [](Session& s, const Command&) { s.player.seek(0, s.end()); }},
        {"end", "Playing", "to the end", {"End"}, [](Session& s, const Command&) { s.player.seek(s.end(), s.end()); }},
        {"faster", "Playing", "faster, or slower", {"Up"}, [](Session& s, const Command&) { s.player.faster(); }},
        {"slower", "Playing", "… slower", {"Down"}, [](Session& s, const Command&) { s.player.slower(); }},
        {"loop",
         "Playing",
         "start again at the end, or stop there",
         {"l"},
         [](Session& s, const Command&) { s.player.setLoops(!s.player.loops()); }},
        {"seek",
         "",
         "put the playhead somewhere",
         {},
         [](Session& s, const Command& c) { s.player.seek(c.number, s.end()); }},
        {"pace", "", "so many accesses a second", {}, [](Session& s, const Command& c) { s.player.setPace(c.number); }},
    };
}

std::vector<Action> managing() {
    return {
        {"help", "Whorl", "show or hide this list", {"?", "F1"}, [](Session& s, const Command&) { s.help = !s.help; }},
        {"type-input",
         "Whorl",
         "type the name of a file or program to open",
         {"o"},
         [](Session& s, const Command&) { s.focus = Field::input, s.panels = true; }},
        {"type-machine",
         "Whorl",
         "type another machine",
         {"m"},
         [](Session& s, const Command&) { s.focus = Field::machine, s.panels = true; }},
        {"focused", "", "the field has the keyboard", {}, [](Session& s, const Command&) { s.focus = Field::none; }},
        {"cancel",
         "Whorl",
         "stop what is being read or worked out",
         {"Ctrl+."},
         [](Session& s, const Command&) { s.cancelRequested = true; }},
        {"quit", "Whorl", "quit", {"Ctrl+Q"}, [](Session& s, const Command&) { s.quit = true; }},
        {"open",
         "",
         "open a file or a program",
         {},
         [](Session& s, const Command& c) {
             OpenRequest request = s.opened.request;
             request.input = c.text;
             request.machine.clear();
             request.settings.clear();
             request.changes.clear();
             want(s, std::move(request));
         }},
        {"machine",
         "",
         "another machine for the same trace",
         {},
         [](Session& s, const Command& c) {
             OpenRequest request = s.opened.request;
             request.machine = c.text;
             request.settings.clear();
             want(s, std::move(request));
         }},
        {"dismiss",
         "",
         "close a message",
         {},
         [](Session& s, const Command&) {
             s.error.clear();
             s.message.clear();
         }},
        {"split-left",
         "",
         "the width of the left column",
         {},
         [](Session& s, const Command& c) { s.sizes.left = static_cast<float>(c.number); }},
        {"split-right",
         "",
         "the width of the right column",
         {},
         [](Session& s, const Command& c) { s.sizes.right = static_cast<float>(c.number); }},
        {"split-bottom",
         "",
         "the height of the bottom",
         {},
         [](Session& s, const Command& c) { s.sizes.bottom = static_cast<float>(c.number); }},
        {"split-statistics",
         "",
         "the statistics' share of the right column",
         {},
         [](Session& s, const Command& c) { s.sizes.statistics = static_cast<float>(c.number); }},
        {"split-source",
         "",
         "the listing's share of the right column",
         {},
         [](Session& s, const Command& c) { s.sizes.source = static_cast<float>(c.number); }},
    };
}

std::vector<Action> all() {
    std::vector<Action> out = playing();
    for (auto&& part : {rangeActions(), searchActions(), lookingActions(), zoomActions(), pictureActions(),
                        viewsActions(), choosingActions(), managing()})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

/// The log that a test may ask for; written through at once, so that a reader sees it while the program runs.
void log(const Command& c) {
    static const char* const path = std::getenv("WHORL_ACTION_LOG");
    if (path == nullptr) return;
    std::ofstream(path, std::ios::app) << c.action << (c.number != 0 ? fmt::format(" {}", c.number) : "")
                                       << (c.text.empty() ? "" : " " + c.text) << '\n';
}

}  // namespace

std::span<const Action> actions() {
    static const std::vector<Action> registry = all();
    return registry;
}

const Action& actionNamed(std::string_view id) {
    const auto list = actions();
    return *std::find_if(list.begin(), list.end(), [&](const Action& a) { return a.id == id; });
}

const Action* actionForKey(std::string_view chord) {
    for (const Action& a : actions()) {
        if (std::find(a.keys.begin(), a.keys.end(), chord) != a.keys.end()) return &a;
    }
    return nullptr;
}

void applyAll(Session& session, const Commands& commands) {
    for (const Command& c : commands) {
        actionNamed(c.action).apply(session, c);
        log(c);
    }
}

}  // namespace whorl::app
