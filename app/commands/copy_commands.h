// Commands that put something on the clipboard or into a file, and those about a file that changed on disk. The main
// loop carries them out.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// "Record this": a stretch that the window shows, as a tour of one scene, which `whorl record` films.
struct FilmWish {
    Tour tour;                         ///< a tour of one scene; its files have absolute paths
    std::vector<std::string> sources;  ///< the folders of these files
    std::string name;                  ///< file name of the film, without an ending
    glm::ivec2 size;                   ///< size of its pictures in pixels; even, as videos need it
    scene::Ground ground = scene::Ground::dark;
    float scale = 1;  ///< scale of texts
};

/// The selected range, or without one the next 20 seconds, as it plays now. The error says why it cannot be recorded
/// from the window.
sim::Expected<FilmWish> filmOfMoment(const Session& session);

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
