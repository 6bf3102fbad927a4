// Cuts bytes into whole lines, a big block of them at a time. The blocks belong to the source.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sim/base/byte_source.h"
#include "sim/base/error.h"

namespace whorl::sim {

/// Lines longer than this (without their end) are malformed.
inline constexpr std::size_t kMaxLine = std::size_t{64} << 10;

class LineSource {
  public:
    explicit LineSource(std::unique_ptr<ByteSource> bytes);

    /// The next lines, each with "\n" at its end: the last line of a file is given one if it has none. Empty at the
    /// end. Of a line that is longer than kMaxLine no more is kept than shows that it is. The block is valid until the
    /// next call.
    Expected<std::string_view> next();

  private:
    static constexpr std::size_t kBlock = std::size_t{256} << 10;

    std::unique_ptr<ByteSource> bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    ///< of what was not given yet
    std::size_t end_ = 0;      ///< of what was read
    bool ended_ = false;       ///< the source has
    bool inLongLine_ = false;  ///< what comes up to the next "\n" is left out

    std::string_view rest() const { return {buffer_.data() + begin_, end_ - begin_}; }
    Expected<void> fill();
    void dropLongLine();
    std::string_view give(std::size_t size);
};

}  // namespace whorl::sim
