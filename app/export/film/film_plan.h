// The schedule of a tour's film, as plain numbers. It is computed from how long the scenes play, the reading times of
// their words, and the user's wishes. Times are seconds.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/frame_sink.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// How long a scene plays, and what it says, as rehearsed: see SceneTime.
struct SceneTiming {
    double arrival = 0;
    double played = 0;
    double round = 0;   ///< 0: it does not repeat
    std::string title;  ///< the title at first: that of the question, if there is one
    std::string words;
    std::string answerTitle;  ///< title after the answer; empty without a question
    std::string answerWords;
};

/// A scene in a film.
struct FilmShot {
    std::size_t scene = 0;
    std::string id;
    SceneTiming timing;
    double begin = 0;
    double asks = 0;    ///< seconds that the question is shown after the arrival
    double rounds = 1;  ///< number of times that a repeating stretch plays
    double rest = 0;    ///< after its stretch has played

    double answeredAt() const { return timing.arrival + asks; }  ///< since `begin`, as the next two
    double played() const { return asks + timing.played + (rounds - 1) * timing.round; }
    double length() const { return played() + rest; }
    double end() const { return begin + length(); }
    /// The scene's own time, in seconds, after it has been shown for `since` seconds.
    double sceneSeconds(double since) const;
    bool isAnswered(double since) const { return asks > 0 && since >= answeredAt() - kSlack; }
    /// Seconds: a frame shows what begins at its time, although a time is not always a number of frames.
    static constexpr double kSlack = 1e-9;
};

struct FilmPlan {
    double titleCard = 0;  ///< how long it is shown; 0: there is none
    std::vector<FilmShot> shots;
    double endCard = 0;

    double total() const { return shots.back().end() + endCard; }
    std::size_t frames(int framesPerSecond) const;
};

/// When the rest of a scene is to end.
struct NamedWait {
    std::string scene;   ///< its id
    double seconds = 0;  ///< time in the film, or length of the rest
    bool isOfFilm = true;
};
/// "ID=42.5", in the film's seconds, or "ID=+3", so long after its stretch.
sim::Expected<NamedWait> parseWait(const std::string& text);

struct FilmWishes {
    std::vector<NamedWait> waits = {};
    std::optional<double> seconds = {};  ///< length of the whole film
    double voice = 0;                    ///< least length of the film, in seconds
    std::string titleWords = {};         ///< words of the title card, for its reading time; empty: no card
    std::string endWords = {};
};

/// The seconds in which words can be read.
double readingTime(const std::string& words);
constexpr double kMinRead = 3;  ///< and those that a rest takes at least

/// `timings`: one a scene of the tour, whose scenes are all shown in order.
sim::Expected<FilmPlan> planFilm(const Tour& tour, const std::vector<SceneTiming>& timings, const FilmWishes& wishes);

// What goes with a film as text: captions as WebVTT (www.w3.org/TR/webvtt1), and chapters as ffmpeg reads them.

/// The line by which Whorl knows the captions that it wrote.
inline constexpr std::string_view kCaptionsNote = "NOTE Written by Whorl";

/// The captions of all shots, in the film's time.
std::string captionsOf(const std::vector<FilmShot>& shots);

/// A chapter a scene. The cards belong to the first and the last.
std::vector<FilmChapter> chaptersOf(const FilmPlan& plan);

/// As ffmpeg's format ffmetadata has them.
std::string metadataOf(const std::vector<FilmChapter>& chapters);

}  // namespace whorl::app
