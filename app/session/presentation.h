// The tour that is open: which of its scenes is shown, for how long, and what there was before. Plain data; only the
// functions of presenting.h and the commands of tour_commands.h change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/look.h"
#include "app/session/opened.h"
#include "app/session/scene_time.h"
#include "app/session/tour.h"
#include "sim/trace/reader.h"

namespace whorl::app {

/// The settings that scenes change.
struct SceneSettings {
    SceneLook look;
    bool loops = false;
    scene::Ground ground = scene::Ground::dark;
};

struct Presentation {
    // Shared with the states that undoing gives back.
    std::shared_ptr<const Tour> tour;
    std::shared_ptr<const SceneSettings> before;  ///< as the user has them
    std::string file;          ///< where the tour was read from, or saved; empty: it is built in, or new
    sim::ReadOptions reading;  ///< read options for all inputs of the tour

    std::size_t scene = 0;
    bool entered = false;    ///< its run is open, and `time` is that of the scene
    bool asStarted = false;  ///< the command line replaces its input and machine
    OpenRequest shown;       ///< what was open when it was entered
    SceneEntry from;
    SceneTime time;
    double seconds = 0;                          ///< seconds since the scene was entered
    std::optional<Question> question;            ///< the scene's question, once known: see isQuestionKnown()
    bool answered = false;                       ///< the answer to its question is shown, or cannot be known
    std::optional<std::size_t> chosen;           ///< index of the chosen answer
    std::optional<double> leaves;                ///< a loop ends at this time, and the next scene comes
    scene::Ground ground = scene::Ground::dark;  ///< as the scene has it

    // What was edited: tours before, and those that were undone.
    std::vector<std::shared_ptr<const Tour>> undo;
    std::vector<std::shared_ptr<const Tour>> redo;
    bool unsaved = false;
    static constexpr std::size_t kMaxUndone = 200;

    const TourScene& own() const { return tour->scenes[scene]; }
    bool isFirst() const { return scene == 0; }
    bool isLast() const { return scene + 1 == tour->scenes.size(); }
    /// Whether a question waits for its answer.
    bool asks() const { return own().question && !answered; }
};

}  // namespace whorl::app
