// The playhead of a run, and how the playheads of runs that stand beside each other move together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "render/scene/time_axis.h"
#include "sim/analysis/line_match.h"
#include "sim/replay/access_clock.h"

namespace whorl::app {

// Playback time only: position of the playhead, speed and motion. Independent of what is played.

class Player {
  public:
    /// The paces that "faster" and "slower" step through, in accesses per second.
    static std::span<const double> paces();
    /// The pace at which one follows each access, and the one at which that many accesses take two minutes.
    static constexpr double kStepping = 4;
    static double overviewPace(double accesses);
    /// The pace for a run of that many accesses that nobody has seen yet: stepping through a small one, else an
    /// overview.
    static double startingPace(double accesses);
    static constexpr double kSlowest = 0.5;
    static constexpr double kFastest = 60'000'000;

    /// Number of accesses that have happened, with a fraction while one is in motion.
    double position() const { return position_; }
    double pace() const { return lead_ && lead_->pace > 0 ? lead_->pace : pace_; }
    bool playing() const { return playing_ || (lead_ && lead_->pace > 0); }
    bool loops() const { return loops_; }
    /// True while playing or while a step or pause is animated.
    bool moving() const { return playing_ || target_.has_value() || (lead_ && lead_->moves); }
    /// Duration of a move at the current pace, in accesses: longer at high pace, below one when stepping.
    double moveTicks() const;

    /// Where the playhead is while a scene of a tour leads it.
    struct Lead {
        double position = 0;
        double pace = 0;       ///< accesses a second; 0: it rests, or comes from elsewhere
        double moveTicks = 0;  ///< how long moves last, in accesses
        bool moves = false;    ///< a later moment may show something else; until the next advance()
    };
    /// The playhead is led, until it is played or moved in another way.
    void lead(const Lead& lead);
    bool led() const { return lead_.has_value(); }

    void play() { playing_ = true, target_.reset(), lead_.reset(); }
    /// Stops at the end of the access in motion.
    void pause();
    /// Moves forward or back by a number of accesses; a single step forward is animated.
    void step(std::int64_t accesses, double end);
    /// Moves the playhead to a position without animation.
    void seek(double position, double end);
    /// Pauses before the access with this index and animates that access.
    void show(std::uint64_t access, double end);
    /// The access in motion, or the last one; during a step, its target. None before the first.
    std::optional<std::uint64_t> current() const;
    void setPace(double accessesPerSecond);
    void faster() { changePace(+1); }
    void slower() { changePace(-1); }
    void setLoops(bool loops) { loops_ = loops; }

    /// Plays on within a span of time, or from its beginning where the playhead is outside of it or at its end.
    void playIn(const scene::TimeSpan& played, double end);
    /// Advances the playhead. `end` is the last position that can be played yet. Playback keeps to `played`: it moves
    /// there from outside, and at its end it stops, or begins again if it loops. `clock`: by cycles; null: by accesses.
    void advance(double seconds, double end, const scene::TimeSpan& played, sim::AccessClock* clock = nullptr);

  private:
    void changePace(int steps);
    void goOnAlone();

    double position_ = 0;
    double pace_ = kStepping;
    bool playing_ = false;
    bool loops_ = false;
    std::optional<double> target_;  ///< where a step or a pause ends
    std::optional<Lead> lead_;
};

enum class TimeLock : std::uint8_t {
    access,  ///< after the same number of accesses, or at the end
    share,   ///< after the same share of the accesses
    line,    ///< after the same executions of source lines, see LineMatch
};

/// The lengths of two traces, in accesses, and which times belong together by source line: null where they have no
/// line in common.
struct LockedTraces {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    const sim::LineMatch* lines = nullptr;
};

/// The lock that is possible: by share in place of by line.
TimeLock possibleLock(TimeLock lock, const LockedTraces& traces);

/// The playhead in the second trace that belongs to that in the first. Monotone in t; the identity for equal traces.
/// What rounding leaves beside a whole number of accesses is that number: no access is in motion by mistake.
double lockedTime(double t, TimeLock lock, const LockedTraces& traces);

/// The playhead in the first trace at which that in the second is at t, or as near as the lock allows.
double unlockedTime(double t, TimeLock lock, const LockedTraces& traces);

/// How many accesses of the second trace pass while one of the first does, on the whole.
double lockedPace(TimeLock lock, const LockedTraces& traces);

}  // namespace whorl::app
