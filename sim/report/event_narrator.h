// Turns the events of simulated accesses into those of a recording: with times, and by the addresses that were asked
// for.
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

/// For the events of one access, which the simulator has just played. Events are taken in their order.
class EventNarrator {
  public:
    /// `start` is when the access began; all three must outlive it.
    EventNarrator(const Simulator& after, const Access& access, std::span<const Event> events, Tick tick, Cycles start)
        : after_(after), access_(access), events_(events), tick_(tick), start_(start) {}

    /// The next event as a recording has it; nothing when it has none: of hits, misses, write-backs and the like.
    std::optional<RecordedEvent> take(std::size_t event);
    /// What the access waited in all, once every event is taken; nothing when it did not wait.
    std::optional<RecordedEvent> wait() const;
    /// What was waited up to the events that were taken.
    Cycles waited() const { return waited_; }

  private:
    /// The first byte of a block that the access asks for; the block's own, if it asks for none.
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
