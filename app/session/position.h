// Positions of the playhead as people write them.
#pragma once

#include <string_view>

#include "sim/base/error.h"

namespace whorl::app {

/// The position that a text names in a trace of `size` accesses, as a number of accesses that have happened: "1200",
/// "1 200", "1.2K", "3M", "5067.5", "50%", "start", "end"; "+100" and "-100" from `now`. The error is one sentence.
sim::Expected<double> positionFrom(std::string_view text, double now, double size);

}  // namespace whorl::app
