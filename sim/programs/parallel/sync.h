// Synchronisation between the CPUs of a parallel program, in the manner of the ANL macros (Lusk, Overbeek et al.,
// "Portable Programs for Parallel Processors", 1987). Its accesses to shared memory are attributed to the calling line.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "sim/programs/parallel/shared.h"

namespace whorl::sim {

/// How a CPU waits for a lock or barrier.
enum class Spin : std::uint8_t {
    sleep,  ///< sleeps without any access until it is woken up
    tas,    ///< spins with test-and-set: each invalidates the block in all other caches
    ttas,   ///< spins with test-and-test-and-set: reads, mostly hits in its own cache, until a test-and-set may succeed
};

/// Parses "sleep", "tas" or "ttas".
Spin spinNamed(std::string_view word);

/// An event that CPUs can sleep on; ringing it wakes all of them.
class Bell {
  public:
    Task<> wait();
    Task<> ring();

  private:
    friend class Barrier;
    friend class Team;

    Awaited sleep() { return Awaited({.kind = CpuRequest::Kind::sleep, .bell = this}); }
    /// Rings without suspending: the sleepers wake at the current time of the ringing CPU.
    class Ring {
      public:
        explicit Ring(Bell& bell) : bell_(bell) {}
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
            bell_.wake(*self.promise().member);
            return false;
        }
        void await_resume() const noexcept {}

      private:
        Bell& bell_;
    };
    void wake(const Member& by);

    std::vector<Member*> sleepers_;
    std::uint32_t number_ = 0;  ///< see SyncNotes
};

/// A mutex: a word that is written on acquire and on release. Sleeping CPUs get it in order of arrival.
class Lock {
  public:
    Lock() = default;
    explicit Lock(ByteAddress& next, Spin spin = Spin::sleep) : word_(next), spin_(spin) {}

    Task<> acquire(std::uint32_t line = __builtin_LINE());
    Task<> release(std::uint32_t line = __builtin_LINE());
    ByteAddress address() const { return word_.address(); }

  private:
    friend class Team;
    CpuRequest request(CpuRequest::Kind kind, std::uint32_t line) {
        return {.kind = kind,
                .op = Op::write,
                .size = sizeof(std::uint32_t),
                .address = word_.address(),
                .line = line,
                .lock = this};
    }

    Task<> obtain(std::uint32_t line);

    SharedWord<std::uint32_t> word_;
    Spin spin_ = Spin::sleep;
    std::uint32_t number_ = 0;  ///< see SyncNotes
    Member* holder_ = nullptr;
    std::deque<Member*> waiting_;
    Tick released_ = Delay::kNoAccess;  ///< the access that released it last
    Cycles free_ = 0;                   ///< end of that access
};

/// A barrier: a counter, and a flag that changes when the last process arrives.
class Barrier {
  public:
    Barrier() = default;
    explicit Barrier(ByteAddress& next, Spin spin = Spin::sleep) : count_(next), flag_(next), spin_(spin) {}

    Task<> wait(int processes, std::uint32_t line = __builtin_LINE());

  private:
    Task<> waitForOthers(int processes, std::uint32_t line);

    SharedWord<std::uint32_t> count_;
    SharedWord<std::uint32_t> flag_;
    Spin spin_ = Spin::sleep;
    std::uint32_t number_ = 0;  ///< see SyncNotes
    Bell bell_;
};

/// Hands out the numbers 0, 1, 2 … one at a time: the monitor of the macro GETSUB.
class Subscripts {
  public:
    Subscripts() = default;
    /// `pad`: bytes between the lock and the subscript.
    explicit Subscripts(ByteAddress& next, Spin spin = Spin::sleep, std::uint64_t pad = 0)
        : lock_(next, spin), sub_(skipped(next, pad)), seen_(next) {}

    Task<> clear(std::uint32_t line = __builtin_LINE());
    /// The next number up to `max`; -1 if there is none left. Starts over when all `processes` have received -1.
    Task<int> getsub(int max, int processes, std::uint32_t line = __builtin_LINE());

  private:
    static ByteAddress& skipped(ByteAddress& next, std::uint64_t bytes) {
        next.value += bytes;
        return next;
    }

    Lock lock_;
    SharedWord<std::int32_t> sub_;
    SharedWord<std::int32_t> seen_;  ///< processes that have received -1
};

}  // namespace whorl::sim
