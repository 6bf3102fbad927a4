// Writes the parts of a .whorl file one after the other (its layout is in whorl_format.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class BlockWriter {
  public:
    using Append = std::function<Expected<void>(std::string_view)>;

    explicit BlockWriter(Append append) : append_(std::move(append)) {}

    /// Writes the head of the file; `extras` as in FileHead.
    Expected<void> begin(std::uint32_t extras);
    Expected<void> block(const BlockHead& head, std::string_view bytes);
    /// Writes a pack with the next accesses.
    Expected<void> pack(std::string_view pack);
    /// Writes all sections that `extras` selects.
    Expected<void> sections(const Trace& trace);
    /// Writes the index and the end of the file.
    Expected<void> end();

    /// Bytes written so far.
    std::uint64_t offset() const { return offset_; }
    /// Forgets the blocks from an offset on, after the file was truncated there.
    void forgetFrom(std::uint64_t offset);
    /// The offset of the last block, or of the end if there is none.
    std::uint64_t lastBlock() const { return index_.empty() ? offset_ : index_.back().offset; }

  private:
    Append append_;
    std::uint32_t extras_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t accesses_ = 0;
    std::vector<BlockEntry> index_;

    Expected<void> append(std::string_view bytes);
};

}  // namespace whorl::sim
