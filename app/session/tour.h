// Tours: programs on machines at instructive positions, each with a text that explains what to see. One is built in,
// for the figures of the paper that introduced the rings; users can write others, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/time_lock.h"
#include "sim/base/error.h"

namespace whorl::app {

/// One position of one run, ready to be shown.
struct TourScene {
    std::string id;       ///< "fig1a": lowercase letters, digits and hyphens
    std::string title;    ///< a few words
    std::string words;    ///< one or two sentences that explain what to see
    std::string input;    ///< as in OpenRequest
    std::string machine;  ///< as in OpenRequest; empty: the program's own, or the default
    /// What stands beside it: another input, another machine, or both, as --with and --with-machine have them; empty:
    /// the same. Nothing does where both are empty.
    std::string with = {};
    std::string withMachine = {};
    TimeLock lock = TimeLock::access;
    double at = 0;  ///< number of accesses that have happened, with a fraction while one is in motion

    /// View settings of the scene; without a value the current setting is kept.
    std::optional<std::uint32_t> history = {};  ///< number of accesses whose trails are shown
    std::optional<std::uint32_t> lapse = {};    ///< accesses per frame
    std::optional<bool> elements = {};          ///< single elements instead of whole blocks
    /// Commands in their text form that arrange the views, once the run is open; see mayArrange().
    std::vector<std::string> commands = {};

    bool isPair() const { return !with.empty() || !withMachine.empty(); }
    bool operator==(const TourScene&) const = default;
};

struct Tour {
    std::string title;
    std::string source;  ///< the source of its claims; may be empty
    std::vector<TourScene> scenes;

    bool operator==(const Tour&) const = default;
};

class Command;
struct Session;

/// Whether a tour's scene may contain this command: it arranges what is shown, and opens, writes or ends nothing.
bool mayArrange(const Command& command);
/// Tells the words of a scene, whose run is open, and executes its commands.
void arrange(Session& session, const TourScene& scene);

class TourFolders;

/// Parses a tour from JSON text. All faults are reported in one error, one per line with its JSON path; each line
/// starts with `file`. Programs and machines are checked too, but input files are not read, and whether the trace is
/// long enough for the position is known only when it is open. Paths of files are taken relative to `folders`, outside
/// of which the tour may not name any; without folders they stay as they are.
sim::Expected<Tour> parseTour(std::string_view json, const std::string& file, const TourFolders* folders = nullptr);

/// The built-in tour of that name, or the one in the JSON file at that path. That one may name files at or below its
/// own folder and the folders in `sources`; its inputs and machines are then paths that can be opened.
sim::Expected<Tour> tourFrom(const std::string& words, const std::vector<std::string>& sources = {});

/// The names of the built-in tours, sorted.
std::vector<std::string> tourNames();

/// The default tour.
inline constexpr const char* kStandardTour = "rings";

/// The scene with that id; the error lists the existing ids.
sim::Expected<TourScene> sceneNamed(const Tour& tour, const std::string& id);

}  // namespace whorl::app
