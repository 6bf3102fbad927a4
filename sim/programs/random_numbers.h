// Pseudo-random numbers, the same on every platform (splitmix64, Steele et al., 2014).
#pragma once

#include <cstdint>

namespace whorl::sim {

class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
    /// From 0 to below `bound`.
    int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }

  private:
    std::uint64_t state_;
};

}  // namespace whorl::sim
