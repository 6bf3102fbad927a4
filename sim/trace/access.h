// One access: a load or a store, by one CPU, of `size` bytes at an address, from a source line; and the values that
// accesses read or wrote.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

enum class Op : std::uint8_t { read, write };

/// Index into Trace::sites(): the source line that made the access. Site 0 means unknown.
using SiteId = Strong<struct SiteIdTag, std::uint32_t>;

/// The largest access in bytes (8 MiB - 1), limited by the packed form.
inline constexpr std::uint32_t kMaxAccessSize = (1u << 23) - 1;

struct Access {
    ByteAddress address;
    std::uint32_t size = 1;  ///< bytes, 1 to kMaxAccessSize
    Op op = Op::read;
    std::uint8_t cpu = 0;     ///< 0 to kMaxCpus - 1
    bool modify = false;      ///< the write half of a modify; the preceding access is its read
    bool unrecorded = false;  ///< simulated, but not counted or displayed
    SiteId site;

    bool isWrite() const { return op == Op::write; }
    /// The last byte.
    ByteAddress last() const { return ByteAddress{address.value + (size - 1)}; }
    bool operator==(const Access&) const = default;
};

/// An access packed into 16 bytes.
class PackedAccess {
  public:
    /// A placeholder: a read of 0 bytes.
    PackedAccess() = default;
    /// An access from its parts, as rest() returns them.
    PackedAccess(ByteAddress address, SiteId site, std::uint32_t rest)
        : address_(address.value), site_(site.value), rest_(rest) {}
    /// An access by the first CPU, from its parts.
    PackedAccess(Op op, ByteAddress address, std::uint32_t size, SiteId site)
        : address_(address.value),
          site_(site.value),
          rest_(size | static_cast<std::uint32_t>(op == Op::write) << kWrite) {}
    explicit PackedAccess(const Access& a)
        : address_(a.address.value),
          site_(a.site.value),
          rest_(a.size | static_cast<std::uint32_t>(a.cpu) << kCpu | static_cast<std::uint32_t>(a.isWrite()) << kWrite |
                static_cast<std::uint32_t>(a.modify) << kModify |
                static_cast<std::uint32_t>(a.unrecorded) << kUnrecorded) {}

    ByteAddress address() const { return ByteAddress{address_}; }
    std::uint32_t size() const { return rest_ & kMaxAccessSize; }
    std::uint8_t cpu() const { return static_cast<std::uint8_t>(rest_ >> kCpu & 63); }
    bool isWrite() const { return (rest_ >> kWrite & 1) != 0; }
    bool modify() const { return (rest_ >> kModify & 1) != 0; }
    bool unrecorded() const { return (rest_ >> kUnrecorded & 1) != 0; }
    SiteId site() const { return SiteId{site_}; }
    /// Size, CPU and flags in one number: they are the same for all executions of an instruction.
    std::uint32_t rest() const { return rest_; }
    bool operator==(const PackedAccess&) const = default;

    Access unpack() const {
        return {.address = address(),
                .size = size(),
                .op = isWrite() ? Op::write : Op::read,
                .cpu = cpu(),
                .modify = modify(),
                .unrecorded = unrecorded(),
                .site = site()};
    }

  private:
    static constexpr unsigned kCpu = 23;
    static constexpr unsigned kWrite = 29;
    static constexpr unsigned kModify = 30;
    static constexpr unsigned kUnrecorded = 31;

    std::uint64_t address_ = 0;
    std::uint32_t site_ = 0;
    std::uint32_t rest_ = 0;  ///< size: bits 0 to 22, then cpu: 6 bits, and the flags
};
static_assert(sizeof(PackedAccess) == 16);

/// A number in memory as a double; NaN for a value that is not a number.
template <class T>
double asNumber(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(value);
    } else {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

/// The values that accesses read or wrote, if the program provides them: only the built-in ones do.
class ValueLog {
  public:
    /// The maximum number of accesses, from the first on; 8 bytes each.
    static constexpr std::uint64_t kMax = std::uint64_t{1} << 22;

    /// Stores the value of an access. Ticks must ascend; NaN is not stored.
    void put(Tick at, double value) {
        if (std::isnan(value) || at.value >= kMax) return;
        values_.resize(at.value, std::numeric_limits<double>::quiet_NaN());
        values_.push_back(value);
    }
    /// The value of an access; nothing if it is unknown.
    std::optional<double> at(Tick tick) const {
        if (tick.value >= values_.size() || std::isnan(values_[tick.value])) return std::nullopt;
        return values_[tick.value];
    }
    bool empty() const { return values_.empty(); }

  private:
    std::vector<double> values_;  ///< by tick; NaN: unknown
};

}  // namespace whorl::sim
