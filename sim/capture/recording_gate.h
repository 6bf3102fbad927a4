// Which of the accesses that a recorder passes on are kept: those within windows, while nobody stopped the recording.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/windows.h"

namespace whorl::sim {

/// The windows that a recording consists of: `length` accesses in every `every`.
struct WindowLengths {
    std::uint64_t length = 0;
    std::uint64_t every = 0;  ///< 0: no windows

    bool any() const { return every != 0; }
};

class RecordingGate {
  public:
    explicit RecordingGate(WindowLengths lengths) : lengths_(lengths) {}

    /// Whether all accesses pass, so that none need be counted.
    bool isOpen() const { return !lengths_.any() && isOn_; }
    /// Whether the next accesses of an instruction pass; `now`: where they would be in the trace. They pass together or
    /// not at all, so that a modify is never torn apart.
    bool passes(std::uint64_t accesses, Tick now) {
        if (!isOn_) return false;
        if (!lengths_.any()) return true;
        const std::uint64_t within = counted_ % lengths_.every;
        const std::uint64_t window = counted_ / lengths_.every;
        counted_ += accesses;
        if (within >= lengths_.length) {
            between_ += accesses;
            return false;
        }
        if (window != window_) begins_.push_back(now);
        window_ = window;
        return true;
    }

    bool isOn() const { return isOn_; }
    void turn(bool on) { isOn_ = on; }

    bool hasWindows() const { return lengths_.any(); }
    /// The windows that passed; leaves none.
    Windows takenWindows() {
        return {.length = lengths_.length,
                .every = lengths_.every,
                .between = between_,
                .begins = std::exchange(begins_, {})};
    }

  private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    WindowLengths lengths_;
    bool isOn_ = true;
    std::uint64_t counted_ = 0;
    std::uint64_t between_ = 0;
    std::uint64_t window_ = kNone;  ///< the one that the last access that passed is in
    std::vector<Tick> begins_;
};

}  // namespace whorl::sim
