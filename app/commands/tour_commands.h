// Commands that open a tour, go from scene to scene, and edit it; and those of a talk.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
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
    static constexpr auto kForm = form("tour-previous", "the previous step of the tour");
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
    static constexpr auto kForm = form("tour-set", "make the scene show this moment");
};
void apply(Session& session, const TourSet&);

struct TourRemove {
    std::uint32_t scene = 0;
    static constexpr auto kForm =
        form("tour-remove", "remove a scene from the tour", argument("scene", &TourRemove::scene));
};
void apply(Session& session, const TourRemove& command);

struct TourMove {
    std::uint32_t scene = 0;
    std::uint32_t to = 0;
    static constexpr auto kForm = form("tour-move", "move a scene to another place in the tour",
                                       argument("scene", &TourMove::scene), argument("to", &TourMove::to));
};
void apply(Session& session, const TourMove& command);

/// A key of the tour's form; an empty text leaves it out.
struct TourSay {
    std::uint32_t scene = 0;
    std::string key;
    std::string text;
    static constexpr auto kForm =
        form("tour-say", "a key of a scene, such as words, or of the tour, such as tour.title",
             argument("scene", &TourSay::scene), argument("key", &TourSay::key), argument("text", &TourSay::text));
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
    static constexpr auto kForm = form("tour-save", "save the tour to a JSON file", argument("file", &TourSave::file));
};
void apply(Session& session, const TourSave& command);

/// Shows the tour as a form beside its pictures.
struct TourEdit {
    Switch on;
    static constexpr auto kForm =
        form("tour-edit", "show or hide what can be changed of the tour", argument("on", &TourEdit::on));
};
void apply(Session& session, const TourEdit& command);

struct TourFilm {
    static constexpr auto kForm = form("tour-film", "record the tour as a new film");
};
void apply(Session& session, const TourFilm&);

struct TourSlides {
    static constexpr auto kForm = form("tour-slides", "make slides of the tour in a new PDF file");
};
void apply(Session& session, const TourSlides&);

struct TourCheck {
    static constexpr auto kForm = form("tour-check", "check the tour's claims, numbers, files and words");
};
void apply(Session& session, const TourCheck&);

using TourCommands =
    CommandList<TourOpen, TourClose, TourNext, TourPrevious, TourGo, TourAnswer, TourAdd, TourSet, TourRemove, TourMove,
                TourSay, TourPlay, TourUndo, TourRedo, TourSave, TourEdit, TourFilm, TourSlides, TourCheck>;

// Commands of a talk: the picture for an audience, the pointer and the pen, the speaker's clock.

struct Present {
    Switch on;
    static constexpr auto kForm =
        form("present", "the picture and its words on the whole screen, nothing else", argument("on", &Present::on));
};
void apply(Session& session, const Present& command);

struct StageBlank {
    Switch on;
    static constexpr auto kForm =
        form("stage-blank", "show nothing, or the picture again", argument("on", &StageBlank::on));
};
void apply(Session& session, const StageBlank& command);

struct StageList {
    Switch on;
    static constexpr auto kForm = form("stage-list", "show or hide the list of scenes", argument("on", &StageList::on));
};
void apply(Session& session, const StageList& command);

struct Pointer {
    Switch on;
    static constexpr auto kForm =
        form("pointer", "show the mouse as a large spot, or as usual", argument("on", &Pointer::on));
};
void apply(Session& session, const Pointer& command);

struct Pen {
    Switch on;
    static constexpr auto kForm =
        form("pen", "the mouse draws over the picture, or works as usual", argument("on", &Pen::on));
};
void apply(Session& session, const Pen& command);

/// Positions are in pixels of a picture 720 high, from its centre.
struct PenDown {
    glm::vec2 at{0};
    static constexpr auto kForm = form("pen-down", "begin a line of the pen", argument("at", &PenDown::at));
};
void apply(Session& session, const PenDown& command);

struct PenTo {
    glm::vec2 at{0};
    static constexpr auto kForm = form("pen-to", "draw the line of the pen on", argument("at", &PenTo::at));
};
void apply(Session& session, const PenTo& command);

struct PenClear {
    static constexpr auto kForm = form("pen-clear", "erase what the pen has drawn");
};
void apply(Session& session, const PenClear&);

struct Speaker {
    Switch on;
    static constexpr auto kForm =
        form("speaker", "show or hide the speaker's window: notes, what comes next, the clock",
             argument("on", &Speaker::on));
};
void apply(Session& session, const Speaker& command);

struct ClockPause {
    Switch on;
    static constexpr auto kForm =
        form("clock-pause", "pause or resume the clock of the talk", argument("on", &ClockPause::on));
};
void apply(Session& session, const ClockPause& command);

struct ClockReset {
    static constexpr auto kForm = form("clock-reset", "restart the clock of the talk");
};
void apply(Session& session, const ClockReset&);

using StageCommands = CommandList<Present, StageBlank, StageList, Pointer, Pen, PenDown, PenTo, PenClear, Speaker,
                                  ClockPause, ClockReset>;

}  // namespace command

}  // namespace whorl::app
