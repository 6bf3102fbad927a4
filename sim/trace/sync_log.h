// Where the threads of a program waited for each other, in recorded order: the constraints that a different order of
// their accesses must respect.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// An operation of a CPU's thread. The values are stored in files.
enum class SyncKind : std::uint8_t {
    lock = 0,    ///< acquires a lock
    unlock = 1,  ///< releases a lock
    signal = 2,  ///< announces an event: a condition may hold, a thread is created or ends
    wait = 3,    ///< has waited for such an event
    post = 4,    ///< adds one to a semaphore
    take = 5,    ///< has waited until it could take one from a semaphore
    arrive = 6,  ///< begins to wait at a barrier
    leave = 7,   ///< leaves a barrier: all threads that it is for have arrived
    follow = 8,  ///< atomically changes memory that another CPU atomically changed before; see Sync::earlier
    want = 9     ///< begins to wait for a lock: recorded for built-in programs only
};
inline constexpr SyncKind kLastSyncKind = SyncKind::want;

struct Sync {
    Tick at;  ///< the next access, of any CPU
    std::uint8_t cpu = 0;
    SyncKind kind = SyncKind::lock;
    /// The number of the lock, event, semaphore or barrier, from 0; for a follow, an encoded access: see earlier().
    std::uint32_t object = 0;
    bool operator==(const Sync&) const = default;

    /// An access that another CPU made earlier, which a follow must come after.
    struct Earlier {
        Tick at;
        std::uint8_t cpu = 0;
    };
    Earlier earlier() const { return {Tick{at.value - (object >> 6)}, static_cast<std::uint8_t>(object & 63)}; }
    /// A follow of an access. If the access is too long ago to be encoded, a later one takes its place.
    static Sync after(Earlier earlier, Tick now, std::uint8_t cpu);
};

/// A list of synchronization operations, in a few bytes each. Ticks must ascend.
class SyncLog {
  public:
    static constexpr std::size_t kMaxBytes = 32u << 20;

    SyncLog() = default;

    void add(const Sync& sync);
    std::uint64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Whether a thread may have to wait for another: for a lock, an event, a semaphore or at a barrier. False if the
    /// list has only one CPU.
    bool hasWaits() const { return hasWaits_ && !std::has_single_bit(cpus_); }
    /// Whether it has reached the size at which recording it ends: later operations are missing.
    bool isFull() const { return bytes_.size() >= kMaxBytes; }
    /// One more than the highest CPU.
    std::uint32_t cpus() const { return static_cast<std::uint32_t>(std::bit_width(cpus_)); }
    /// One more than the highest number of a lock, event, semaphore or barrier.
    std::uint32_t objects() const { return objects_; }
    /// The list as stored in files.
    const std::string& bytes() const { return bytes_; }
    /// Reads what bytes() gave; false if it is invalid, or an access is beyond `size`, or a CPU not below `cpus`.
    static bool read(std::string_view bytes, std::uint64_t size, std::uint32_t cpus, SyncLog& log);

    bool operator==(const SyncLog& other) const { return bytes_ == other.bytes_; }

  private:
    friend class SyncCursor;

    /// Updates the members that summarize the list.
    void note(const Sync& sync);

    std::string bytes_;
    std::uint64_t size_ = 0;
    std::uint64_t last_ = 0;  ///< tick of the last operation
    std::uint32_t objects_ = 0;
    std::uint64_t cpus_ = 0;  ///< a bit for each CPU in the list
    bool hasWaits_ = false;
};

/// Iterates over a list, which must not change or end meanwhile.
class SyncCursor {
  public:
    explicit SyncCursor(const SyncLog& log) : rest_(log.bytes_) {}
    /// Reads the next operation; false at the end.
    bool next(Sync& sync);

  private:
    friend class SyncLog;
    explicit SyncCursor(std::string_view bytes) : rest_(bytes) {}

    std::string_view rest_;
    std::uint64_t last_ = 0;
    bool isValid_ = true;
};

/// The condition of each wait of a recorded program, found by counting: the events needed, and the initial stock of
/// semaphores.
struct SyncNeeds {
    /// For each lock, wait at an event and leaving of a barrier, in the order of the log: the number of unlocks, events
    /// or arrivals of the object that must precede it.
    std::vector<std::uint32_t> waits;
    /// The initial counts of semaphores, by object.
    std::vector<std::uint32_t> stock;
};

/// Derives the needs from a log. A lock needs all earlier unlocks of it. A wait at an event needs the first event after
/// its CPU's preceding operation, if there is one, else the last. A barrier is for the number of threads that had
/// arrived when it was first left; leaving it requires that the CPU's own round is complete. A semaphore initially held
/// at least the number taken before it was posted.
SyncNeeds needsOf(const SyncLog& log);

}  // namespace whorl::sim
