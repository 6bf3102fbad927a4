// The film of a whole tour, for whorl record; and what it shares with its slides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/export/film/film.h"
#include "app/export/frame_sink.h"
#include "app/session/session.h"
#include "app/session/tour.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/error.h"
#include "sim/trace/reader.h"

namespace whorl::app {

/// Where the words of scenes go.
enum class Captions : std::uint8_t { picture, beside, off };

struct FilmOptions {
    std::vector<std::string> waits;
    std::optional<double> seconds;
    Captions captions = Captions::picture;
    bool noCards = false;
    std::string audio;
};

/// Adds --wait, --seconds, --captions, --no-cards and --audio.
void addFilmOptions(OptionParser& command, FilmOptions& options);
/// The names of the options that addFilmOptions() adds.
std::vector<std::string> filmOptionNames();

/// A tour to film, and a session with the settings that all scenes start from.
struct FilmedTour {
    TourStart tour;
    std::string name;  ///< as it was given
    sim::ReadOptions reading;
    Session session;
};

/// Reads it. An error also if a folder of `sources` cannot be used.
sim::Expected<FilmedTour> filmedTour(const std::string& words, const std::vector<std::string>& sources,
                                     const Session& session);
/// A player for it, which opens what it needs with progress.
TourPlayer playerOf(const FilmedTour& filmed);
/// The files that its scenes read.
std::vector<std::string> inputsOf(const FilmedTour& filmed);

/// Whether a name is one of clips, a scene each: "clips/%s.mp4".
bool namesClips(const std::string& output);

/// Records it, with progress. `video`: the output; its title and chapters are added.
sim::Expected<void> recordFilm(const FilmedTour& filmed, const FilmOptions& options, VideoOptions video);

}  // namespace whorl::app
