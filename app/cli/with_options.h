// Options that name a second run, which is compared with the first: the same input on another machine, another input on
// the same machine, or both.
#pragma once

#include <optional>
#include <string>

#include "app/cli/option_parser.h"
#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/session/time_lock.h"
#include "sim/base/error.h"

namespace whorl::app {

struct WithOptions {
    std::string input;
    std::string machine;
    TimeLock lock = TimeLock::access;
    bool maybeSame = false;  ///< it may be the first itself: numbers are compared, not pictures
};

/// Adds --with and --with-machine; of a command with two inputs, `input` is a positional argument of that name instead
/// of --with.
void addWithOptions(OptionParser& command, WithOptions& options, const std::string& input = "--with");

/// Adds --lock, for commands that show times.
void addLockOption(OptionParser& command, WithOptions& options);

/// The request for the second run, if the options name one: the first request, with the input or machine that the
/// options name. A named input only gets a machine that the first request names; a named machine does not get the
/// settings of the first, as in tours. An error if both runs would be the same.
sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first);

/// Opens the second run beside the session's run, if the options name one, and locks the playheads.
sim::Expected<void> openCompared(const WithOptions& options, const OpenRequest& first, Session& session);

}  // namespace whorl::app
