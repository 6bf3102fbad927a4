// When what of a tour is shown in its film: plain numbers, from how long its scenes play, how long their words take to
// be read, and what is wished. Times are seconds.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// How long a scene plays, and what it says, as rehearsed: see SceneTime.
struct SceneTiming {
    double arrival = 0;
    double played = 0;
    double round = 0;   ///< 0: it does not repeat
    std::string title;  ///< what is said first: of a question, that
    std::string words;
    std::string answerTitle;  ///< once it is answered; empty where nothing is asked
    std::string answerWords;
};

/// A scene in a film.
struct FilmShot {
    std::size_t scene = 0;
    std::string id;
    SceneTiming timing;
    double begin = 0;
    double asks = 0;    ///< after its arrival, its question is shown for so long
    double rounds = 1;  ///< of a stretch that repeats
    double rest = 0;    ///< after its stretch has played

    double answeredAt() const { return timing.arrival + asks; }  ///< since `begin`, as the next two
    double played() const { return asks + timing.played + (rounds - 1) * timing.round; }
    double length() const { return played() + rest; }
    double end() const { return begin + length(); }
    /// The scene's own seconds when it has been shown for so long.
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
    double seconds = 0;  ///< of the film, or of the rest
    bool isOfFilm = true;
};
/// "ID=42.5", in the film's seconds, or "ID=+3", so long after its stretch.
sim::Expected<NamedWait> parseWait(const std::string& text);

struct FilmWishes {
    std::vector<NamedWait> waits = {};
    std::optional<double> seconds = {};  ///< of the whole film
    double voice = 0;                    ///< it takes at least so long
    std::string titleWords = {};         ///< of the cards, for the time that they are read; empty: none
    std::string endWords = {};
};

/// The seconds in which words can be read.
double readingTime(const std::string& words);
constexpr double kLeastRead = 3;  ///< and those that a rest takes at least

/// `timings`: one a scene of the tour, whose scenes are all shown in order.
sim::Expected<FilmPlan> planFilm(const Tour& tour, const std::vector<SceneTiming>& timings, const FilmWishes& wishes);

}  // namespace whorl::app
