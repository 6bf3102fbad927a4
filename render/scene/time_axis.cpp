#include "render/scene/time_axis.h"

#include <algorithm>
#include <cmath>

#include "sim/report/table.h"

namespace whorl::scene {

TimeSpan spanOf(const sim::Range& range) {
    return {static_cast<double>(range.from.value), static_cast<double>(range.to.value)};
}

TimeSpan keptWithin(TimeSpan span, double end) {
    const double length = std::clamp(span.length(), std::min(TimeAxis::kMin, end), std::max(end, 1.0));
    const double middle = (span.from + span.to) / 2;
    const double from =
        std::clamp(span.length() < length ? middle - length / 2 : span.from, 0.0, std::max(0.0, end - length));
    return {from, from + length};
}

TimeAxis::TimeAxis(TimeSpan span, double end, float left, float width)
    : span_(keptWithin(span, std::max(1.0, end))),
      end_(std::max(1.0, end)),
      left_(left),
      width_(std::max(1.0f, width)) {}

float TimeAxis::x(double t) const {
    return left_ + static_cast<float>((t - span_.from) / span_.length() * static_cast<double>(width_));
}

double TimeAxis::at(float x) const {
    const double share = std::clamp(static_cast<double>((x - left_) / width_), 0.0, 1.0);
    return span_.from + share * span_.length();
}

TimeSpan TimeAxis::zoomed(float x, double factor) const {
    const double pivot = at(x);
    const double length = std::clamp(span_.length() / factor, std::min(kMin, end_), end_);
    const double share = (pivot - span_.from) / span_.length();
    const double from = pivot - share * length;
    return keptWithin({from, from + length}, end_);
}

TimeSpan TimeAxis::moved(float pixels) const {
    const double by = static_cast<double>(pixels) * perPixel();
    return keptWithin({span_.from - by, span_.to - by}, end_);
}

std::vector<TimeAxis::Mark> TimeAxis::marks(float apart) const {
    const double least = std::max(1.0, static_cast<double>(apart) * perPixel());
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (step * factor >= least) {
            step *= factor;
            break;
        }
    }
    std::vector<Mark> marks;
    for (double t = std::ceil(span_.from / step) * step; t <= span_.to; t += step) {
        marks.push_back({x(t), sim::grouped(static_cast<std::uint64_t>(std::llround(t)))});
    }
    return marks;
}

}  // namespace whorl::scene
