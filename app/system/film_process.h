// A film that is recorded beside the window, by a process of its own: the window goes on, and its pictures need a
// context of their own.
#pragma once

#include <string>

#include "app/commands/copy_commands.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Records it into a new file in the current folder, NAME.mp4 or NAME-2.mp4 and so on, and returns its name. Progress
/// is in hundredths. When cancelled, nothing is left of it. `program`: the whorl to run.
sim::Expected<std::string> recordFilmApart(const FilmWish& wish, const std::string& program, sim::Progress& progress);

}  // namespace whorl::app
