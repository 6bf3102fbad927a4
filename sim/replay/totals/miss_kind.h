// Why an access missed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::sim {

enum class MissKind : std::uint8_t {
    compulsory,    ///< the block was never requested from the cache before
    capacity,      ///< a fully associative LRU cache of the same size would not have it either
    conflict,      ///< … would have it
    trueSharing,   ///< invalidated by another CPU's write, and a word that the other CPU had written was used
    falseSharing,  ///< … but no such word was used while the block was resident
};

inline constexpr std::size_t kMissKinds = 5;
/// The kinds in words, for texts.
inline constexpr std::array<std::string_view, kMissKinds> kMissKindWords = {"compulsory", "capacity", "conflict",
                                                                            "true sharing", "false sharing"};
/// The kinds as keys in JSON and CSV.
inline constexpr std::array<std::string_view, kMissKinds> kMissKindKeys = {"compulsory", "capacity", "conflict",
                                                                           "true_sharing", "false_sharing"};

constexpr bool isBySharing(MissKind kind) {
    return kind == MissKind::trueSharing || kind == MissKind::falseSharing;
}
/// Whether a machine can have misses of a kind.
inline bool isPossible(MissKind kind, const MachineConfig& machine) {
    return !isBySharing(kind) || machine.isCoherent();
}

/// The kinds of a level's misses, in order of occurrence, half a byte each. A copy shares all but the last few with its
/// original, whatever their number; shared data is never written to.
class MissKindList {
  public:
    std::uint64_t size() const { return chunks_.size() * kChunk + last_.size; }
    MissKind operator[](std::uint64_t i) const {
        return i / kChunk < chunks_.size() ? chunks_[i / kChunk]->at(i % kChunk) : last_.at(i % kChunk);
    }
    void add(MissKind kind) {
        last_.add(kind);
        if (last_.size == kChunk) [[unlikely]] {
            chunks_.push_back(std::make_shared<const Chunk>(last_));
            last_ = {};
        }
    }
    void change(std::uint64_t i, MissKind kind) {
        if (i / kChunk == chunks_.size()) {
            last_.change(i % kChunk, kind);
            return;
        }
        std::shared_ptr<const Chunk>& chunk = chunks_[i / kChunk];
        Chunk changed = *chunk;
        changed.change(i % kChunk, kind);
        chunk = std::make_shared<const Chunk>(changed);
    }
    std::size_t bytes() const { return sizeof *this + chunks_.size() * sizeof(Chunk); }

  private:
    static constexpr std::uint32_t kChunk = 1 << 14;  ///< small enough to copy when one kind changes late

    struct Chunk {
        std::uint32_t size = 0;
        std::array<std::uint8_t, kChunk / 2> halves{};

        MissKind at(std::uint64_t i) const { return static_cast<MissKind>(halves[i / 2] >> (i % 2 * 4) & 0xf); }
        void add(MissKind kind) {
            halves[size / 2] |= static_cast<std::uint8_t>(static_cast<unsigned>(kind) << (size % 2 * 4));
            ++size;
        }
        void change(std::uint64_t i, MissKind kind) {
            const unsigned shift = i % 2 * 4;
            halves[i / 2] =
                static_cast<std::uint8_t>((halves[i / 2] & ~(0xfu << shift)) | static_cast<unsigned>(kind) << shift);
        }
    };

    std::vector<std::shared_ptr<const Chunk>> chunks_;  ///< the full chunks
    Chunk last_;
};

/// Returns the kinds of the misses from a tick on, one after the other, from the lists of a run: for replaying a range
/// of that run.
class MissKindReader {
  public:
    /// `missed`: the number of earlier misses of each level.
    MissKindReader(std::shared_ptr<const std::vector<MissKindList>> lists, std::vector<std::uint64_t> missed)
        : lists_(std::move(lists)), missed_(std::move(missed)) {}

    /// The kind of the next miss of a level; compulsory for misses not listed yet.
    MissKind next(std::size_t level) {
        const std::uint64_t miss = missed_[level]++;
        const MissKindList& list = (*lists_)[level];
        return miss < list.size() ? list[miss] : MissKind::compulsory;
    }
    /// Replaces the lists by longer lists of the same run.
    void update(std::shared_ptr<const std::vector<MissKindList>> lists) { lists_ = std::move(lists); }
    /// The number of misses of each level so far.
    const std::vector<std::uint64_t>& missed() const { return missed_; }

  private:
    std::shared_ptr<const std::vector<MissKindList>> lists_;
    std::vector<std::uint64_t> missed_;
};

}  // namespace whorl::sim
