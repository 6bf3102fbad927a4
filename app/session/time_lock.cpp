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

}  // namespace

TimeLock possibleLock(TimeLock lock, const LockedTraces& traces) {
    return lock == TimeLock::line && traces.lines == nullptr ? TimeLock::share : lock;
}

double lockedTime(double t, TimeLock lock, const LockedTraces& traces) {
    const auto end = static_cast<double>(traces.second);
    switch (possibleLock(lock, traces)) {
        case TimeLock::access:
            return std::min(t, end);
        case TimeLock::share:
            if (traces.first == traces.second) return t;
            return traces.first == 0 ? 0 : std::min(end, withoutRounding(t / static_cast<double>(traces.first) * end));
        case TimeLock::line:
            return withoutRounding(traces.lines->at(t));
    }
    return t;
}

double unlockedTime(double t, TimeLock lock, const LockedTraces& traces) {
    const auto end = static_cast<double>(traces.first);
    switch (possibleLock(lock, traces)) {
        case TimeLock::access:
            return std::min(t, end);
        case TimeLock::share:
            if (traces.first == traces.second) return t;
            return traces.second == 0 ? 0 : std::min(end, t / static_cast<double>(traces.second) * end);
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
