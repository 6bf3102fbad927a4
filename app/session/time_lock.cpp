#include "app/session/time_lock.h"

#include <algorithm>
#include <cmath>

namespace whorl::app {

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
