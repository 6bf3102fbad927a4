// What a command line that is still being typed says about its input, and what that offers: names, levels, scenes. All
// of it is for suggestions: what cannot be had at once is left out, and nothing is an error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/tour.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct GivenInput {
    std::string input;
    std::string machine;
    std::vector<std::string> settings;
    std::string format;
    std::string regions;
    std::string chironSources;
    std::string scene;
    std::string tour;
    std::vector<std::string> sources;
};

/// The tour of which scenes are chosen; nothing if it cannot be read.
std::optional<Tour> tourOf(const GivenInput& given);

/// The trace of the input, or of the scene; null if there is none, or if reading it takes longer than a moment. Only
/// regular files are read.
std::shared_ptr<const sim::Trace> traceAtOnce(const GivenInput& given);

/// The machine on which it would be played; the usual one where none is known. `trace` may be null.
sim::MachineConfig machineOrUsual(const GivenInput& given, const sim::Trace* trace);

}  // namespace whorl::app
