#include "render/scene/space/block_time.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace whorl::scene {

BlockTime::BlockTime(const sim::CycleScale& own, std::vector<const sim::CycleScale*> compared)
    : own_(&own), all_(std::move(compared)), longest_(1) {
    all_.push_back(own_);
    for (const sim::CycleScale* h : all_) longest_ = std::max(longest_, static_cast<double>(h->end - h->begin));
}

Interval BlockTime::cyclesOf(const TimeSpan& span) const {
    const double from = own_->cyclesAt(span.from);
    return {from, std::max(own_->cyclesAt(span.to), from + 1)};
}

Interval BlockTime::shown(const std::optional<TimeSpan>& seen) const {
    if (!seen) return {begin(), begin() + longest_};
    double length = 1;
    for (const sim::CycleScale* h : all_) length = std::max(length, h->cyclesAt(seen->to) - h->cyclesAt(seen->from));
    const double from = own_->cyclesAt(seen->from);
    return {from, from + length};
}

TimeSpan BlockTime::accessesOf(const Interval& interval) const {
    TimeSpan span{own_->accessesAt(interval.from), lastAccess()};
    for (const sim::CycleScale* h : all_) {
        span.to = std::min(span.to, h->accessesAt(h->cyclesAt(span.from) + interval.length()));
    }
    return span;
}

Interval BlockTime::keptInside(Interval interval) const {
    const double length = std::min(interval.length(), longest_);
    // A slower run may go on after this one's end, but something of this one is always shown.
    const double last = std::min(begin() + longest_ - length, own_->cyclesAt(lastAccess() - TimeAxis::kMin));
    const double from = std::clamp(interval.from, begin(), last);
    return {from, from + length};
}

TimeSpan BlockTime::seenFor(const Interval& interval) const {
    return keptWithin(accessesOf(keptInside(interval)), lastAccess());
}

TimeSpan BlockTime::zoomed(const Interval& shown, double pivot, double factor) const {
    pivot = std::clamp(pivot, shown.from, std::max(shown.from, static_cast<double>(own_->end)));
    const double share = (pivot - shown.from) / shown.length();
    const auto about = [&](double length) {
        const double from = pivot - share * length;
        return accessesOf(keptInside({from, from + length}));
    };
    // Of an interval with too few accesses, the shortest that has enough: found by halving, because accesses take
    // different times.
    double length = shown.length() / factor;
    double enough = shown.length();
    const double least = std::min(TimeAxis::kMin, lastAccess());
    if (factor > 1 && about(length).length() < least) {
        for (int i = 0; i < 60; ++i) {
            const double middle = (length + enough) / 2;
            (about(middle).length() < least ? length : enough) = middle;
        }
        length = enough;
    }
    return keptWithin(about(length), lastAccess());
}

Interval BlockTime::around(const Interval& shown) {
    const double unit = std::exp2(std::ceil(std::log2(shown.length())));
    const double from = std::floor(shown.from / unit) * unit;
    return {from, from + 2 * unit};
}

TimeSpan BlockTime::moved(const Interval& shown, double cycles) const {
    return seenFor({shown.from + cycles, shown.to + cycles});
}

}  // namespace whorl::scene
