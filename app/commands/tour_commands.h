// Commands that open a tour, go from scene to scene, and edit it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct TourOpen {
    std::string tour;  ///< as for tourFrom
    static constexpr auto kForm =
        form("tour-open", "open a built-in tour, or one from a JSON file", argument("tour", &TourOpen::tour));
};
void apply(Session& session, const TourOpen& command);

struct TourClose {
    static constexpr auto kForm = form("tour-close", "close the tour");
};
void apply(Session& session, const TourClose&);

/// Answers a question, lets a loop end, or goes to the next scene.
struct TourNext {
    static constexpr auto kForm = form("tour-next", "the next step of the tour");
};
void apply(Session& session, const TourNext&);

struct TourPrevious {
    static constexpr auto kForm = form("tour-previous", "the step of the tour before");
};
void apply(Session& session, const TourPrevious&);

struct TourGo {
    std::uint32_t scene = 0;
    static constexpr auto kForm = form("tour-go", "go to a scene of the tour", argument("scene", &TourGo::scene));
};
void apply(Session& session, const TourGo& command);

/// The answer that is chosen, by its number from 0; a question is answered once.
struct TourAnswer {
    std::uint32_t choice = 0;
    static constexpr auto kForm =
        form("tour-answer", "answer the question of the scene", argument("choice", &TourAnswer::choice));
};
void apply(Session& session, const TourAnswer& command);

// --- editing: each can be undone

/// Adds the scene after the current one; without a tour, begins a new tour.
struct TourAdd {
    static constexpr auto kForm = form("tour-add", "add this moment to the tour");
};
void apply(Session& session, const TourAdd&);

/// The scene keeps its words, notes and question.
struct TourSet {
    static constexpr auto kForm = form("tour-set", "the scene shows this moment from now on");
};
void apply(Session& session, const TourSet&);

struct TourRemove {
    std::uint32_t scene = 0;
    static constexpr auto kForm =
        form("tour-remove", "take a scene out of the tour", argument("scene", &TourRemove::scene));
};
void apply(Session& session, const TourRemove& command);

struct TourMove {
    std::uint32_t scene = 0;
    std::uint32_t to = 0;
    static constexpr auto kForm = form("tour-move", "move a scene to another place in the tour",
                                       argument("scene", &TourMove::scene), argument("to", &TourMove::to));
};
void apply(Session& session, const TourMove& command);

struct TourSay {
    std::uint32_t scene = 0;
    SceneText what = SceneText::title;
    std::string text;
    static constexpr auto kForm =
        form("tour-say", "the title, words or notes of a scene", argument("scene", &TourSay::scene),
             argument("what", &TourSay::what), argument("text", &TourSay::text));
};
void apply(Session& session, const TourSay& command);

/// The accesses that the scene plays from its moment on; without an argument it stands still.
struct TourPlay {
    std::optional<Position> to;
    static constexpr auto kForm =
        form("tour-play", "the scene plays to this position, or stands still", argument("to", &TourPlay::to));
};
void apply(Session& session, const TourPlay& command);

struct TourUndo {
    static constexpr auto kForm = form("tour-undo", "undo the last change of the tour");
};
void apply(Session& session, const TourUndo&);

struct TourRedo {
    static constexpr auto kForm = form("tour-redo", "redo a change of the tour that was undone");
};
void apply(Session& session, const TourRedo&);

/// Without a file: writes to the file that the tour was read from.
struct TourSave {
    std::optional<std::string> file;
    static constexpr auto kForm =
        form("tour-save", "write the tour into a JSON file", argument("file", &TourSave::file));
};
void apply(Session& session, const TourSave& command);

using TourCommands = CommandList<TourOpen, TourClose, TourNext, TourPrevious, TourGo, TourAnswer, TourAdd, TourSet,
                                 TourRemove, TourMove, TourSay, TourPlay, TourUndo, TourRedo, TourSave>;

}  // namespace command
}  // namespace whorl::app
