// Stores many numbers compactly: each chunk holds the differences from its smallest number in one to eight bytes each,
// or in none if all are equal. Reading a number costs no more than finding its chunk.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace whorl::sim {

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
