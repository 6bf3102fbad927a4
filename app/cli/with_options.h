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

/// The request of the second run, if one is asked for: that of the first but for what the options name. An input that
/// is named gets no machine that the first does not name; a machine that is named is so without the settings of the
/// first, as in tours. An error if a picture would stand beside itself.
sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first);

/// Opens the second run beside that of the session, if one is asked for, and locks the playheads.
sim::Expected<void> openBeside(const WithOptions& options, const OpenRequest& first, Session& session);

}  // namespace whorl::app
