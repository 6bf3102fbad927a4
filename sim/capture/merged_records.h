// Merges the records of a program whose threads write to slots of their own, in the order of their time stamps.
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
    /// Passes on the records written until now that no later record can precede, and frees slots. A record without a
    /// stamp follows the one before it; records that belong together stay together. After the writer has ended
    /// (`hasEnded`), passes on all. False if there were none.
    bool take(bool hasEnded, const Take& take);

  private:
    struct Slot {
        std::uint32_t taken = 0;  ///< records passed on
        std::uint32_t seen = 0;   ///< records that are complete
        std::uint64_t stamp = 0;  ///< last stamp among the records passed on
    };
    /// New records in a slot.
    struct Part {
        std::uint32_t slot = 0;
        std::uint32_t writer = 0;  ///< a thread, or one of its signal handlers
        std::uint64_t ticket = 0;
    };
    /// The parts of one writer that are not passed on yet: [part, end) in parts_.
    struct Stream {
        std::size_t part = 0;
        std::size_t end = 0;
        std::uint64_t stamp = 0;  ///< stamp of the next record
        bool operator>(const Stream& other) const { return stamp > other.stamp; }
    };

    RingMemory& ring_;
    std::vector<Slot> slots_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> full_;
    std::uint64_t latest_ = 0;     ///< upper limit of valid stamps
    std::vector<Stream> streams_;  ///< a heap, with the earliest stamp first

    void look(bool hasEnded);
    void lookAt(std::uint32_t index, bool isWhole);
    bool isTaken(std::uint32_t index, std::uint32_t state);
    std::optional<std::uint64_t> stampIn(const whorl_record& record) const;
    std::uint64_t stampOf(const Part& part) const;
    void makeStreams();
    bool hand(Stream& stream, std::uint64_t until, const Take& take);
};

}  // namespace whorl::sim
