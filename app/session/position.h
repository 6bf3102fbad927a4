// Positions of the playhead, and other times of a trace, as people write them: in commands, in options, in the prompt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/types.h"

namespace whorl::app {

/// A number of accesses that have happened, with a fraction while one is in motion; or a share of all, or a way from
/// the playhead, which only a trace makes a number of accesses.
class Position {
  public:
    Position() = default;
    /// None is before the start.
    Position(double accesses) : amount_(accesses < 0 ? 0 : accesses) {}
    Position(sim::Tick tick) : amount_(static_cast<double>(tick.value)) {}

    /// "1200", "1 200", "1.2K", "3M", "5067.5", "50%", "start", "end"; "+100" and "-100" from the playhead. The error
    /// is one sentence.
    static sim::Expected<Position> from(std::string_view text);
    /// What from() reads as just this position.
    std::string text() const;

    bool isRelative() const { return way_ != Way::none; }
    bool isShare() const { return isShare_; }
    /// The number of accesses, in a trace of `size` and with the playhead at `now`; perhaps beyond the trace.
    double in(double size, double now = 0) const;
    bool operator==(const Position&) const = default;

  private:
    enum class Way : std::uint8_t { none, forward, back };

    double amount_ = 0;  ///< accesses, or hundredths of all
    bool isShare_ = false;
    Way way_ = Way::none;
};

/// The position that a text names in a trace of `size` accesses, and within it: what goes beyond the end is an error,
/// unless it was counted from `now`.
sim::Expected<double> positionFrom(std::string_view text, double now, double size);

}  // namespace whorl::app
