// A map from numbers to small values, for data looked up at every access or miss: an open-addressing hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace whorl::sim {

/// Any number but the largest may be a key.
template <class Value>
class NumberMap {
  public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    /// The value of a key; a new key gets Value{}. The reference is valid until another key is added or erased.
    Value& operator[](std::uint64_t key) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        std::size_t at = slotOf(key);
        while (slots_[at].key != key) {
            if (slots_[at].key == kNone) {
                slots_[at] = {key, Value{}};
                ++size_;
                break;
            }
            at = next(at);
        }
        return slots_[at].value;
    }
    /// The value of a key; null if it has none. The pointer is valid until another key is added or erased.
    const Value* find(std::uint64_t key) const {
        if (size_ == 0) return nullptr;
        for (std::size_t at = slotOf(key); slots_[at].key != kNone; at = next(at)) {
            if (slots_[at].key == key) return &slots_[at].value;
        }
        return nullptr;
    }
    void erase(std::uint64_t key) {
        if (size_ == 0) return;
        std::size_t gap = slotOf(key);
        while (slots_[gap].key != key) {
            if (slots_[gap].key == kNone) return;
            gap = next(gap);
        }
        // Move up the entries that follow, so that no search ends at the gap before it reaches them (Knuth, The Art of
        // Computer Programming 3, 6.4, algorithm R).
        for (std::size_t at = next(gap); slots_[at].key != kNone; at = next(at)) {
            const std::size_t wanted = slotOf(slots_[at].key);
            const bool isBetween = gap <= at ? gap < wanted && wanted <= at : gap < wanted || wanted <= at;
            if (isBetween) continue;
            slots_[gap] = std::move(slots_[at]);
            gap = at;
        }
        slots_[gap].key = kNone;
        --size_;
    }
    /// Calls f(key, const Value&) for each entry, in no particular order.
    template <class F>
    void forEach(F&& f) const {
        for (const Slot& slot : slots_) {
            if (slot.key != kNone) f(slot.key, slot.value);
        }
    }

  private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = kNone;
        [[no_unique_address]] Value value{};
    };

    /// Fibonacci hashing (ibid.).
    std::size_t slotOf(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15 >> shift_; }
    std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
    void grow() {
        --shift_;
        std::vector<Slot> old(std::size_t{1} << (64 - shift_));
        old.swap(slots_);
        for (Slot& slot : old) {
            if (slot.key == kNone) continue;
            std::size_t at = slotOf(slot.key);
            while (slots_[at].key != kNone) at = next(at);
            slots_[at] = std::move(slot);
        }
    }

    unsigned shift_ = 61;  ///< 64 minus the bits of the number of slots, once there are any
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace whorl::sim
