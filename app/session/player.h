// Time only: where the playhead is, how fast and whether it moves. Knows nothing of what is played.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace whorl::app {

class Player {
  public:
    /// The paces that "faster" and "slower" go through, accesses a second.
    static std::span<const double> paces();
    static constexpr double kSlowest = 0.5;
    static constexpr double kFastest = 60'000'000;

    /// Accesses that have happened, with a fraction in mid-motion.
    double position() const { return position_; }
    double pace() const { return pace_; }
    bool playing() const { return playing_; }
    bool loops() const { return loops_; }
    /// True while the position changes by itself.
    bool moving() const { return playing_ || target_.has_value(); }
    /// How long a move takes now, in accesses: longer when they come fast, under one when they are stepped through.
    double moveTicks() const;

    void play() { playing_ = true, target_.reset(); }
    /// Stops at the end of the access in motion.
    void pause();
    void toggle() { playing_ ? pause() : play(); }
    /// Goes on, or back, by whole accesses; a single one is seen to happen.
    void step(std::int64_t accesses, double end);
    /// Puts the playhead anywhere at once.
    void seek(double position, double end);
    /// Stops before the access with this index, and lets it be seen to happen.
    void show(std::uint64_t access, double end);
    /// The access in motion, or the last one; of a step, the one it comes to. None before the first.
    std::optional<std::uint64_t> current() const;
    void setPace(double accessesPerSecond);
    void faster() { changePace(+1); }
    void slower() { changePace(-1); }
    void setLoops(bool loops) { loops_ = loops; }

    /// Where playing goes round and round, when it loops.
    struct Loop {
        double from = 0;
        double to = 0;
    };
    /// Lets time pass. `end` is as far as can be played; `complete` when it is the end for good. With a loop the
    /// playhead comes into it and stays there; without one it loops through all there is.
    void advance(double seconds, double end, bool complete, std::optional<Loop> loop = {});

  private:
    void changePace(int steps);

    double position_ = 0;
    double pace_ = 4;
    bool playing_ = false;
    bool loops_ = false;
    std::optional<double> target_;  ///< where a step or a pause comes to rest
};

}  // namespace whorl::app
