// The reader's end of the memory that a traced program writes its records to; its layout is in wire/ring.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/capture/wire/ring.h"

namespace whorl::sim {

class RingMemory {
  public:
    /// Memory with free slots. Fails if the system has none.
    static Expected<RingMemory> create(std::uint32_t slots, std::uint32_t slotBytes);
    RingMemory(RingMemory&& other) noexcept;
    RingMemory& operator=(RingMemory&&) = delete;
    ~RingMemory();

    /// The name under which another process of this user can map it while this one runs.
    const std::string& path() const { return path_; }

    /// The records of the full slot that was taken first, up to the first empty one; empty if no slot is full. They are
    /// valid until release().
    std::span<const whorl_record> full() { return records(WHORL_SLOT_FULL); }
    /// Once the writer has ended: those of a slot that it had not published.
    std::span<const whorl_record> left() { return records(WHORL_SLOT_TAKEN); }
    /// Empties the slot of the last call and sets it free.
    void release();

    // Where each thread has slots of its own:
    /// How many slots were ever taken.
    std::uint32_t used() const;
    /// WHORL_SLOT_...; what the head and the records of a taken or full slot say can then be read.
    std::uint32_t stateOf(std::uint32_t slot) const;
    const whorl_slot_head& headOf(std::uint32_t slot) const { return *at(slot); }
    /// All records of a slot, also those that are not yet written.
    std::span<const whorl_record> recordsOf(std::uint32_t slot) const;
    void release(std::uint32_t slot);
    /// Whether the writer had to leave accesses out.
    bool hasLost() const;

    /// From now on the writer goes on without recording, and never waits for a slot.
    void close();
    /// Whether somebody has mapped it.
    bool attached() const;

  private:
    RingMemory() = default;

    int fd_ = -1;
    std::string path_;
    whorl_ring_head* head_ = nullptr;
    std::size_t bytes_ = 0;
    whorl_slot_head* current_ = nullptr;

    whorl_slot_head* at(std::uint32_t slot) const;
    void empty(whorl_slot_head* slot);
    std::span<const whorl_record> records(std::uint32_t state);
};

}  // namespace whorl::sim
