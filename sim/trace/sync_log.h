// Where the threads of a program waited for each other, in the order in which it was recorded: what a different order
// of their accesses must respect.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace whorl::sim {

/// What a CPU's thread did. The values are stored in files.
enum class SyncKind : std::uint8_t {
    lock = 0,    ///< it has a lock
    unlock = 1,  ///< it leaves that to others
    signal = 2,  ///< it tells of an event: a condition may hold, a thread is created or ends
    wait = 3,    ///< it has waited for such an event
    post = 4,    ///< it adds one to a semaphore
    take = 5,    ///< it has waited until it could take one from a semaphore
    arrive = 6,  ///< it begins to wait at a barrier
    leave = 7,   ///< all that the barrier is for have arrived
    follow = 8,  ///< it changes memory in one step that another CPU changed so before; see Sync::earlier
    want = 9     ///< it begins to wait for a lock: known of built-in programs only
};
inline constexpr SyncKind kLastSyncKind = SyncKind::want;

struct Sync {
    Tick at;  ///< the access that came next, of any CPU
    std::uint8_t cpu = 0;
    SyncKind kind = SyncKind::lock;
    /// A number of the lock, event, semaphore or barrier, from 0; of a follow: see earlier().
    std::uint32_t object = 0;
    bool operator==(const Sync&) const = default;

    /// An access that another CPU made earlier, which a follow must come after.
    struct Earlier {
        Tick at;
        std::uint8_t cpu = 0;
    };
    Earlier earlier() const { return {Tick{at.value - (object >> 6)}, static_cast<std::uint8_t>(object & 63)}; }
    /// The follow of an access. One too long ago to be told is taken for a later one.
    static Sync after(Earlier earlier, Tick now, std::uint8_t cpu);
};

/// A list of them, in some bytes each. Ticks must ascend.
class SyncLog {
  public:
    SyncLog() = default;

    void add(const Sync& sync);
    std::uint64_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Whether a thread may have to wait for another: for a lock, an event, a semaphore or at a barrier. A CPU that is
    /// the only one here never does.
    bool hasWaits() const { return hasWaits_ && !std::has_single_bit(cpus_); }
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

    /// Counts one in.
    void note(const Sync& sync);

    std::string bytes_;
    std::uint64_t size_ = 0;
    std::uint64_t last_ = 0;  ///< the tick of the last
    std::uint32_t objects_ = 0;
    std::uint64_t cpus_ = 0;  ///< those that it tells of
    bool hasWaits_ = false;
};

/// Goes through a list, which must not change or end meanwhile.
class SyncCursor {
  public:
    explicit SyncCursor(const SyncLog& log) : rest_(log.bytes_) {}
    /// Takes the next; false at the end.
    bool next(Sync& sync);

  private:
    friend class SyncLog;
    explicit SyncCursor(std::string_view bytes) : rest_(bytes) {}

    std::string_view rest_;
    std::uint64_t last_ = 0;
    bool sound_ = true;
};

}  // namespace whorl::sim
