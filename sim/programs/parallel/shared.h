// What the CPUs of a parallel program share: values with addresses, and locks, barriers and bells that synchronise the
// CPUs. A kernel reads with co_await a(i) and writes with co_await (a(i) = value); each suspends it until its CPU has
// made the access, in the order of all CPUs' clocks.
//
// In co_await a(i) + co_await b(i) the left operand is read first.
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/programs/parallel/task.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// A reference to a value in shared memory from a line of a kernel.
template <class T>
class SharedRef {
  public:
    SharedRef(T& value, ByteAddress address, std::uint32_t line) : value_(&value), address_(address), line_(line) {}

    class Read : public Awaited {
      public:
        Read(const T& value, const CpuRequest& request) : Awaited(request), value_(&value) {}
        T await_resume() const noexcept { return *value_; }

      private:
        const T* value_;
    };
    class Write : public Awaited {
      public:
        Write(T& to, T value, const CpuRequest& request) : Awaited(request), to_(&to), value_(value) {}
        void await_resume() const noexcept { *to_ = value_; }

      private:
        T* to_;
        T value_;
    };
    class Add : public Awaited {
      public:
        Add(T& to, T more, const CpuRequest& request) : Awaited(request), to_(&to), more_(more) {}
        T await_resume() const noexcept {
            const T before = *to_;
            *to_ = before + more_;
            return before;
        }

      private:
        T* to_;
        T more_;
    };
    class Swap : public Awaited {
      public:
        Swap(T& to, T value, const CpuRequest& request) : Awaited(request), to_(&to), value_(value) {}
        T await_resume() const noexcept { return std::exchange(*to_, value_); }

      private:
        T* to_;
        T value_;
    };

    Read operator co_await() const { return {*value_, request(CpuRequest::Kind::access, Op::read)}; }
    Write operator=(T value) const {  // NOLINT
        return {*value_, value, request(CpuRequest::Kind::access, Op::write, value)};
    }
    /// Atomically adds; returns the previous value.
    Add add(T more) const {
        CpuRequest adding = request(CpuRequest::Kind::modify, Op::read, more);
        adding.adds = true;
        return {*value_, more, adding};
    }
    /// Atomically exchanges; returns the previous value.
    Swap swap(T value) const { return {*value_, value, request(CpuRequest::Kind::modify, Op::read, value)}; }

  private:
    CpuRequest request(CpuRequest::Kind kind, Op op) const {
        return {.kind = kind,
                .op = op,
                .size = sizeof(T),
                .address = address_,
                .line = line_,
                .memory = value_,
                .read = [](const void* memory) { return asNumber(*static_cast<const T*>(memory)); }};
    }
    CpuRequest request(CpuRequest::Kind kind, Op op, const T& value) const {
        CpuRequest made = request(kind, op);
        made.written = asNumber(value);
        return made;
    }

    T* value_;
    ByteAddress address_;
    std::uint32_t line_;
};

/// One value.
template <class T>
class SharedWord {
  public:
    SharedWord() = default;
    /// Places the value at the next suitably aligned address from `next` on, and advances `next` past it.
    explicit SharedWord(ByteAddress& next, T value = {})
        : value_(value), address_((next.value + sizeof(T) - 1) / sizeof(T) * sizeof(T)) {
        next.value = address_.value + sizeof(T);
    }

    SharedRef<T> operator()(std::uint32_t line = __builtin_LINE()) { return {value_, address_, line}; }
    /// The value; this access is not recorded.
    const T& value() const { return value_; }
    T& value() { return value_; }
    ByteAddress address() const { return address_; }

  private:
    T value_{};
    ByteAddress address_;
};

/// Consecutive values.
template <class T>
class SharedArray {
  public:
    SharedArray() = default;
    SharedArray(ByteAddress& next, std::size_t count, T value = {}) : values_(count, value), base_(next) {
        next.value += count * sizeof(T);
    }

    SharedRef<T> operator()(int i, std::uint32_t line = __builtin_LINE()) {
        assert(i >= 0 && static_cast<std::size_t>(i) < values_.size());
        const auto at = static_cast<std::size_t>(i);
        return {values_[at], ByteAddress{base_.value + at * sizeof(T)}, line};
    }
    const std::vector<T>& values() const { return values_; }
    std::vector<T>& values() { return values_; }
    ByteAddress base() const { return base_; }
    std::uint64_t bytes() const { return values_.size() * sizeof(T); }

  private:
    std::vector<T> values_;
    ByteAddress base_;
};

// Synchronisation between the CPUs of a parallel program, in the manner of the ANL macros (Lusk, Overbeek et al.,
// "Portable Programs for Parallel Processors", 1987). Its accesses to shared memory are attributed to the calling line.

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
