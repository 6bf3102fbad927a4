// Why an access missed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace whorl::sim {

enum class MissKind : std::uint8_t {
    compulsory,    ///< the block was never in the cache before
    capacity,      ///< a fully associative LRU cache of the same size would not have it either
    conflict,      ///< … would have it
    trueSharing,   ///< another CPU's write took it away, and a word was used that the other CPU had written
    falseSharing,  ///< … but no such word was used while the block stayed
};

inline constexpr std::size_t kMissKinds = 5;
/// "compulsory", "capacity", "conflict", "true sharing", "false sharing".
inline constexpr std::array<std::string_view, kMissKinds> kMissKindWords = {"compulsory", "capacity", "conflict",
                                                                            "true sharing", "false sharing"};

/// The kinds of a level's misses, in the order in which they happened. Half a byte each.
class MissKindList {
  public:
    std::uint64_t size() const { return size_; }
    MissKind operator[](std::uint64_t i) const { return static_cast<MissKind>(halves_[i / 2] >> (i % 2 * 4) & 0xf); }
    void add(MissKind kind) {
        if (size_ % 2 == 0) halves_.push_back(0);
        halves_.back() |= static_cast<std::uint8_t>(static_cast<unsigned>(kind) << (size_ % 2 * 4));
        ++size_;
    }
    void change(std::uint64_t i, MissKind kind) {
        const unsigned shift = i % 2 * 4;
        halves_[i / 2] =
            static_cast<std::uint8_t>((halves_[i / 2] & ~(0xfu << shift)) | static_cast<unsigned>(kind) << shift);
    }
    std::size_t bytes() const { return halves_.capacity(); }

  private:
    std::vector<std::uint8_t> halves_;
    std::uint64_t size_ = 0;
};

}  // namespace whorl::sim
