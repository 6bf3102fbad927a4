// What delayed the accesses of a trace, packed: a program on several CPUs has one for every third access, of a few
// bytes each, as they are in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/base/varint.h"

namespace whorl::sim {

/// What delayed the start of an access.
struct Delay {
    static constexpr Tick kNoAccess{~std::uint64_t{0}};

    Tick at;                 ///< the access
    std::uint64_t work = 0;  ///< cycles of computation since the CPU's previous access, or since it woke up
    Tick after =
        kNoAccess;  ///< the earlier access whose completion woke the CPU (a lock released, a barrier completed)

    bool operator==(const Delay&) const = default;
};

/// A list of them, in order of access, at most one for each.
class DelayList {
  public:
    /// Goes through a list, which must neither change nor move meanwhile.
    class Cursor {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Delay;
        using difference_type = std::ptrdiff_t;
        using pointer = const Delay*;
        using reference = const Delay&;

        Cursor() = default;
        explicit Cursor(const DelayList& list) : rest_(list.bytes_) { advance(); }

        /// Whether there is one; then it is the delay of the access `at`.
        bool isAt(Tick at) const { return has_ && delay_.at == at; }
        bool isBefore(Tick at) const { return has_ && delay_.at < at; }
        const Delay& operator*() const { return delay_; }
        const Delay* operator->() const { return &delay_; }
        Cursor& operator++() {
            advance();
            return *this;
        }
        void operator++(int) { advance(); }
        /// Whether both are at the end, or at the same delay of a list.
        bool operator==(const Cursor& other) const {
            return has_ == other.has_ && (!has_ || rest_.size() == other.rest_.size());
        }

      private:
        void advance();

        std::string_view rest_;
        Delay delay_;
        bool has_ = false;
    };

    DelayList() = default;
    DelayList(std::initializer_list<Delay> delays) {
        for (const Delay& delay : delays) push_back(delay);
    }

    /// `delay` is of a later access than those before it, and `after` an earlier one.
    void push_back(const Delay& delay);
    Cursor begin() const { return Cursor(*this); }
    Cursor end() const { return {}; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// What it takes in memory.
    std::size_t bytes() const { return bytes_.capacity(); }
    /// Gives back what it has in store for more.
    void shrink() { bytes_.shrink_to_fit(); }
    bool operator==(const DelayList& other) const { return bytes_ == other.bytes_; }

  private:
    std::string bytes_;
    std::size_t size_ = 0;
    Tick last_;
};

}  // namespace whorl::sim
