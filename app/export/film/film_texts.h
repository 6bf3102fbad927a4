// What goes with a film as text: captions as WebVTT (www.w3.org/TR/webvtt1), and chapters as ffmpeg reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/export/film/film_plan.h"
#include "app/export/frame_sink.h"

namespace whorl::app {

/// The line by which Whorl knows the captions that it wrote.
inline constexpr std::string_view kCaptionsNote = "NOTE Written by Whorl";

/// The captions of all shots, in the film's time.
std::string captionsOf(const std::vector<FilmShot>& shots);

/// A chapter a scene. The cards belong to the first and the last.
std::vector<FilmChapter> chaptersOf(const FilmPlan& plan);

/// As ffmpeg's format ffmetadata has them.
std::string metadataOf(const std::vector<FilmChapter>& chapters);

}  // namespace whorl::app
