// The reader's end of the memory that a traced program writes its records to; its layout is in wire/ring.h.
//
// The program can write anything to it, at any time. What this end goes by is its own, each word of the memory is read
// once, and what no recorder writes is noticed: from then on the memory is damaged, and nothing in it counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/capture/wire/ring.h"

namespace whorl::sim {

/// A word that the program may change meanwhile.
template <class T>
T loaded(const T& word) {
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}
inline whorl_record loaded(const whorl_record& shared) {
    const whorl_u64 what = loaded(shared.what);
    return {.value = loaded(shared.value), .what = what};
}

class RingMemory {
  public:
    /// Memory with free slots. Fails if the system has none.
    static Expected<RingMemory> create(std::uint32_t slots, std::uint32_t slotBytes);
    RingMemory(RingMemory&& other) noexcept;
    RingMemory& operator=(RingMemory&&) = delete;
    ~RingMemory();

    /// The name under which another process of this user can map it while this one runs.
    const std::string& path() const { return path_; }

    /// The records of the slot that comes next, once it is full: up to the first empty one. They are valid until
    /// release().
    std::optional<std::span<const whorl_record>> full() { return next(WHORL_SLOT_FULL); }
    /// Once the writer has ended: those of a slot that it had not published.
    std::optional<std::span<const whorl_record>> left() { return next(WHORL_SLOT_TAKEN); }
    /// Empties the slot of the last call and sets it free.
    void release();

    // Where each thread has slots of its own:
    /// How many slots were ever taken.
    std::uint32_t used();
    /// WHORL_SLOT_...; what the head and the records of a taken or full slot say can then be read.
    std::uint32_t stateOf(std::uint32_t slot) const { return loaded(at(slot)->state); }
    const whorl_slot_head& headOf(std::uint32_t slot) const { return *at(slot); }
    /// All records of a slot, also those that are not yet written.
    std::span<const whorl_record> recordsOf(std::uint32_t slot) const;
    void release(std::uint32_t slot);
    /// Whether the writer had to leave accesses out.
    bool hasLost() const { return loaded(head_->lost) != 0; }

    /// Whether something was found in it that no recorder writes.
    bool isDamaged() const { return isDamaged_; }
    /// Such a thing was found.
    void damage() { isDamaged_ = true; }
    /// Looks for it in the head.
    void checkHead();
    /// The number of records before the first empty one, of a slot that is written no more.
    std::size_t checkedEnd(std::span<const whorl_record> records);

    /// From now on the writer goes on without recording, and never waits for a slot.
    void close();
    /// Whether somebody has mapped it.
    bool attached() const { return loaded(head_->writer) != 0; }

  private:
    RingMemory() = default;

    int fd_ = -1;
    std::string path_;
    whorl_ring_head* head_ = nullptr;
    std::uint32_t slots_ = 0;
    std::uint32_t slotBytes_ = 0;
    std::uint64_t ticket_ = 0;  ///< of the slot that comes next
    std::uint32_t used_ = 0;
    bool isClosed_ = false;
    bool isDamaged_ = false;

    std::size_t bytes() const { return WHORL_RING_HEAD + std::size_t{slots_} * slotBytes_; }
    whorl_slot_head* at(std::uint32_t slot) const;
    std::optional<std::span<const whorl_record>> next(std::uint32_t state);
};

}  // namespace whorl::sim
