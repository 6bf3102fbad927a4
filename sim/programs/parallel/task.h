// What a CPU of a parallel program runs: a coroutine that stops at each access to shared memory, and wherever it may
// have to wait, until its Team lets it go on. A task may await another one, as a function calls one; it owns what it
// awaits.
//
// Parameters of a task are references to what outlives it, or small values. An array in a task has a value from the
// start: clang 14 loses one that is first filled after the task has stopped.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "sim/cache/cost.h"
#include "sim/trace/access.h"
#include "sim/trace/timing.h"

namespace whorl::sim {

class Bell;
class Lock;

/// Cycles in which a CPU begins an access.
inline constexpr Cycles kCyclesPerAccess = 1;

/// What a CPU wants to do next.
struct CpuRequest {
    enum class Kind : std::uint8_t {
        nothing,
        access,
        modify,   ///< a read and a write of the same bytes, with nothing in between
        acquire,  ///< to have the lock, and to write its word
        release,  ///< to write the lock's word, and to let it go
        sleep,    ///< until the bell rings
        join,     ///< until all others are through
    };
    Kind kind = Kind::nothing;
    Op op = Op::read;
    std::uint32_t size = 0;
    ByteAddress address;
    std::uint32_t line = 0;  ///< of the kernel's file
    Lock* lock = nullptr;
    Bell* bell = nullptr;
};

/// A CPU of a team, as its coroutines and the Team see it.
struct Member {
    std::coroutine_handle<> running;  ///< the innermost task
    CpuRequest request;
    std::uint32_t cpu = 0;
    Cycles now = 0;                 ///< when it was through with its last access
    Cycles work = 0;                ///< cycles of work since then, or since it woke up
    Tick last = Delay::kNoAccess;   ///< its last access
    Tick after = Delay::kNoAccess;  ///< the access that woke it up; nobody when it did not sleep since its last
    Cycles woken = 0;               ///< when that access ended
    bool asleep = false;
    bool finished = false;

    /// When its next access begins at the earliest: as Clock reckons it.
    Cycles start() const { return std::max(now + kCyclesPerAccess, woken) + work; }
    /// It goes on `more` cycles after the access `by`, which ended at `end`, or when it is ready itself.
    void wake(Tick by, Cycles end, Cycles more) {
        const Cycles ready = std::max(start(), end + more);
        if (after == Delay::kNoAccess || end > woken) {
            after = by;
            woken = end;
        }
        work = ready - std::max(now + kCyclesPerAccess, woken);
        asleep = false;
    }
};

struct TaskPromiseBase {
    Member* member = nullptr;
    std::coroutine_handle<> caller;

    /// Back to the caller when it ends.
    struct Return {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
            TaskPromiseBase& promise = self.promise();
            promise.member->running = promise.caller;
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    Return final_suspend() const noexcept { return {}; }
    /// To whoever resumed it, which is the Team.
    [[noreturn]] void unhandled_exception() const { throw; }
};

template <class T>
struct TaskPromise;

template <class T = void>
class [[nodiscard]] Task {
  public:
    using promise_type = TaskPromise<T>;

    explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    Task& operator=(Task&&) = delete;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() {
        if (frame_) frame_.destroy();
    }

    /// Makes it what a CPU runs first.
    void belongTo(Member& member) {
        frame_.promise().member = &member;
        member.running = frame_;
    }

    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        Member* member = caller.promise().member;
        frame_.promise().caller = caller;
        belongTo(*member);
    }
    T await_resume() const {
        if constexpr (!std::is_void_v<T>) return frame_.promise().value;
    }

  private:
    std::coroutine_handle<promise_type> frame_;
};

template <class T>
struct TaskPromise : TaskPromiseBase {
    T value{};
    Task<T> get_return_object() { return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this)); }
    void return_value(T given) { value = std::move(given); }
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
    Task<void> get_return_object() { return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this)); }
    void return_void() const noexcept {}
};

/// Stops a task until the Team has done what it wishes for.
class Awaited {
  public:
    explicit Awaited(const CpuRequest& request) : request_(request) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> self) noexcept {
        self.promise().member->request = request_;
    }
    void await_resume() const noexcept {}

  private:
    CpuRequest request_;
};

/// Lets the CPU work for so many cycles on what is not shared memory: co_await work(3).
class work {  // NOLINT(readability-identifier-naming): it reads as a verb
  public:
    explicit work(Cycles cycles) : cycles_(cycles) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
        self.promise().member->work += cycles_;
        return false;
    }
    void await_resume() const noexcept {}

  private:
    Cycles cycles_;
};

}  // namespace whorl::sim
