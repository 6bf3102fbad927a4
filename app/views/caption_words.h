// What a caption says of a moment: the access, the position, the machines. For the panels and for pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/views/run_views.h"
#include "sim/base/types.h"
#include "sim/replay/snapshot.h"

namespace whorl::app {

/// Accesses a second that can be read one by one.
inline constexpr double kReadablePace = 1;

/// The sentence of an access; of accesses that follow each other faster than one reads, what most of those are made by
/// that are played in some seconds.
std::string accessInWords(const sim::Step& step, const RunContext& context);

/// The range that cells sum up, where nothing else is shown: what the playhead's access does is not in them.
std::optional<sim::Range> summedRange(const Session& session);

/// The accesses and cycles so far, or the range that is summed up, or under which circumstances runs are compared. A
/// picture must have been made.
std::string positionInWords(const Shown& shown);

/// "machine paper: …", each machine once; of more than two runs, as in a sweep, only machines with names of their own.
std::vector<std::string> machinesInWords(const Shown& shown);

}  // namespace whorl::app
