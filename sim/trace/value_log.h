// The values that accesses read or wrote, if the program provides them: only the built-in ones do.
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

/// A number in memory as a double; NaN for a value that is not a number.
template <class T>
double asNumber(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(value);
    } else {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

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
