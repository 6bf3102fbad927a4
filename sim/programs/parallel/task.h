// A task is what a CPU of a parallel program runs: a coroutine that suspends at each access to shared memory, and
// wherever it may have to wait, until its Team resumes it. A task may await another task, like a function call; it owns
// the task it awaits.
//
// Parameters of a task are references to objects that outlive it, or small values. Arrays in a task must be
// initialised: clang 14 loses one that is first written after a suspension.
#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "sim/cache/cost.h"
#include "sim/trace/access.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/timing.h"

namespace whorl::sim {

class Bell;
class Lock;

/// Records the operations of a program's CPUs on locks and barriers.
class SyncNotes {
  public:
    virtual ~SyncNotes() = default;
    /// `object` is the number of the lock or barrier; 0: none yet, in which case the first note assigns one.
    virtual void note(std::uint8_t cpu, SyncKind kind, std::uint32_t& object) = 0;
};

/// Cycles that a CPU takes to begin an access.
inline constexpr Cycles kCyclesPerAccess = 1;

/// The operation that a CPU requests from the Team.
struct CpuRequest {
    enum class Kind : std::uint8_t {
        nothing,
        access,
        modify,   ///< an atomic read and write of the same bytes
        acquire,  ///< acquire the lock and write its word
        release,  ///< write the lock's word and release it
        sleep,    ///< wait until the bell rings
        join,     ///< wait until all others have finished
    };
    Kind kind = Kind::nothing;
    Op op = Op::read;
    std::uint32_t size = 0;
    ByteAddress address;
    std::uint32_t line = 0;  ///< line of the kernel's file
    Lock* lock = nullptr;
    Bell* bell = nullptr;
    // The value in memory: read() returns it at the time of the access; it is null if the memory is not a number. A
    // write stores `written`, or adds it. NaN means unknown.
    const void* memory = nullptr;
    double (*read)(const void* memory) = nullptr;
    double written = std::numeric_limits<double>::quiet_NaN();
    bool adds = false;

    /// The value that the operation reads or writes now.
    double value(Op operation) const {
        const double before = read == nullptr ? std::numeric_limits<double>::quiet_NaN() : read(memory);
        if (operation == Op::read) return before;
        return adds ? before + written : written;
    }
};

/// The state of a CPU of a team, shared by its coroutines and the Team.
struct Member {
    std::coroutine_handle<> running;  ///< the innermost task
    CpuRequest request;
    std::uint32_t cpu = 0;
    SyncNotes* notes = nullptr;
    Cycles now = 0;                 ///< end of the CPU's last access
    Cycles work = 0;                ///< cycles of work since then, or since it woke up
    Tick last = Delay::kNoAccess;   ///< the CPU's last access
    Tick after = Delay::kNoAccess;  ///< the access that woke it up; none if it has not slept since its last access
    Cycles woken = 0;               ///< end of that access
    bool asleep = false;
    bool finished = false;

    /// The earliest start of the CPU's next access, computed as by Clock.
    Cycles start() const { return std::max(now + kCyclesPerAccess, woken) + work; }
    /// Wakes the CPU: it continues `more` cycles after the access `by`, which ended at `end`, or when it is ready
    /// itself.
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

    /// Returns to the awaiting task at the end.
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
    /// Propagates the exception to the Team, which resumed the task.
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

    /// Makes this the task that a CPU runs next.
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

/// Suspends a task until the Team has served its request.
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

/// Records an operation of a CPU on a lock or barrier, without suspending the CPU.
class Noted {
  public:
    Noted(SyncKind kind, std::uint32_t& object) : kind_(kind), object_(object) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> self) {
        const Member& member = *self.promise().member;
        if (member.notes != nullptr) member.notes->note(static_cast<std::uint8_t>(member.cpu), kind_, object_);
        return false;
    }
    void await_resume() const noexcept {}

  private:
    SyncKind kind_;
    std::uint32_t& object_;
};

/// Cycles of computation without accesses to shared memory: co_await work(3).
class work {  // NOLINT(readability-identifier-naming): reads as a verb
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
