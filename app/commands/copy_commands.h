// Commands that put something on the clipboard or into a file, and those about a file that changed on disk. The main
// loop carries them out.
#pragma once

#include "app/session/command.h"

namespace whorl::app {

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

struct SavePicture {
    static constexpr auto kForm = form("save-picture", "save the picture as a new PNG file");
};
void apply(Session& session, const SavePicture&);

struct Record {
    static constexpr auto kForm = form("record", "record the range, or the next 20 seconds, as a new film");
};
void apply(Session& session, const Record&);

struct Reload {
    static constexpr auto kForm = form("reload", "read the open file again, and stay at this place");
};
void apply(Session& session, const Reload&);

struct ReloadIgnore {
    static constexpr auto kForm = form("reload-ignore", "keep what is open, although its file has changed");
};
void apply(Session& session, const ReloadIgnore&);

using CopyCommands = CommandList<CopyAddress, CopySentence, CopyCommand, SavePicture, Record, Reload, ReloadIgnore>;

}  // namespace command
}  // namespace whorl::app
