// What a program that drives the window (--control) writes on a line: a command in its text form, or a request that is
// no command as it changes nothing that is seen. Knows nothing of how lines come in.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "app/session/command.h"
#include "sim/base/error.h"

namespace whorl::app {

namespace control {

/// "state": what is shown, see stateReport().
struct State {};
/// "wait": for the end of background work and of moves, but not of playing.
struct Wait {};
/// "shot FILE": saves the picture as PNG.
struct Shot {
    std::string file;
};

}  // namespace control

using ControlRequest = std::variant<Command, control::State, control::Wait, control::Shot>;

/// Whether a line asks for nothing: it is blank, or a comment that begins with #.
bool isBlankRequest(std::string_view line);

/// Reads a line, without its end. The error is one sentence, as for parseCommand(); lines that are not text in UTF-8
/// are refused.
sim::Expected<ControlRequest> controlRequest(const Session& session, std::string_view line);

/// What is open, where the playhead is, what is shown and picked: JSON on one line. Its keys are listed in
/// docs/window.md. Addresses are text in hexadecimal, positions and ranges numbers of accesses.
std::string stateReport(const Session& session);

/// A sentence as an answer, "error: …" on one line.
std::string refusalOf(std::string_view sentence);

}  // namespace whorl::app
