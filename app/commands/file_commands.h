// Commands about what is open, and about files: what to run (the input, the machine, the layout), what to copy, save
// and film, cancelling and quitting.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

// Commands that put something on the clipboard or into a file, and those about a file that changed on disk. The main
// loop carries them out.

/// What `whorl` makes of a tour in a process of its own: the open tour, or, to "record this", a stretch that the window
/// shows as a tour of one scene.
struct TourWish {
    enum class What : std::uint8_t { film, slides, check };
    What what = What::film;
    std::shared_ptr<const Tour> of = {};    ///< as it is open; null: it is of a moment
    Tour tour = {};                         ///< its files have absolute paths
    std::vector<std::string> sources = {};  ///< the folders of these files
    std::string name = {};                  ///< name of the new file, without an ending
    glm::ivec2 size{0};                     ///< of a moment: its picture in pixels; even, as videos need it
    scene::Ground ground = scene::Ground::dark;
    float scale = 1;  ///< of a moment: scale of texts
};

/// An error if a command of the shell does not say where it takes the file.
sim::Expected<void> checkEditor(std::string_view command);

/// The selected range, or without one the next 20 seconds, as it plays now. The error says why it cannot be recorded
/// from the window.
sim::Expected<TourWish> filmOfMoment(const Session& session);
/// Of the open tour, which there must be.
TourWish wishOf(const Session& session, TourWish::What what);

namespace command {

struct CopyAddress {
    static constexpr auto kForm = form("copy-address", "copy the address of the selected block");
};
void apply(Session& session, const CopyAddress&);

struct CopySentence {
    static constexpr auto kForm = form("copy-sentence", "copy what the current access does, as a sentence");
};
void apply(Session& session, const CopySentence&);

struct CopyCommand {
    static constexpr auto kForm = form("copy-command", "copy the command line that draws this moment");
};
void apply(Session& session, const CopyCommand&);

/// Kept between sessions.
struct Editor {
    Phrase command;
    static constexpr auto kForm = form("editor", "the command that opens a source line, such as code -g {file}:{line}",
                                       argument("command", &Editor::command));
};
void apply(Session& session, const Editor& command);

/// The picked line, or else that of the access at hand.
struct Edit {
    static constexpr auto kForm = form("edit", "open the picked source line in the editor");
};
void apply(Session& session, const Edit&);

struct SavePicture {
    static constexpr auto kForm = form("save-picture", "save the picture as a new PNG file");
};
void apply(Session& session, const SavePicture&);

struct Record {
    static constexpr auto kForm = form("record", "record the range, or the next 20 seconds, as a new film");
};
void apply(Session& session, const Record&);

struct Reload {
    static constexpr auto kForm = form("reload", "reload the open file, and stay at this time");
};
void apply(Session& session, const Reload&);

struct ReloadIgnore {
    static constexpr auto kForm = form("reload-ignore", "keep the open trace, although its file has changed");
};
void apply(Session& session, const ReloadIgnore&);

using CopyCommands =
    CommandList<CopyAddress, CopySentence, CopyCommand, Editor, Edit, SavePicture, Record, Reload, ReloadIgnore>;

// Commands that choose what to run (the input, the machine, the layout), and commands that cancel or quit.

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

struct Interleaving {
    sim::AccessOrder order = sim::AccessOrder::automatic;
    static constexpr auto kForm =
        form("interleaving", "the order of the accesses of several CPUs", argument("order", &Interleaving::order));
};
void apply(Session& session, const Interleaving& command);

/// The playhead stays.
struct SourcesIn {
    std::string folder;
    static constexpr auto kForm = form("sources-in", "look for texts of source files in this folder, too",
                                       argument("folder", &SourcesIn::folder));
};
void apply(Session& session, const SourcesIn& command);

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
        form("live", "show or hide the values of the machine and the program to try", argument("on", &Live::on));
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

/// Replaces all changes of the layout of a thing by one, or by none.
struct ChangeOnly {
    std::string thing;
    std::optional<sim::LayoutChange> change;
    static constexpr auto kForm =
        form("change-only", "store a region in one changed layout, or without one as the program does",
             argument("thing", &ChangeOnly::thing), argument("change", &ChangeOnly::change));
};
void apply(Session& session, const ChangeOnly& command);

/// Opens it beside the open run, on the same machine. Arguments as in OpenRequest.
struct CompareWith {
    std::string input;
    static constexpr auto kForm = form("compare-with", "open a file or a program beside what is open, to compare",
                                       argument("input", &CompareWith::input));
};
void apply(Session& session, const CompareWith& command);

struct CompareMachine {
    std::string machine;
    static constexpr auto kForm = form("compare-machine", "the same accesses on another machine beside what is open",
                                       argument("machine", &CompareMachine::machine));
};
void apply(Session& session, const CompareMachine& command);

struct CompareEnd {
    static constexpr auto kForm = form("compare-end", "close the runs beside what is open");
};
void apply(Session& session, const CompareEnd&);

/// While it is on, the pictures of the first two runs are in each other's place.
struct Exchange {
    Switch on;
    static constexpr auto kForm =
        form("exchange", "show the compared run in place of the first", argument("on", &Exchange::on));
};
void apply(Session& session, const Exchange& command);

struct Cancel {
    static constexpr auto kForm = form("cancel", "stop the background work");
};
void apply(Session& session, const Cancel&);

struct Quit {
    static constexpr auto kForm = form("quit", "quit");
};
void apply(Session& session, const Quit&);

using RunCommands = CommandList<Open, Machine, Interleaving, SourcesIn, Set, Option, Live, Change, ChangeUndo,
                                ChangeOnly, CompareWith, CompareMachine, CompareEnd, Exchange, Cancel, Quit>;

}  // namespace command

}  // namespace whorl::app
