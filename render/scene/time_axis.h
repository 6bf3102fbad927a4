// The one time axis: which accesses lie between the left and the right edge of a picture, its ruler, and how it is
// zoomed and moved. The strip, histories and all other pictures over time share it. Times are in accesses (sim::Tick),
// with a fraction; places in pixels.
#pragma once

#include <string>
#include <vector>

#include "sim/base/types.h"

namespace whorl::scene {

/// The visible part of a trace: the accesses [from, to).
struct TimeSpan {
    double from = 0;
    double to = 1;

    double length() const { return to - from; }
    bool operator==(const TimeSpan&) const = default;
};

class TimeAxis {
  public:
    /// `span` is kept within [0, end] and is at least kMin accesses long, or all of a shorter trace. `left` and
    /// `width` are the pixels that it fills.
    TimeAxis(TimeSpan span, double end, float left, float width);

    /// The shortest span, accesses.
    static constexpr double kMin = 8;

    const TimeSpan& span() const { return span_; }
    double end() const { return end_; }
    float left() const { return left_; }
    float width() const { return width_; }
    bool isWhole() const { return span_.from <= 0 && span_.to >= end_; }

    float x(double t) const;
    /// The time at a pixel, limited to the span.
    double at(float x) const;
    /// Accesses a pixel.
    double perPixel() const { return span_.length() / static_cast<double>(width_); }

    /// The span after zooming by a factor (above 1: in) about the time at a pixel; the span after moving the picture by
    /// `pixels` to the right.
    TimeSpan zoomed(float x, double factor) const;
    TimeSpan moved(float pixels) const;

    /// A mark of the ruler, with its number.
    struct Mark {
        float x = 0;
        std::string words;
    };
    /// Marks at round numbers, at least `apart` pixels from each other.
    std::vector<Mark> marks(float apart) const;

  private:
    TimeSpan span_;
    double end_;
    float left_;
    float width_;
};

/// The accesses of a range.
TimeSpan spanOf(const sim::Range& range);

/// A span within [0, end], as near to a wanted one as can be.
TimeSpan keptWithin(TimeSpan span, double end);

}  // namespace whorl::scene
