// The tour that is open, and how its scenes pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/camera.h"
#include "app/session/look.h"
#include "app/session/opened.h"
#include "app/session/tour.h"
#include "render/scene/rings/view.h"
#include "sim/replay/access_clock.h"
#include "sim/trace/reader.h"

namespace whorl::app {

// How a scene of a tour passes: the playhead and the sight come from the scene before, then what it highlights appears,
// then the stretch is played, then it rests, or repeats; between them there is always the same pause. A pure function
// of the seconds since the scene was entered, so that a window and a film show the same.

/// What was shown when the scene was entered.
struct SceneEntry {
    std::optional<double> position;  ///< position of the playhead; none: it belongs to another trace
    Camera::Sight sight;
    /// If it shows the accesses on another machine: the outer radii of that machine's rings; see scene::Growth.
    std::vector<float> rings = {};
};

/// What a scene shows at one moment of its own time.
struct SceneMoment {
    double position = 0;   ///< position of the playhead, in accesses
    double pace = 0;       ///< accesses a second, that of the stretch without its ramps; 0: it rests
    double moveTicks = 0;  ///< how long moves last, in accesses
    Camera::Sight sight;
    scene::Growth growth = {};
};

class SceneTime {
  public:
    SceneTime() = default;
    /// `scene`: resolved. `to`: its sight. `end`: of its trace, in accesses; positions are cut to it. `highlights`:
    /// something appears once the sight is still.
    SceneTime(const TourScene& scene, const SceneEntry& from, const Camera::Sight& to, double end,
              bool highlights = false);

    /// Seconds at which all is shown and a question waits, the stretch begins, and it is over.
    double arrival() const { return arrival_; }
    double begins() const { return arrival_ + (playing_ > 0 ? kPause : 0); }
    double played() const { return begins() + playing_; }
    /// Seconds from one beginning of the stretch to the next, where it repeats; 0: it does not.
    double round() const { return isLoop_ ? playing_ + kRest : 0; }
    /// The end of the round that is played at this moment.
    double endOfRound(double seconds) const;
    /// Accesses a second between the ramps; 0 where nothing is played.
    double pace() const { return pace_; }

    /// `clock`: the stretch goes by cycles; null: by accesses.
    SceneMoment at(double seconds, sim::AccessClock* clock = nullptr) const;
    /// Whether a later moment may show something else.
    bool moves(double seconds) const { return isLoop_ || seconds < played() + kRest; }

    /// Default pace of a stretch in accesses a second, and its longest default duration in seconds.
    static constexpr double kPace = 8;
    static constexpr double kLongest = 20;
    /// Seconds from where the sight is still to what is highlighted, and from there to the stretch.
    static constexpr double kPause = 0.6;
    /// The seconds in which moves end after a stretch, and which pass before it repeats.
    static constexpr double kRest = kPause;

  private:
    double played(double seconds) const;
    double positionAfter(double accesses, sim::AccessClock* clock) const;
    Camera::Sight sightAt(float share) const;

    SceneEntry from_;
    Camera::Sight to_;
    double start_ = 0;
    double end_ = 0;       ///< where the stretch ends
    double accesses_ = 0;  ///< accesses in the stretch
    double transition_ = 0;
    double arrival_ = 0;
    double playing_ = 0;  ///< seconds
    double rampIn_ = 0;
    double rampOut_ = 0;
    double pace_ = 0;
    bool isLoop_ = false;
};

// The tour that is open: which of its scenes is shown, for how long, and what there was before. Plain data; only the
// functions of presenting.h and the commands of tour_commands.h change it.

/// The settings that scenes change.
struct SceneSettings {
    SceneLook look;
    bool loops = false;
    scene::Ground ground = scene::Ground::dark;
};

/// A scene whose words have the numbers of its run.
struct ToldScene {
    TourScene of;  ///< as the tour has it, resolved
    TourScene told;
    std::string error;                 ///< why a number is missing; empty: none is
    std::weak_ptr<const sim::Run> by;  ///< the run that gave the numbers
    bool asStarted = false;            ///< which is that of the command line
};

struct Presentation {
    // Shared with the states that undoing gives back.
    std::shared_ptr<const Tour> tour;
    std::shared_ptr<const SceneSettings> before;  ///< as the user has them
    std::string file;          ///< where the tour was read from, or saved; empty: it is built in, or new
    sim::ReadOptions reading;  ///< read options for all inputs of the tour

    std::size_t scene = 0;
    bool entered = false;       ///< its run is open, and `time` is that of the scene
    bool asStarted = false;     ///< the command line replaces its input and machine
    bool beginsPaused = false;  ///< the scene that is entered next does not play until it is told to
    OpenRequest shown;          ///< what was open when it was entered
    SceneEntry from;
    SceneTime time;
    double seconds = 0;  ///< seconds since the scene was entered
    /// Commands by which it highlights something, in their text form, until its arrival.
    std::vector<std::string> highlights;
    std::optional<Question> question;  ///< the scene's question, once known: see isQuestionKnown()
    std::map<std::size_t, std::shared_ptr<const ToldScene>> told;  ///< those with numbers that were shown, by index
    bool answered = false;                       ///< the answer to its question is shown, or cannot be known
    std::optional<std::size_t> chosen;           ///< index of the chosen answer
    std::optional<double> leaves;                ///< a loop ends at this time, and the next scene comes
    scene::Ground ground = scene::Ground::dark;  ///< as the scene has it

    // What was edited: tours before, and those that were undone.
    std::vector<std::shared_ptr<const Tour>> undo;
    std::vector<std::shared_ptr<const Tour>> redo;
    bool unsaved = false;
    std::shared_ptr<const Tour> checked;  ///< the tour that was checked last
    std::string findings;                 ///< what was found of it, a line each
    static constexpr std::size_t kMaxUndone = 200;

    const TourScene& own() const { return tour->scenes[scene]; }
    bool isFirst() const { return scene == 0; }
    bool isLast() const { return scene + 1 == tour->scenes.size(); }
    /// Whether a question waits for its answer.
    bool asks() const { return own().question && !answered; }
};

}  // namespace whorl::app
