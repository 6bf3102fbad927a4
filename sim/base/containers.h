// Containers for data about many numbers or blocks, some of which are looked up at every access or miss.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// A map from numbers to small values: an open-addressing hash table. Any number but the largest may be a key.
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

/// Consecutive ids for block addresses, in order of first use, so that data about blocks can be kept in plain arrays
/// indexed by id. An open-addressing hash table of pages of 64 blocks: neighbouring blocks are used together, so their
/// ids share a page.
class BlockIds {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// The id of a block; assigns the next id if the block is new.
    std::uint32_t of(BlockAddress block) {
        const std::uint64_t page = block.value / kPage;
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone && slots_[at].page != page) at = (at + 1) & (slots_.size() - 1);
        if (slots_[at].place == kNone) [[unlikely]] {
            at = addPage(page, at);
        }
        std::uint32_t& id = ids_[slots_[at].place * kPage + block.value % kPage];
        if (id == kNone) [[unlikely]] {
            id = static_cast<std::uint32_t>(blocks_.size());
            blocks_.push_back(block);
        }
        return id;
    }
    /// The id of a block, or kNone if it has none.
    std::uint32_t find(BlockAddress block) const {
        const std::uint64_t page = block.value / kPage;
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone && slots_[at].page != page) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].place == kNone ? kNone : ids_[slots_[at].place * kPage + block.value % kPage];
    }
    std::size_t size() const { return blocks_.size(); }
    BlockAddress block(std::uint32_t id) const { return blocks_[id]; }

  private:
    static constexpr std::size_t kPage = 64;

    struct Slot {
        std::uint64_t page = 0;
        std::uint32_t place = kNone;
    };

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    std::size_t slotOf(std::uint64_t page) const { return page * 0x9e3779b97f4a7c15 >> shift_; }
    std::size_t emptySlotFor(std::uint64_t page) const {
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    /// Inserts a page at the empty slot `at`. Returns its slot, which differs from `at` if the table has grown.
    std::size_t addPage(std::uint64_t page, std::size_t at) {
        const auto place = static_cast<std::uint32_t>(ids_.size() / kPage);
        ids_.resize(ids_.size() + kPage, kNone);
        if (std::size_t{2} * (place + 1) > slots_.size()) {
            grow();
            at = emptySlotFor(page);
        }
        slots_[at] = {page, place};
        return at;
    }
    void grow() {
        --shift_;
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.place != kNone) slots_[emptySlotFor(slot.page)] = slot;
        }
    }

    unsigned shift_ = 58;  ///< 64 minus log2 of the number of slots
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::vector<std::uint32_t> ids_;    ///< page by page
    std::vector<BlockAddress> blocks_;  ///< by id
};

/// Stores many numbers compactly: each chunk holds the differences from its smallest number in one to eight bytes each,
/// or in none if all are equal. Reading a number costs no more than finding its chunk.
class NumberColumn {
  public:
    std::size_t size() const { return size_; }
    std::uint64_t operator[](std::size_t i) const { return chunks_[i / kChunk].at(i % kChunk); }
    void push_back(std::uint64_t number) {
        const std::size_t at = size_++ % kChunk;
        if (at == 0) chunks_.emplace_back();
        chunks_.back().push(number, at);
    }
    void set(std::size_t i, std::uint64_t number) {
        const std::size_t count = std::min(kChunk, size_ - i / kChunk * kChunk);
        chunks_[i / kChunk].set(i % kChunk, number, count);
    }
    void clear() {
        chunks_ = {};
        size_ = 0;
    }
    /// The numbers in another order: number i of the result is number order[i] of this.
    NumberColumn inOrder(const std::vector<std::uint32_t>& order) const {
        NumberColumn sorted;
        sorted.chunks_.reserve(order.size() / kChunk + 1);
        for (const std::uint32_t i : order) sorted.push_back((*this)[i]);
        return sorted;
    }
    /// Memory used, in bytes.
    std::size_t bytes() const {
        std::size_t sum = chunks_.capacity() * sizeof(Chunk);
        for (const Chunk& chunk : chunks_) sum += chunk.capacity();
        return sum;
    }

  private:
    static constexpr std::size_t kChunk = 1024;  ///< numbers

    static_assert(std::endian::native == std::endian::little, "numbers are kept as their lowest bytes");

    class Chunk {
      public:
        std::uint64_t at(std::size_t i) const {
            if (width_ == 0) return base_;
            std::uint64_t above;
            std::memcpy(&above, bytes_.data() + i * width_, sizeof above);
            return base_ + (above & mask());
        }
        /// Adds a number after the first `count`.
        void push(std::uint64_t number, std::size_t count) {
            if (count == 0) base_ = number;
            if (!fits(number)) encode(number, count);
            makeRoom(count + 1);
            write(count, number);
        }
        /// Sets one of the first `count` numbers.
        void set(std::size_t i, std::uint64_t number, std::size_t count) {
            if (!fits(number)) encode(number, count);
            write(i, number);
        }
        std::size_t capacity() const { return bytes_.capacity(); }

      private:
        static constexpr std::size_t kSlack = sizeof(std::uint64_t) - 1;  ///< the last number is read as eight bytes

        std::uint64_t mask() const { return width_ == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * width_); }
        bool fits(std::uint64_t number) const { return number >= base_ && number - base_ <= mask(); }
        void write(std::size_t i, std::uint64_t number) {
            const std::uint64_t above = number - base_;
            if (width_ != 0) std::memcpy(bytes_.data() + i * width_, &above, width_);
        }
        /// Reserves space for `numbers` numbers; the capacity never exceeds that of a full chunk.
        void makeRoom(std::size_t numbers) {
            const std::size_t needed = numbers * width_ + kSlack;
            if (width_ == 0 || needed <= bytes_.size()) return;
            if (needed > bytes_.capacity()) {
                bytes_.reserve(std::min(std::max(needed, 2 * bytes_.capacity()), kChunk * width_ + kSlack));
            }
            bytes_.resize(needed);
        }
        /// Encodes the first `count` numbers again, in a form that can also represent `number`.
        void encode(std::uint64_t number, std::size_t count) {
            std::uint64_t least = number;
            std::uint64_t most = number;
            for (std::size_t i = 0; i < count; ++i) {
                least = std::min(least, at(i));
                most = std::max(most, at(i));
            }
            // Leave room below the minimum: otherwise each number of a falling sequence would cause a new encoding.
            if (number == least) least -= std::min(least, most - least);
            Chunk again;
            again.base_ = least;
            again.width_ = static_cast<std::size_t>(std::bit_width(most - least) + 7) / 8;
            again.makeRoom(count);
            for (std::size_t i = 0; i < count; ++i) again.write(i, at(i));
            *this = std::move(again);
        }

        std::uint64_t base_ = 0;  ///< subtracted from each stored number
        std::size_t width_ = 0;   ///< bytes of a number
        std::vector<std::byte> bytes_;
    };

    std::vector<Chunk> chunks_;
    std::size_t size_ = 0;
};

}  // namespace whorl::sim
