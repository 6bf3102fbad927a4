// Shared memory of a parallel program: values with addresses. A kernel reads with co_await a(i) and writes with
// co_await (a(i) = value); each suspends it until its CPU has made the access, in the order of all CPUs' clocks.
//
// In co_await a(i) + co_await b(i) the left operand is read first.
#pragma once

#include <cassert>
#include <cstdint>
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

}  // namespace whorl::sim
