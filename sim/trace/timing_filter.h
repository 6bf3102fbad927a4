// Adjusts a trace's timing when accesses are dropped. A CPU's work is preserved: work before a dropped access is added
// to the next one. A CPU that waited for the end of a dropped access waits for the last kept one before it of the same
// CPU. The stall time of a dropped access is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/timing.h"

namespace whorl::sim {

/// keep() or drop() must be called for the accesses in order. Accesses skipped altogether lose their timing too.
class TimingFilter {
  public:
    /// `timing` must outlive the filter.
    explicit TimingFilter(const Timing& timing);

    /// The access `was` is kept, and its tick becomes `to`.
    void keep(Tick was, std::uint8_t cpu, Tick to);
    void drop(Tick was, std::uint8_t cpu);
    /// The timing of the kept accesses, moved out of the filter.
    Timing take() { return std::move(moved_); }

  private:
    /// The pending timing of a CPU.
    struct Open {
        std::uint64_t work = 0;         ///< not yet attributed to a kept access
        Tick after = Delay::kNoAccess;  ///< the access that woke it, as a tick of the filtered trace
        Tick last = Delay::kNoAccess;   ///< its last kept access, in the filtered trace
    };

    void addDelay(Tick was, Open& open);
    void noteEnd(Tick was, Tick to);

    const Timing* timing_;
    Timing moved_;
    DelayList::Cursor next_;
    std::vector<std::uint64_t> awaited_;  ///< accesses whose completion wakes others, ascending
    std::vector<Tick> ends_;              ///< the corresponding ticks of the filtered trace
    std::size_t nextAwaited_ = 0;
    std::vector<Open> open_;  ///< by CPU
};

}  // namespace whorl::sim
