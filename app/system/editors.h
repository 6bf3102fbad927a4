// Editors in which the window opens source lines. They are programs of their own, and go on when the window is closed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// The command of the shell that opens a line: {file} and {line} are replaced, the file by one word.
std::string editorCommand(std::string_view editor, const std::string& file, std::uint32_t line);

class Editors {
  public:
    /// Does not wait for it. `editor`: a command of the shell with {file} and {line}.
    sim::Expected<void> open(const std::string& editor, const std::string& file, std::uint32_t line);
    /// The error of one that has failed, once.
    std::optional<sim::Error> takeError();

  private:
    struct Begun {
        pid_t process = 0;
        std::string command;
    };
    std::vector<Begun> begun_;
};

}  // namespace whorl::app
