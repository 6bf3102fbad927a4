// Tours: programs on machines at the moments that are worth looking at, each with the words that tell what to see. One
// is built in, for the figures of the paper that the rings come from; a person may write others, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// One moment of one run, ready to be shown.
struct TourScene {
    std::string id;       ///< "fig1a": small letters, digits and hyphens
    std::string title;    ///< a few words
    std::string words;    ///< a sentence or two that tell what to see
    std::string input;    ///< as OpenRequest has it
    std::string machine;  ///< as OpenRequest has it; empty: the program's own, or the default
    double at = 0;        ///< accesses that have happened, with a fraction in mid-motion

    /// How the moment is looked at; nothing: as everything else is.
    std::optional<std::uint32_t> history = {};  ///< accesses that leave their trails
    std::optional<std::uint32_t> lapse = {};    ///< accesses a frame
    std::optional<bool> elements = {};          ///< single elements, instead of whole blocks

    bool operator==(const TourScene&) const = default;
};

struct Tour {
    std::string title;
    std::string source;  ///< where its claims come from; may be empty
    std::vector<TourScene> scenes;

    bool operator==(const Tour&) const = default;
};

/// A tour from JSON text. All faults come in one error, a line each, with their JSON paths; `file` opens each line. The
/// programs and machines that are named are looked at too, but files are not read, and whether the trace is as long as
/// the moment asks is known only when it is open.
sim::Expected<Tour> parseTour(std::string_view json, const std::string& file);

/// The tour of that name, if one is built in, or in the JSON file at that path.
sim::Expected<Tour> tourFrom(const std::string& words);

/// The tours that are built in, in order of name.
std::vector<std::string> tourNames();

/// The tour that is meant when none is named.
inline constexpr const char* kStandardTour = "rings";

/// The scene of that id; the error names those that there are.
sim::Expected<TourScene> sceneNamed(const Tour& tour, const std::string& id);

}  // namespace whorl::app
