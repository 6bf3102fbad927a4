// The simulator's basic quantities as strong types, so that a byte address cannot be passed for a block address, nor a
// tick for cycles.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace whorl::sim {

/// A number tagged with its meaning. Arithmetic other than ++ is done explicitly on `value`.
template <class Tag, class Rep>
struct Strong {
    Rep value{};

    constexpr Strong() = default;
    constexpr explicit Strong(Rep v) : value(v) {}
    constexpr auto operator<=>(const Strong&) const = default;
    constexpr Strong& operator++() {
        ++value;
        return *this;
    }
};

/// An address in the program's address space.
using ByteAddress = Strong<struct ByteAddressTag, std::uint64_t>;
/// A byte address divided by the block size of a level; levels may have different block sizes.
using BlockAddress = Strong<struct BlockAddressTag, std::uint64_t>;
using SetIndex = Strong<struct SetIndexTag, std::uint32_t>;
using WayIndex = Strong<struct WayIndexTag, std::uint32_t>;
/// The index of an access in its trace, from 0. As a point in time, tick n is after n accesses.
using Tick = Strong<struct TickTag, std::uint64_t>;

/// The accesses [from, to) of a trace.
struct Range {
    Tick from;
    Tick to;

    constexpr std::uint64_t size() const { return to.value - from.value; }
    constexpr bool contains(Tick t) const { return from <= t && t < to; }
    constexpr bool operator==(const Range&) const = default;
};

/// Whether two memory ranges, neither empty nor reaching beyond the end of the address space, share a byte.
constexpr bool overlap(ByteAddress a, std::uint64_t bytesOfA, ByteAddress b, std::uint64_t bytesOfB) {
    return a.value - b.value < bytesOfB || b.value - a.value < bytesOfA;
}

/// The maximum number of CPUs of a machine and of a trace.
inline constexpr std::uint32_t kMaxCpus = 64;

constexpr bool isPowerOfTwo(std::uint64_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

/// Whether the rows of a table are in the order of their enumerators, from the first on without a gap: then an
/// enumerator is the index of its row.
template <class Rows, class Row, class Enumerator>
consteval bool isInOrder(const Rows& rows, Enumerator Row::*of) {
    std::size_t i = 0;
    for (const Row& row : rows) {
        if (static_cast<std::size_t>(row.*of) != i++) return false;
    }
    return true;
}

}  // namespace whorl::sim

template <class Tag, class Rep>
struct std::hash<whorl::sim::Strong<Tag, Rep>> {
    std::size_t operator()(const whorl::sim::Strong<Tag, Rep>& s) const noexcept { return std::hash<Rep>{}(s.value); }
};
