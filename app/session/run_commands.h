// Commands that say what is to be run: the input, the machine, the layout; and those that end something.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

/// With its own machine and layout.
struct Open {
    std::string input;  ///< as OpenRequest has it
    static constexpr auto kForm = form("open", "open a file or a program", argument("input", &Open::input));
};
void apply(Session& session, const Open& command);

struct Machine {
    std::string machine;  ///< as OpenRequest has it
    static constexpr auto kForm =
        form("machine", "another machine for the same trace", argument("machine", &Machine::machine));
};
void apply(Session& session, const Machine& command);

struct Change {
    sim::LayoutChange change;
    static constexpr auto kForm =
        form("change", "lay something out in another way", argument("change", &Change::change));
};
void apply(Session& session, const Change& command);

struct ChangeUndo {
    std::uint32_t index = 0;
    static constexpr auto kForm = form("change-undo", "lay it out as it was", argument("index", &ChangeUndo::index));
};
void apply(Session& session, const ChangeUndo& command);

struct Compare {
    Switch on;
    static constexpr auto kForm =
        form("compare", "what if: beside each view that of the run as it was", argument("on", &Compare::on));
};
void apply(Session& session, const Compare& command);

struct Cures {
    Switch on;
    static constexpr auto kForm = form("cures", "what if: list what would keep CPUs from taking blocks from each other",
                                       argument("on", &Cures::on));
};
void apply(Session& session, const Cures& command);

struct Cancel {
    static constexpr auto kForm = form("cancel", "stop what is being read or worked out");
};
void apply(Session& session, const Cancel&);

struct Quit {
    static constexpr auto kForm = form("quit", "quit");
};
void apply(Session& session, const Quit&);

using RunCommands = CommandList<Open, Machine, Change, ChangeUndo, Compare, Cures, Cancel, Quit>;
std::vector<CommandType> typesOf(RunCommands);

}  // namespace command
}  // namespace whorl::app
