// How the CPUs of a parallel program wait for each other, in the manner of the ANL macros (Lusk, Overbeek et al.,
// "Portable Programs for Parallel Processors", 1987). All of it happens in shared memory, at the line that asks for it.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "sim/programs/parallel/shared.h"

namespace whorl::sim {

/// How a CPU waits.
enum class Spin : std::uint8_t {
    sleep,  ///< without any access, until it is woken up
    tas,    ///< by test-and-set, again and again: each takes the block away from all others
    ttas,   ///< by test-and-test-and-set: reads, mostly in its own cache, until a test-and-set may succeed
};

/// "sleep", "tas" or "ttas".
Spin spinNamed(std::string_view word);

/// Wakes up all that sleep on it.
class Bell {
  public:
    Awaited wait() { return Awaited({.kind = CpuRequest::Kind::sleep, .bell = this}); }

    /// Rings, at once: the sleepers wake up when the CPU that rings is where it is now.
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
    Ring ring() { return Ring(*this); }

  private:
    friend class Team;
    void wake(const Member& by);

    std::vector<Member*> sleepers_;
};

/// Mutual exclusion: a word that is written when the lock is taken and when it is let go. Sleepers get it in the order
/// in which they came.
class Lock {
  public:
    Lock() = default;
    explicit Lock(ByteAddress& next, Spin spin = Spin::sleep) : word_(next), spin_(spin) {}

    Task<> acquire(std::uint32_t line = __builtin_LINE());
    Awaited release(std::uint32_t line = __builtin_LINE());
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

    SharedWord<std::uint32_t> word_;
    Spin spin_ = Spin::sleep;
    Member* holder_ = nullptr;
    std::deque<Member*> waiting_;
    Tick released_ = Delay::kNoAccess;  ///< the access that let it go last
    Cycles free_ = 0;                   ///< when that ended
};

/// Lets nobody past before all are there: a counter, and a flag that changes when the last one comes.
class Barrier {
  public:
    Barrier() = default;
    explicit Barrier(ByteAddress& next, Spin spin = Spin::sleep) : count_(next), flag_(next), spin_(spin) {}

    Task<> wait(int processes, std::uint32_t line = __builtin_LINE());

  private:
    SharedWord<std::uint32_t> count_;
    SharedWord<std::uint32_t> flag_;
    Spin spin_ = Spin::sleep;
    Bell bell_;
};

/// Deals out the numbers 0, 1, 2 … to whoever asks next: the monitor of the macro GETSUB.
class Subscripts {
  public:
    Subscripts() = default;
    /// `pad`: bytes between the lock and the subscript.
    explicit Subscripts(ByteAddress& next, Spin spin = Spin::sleep, std::uint64_t pad = 0)
        : lock_(next, spin), sub_(skipped(next, pad)), seen_(next) {}

    Task<> clear(std::uint32_t line = __builtin_LINE());
    /// The next number up to `max`; -1 when there is none left. When all `processes` have been told so, it starts over.
    Task<int> getsub(int max, int processes, std::uint32_t line = __builtin_LINE());

  private:
    static ByteAddress& skipped(ByteAddress& next, std::uint64_t bytes) {
        next.value += bytes;
        return next;
    }

    Lock lock_;
    SharedWord<std::int32_t> sub_;
    SharedWord<std::int32_t> seen_;  ///< processes that were told that there is none left
};

}  // namespace whorl::sim
