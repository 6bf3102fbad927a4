#include "app/session/player.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/scene/rings/view.h"

namespace whorl::app {

namespace {

constexpr std::array kPaces = {0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 125.0, 250.0, 500.0, 1e3, 2e3,
                               5e3, 1e4, 2e4, 5e4, 1e5, 2e5,  5e5,  1e6,  2e6,   5e6,   1e7,   2e7, 6e7};
/// Speed of the animation of a step, in accesses per second.
constexpr double kStepPace = 2.2;

}  // namespace

std::span<const double> Player::paces() {
    return kPaces;
}

double Player::overviewPace(double accesses) {
    constexpr double kSeconds = 120;
    return std::clamp(accesses / kSeconds, kStepping, kFastest);
}

double Player::startingPace(double accesses) {
    constexpr double kSmall = 10'000;
    return accesses <= kSmall ? kStepping : overviewPace(accesses);
}

void Player::lead(const Lead& lead) {
    lead_ = lead;
    position_ = lead.position;
    playing_ = false;
    target_.reset();
}

double Player::moveTicks() const {
    if (lead_) return lead_->moveTicks;
    return playing_ ? scene::moveTicksAt(pace_) : scene::View::kAtRest;
}

void Player::pause() {
    playing_ = false;
    lead_.reset();
    const double rest = std::ceil(position_);
    if (rest != position_) target_ = rest;
}

void Player::step(std::int64_t accesses, double end) {
    playing_ = false;
    lead_.reset();
    // A step during a step starts from the target of the first one.
    const double from = target_.value_or(accesses > 0 ? std::floor(position_) : std::ceil(position_));
    const double to = std::clamp(from + static_cast<double>(accesses), 0.0, end);
    if (accesses == 1 && to > from) {
        position_ = from;
        target_ = to;
    } else {
        position_ = to;
        target_.reset();
    }
}

void Player::seek(double position, double end) {
    position_ = std::clamp(position, 0.0, end);
    target_.reset();
    lead_.reset();
}

void Player::show(std::uint64_t access, double end) {
    playing_ = false;
    lead_.reset();
    position_ = std::min(static_cast<double>(access), end);
    target_ = std::min(position_ + 1, end);
}

std::optional<std::uint64_t> Player::current() const {
    const double begun = std::ceil(target_.value_or(position_));
    return begun > 0 ? std::optional(static_cast<std::uint64_t>(begun) - 1) : std::nullopt;
}

void Player::setPace(double accessesPerSecond) {
    goOnAlone();
    pace_ = std::clamp(accessesPerSecond, kSlowest, kFastest);
}

/// Detaches the player from a scene: a stretch that was playing continues at its pace.
void Player::goOnAlone() {
    if (!lead_) return;
    playing_ = lead_->pace > 0;
    if (playing_) pace_ = std::clamp(lead_->pace, kSlowest, kFastest);
    lead_.reset();
}

void Player::changePace(int steps) {
    goOnAlone();
    // From a pace between two list entries, the next entry in the given direction.
    const auto next = steps > 0 ? std::upper_bound(kPaces.begin(), kPaces.end(), pace_ * 1.001)
                                : std::lower_bound(kPaces.begin(), kPaces.end(), pace_ * 0.999);
    if (steps > 0) {
        pace_ = next == kPaces.end() ? kPaces.back() : *next;
    } else {
        pace_ = next == kPaces.begin() ? kPaces.front() : *std::prev(next);
    }
}

void Player::playIn(const scene::TimeSpan& played, double end) {
    if (position_ < played.from || position_ >= played.to) seek(played.from, end);
    play();
}

void Player::advance(double seconds, double end, const scene::TimeSpan& played, sim::AccessClock* clock) {
    const auto later = [&](double accesses) {
        return clock != nullptr ? clock->later(position_, accesses) : position_ + accesses;
    };
    // The leading scene sets this again in its next lead().
    if (lead_) lead_->moves = false;
    if (target_) {
        position_ = std::min(*target_, later(seconds * kStepPace));
        if (position_ >= *target_) target_.reset();
        return;
    }
    if (!playing_ || lead_) return;
    const bool isOutside = position_ < played.from || position_ > played.to;
    position_ = isOutside ? played.from : later(seconds * pace_);
    if (position_ >= played.to && end >= played.to) {
        position_ = loops_ ? played.from : played.to;
        playing_ = loops_;
    }
    position_ = std::min(position_, end);
}

namespace {

double withoutRounding(double t) {
    constexpr double kRounding = 1e-6;
    const double whole = std::round(t);
    return std::abs(t - whole) < kRounding ? whole : t;
}

/// The time in a trace of `to` accesses after the same share of it as `t` is of one of `from`.
double sharedTime(double t, std::uint64_t from, std::uint64_t to) {
    if (from == to) return t;
    const auto end = static_cast<double>(to);
    return from == 0 ? 0 : std::min(end, t / static_cast<double>(from) * end);
}

}  // namespace

TimeLock possibleLock(TimeLock lock, const LockedTraces& traces) {
    return lock == TimeLock::line && traces.lines == nullptr ? TimeLock::share : lock;
}

double lockedTime(double t, TimeLock lock, const LockedTraces& traces) {
    switch (possibleLock(lock, traces)) {
        case TimeLock::access:
            return std::min(t, static_cast<double>(traces.second));
        case TimeLock::share:
            return traces.first == traces.second ? t : withoutRounding(sharedTime(t, traces.first, traces.second));
        case TimeLock::line:
            return withoutRounding(traces.lines->at(t));
    }
    return t;
}

double unlockedTime(double t, TimeLock lock, const LockedTraces& traces) {
    switch (possibleLock(lock, traces)) {
        case TimeLock::access:
            return std::min(t, static_cast<double>(traces.first));
        case TimeLock::share:
            return sharedTime(t, traces.second, traces.first);
        case TimeLock::line:
            return traces.lines->back(t);
    }
    return t;
}

double lockedPace(TimeLock lock, const LockedTraces& traces) {
    if (lock == TimeLock::access || traces.first == 0) return 1;
    return static_cast<double>(traces.second) / static_cast<double>(traces.first);
}

}  // namespace whorl::app
