// What becomes of a trace's timing when accesses are left out. The work of a CPU stays: what it did before an access
// that is gone, it did before its next one. Who waited for the end of an access that is gone waits for the last one
// before it of the same CPU. What an access that is gone waited for memory is not known any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/timing.h"

namespace whorl::sim {

/// Is told of all accesses in their order; those that it is not told of are gone without a trace.
class TimingFilter {
  public:
    /// `timing` must outlive it.
    explicit TimingFilter(const Timing& timing);

    /// An access is kept, and is `to` now.
    void keep(Tick was, std::uint8_t cpu, Tick to);
    void drop(Tick was, std::uint8_t cpu);
    /// Of the accesses that are kept. Leaves nothing behind.
    Timing take() { return std::move(moved_); }

  private:
    /// Of a CPU.
    struct Open {
        std::uint64_t work = 0;         ///< not yet told
        Tick after = Delay::kNoAccess;  ///< who woke it, as a tick of the new trace
        Tick last = Delay::kNoAccess;   ///< its last access that is kept
    };

    void addDelay(Tick was, Open& open);
    void noteEnd(Tick was, Tick to);

    const Timing* timing_;
    Timing moved_;
    std::size_t next_ = 0;                ///< delay
    std::vector<std::uint64_t> awaited_;  ///< the accesses whose ends wake others, ascending
    std::vector<Tick> ends_;              ///< what stands for them in the new trace
    std::size_t nextAwaited_ = 0;
    std::vector<Open> open_;  ///< by CPU
};

}  // namespace whorl::sim
