// The steps, in bytes, between the accesses of an instruction: to the same place again, to the neighbour, always as
// far, or anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace whorl::sim {

enum class StrideClass : std::uint8_t {
    none,       ///< there are no steps: nothing was accessed twice
    same,       ///< the same address again
    unit,       ///< by its own size, up or down
    constant,   ///< by any other number of bytes, mostly the same
    irregular,  ///< no class has half of the steps
};

/// "none", "same", "unit", "constant", "irregular".
std::string_view wordFor(StrideClass stride);

/// The class that most steps belong to.
struct StrideSummary {
    StrideClass stride = StrideClass::none;
    std::int64_t bytes = 0;    ///< step of a constant stride
    std::uint64_t steps = 0;   ///< number of steps from one access to the next
    std::uint64_t ofThem = 0;  ///< steps of the class; for irregular ones, all that are neither same nor unit

    double share() const { return steps == 0 ? 0.0 : static_cast<double>(ofThem) / static_cast<double>(steps); }
    bool operator==(const StrideSummary&) const = default;
};

/// Counts steps. Exact for up to kMaxStrides different ones; beyond, the rare ones are forgotten from time to time,
/// and count as irregular.
class StrideTally {
  public:
    static constexpr std::size_t kMaxStrides = 256;

    /// A step to an access of `size` bytes.
    void add(std::int64_t bytes, std::uint32_t size) {
        ++steps_;
        if (bytes == 0) {
            ++same_;
        } else if (bytes == std::int64_t{size} || bytes == -std::int64_t{size}) {
            ++unit_;
        } else {
            count(bytes, 1);
        }
    }
    StrideTally& operator+=(const StrideTally& more);
    StrideSummary summary() const;

  private:
    void count(std::int64_t bytes, std::uint64_t times) {
        others_[bytes] += times;
        if (others_.size() > kMaxStrides) forgetRare();
    }
    void forgetRare();

    std::uint64_t steps_ = 0;
    std::uint64_t same_ = 0;
    std::uint64_t unit_ = 0;
    std::unordered_map<std::int64_t, std::uint64_t> others_;
};

}  // namespace whorl::sim
