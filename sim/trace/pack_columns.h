// Definitions that the encoder and the decoder of packs, and who selects addresses for dictionaries, share: the
// columns, the codes, and the prediction state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace whorl::sim {

/// The first bytes of a pack. (A pack of version 1 begins with its number of accesses, which is smaller.)
inline constexpr std::uint32_t kPackMark = 0x4b434150;  // "PACK"

/// The columns of a pack, in the order in which they are stored. Numbers of several bytes have a column for each byte,
/// since bytes of the same weight resemble each other most.
enum class PackColumn : std::uint8_t {
    codes,
    residuals,  ///< all bytes of the residuals, or only the lowest ones
    residuals1,
    residuals2,
    residuals3,  ///< the fourth byte and those after it
    entries,
    entries1,
    entries2,
    knownKeys,
    knownKeys1,
    knownKeys2,
    keySites,
    keyRests,
    stamps
};
inline constexpr std::size_t kPackColumns = 14;
inline constexpr std::size_t kResidualColumns = 4;

/// The lower two bits of a code: how to find the key of an access.
enum class KeyFrom : std::uint8_t { successor, otherSuccessor, knownKeys, isNew };

/// The upper six bits of a code: how to find the address.
inline constexpr unsigned kByStep = 0;    ///< the key's last address plus its last step
inline constexpr unsigned kByOffset = 1;  ///< the preceding access's address plus the key's last offset from it
/// From here on, a residual of one of six widths relative to one of eight bases.
inline constexpr unsigned kByResidual = 2;
inline constexpr std::array<std::uint8_t, 6> kWidths = {1, 2, 3, 4, 6, 8};
inline constexpr unsigned kBases = 8;  ///< base 0: the key's last address; base n: the n-th access before
/// From here on, a residual of one of six widths relative to 0.
inline constexpr unsigned kAbsolute = kByResidual + kBases * kWidths.size();
/// From here on, with the help of a dictionary: an entry; a successor of the last entry accessed; a successor of the
/// last entry that the key accessed.
inline constexpr unsigned kByEntry = kAbsolute + kWidths.size();
inline constexpr unsigned kAfterLast = kByEntry + 1;
inline constexpr unsigned kAfterKeys = kAfterLast + 2;
inline constexpr unsigned kAddressCodes = kAfterKeys + 2;
static_assert(kAddressCodes <= 64);

/// The prediction state of a key. Key 0 precedes the first access and is never a successor, so as a successor it means
/// "a new key".
struct ChunkKey {
    std::uint64_t last = 0;    ///< the key's last address
    std::uint64_t step = 0;    ///< last address minus the one before
    std::uint64_t offset = 0;  ///< last address minus that of the access that preceded it
    std::uint32_t site = 0;
    std::uint32_t rest = 0;

    void moveTo(std::uint64_t address, std::uint64_t before) {
        step = address - last;
        offset = address - before;
        last = address;
    }
};

/// The key that followed a key last time, and the last different one before that.
struct Successors {
    std::uint32_t recent = 0;
    std::uint32_t other = 0;

    void follow(std::uint32_t key) {
        other = recent == key ? other : recent;
        recent = key;
    }
};

/// Hash table of keys with open addressing, at most half full. A slot is valid only for the pack that last wrote it, so
/// that the table need not be cleared.
class KeyTable {
  public:
    void nextPack() {
        size_ = 0;
        if (++pack_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            pack_ = 1;
        }
    }
    /// The key for a site and rest; if there is none, `fresh` is inserted.
    std::uint32_t find(std::uint32_t site, std::uint32_t rest, std::uint32_t fresh) {
        Slot& slot = slotFor(std::uint64_t{site} << 32 | rest);
        if (slot.pack == pack_) return slot.key;
        slot = {.what = std::uint64_t{site} << 32 | rest, .key = fresh, .pack = pack_};
        if (++size_ > slots_.size() / 2) grow();
        return fresh;
    }

  private:
    struct Slot {
        std::uint64_t what = 0;
        std::uint32_t key = 0;
        std::uint32_t pack = 0;
    };
    std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << 12);
    std::size_t size_ = 0;
    std::uint32_t pack_ = 0;

    Slot& slotFor(std::uint64_t what) {
        for (std::size_t i = what * 0x9e3779b97f4a7c15 >> 32;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.pack != pack_ || slot.what == what) return slot;
        }
    }
    void grow() {
        const std::vector<Slot> had = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
        for (const Slot& slot : had) {
            if (slot.pack == pack_) slotFor(slot.what) = slot;
        }
    }
};

/// Rotates flags and CPU to the low bits, so that the varint mostly takes one or two bytes.
constexpr std::uint32_t turned(std::uint32_t rest) {
    return rest << 9 | rest >> 23;
}
constexpr std::uint32_t turnedBack(std::uint32_t rest) {
    return rest >> 9 | rest << 23;
}

/// Measures, while accesses are encoded, what a dictionary for them might gain, many times quicker than one is built:
/// on a sample of the addresses.
class SuccessorMeter {
  public:
    /// An address that takes so many bytes, as it is far from all that predict it; `last` is the one that the
    /// instruction accessed before.
    void add(std::uint64_t address, std::uint64_t last, std::size_t bytes) {
        ++seen_;
        const std::uint64_t hash = std::exchange(before_, address) * kFactor;
        if (hash % kSample != 0) return;
        const auto tag = static_cast<std::uint16_t>(address ^ address >> 16 ^ address >> 32);
        bool isRepeated = follows(hash, tag);
        isRepeated = follows(~last * kFactor, tag) || isRepeated;
        ++sampled_;
        repeated_ += isRepeated ? 1 : 0;
        if (bytes < kWide) return;
        wideBytes_ += kSample * bytes;
        recurring_ += std::exchange(met_[address * kFactor >> (64 - kBits)], std::uint8_t{1});
    }
    /// Whether, of so many accesses, many addresses followed one that they had followed before, or many that take long
    /// residuals were met before. Without a dictionary the accesses take so many `bytes`: if that is little, zstd has
    /// found the same.
    bool isPromising(std::size_t accesses, std::size_t bytes) const {
        const std::size_t repeated = sampled_ == 0 ? 0 : seen_ * repeated_ / sampled_;
        const bool areRepeated = kLeast * repeated > accesses && 3 * repeated > seen_ && repeated < 2 * bytes;
        return areRepeated || (3 * wideBytes_ > bytes && 2 * recurring_ > sampled_);
    }

  private:
    static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
    static constexpr unsigned kBits = 18;
    static constexpr std::size_t kSample = 8;  ///< one in so many
    static constexpr std::size_t kLeast = 7;   ///< one in so many accesses
    static constexpr std::size_t kWide = 4;    ///< bytes; an entry takes two or three

    /// The two addresses that followed one last, by hash of that one: 16 bits of each.
    std::vector<std::uint32_t> after_ = std::vector<std::uint32_t>(std::size_t{1} << kBits);
    std::vector<std::uint8_t> met_ = std::vector<std::uint8_t>(std::size_t{1} << kBits);  ///< 1: met, by hash
    std::uint64_t before_ = 0;
    std::size_t seen_ = 0;
    std::size_t sampled_ = 0;
    std::size_t repeated_ = 0;
    std::size_t wideBytes_ = 0;  ///< of all, by the sample
    std::size_t recurring_ = 0;

    bool follows(std::uint64_t hash, std::uint16_t tag) {
        std::uint32_t& known = after_[hash >> (64 - kBits)];
        const bool isRecent = static_cast<std::uint16_t>(known) == tag;
        const bool isOther = known >> 16 == tag;
        if (!isRecent) known = known << 16 | tag;
        return isRecent || isOther;
    }
};

}  // namespace whorl::sim
