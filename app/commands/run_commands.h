// Commands that choose what to run (the input, the machine, the layout), and commands that cancel or quit.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

/// Resets the machine, its settings and the layout to those of the input.
struct Open {
    std::string input;  ///< as in OpenRequest
    static constexpr auto kForm = form("open", "open a file or a program", argument("input", &Open::input));
};
void apply(Session& session, const Open& command);

struct Machine {
    std::string machine;  ///< as in OpenRequest
    static constexpr auto kForm =
        form("machine", "another machine for the same trace", argument("machine", &Machine::machine));
};
void apply(Session& session, const Machine& command);

/// The playhead stays. A value set before is replaced.
struct Set {
    std::string assignment;
    static constexpr auto kForm =
        form("set", "set a value of the machine, such as L1.ways=4", argument("assignment", &Set::assignment));
};
void apply(Session& session, const Set& command);

/// The playhead stays, and so does the machine with its settings.
struct Option {
    std::string name;
    std::string value;
    static constexpr auto kForm = form("option", "set an option of the built-in program",
                                       argument("name", &Option::name), argument("value", &Option::value));
};
void apply(Session& session, const Option& command);

struct Live {
    Switch on;
    static constexpr auto kForm =
        form("live", "show or hide the values of the machine and the program, to be tried", argument("on", &Live::on));
};
void apply(Session& session, const Live& command);

struct Change {
    sim::LayoutChange change;
    static constexpr auto kForm =
        form("change", "change the layout of an object or region", argument("change", &Change::change));
};
void apply(Session& session, const Change& command);

struct ChangeUndo {
    std::uint32_t index = 0;
    static constexpr auto kForm =
        form("change-undo", "undo a change of the layout", argument("index", &ChangeUndo::index));
};
void apply(Session& session, const ChangeUndo& command);

/// While it is on, the pictures of the first two runs are in each other's place.
struct Exchange {
    Switch on;
    static constexpr auto kForm =
        form("exchange", "show the compared run in place of the first", argument("on", &Exchange::on));
};
void apply(Session& session, const Exchange& command);

struct Cancel {
    static constexpr auto kForm = form("cancel", "stop the work in the background");
};
void apply(Session& session, const Cancel&);

struct Quit {
    static constexpr auto kForm = form("quit", "quit");
};
void apply(Session& session, const Quit&);

using RunCommands = CommandList<Open, Machine, Set, Option, Live, Change, ChangeUndo, Exchange, Cancel, Quit>;

}  // namespace command
}  // namespace whorl::app
