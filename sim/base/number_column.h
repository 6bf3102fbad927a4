// Many numbers in as few bytes each as they need: one, two, four or eight, chunk by chunk. Reading one costs no more
// than finding its chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace whorl::sim {

class NumberColumn {
  public:
    std::size_t size() const { return size_; }
    std::uint64_t operator[](std::size_t i) const { return chunks_[i / kChunk].at(i % kChunk); }
    void push_back(std::uint64_t number) {
        if (size_ % kChunk == 0) chunks_.emplace_back();
        chunks_.back().push(number, size_++ % kChunk);
    }
    void set(std::size_t i, std::uint64_t number) { chunks_[i / kChunk].set(i % kChunk, number); }
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
    /// What it takes in memory.
    std::size_t bytes() const {
        std::size_t sum = chunks_.capacity() * sizeof(Chunk);
        for (const Chunk& chunk : chunks_) sum += chunk.capacity();
        return sum;
    }

  private:
    static constexpr std::size_t kChunk = 4096;  ///< numbers

    class Chunk {
      public:
        std::uint64_t at(std::size_t i) const {
            switch (shift_) {
                case 0:
                    return read<std::uint8_t>(i);
                case 1:
                    return read<std::uint16_t>(i);
                case 2:
                    return read<std::uint32_t>(i);
                default:
                    return read<std::uint64_t>(i);
            }
        }
        void push(std::uint64_t number, std::size_t count) {
            bytes_.resize((count + 1) << shift_);
            set(count, number);
        }
        void set(std::size_t i, std::uint64_t number) {
            if (shift_ < 3 && number >> (8U << shift_) != 0) widen(number);
            switch (shift_) {
                case 0:
                    return write<std::uint8_t>(i, number);
                case 1:
                    return write<std::uint16_t>(i, number);
                case 2:
                    return write<std::uint32_t>(i, number);
                default:
                    return write<std::uint64_t>(i, number);
            }
        }
        std::size_t capacity() const { return bytes_.capacity(); }

      private:
        template <class T>
        T read(std::size_t i) const {
            T number;
            std::memcpy(&number, bytes_.data() + i * sizeof(T), sizeof(T));
            return number;
        }
        template <class T>
        void write(std::size_t i, std::uint64_t number) {
            const auto narrow = static_cast<T>(number);
            std::memcpy(bytes_.data() + i * sizeof(T), &narrow, sizeof(T));
        }
        /// Gives each number so many bytes that this one fits.
        void widen(std::uint64_t number) {
            Chunk wide;
            wide.shift_ = shift_;
            while (wide.shift_ < 3 && number >> (8U << wide.shift_) != 0) ++wide.shift_;
            const std::size_t count = bytes_.size() >> shift_;
            wide.bytes_.resize(count << wide.shift_);
            for (std::size_t i = 0; i < count; ++i) wide.set(i, at(i));
            *this = std::move(wide);
        }

        std::vector<std::byte> bytes_;
        unsigned shift_ = 0;  ///< the logarithm of the bytes of a number
    };

    std::vector<Chunk> chunks_;
    std::size_t size_ = 0;
};

}  // namespace whorl::sim
