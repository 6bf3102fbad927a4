// Commands for the prompt over the picture: asking for a command, a position, a file or a note, and executing what was
// entered. Also undoing and redoing changes of the view.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/session/command.h"

namespace whorl::app {

/// Parses the text of a command as a person or a script writes it, and checks what would fail only later: whether a
/// machine, a program or a file exists, and whether a position is within the trace. Relative paths in the dialog for
/// files become whole ones.
sim::Expected<Command> typedCommand(const Session& session, std::string_view text);

/// What is shown of an error that a command makes: its sentence, with an end.
std::string sentenceOf(const sim::Error& error);

namespace command {

/// Opens the field, or gives it another text.
struct Ask {
    Asks what = Asks::command;
    std::optional<std::string> text;
    static constexpr auto kForm = form("ask", "type a command, a position, a file or a note",
                                       argument("what", &Ask::what), argument("text", &Ask::text));
};
void apply(Session& session, const Ask& command);

struct AskClose {
    static constexpr auto kForm = form("ask-close", "close the text field");
};
void apply(Session& session, const AskClose&);

/// Executes the command that was entered or chosen, and closes the field; if that fails, the field shows the reason.
struct Do {
    std::string text;
    static constexpr auto kForm = form("do", "run the typed text or the chosen entry", argument("command", &Do::text));
};
void apply(Session& session, const Do& command);

/// Looks into a folder for files.
struct Folder {
    std::string path;
    static constexpr auto kForm = form("folder", "list the files of a folder", argument("path", &Folder::path));
};
void apply(Session& session, const Folder& command);

/// Opens a tour at one of its scenes.
struct OpenScene {
    std::string tour;
    std::string scene;
    static constexpr auto kForm = form("open-scene", "open a scene of a tour", argument("tour", &OpenScene::tour),
                                       argument("scene", &OpenScene::scene));
};
void apply(Session& session, const OpenScene& command);

/// See ViewHistory.
struct Undo {
    static constexpr auto kForm = form("undo", "undo the last change of the view");
};
void apply(Session& session, const Undo&);

struct Redo {
    static constexpr auto kForm = form("redo", "redo what was undone");
};
void apply(Session& session, const Redo&);

using PromptCommands = CommandList<Ask, AskClose, Do, Folder, OpenScene, Undo, Redo>;

}  // namespace command
}  // namespace whorl::app
