// Option values that are not plain numbers: sizes in pixels, times of a trace, levels of a machine, and what collides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/collisions.h"
#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

/// "1280x720", or a word for a usual one, such as "9:16".
struct PixelSize {
    int width = 1280;
    int height = 720;
};
sim::Expected<PixelSize> parseSize(const std::string& text);
/// Some sizes, for completion.
std::vector<std::string> usualSizes();

/// A time of a trace of `end` accesses, and within it: see Position. No command has a playhead to count from.
sim::Expected<double> parseTime(const std::string& option, const std::string& text, std::uint64_t end);

/// The time at which a scene is shown, which must be within the trace, too.
sim::Expected<double> sceneTime(double at, std::uint64_t end);

/// A time of a trace, as for parseTime(), as a whole number of accesses; a share is rounded down.
sim::Expected<sim::Tick> parseTick(const std::string& option, const std::string& text, std::uint64_t end);

/// "region", "object" or "class": the value of --by for collisions.
sim::Expected<sim::CollisionsOf> parseCollisionsOf(const std::string& text);
/// The words that parseCollisionsOf() accepts.
std::vector<std::string> collisionWords();

/// The level with this name, in upper or lower case; an error when the machine has none.
sim::Expected<std::size_t> levelNamed(const std::string& name, const sim::MachineConfig& machine);
/// The index of a name among these names of levels, in upper or lower case; an error if there is none.
sim::Expected<std::size_t> levelNamed(const std::string& name, const std::vector<std::string>& levels);

}  // namespace whorl::app
