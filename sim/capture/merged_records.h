// The records of a program whose threads write to slots of their own, in one order: that of their time stamps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/capture/ring_memory.h"

namespace whorl::sim {

class MergedRecords {
  public:
    using Take = std::function<void(std::uint32_t thread, std::span<const whorl_record> records)>;

    explicit MergedRecords(RingMemory& ring) : ring_(ring) {}

    /// Whether a slot is full, so that a writer may be waiting.
    bool anyFull() const;
    /// Hands over what was written until now and nothing can come before anymore, and sets slots free. A record without
    /// a stamp comes with the one before it; records that belong together stay together. Once the writer has ended
    /// (`hasEnded`), hands over all. False if there was nothing.
    bool take(bool hasEnded, const Take& take);

  private:
    struct Slot {
        std::uint32_t taken = 0;  ///< records
        std::uint32_t seen = 0;   ///< records that are complete
        std::uint64_t stamp = 0;  ///< the last of what is taken
    };
    /// What is new in a slot.
    struct Part {
        std::uint32_t slot = 0;
        std::uint32_t writer = 0;  ///< a thread, or one of its signal handlers
        std::uint64_t ticket = 0;
    };
    /// The parts of a writer, of which the one at `part` comes next.
    struct Stream {
        std::size_t part = 0;
        std::size_t end = 0;
        std::uint64_t stamp = 0;  ///< of what comes next
        bool operator>(const Stream& other) const { return stamp > other.stamp; }
    };

    RingMemory& ring_;
    std::vector<Slot> slots_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> full_;
    std::uint64_t latest_ = 0;     ///< no stamp of a record that was seen is later
    std::vector<Stream> streams_;  ///< a heap, the one with the earliest stamp first

    void look(bool hasEnded);
    void lookAt(std::uint32_t index, bool isWhole);
    bool isTaken(std::uint32_t index, std::uint32_t state);
    std::optional<std::uint64_t> stampIn(const whorl_record& record) const;
    std::uint64_t stampOf(const Part& part) const;
    void makeStreams();
    bool hand(Stream& stream, std::uint64_t until, const Take& take);
};

}  // namespace whorl::sim
