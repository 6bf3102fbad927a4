#include "app/session/presentation.h"

#include <algorithm>
#include <cmath>

#include "render/scene/rings/view.h"

namespace whorl::app {

namespace {

/// From 0 to 1, slowly at both ends.
double eased(double share) {
    const double x = std::clamp(share, 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

}  // namespace

SceneTime::SceneTime(const TourScene& scene, const SceneEntry& from, const Camera::Sight& to, double end,
                     bool highlights)
    : from_(from), to_(Camera::kept(to)), start_(std::min(scene.position(), end)) {
    if (!from_.position) from_.position = start_;
    if (*from_.position != start_ || from_.sight != to_ || !from_.rings.empty()) transition_ = scene.transition;
    arrival_ = transition_ + (highlights ? kPause : 0);
    if (!scene.range) return;
    const PlayedRange& range = *scene.range;
    end_ = std::min(range.to, end);
    accesses_ = end_ - start_;
    if (accesses_ <= 0) {
        accesses_ = 0;
        return;
    }
    isLoop_ = scene.wait.what == SceneWait::For::loop;
    rampIn_ = range.rampIn;
    rampOut_ = range.rampOut;
    // A ramp covers half of what is played in its time at full pace.
    const double ramps = (rampIn_ + rampOut_) / 2;
    const double pace = range.pace.value_or(std::max(kPace, accesses_ / kLongest));
    playing_ = range.seconds.value_or(accesses_ / pace + ramps);
    // Ramps that do not fit meet.
    if (const double share = (rampIn_ + rampOut_) / playing_; share > 1) {
        rampIn_ /= share;
        rampOut_ /= share;
    }
    pace_ = accesses_ / (playing_ - (rampIn_ + rampOut_) / 2);
}

double SceneTime::endOfRound(double seconds) const {
    if (!isLoop_ || seconds <= begins()) return played();
    return played() + std::floor((seconds - begins()) / round()) * round();
}

/// The accesses of the stretch that are played this many seconds after it begins: quadratic in the ramps.
double SceneTime::played(double seconds) const {
    if (seconds <= 0) return 0;
    if (seconds >= playing_) return accesses_;
    if (seconds < rampIn_) return pace_ * seconds * seconds / (2 * rampIn_);
    const double left = playing_ - seconds;
    if (left < rampOut_) return accesses_ - pace_ * left * left / (2 * rampOut_);
    return pace_ * (seconds - rampIn_ / 2);
}

/// Linear in 1 / zoom, so that the point that both sights show at the same position stays there all the way.
Camera::Sight SceneTime::sightAt(float share) const {
    const Camera::Sight& from = from_.sight;
    if (share <= 0 || from == to_) return from;
    if (share >= 1) return to_;
    const float zoom = from.zoom * std::pow(to_.zoom / from.zoom, share);
    const bool isSame = std::abs(to_.zoom / from.zoom - 1) < 1e-3f;
    const float left = isSame ? 1 - share : (1 / zoom - 1 / to_.zoom) / (1 / from.zoom - 1 / to_.zoom);
    return {zoom, to_.focus + (from.focus - to_.focus) * left};
}

/// The position after this many accesses of the stretch, counted as if all took equally long.
double SceneTime::positionAfter(double accesses, sim::AccessClock* clock) const {
    if (clock == nullptr) return start_ + accesses;
    const double from = clock->cyclesAt(start_);
    const double to = clock->cyclesAt(end_);
    return from == to ? start_ + accesses : clock->accessesAt(std::lerp(from, to, accesses / accesses_));
}

SceneMoment SceneTime::at(double seconds, sim::AccessClock* clock) const {
    constexpr double kStill = scene::View::kAtRest;
    if (seconds < transition_) {
        const double share = eased(seconds / transition_);
        return {
            .position = *from_.position + (start_ - *from_.position) * share,
            .pace = 0,
            .moveTicks = kStill,
            .sight = sightAt(static_cast<float>(share)),
            .growth = from_.rings.empty() ? scene::Growth{} : scene::Growth{from_.rings, static_cast<float>(share)}};
    }
    SceneMoment moment{.position = start_, .pace = 0, .moveTicks = kStill, .sight = to_};
    if (playing_ == 0 || seconds < begins()) return moment;
    double since = seconds - begins();
    if (isLoop_) since = std::fmod(since, round());
    const double accesses = played(since);
    // Exactly, where it rests: a whole access is over.
    moment.position = since < playing_ ? positionAfter(accesses, clock) : end_;
    const double moving = scene::moveTicksAt(pace_);
    if (since < playing_) {
        moment.pace = pace_;
        // What has happened before it has come to rest: it does not move again.
        moment.moveTicks = std::min(moving, kStill + accesses);
    } else {
        // What is on its way arrives.
        const double over = std::min(1.0, (since - playing_) / kRest);
        moment.moveTicks = std::lerp(moving, kStill, over);
    }
    return moment;
}

}  // namespace whorl::app
