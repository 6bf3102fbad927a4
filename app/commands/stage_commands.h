// Commands of a talk: the picture for an audience, the pointer and the pen, the speaker's clock.
#pragma once

#include <glm/vec2.hpp>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

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
        form("pointer", "the mouse is a spot that can be seen from afar, or as usual", argument("on", &Pointer::on));
};
void apply(Session& session, const Pointer& command);

struct Pen {
    Switch on;
    static constexpr auto kForm =
        form("pen", "the mouse draws over the picture, or does as usual", argument("on", &Pen::on));
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
    static constexpr auto kForm = form("pen-clear", "wipe away what the pen has drawn");
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
        form("clock-pause", "pause the clock of the talk, or let it run", argument("on", &ClockPause::on));
};
void apply(Session& session, const ClockPause& command);

struct ClockReset {
    static constexpr auto kForm = form("clock-reset", "the clock of the talk begins again");
};
void apply(Session& session, const ClockReset&);

using StageCommands = CommandList<Present, StageBlank, StageList, Pointer, Pen, PenDown, PenTo, PenClear, Speaker,
                                  ClockPause, ClockReset>;

}  // namespace command
}  // namespace whorl::app
