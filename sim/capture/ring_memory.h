// The reader's end of the shared memory into which a traced program writes its records; its layout is in wire/ring.h.
//
// The program can write anything to it, at any time. This end relies only on state of its own, reads each word of the
// memory once, and detects data that no recorder writes: from then on the memory is damaged, and nothing in it counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/capture/wire/ring.h"

namespace whorl::sim {

/// Reads a word that the program may change concurrently.
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
    /// Creates memory with free slots. Fails if the system has none.
    static Expected<RingMemory> create(std::uint32_t slots, std::uint32_t slotBytes);
    /// Maps a part of shared memory, which must be prepared before anybody writes to it. Other processes know it by
    /// `path`.
    static Expected<RingMemory> within(int fd, std::uint64_t from, std::uint32_t slots, std::uint32_t slotBytes,
                                       const std::string& path);
    /// Writes the head of an empty ring. Leaves it open when this object ends.
    void prepare();
    RingMemory(RingMemory&& other) noexcept;
    RingMemory& operator=(RingMemory&&) = delete;
    ~RingMemory();

    /// The path by which another process of this user can map the memory while this process runs.
    const std::string& path() const { return path_; }

    /// The records of the next slot, once it is full: those up to the first empty one. Valid until release().
    std::optional<std::span<const whorl_record>> full() { return next(WHORL_SLOT_FULL); }
    /// The records of a slot that the writer did not publish before it ended; call it only then.
    std::optional<std::span<const whorl_record>> left() { return next(WHORL_SLOT_TAKEN); }
    /// Empties the slot of the last call and frees it; so many of its records were not empty.
    void release(std::size_t records);

    // For rings where each thread has slots of its own:
    /// The number of slots ever taken.
    std::uint32_t used();
    /// The state of a slot, WHORL_SLOT_...; the head and the records of a taken or full slot can be read after this
    /// call.
    std::uint32_t stateOf(std::uint32_t slot) const { return loaded(at(slot)->state); }
    const whorl_slot_head& headOf(std::uint32_t slot) const { return *at(slot); }
    /// All records of a slot, including those not yet written.
    std::span<const whorl_record> recordsOf(std::uint32_t slot) const;
    void release(std::uint32_t slot);
    /// Whether the writer had to drop accesses.
    bool hasLost() const { return loaded(head_->lost) != 0; }

    /// Whether data was found in the memory that no recorder writes.
    bool isDamaged() const { return isDamaged_; }
    /// Reports such data.
    void damage() { isDamaged_ = true; }
    /// Checks the head for such data.
    void checkHead();
    /// The number of records before the first empty one, in a slot that is no longer written.
    std::size_t checkedEnd(std::span<const whorl_record> records);

    /// Ends the recording: the writer goes on without recording, and never waits for a slot.
    void close();
    /// Asks the writer to put so many WHORL_SWITCH where it is now.
    void askToSwitch(unsigned times) { __atomic_add_fetch(&head_->switches, times, __ATOMIC_RELEASE); }
    /// Whether a writer has mapped the memory.
    bool attached() const { return loaded(head_->writer) != 0; }

  private:
    RingMemory() = default;

    int fd_ = -1;
    std::string path_;
    whorl_ring_head* head_ = nullptr;
    std::uint32_t slots_ = 0;
    std::uint32_t slotBytes_ = 0;
    std::uint64_t ticket_ = 0;  ///< ticket of the next slot
    std::uint32_t used_ = 0;
    bool isClosed_ = false;
    bool isLeftOpen_ = false;  ///< at the end of this object
    bool isDamaged_ = false;

    void writeHead();
    std::size_t bytes() const { return WHORL_RING_HEAD + std::size_t{slots_} * slotBytes_; }
    whorl_slot_head* at(std::uint32_t slot) const;
    std::optional<std::span<const whorl_record>> next(std::uint32_t state);
};

}  // namespace whorl::sim
