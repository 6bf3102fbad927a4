// What the window shows now: as a command line that draws it, and as a scene of a tour.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace whorl::app {

struct MomentCommand {
    std::string text;                  ///< "whorl frame matmul --at 1200 … -o matmul.png", quoted for a shell
    std::vector<std::string> missing;  ///< what is seen and has no option, in words
};

/// The command for a picture of this size, in pixels, without panels. An open file has the path by which it was opened.
MomentCommand momentCommandOf(const Session& session, glm::ivec2 size);

/// The moment as a scene without words: its run, position, camera and views. A run must be open.
TourScene momentOf(const Session& session);

/// The name of a picture of what is open, without an ending: "matmul" for matmul:n=16 and for traces/matmul.whorl.
std::string pictureNameOf(const Session& session);

/// A word as a POSIX shell reads it back.
std::string shellWord(std::string_view word);

}  // namespace whorl::app
