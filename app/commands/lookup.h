// Looks up what the user names: an address, a variable, a source line.
#pragma once

#include <optional>
#include <string>

#include "app/session/selection.h"
#include "sim/base/error.h"

namespace whorl::app {

struct Session;

struct Found {
    std::optional<Selection> selection;
    std::optional<SourceLine> line;
    std::string words;                      ///< the interpretation of the text, as a sentence
    std::optional<ObjectPick> object = {};  ///< all of one
};

/// Resolves "0x1040", "B[3][0]", "B", "heap+0x40", "mm.h:12", ":12", "L1", "L1 set 3" or "CPU 2" in the session's
/// trace, which must be open. A name refers to a live object, else to a region, else to any other object. An error if
/// nothing matches.
sim::Expected<Found> lookUp(const Session& session, const std::string& words);

}  // namespace whorl::app
