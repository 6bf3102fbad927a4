#include "app/session/time_lock.h"

#include <algorithm>

namespace whorl::app {

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
            return traces.first == 0 ? 0 : std::min(end, t / static_cast<double>(traces.first) * end);
        case TimeLock::line:
            return traces.lines->at(t);
    }
    return t;
}

double lockedPace(TimeLock lock, const LockedTraces& traces) {
    if (lock == TimeLock::access || traces.first == 0) return 1;
    return static_cast<double>(traces.second) / static_cast<double>(traces.first);
}

}  // namespace whorl::app
