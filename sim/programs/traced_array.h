// Arrays that record each access. a(i) is not the element but a reference that knows its address and the source line:
// reading its value records a read, assigning to it records a write, in a well-defined order.
//
// The evaluation order of the operands of built-in operators is unspecified; so references have operators of their own,
// which read left, then right. std::source_location would be the standard way to get the line, but clang 14 lacks it.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/programs/access_recorder.h"

namespace whorl::sim {

template <class T>
class Ref {
  public:
    Ref(AccessRecorder& recorder, T& element, ByteAddress address, std::uint32_t line)
        : recorder_(&recorder), element_(&element), address_(address), line_(line) {}
    Ref(const Ref&) = default;

    operator T() const {  // NOLINT(google-explicit-constructor): acts as the element
        recorder_->record(Op::read, address_, sizeof(T), line_, asNumber(*element_));
        return *element_;
    }
    const Ref& operator=(T value) const {
        recorder_->record(Op::write, address_, sizeof(T), line_, asNumber(value));
        *element_ = value;
        return *this;
    }
    /// Copies the element; self-assignment is a read and a write like any other.
    const Ref& operator=(const Ref& other) const { return *this = T{other}; }  // NOLINT(bugprone-unhandled-self-*)
    const Ref& operator+=(T value) const { return *this = T{*this} + value; }

    friend T operator+(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a + b; });
    }
    friend T operator-(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a - b; });
    }
    friend T operator*(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a * b; });
    }
    friend T operator/(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a / b; });
    }
    friend bool operator<(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a < b; });
    }
    friend bool operator>(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a > b; });
    }
    friend bool operator<=(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a <= b; });
    }
    friend bool operator>=(const Ref& l, const Ref& r) {
        return ordered(l, r, [](T a, T b) { return a >= b; });
    }

  private:
    template <class F>
    static auto ordered(const Ref& l, const Ref& r, F f) {
        const T left = l;
        const T right = r;
        return f(left, right);
    }

    AccessRecorder* recorder_;
    T* element_;
    ByteAddress address_;
    std::uint32_t line_;
};

/// A one-dimensional array. The recorder must outlive it.
template <class T>
class TracedArray {
  public:
    /// `align` in bytes; 0 means the alignment of T.
    TracedArray(AccessRecorder& recorder, const std::string& name, std::vector<T> values, std::uint64_t align = 0)
        : recorder_(recorder), values_(std::move(values)) {
        base_ = recorder.allocate({.name = name,
                                   .base = {},
                                   .size = values_.size() * sizeof(T),
                                   .elementSize = sizeof(T),
                                   .rows = values_.size()},
                                  align == 0 ? alignof(T) : align);
    }

    Ref<T> operator()(int i, std::uint32_t line = __builtin_LINE()) {
        assert(i >= 0 && static_cast<std::size_t>(i) < values_.size());
        const auto at = static_cast<std::size_t>(i);
        return {recorder_, values_[at], ByteAddress{base_.value + at * sizeof(T)}, line};
    }

    /// The elements; this access is not recorded.
    const std::vector<T>& values() const { return values_; }

  private:
    AccessRecorder& recorder_;
    std::vector<T> values_;
    ByteAddress base_;
};

/// A matrix in row-major order. The recorder must outlive it.
template <class T>
class TracedMatrix {
  public:
    TracedMatrix(AccessRecorder& recorder, const std::string& name, int rows, int columns, std::vector<T> values)
        : recorder_(recorder),
          rows_(static_cast<std::size_t>(rows)),
          columns_(static_cast<std::size_t>(columns)),
          values_(std::move(values)) {
        assert(values_.size() == rows_ * columns_);
        base_ = recorder.allocate({.name = name,
                                   .base = {},
                                   .size = values_.size() * sizeof(T),
                                   .elementSize = sizeof(T),
                                   .rows = rows_,
                                   .columns = columns_},
                                  alignof(T));
    }

    Ref<T> operator()(int row, int column, std::uint32_t line = __builtin_LINE()) {
        assert(row >= 0 && static_cast<std::size_t>(row) < rows_);
        assert(column >= 0 && static_cast<std::size_t>(column) < columns_);
        const std::size_t at = static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column);
        return {recorder_, values_[at], ByteAddress{base_.value + at * sizeof(T)}, line};
    }

    const std::vector<T>& values() const { return values_; }

  private:
    AccessRecorder& recorder_;
    std::size_t rows_;
    std::size_t columns_;
    std::vector<T> values_;
    ByteAddress base_;
};

}  // namespace whorl::sim
