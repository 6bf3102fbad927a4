// The film of a tour: its frames, drawn one after the other. The film's clock is the number of the frame.
#pragma once

#include <string>
#include <vector>

#include "app/export/film/film_plan.h"
#include "app/export/frame_sink.h"
#include "app/export/offscreen_renderer.h"
#include "app/tasks/tour_player.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Goes through all scenes, without drawing, to find out how long they play and what they say.
sim::Expected<std::vector<SceneTiming>> rehearse(TourPlayer& player);

/// The cards before and after: what the tour is, and what was shown in it.
TitleCard titleCardOf(const Tour& tour, const std::string& name);
TitleCard endCardOf(const Tour& tour, const std::string& name);

/// How frames become those of a film.
struct FilmLook {
    int framesPerSecond = 60;
    Backdrop backdrop = Backdrop::ground;
    TitleCard titleCard = {};
    TitleCard endCard = {};
};

/// Draws all frames of a film into a sink, which is left open. `player` has not gone anywhere yet.
sim::Expected<void> drawFilm(const FilmPlan& plan, const FilmLook& look, TourPlayer& player,
                             OffscreenRenderer& renderer, FrameSink& sink, sim::Progress& progress);
/// The frames of one shot alone, from its beginning. The player comes from the shot before, to its end.
sim::Expected<void> drawShot(const FilmShot& shot, const FilmLook& look, TourPlayer& player,
                             OffscreenRenderer& renderer, FrameSink& sink, sim::Progress& progress);

/// Shows a shot as it is `since` seconds after its beginning.
void showShot(const FilmShot& shot, double since, TourPlayer& player);

/// Pixels per unit of the interface in a film of this size.
float filmScale(int width, int height);

}  // namespace whorl::app
