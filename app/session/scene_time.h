// How a scene of a tour passes: the playhead and the sight come from the scene before, then the stretch is played, then
// it rests, or repeats. A pure function of the seconds since the scene was entered, so that a window and a film show
// the same.
#pragma once

#include <optional>
#include <vector>

#include "app/session/camera.h"
#include "app/session/tour.h"
#include "render/scene/rings/view.h"
#include "sim/replay/access_clock.h"

namespace whorl::app {

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
    /// `scene`: resolved. `to`: its sight. `end`: of its trace, in accesses; positions are cut to it.
    SceneTime(const TourScene& scene, const SceneEntry& from, const Camera::Sight& to, double end);

    /// Seconds at which the transition and the stretch are over.
    double arrival() const { return transition_; }
    double played() const { return transition_ + playing_; }
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
    /// The seconds in which moves end after a stretch, and which pass before it repeats.
    static constexpr double kRest = 0.6;

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
    double playing_ = 0;  ///< seconds
    double rampIn_ = 0;
    double rampOut_ = 0;
    double pace_ = 0;
    bool isLoop_ = false;
};

}  // namespace whorl::app
