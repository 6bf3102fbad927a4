// Walking through a tour: opening it, entering its scenes, the passing of their time. What a scene shows depends on the
// scene alone, but for what is chosen for all pictures: neither on other settings nor on the way on which one comes to
// it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// What a resolved scene opens.
struct SceneRuns {
    OpenRequest first;
    std::optional<OpenRequest> second;
};
SceneRuns runsOf(const TourScene& scene, const sim::ReadOptions& reading);

/// Whether an opened run is the run of the scene that is about to be entered.
bool isOfScene(const Session& session, const OpenRequest& opened);

/// Goes to a scene of a tour, in place of what is open, which undoing opens again.
void enterTour(Session& session, TourStart start);
/// Opens a tour, in place of one that is open; its scene with this index is entered once `open` is: the session asks
/// for nothing.
void beginTour(Session& session, Tour tour, std::string file, std::size_t scene, const sim::ReadOptions& reading);
/// Goes to a scene: asks for its runs, unless they are open, and enters it. Nothing without a tour, or beyond its end.
void goToScene(Session& session, std::size_t scene);
/// The next step: answers a question, lets a loop end, or goes to the next scene.
void nextStep(Session& session);
/// The step before: to the scene's beginning if it has played for a while, else to the scene before.
void previousStep(Session& session);

/// The run of the scene is open: its views are arranged and its time begins. `sameAccesses`: the run before had the
/// same accesses. `rings`: those of the machine before, if it was another one.
void enterScene(Session& session, bool sameAccesses, std::vector<float> rings = {});
/// The rings of the open run.
std::vector<float> ringsOf(const Session& session);
// The numbers in the words of scenes come from their runs, and take time to compute: see app/tasks/scene_telling.h.

/// A resolved scene as it is said: with the numbers of its run, if they are known, else with "…" in their places.
TourScene saidScene(const Presentation& presentation, std::size_t scene);

/// A scene whose numbers are still to be computed.
struct UntoldScene {
    std::size_t index = 0;
    TourScene scene;  ///< resolved
    ShownRuns runs;
    bool asStarted = false;
};
/// The open runs, if they are those of this scene, or stand in their place, and complete.
std::optional<ShownRuns> runsShown(const Session& session, const TourScene& scene);
/// The scene that is shown, if its numbers are not known and its runs are there.
std::optional<UntoldScene> untoldScene(const Session& session);
/// Computes them. The only error is cancellation.
sim::Expected<std::shared_ptr<const ToldScene>> told(const UntoldScene& untold, sim::Progress& progress);
/// The numbers are there: the words have them from now on.
void takeTold(Session& session, std::size_t scene, std::shared_ptr<const ToldScene> told);

/// The words of the scene that is shown, or its question, have been changed.
void tellAgain(Session& session);

/// Sets the settings that a scene has as fields.
void takeFields(const TourScene& scene, Look& look);
/// Applies a scene's view settings, over those that Whorl begins with; the rest of the session is unchanged. The run
/// need not be open yet.
void applySceneView(Session& session, const TourScene& scene);
/// Tells the words of a resolved scene, whose run is open, and executes its commands.
void arrange(Session& session, const TourScene& scene);
/// Advances the time of the scene that is shown, unless the user has taken the playhead. `goesOn`: scenes that wait for
/// some seconds go on by themselves.
void passSceneTime(Session& session, double seconds, bool goesOn);

/// Shows the picture and the words of a tour to an audience, and the interface again.
void beginTalk(Session& session);
void endTalk(Session& session);
/// What belongs to a step of a talk leaves with it: the pen, the pointer, what lies over the picture.
void clearTalk(Session& session);

/// "2) miss": a choice by the key that answers with it.
std::string numberedChoice(std::size_t index, const std::string& choice);
/// Answers the question of the scene, by the number of a choice.
void answer(Session& session, std::size_t choice);
/// Closes the tour and restores the user's own settings. A tour with unsaved changes goes into a request::KeepTour.
void closeTour(Session& session);

// What begins, opens and passes time in a session with a tour, or without one.

/// The startup options.
struct SessionStart {
    OpenRequest request;
    std::optional<scene::Ground> ground;     ///< none: as saved in the last session
    std::vector<OpenRequest> compared = {};  ///< opened beside it
    TimeLock lock = TimeLock::access;
    bool paused = false;
    std::optional<TourStart> tour = {};  ///< a scene of it is shown first
    bool presents = false;               ///< to an audience
    bool speaker = false;                ///< the speaker's window is open
    std::string editor = {};             ///< see Session::editor; empty: as saved in the last session
    std::string layout = {};             ///< by name; empty: the tiles of the last session
    bool welcomes = false;               ///< offer the tour for beginners to a user who has never opened anything
};

void startSession(Session& session, SessionStart start);

/// Replaces the open run (see takeRun()), and enters the scene that waits for it.
void enterRun(Session& session, Opened next);

/// Advances the playhead, the scene and the camera by this many seconds.
void passTime(Session& session, double seconds);

}  // namespace whorl::app
