// Converts the events of simulated accesses to those of a recording: with times, and with the requested addresses.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sim/cache/cost.h"
#include "sim/cache/event.h"
#include "sim/replay/simulator.h"
#include "sim/trace/access.h"
#include "sim/trace/recording.h"

namespace whorl::sim {

/// For the events of one access that the simulator has just played. Takes the events in order.
class EventNarrator {
  public:
    /// `start` is when the access began; all three must outlive it.
    EventNarrator(const Simulator& after, const Access& access, std::span<const Event> events, Tick tick, Cycles start)
        : after_(after), access_(access), events_(events), tick_(tick), start_(start) {}

    /// The next event in recorded form; empty when it has none: for hits, misses, write-backs and the like.
    std::optional<RecordedEvent> take(std::size_t event);
    /// The access's total access cycles, once every event is taken; empty when there are none.
    std::optional<RecordedEvent> wait() const;
    /// The access cycles up to the events taken so far.
    Cycles waited() const { return waited_; }

  private:
    /// The first byte of a block that the access requests; the block's own first byte if it requests none.
    ByteAddress askedFor(const Event& e) const;
    ByteAddress addressOf(const Event& e) const;
    ByteAddress replacing(std::size_t eviction) const;
    bool isPrivate(const Event& fill) const;

    const Simulator& after_;
    const Access& access_;
    std::span<const Event> events_;
    Tick tick_;
    Cycles start_;
    Cycles waited_ = 0;
};

}  // namespace whorl::sim
