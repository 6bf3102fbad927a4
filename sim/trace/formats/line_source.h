// Reads a byte source as large blocks of whole lines. The blocks belong to the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/base/byte_source.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::sim {

/// Lines longer than this (without their end) are malformed.
inline constexpr std::size_t kMaxLine = std::size_t{64} << 10;

class LineSource {
  public:
    explicit LineSource(std::unique_ptr<ByteSource> bytes);

    /// The next block of lines, each ending with "\n", which is added to the last line if missing. Empty at the end.
    /// Lines longer than kMaxLine may be truncated to just above it, so that they can be recognised. The block is valid
    /// until the next call.
    Expected<std::string_view> next();

    /// The number of bytes by which the last line of the last block was truncated; 0 for most lines. Reads on to the
    /// end of that line without keeping it. The block stays valid.
    Expected<std::uint64_t> truncated(const Progress& progress);

  private:
    static constexpr std::size_t kBlock = std::size_t{256} << 10;

    std::unique_ptr<ByteSource> bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;      ///< start of the data not yet returned
    std::size_t end_ = 0;        ///< end of the data read
    bool ended_ = false;         ///< the source has ended
    bool inLongLine_ = false;    ///< data up to the next "\n" is dropped
    std::uint64_t dropped_ = 0;  ///< bytes of the last line of the block that are not in it

    std::string_view rest() const { return {buffer_.data() + begin_, end_ - begin_}; }
    Expected<void> fill();
    void dropLongLine();
    void truncateLine();
    std::string_view give(std::size_t size);
};

}  // namespace whorl::sim
