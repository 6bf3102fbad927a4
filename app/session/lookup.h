// Looks up what a person names: an address, a variable, a source line.
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
    std::string words;  ///< how it was understood, in a sentence
};

/// What is meant by "0x1040", "B[3][0]", "B", "heap+0x40", "mm.h:12", ":12", "L1", "L1 set 3" or "CPU 2" in the
/// session's trace, which must be open. A name is that of an object that lives now, of a region, or of any other
/// object. An error when nothing is.
sim::Expected<Found> lookUp(const Session& session, const std::string& words);

}  // namespace whorl::app
