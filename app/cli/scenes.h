// Scenes of tours on the command line: choosing one in place of an input.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/cli/input_options.h"
#include "app/cli/option_parser.h"
#include "app/session/session.h"
#include "app/session/tour.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

struct SceneOptions {
    std::string scene;  ///< an id; empty: no scene
    std::string tour;   ///< as tourFrom reads it; empty: the one built in
};

/// Adds --scene and --tour.
void addSceneOptions(OptionParser& command, SceneOptions& options);

struct ChosenScene {
    TourStart start;
    TourScene scene;  ///< resolved
};

/// The chosen scene, if any: it becomes the input, and its machine that of the input unless another is named. Of a tour
/// without a scene it is the first. An error when there is no such scene, when an input is given too, or when neither
/// is given but one is needed.
sim::Expected<std::optional<ChosenScene>> chosenScene(const SceneOptions& options, InputOptions& input, bool needed);

/// What a scene shows beside it, unless something is named by --with or --with-machine.
void takeSecond(WithOptions& options, const TourScene& scene, const OptionParser& command);

/// Applies a scene's view, except for options given on the command line.
void applySceneView(Session& session, const TourScene& scene, const OptionParser& command);

/// The scene as it is said, with the numbers of the open runs. Reports on standard error those that they do not have.
sim::Expected<TourScene> saidIn(const Session& session, const TourScene& scene);

/// Looks where the scene does, whose run is open, unless --zoom or --focus is given; `size`: of the picture.
void lookAsScene(Session& session, const TourScene& scene, glm::vec2 size, const OptionParser& command);

}  // namespace whorl::app
