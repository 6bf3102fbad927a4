// A stream of bytes from a file, standard input or memory, optionally decompressed. A source owns its file; memory
// belongs to the caller.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::sim {

class ByteSource {
  public:
    virtual ~ByteSource() = default;

    /// Reads at most to.size() bytes and returns how many; 0 only at the end. An error names the file.
    virtual Expected<std::size_t> read(std::span<char> to) = 0;
};

/// Opens a file, or standard input for "-". Progress is in bytes of the file as stored, before decompression.
Expected<std::unique_ptr<ByteSource>> openFile(const std::string& path, Progress& progress);

/// Reads from memory, which must outlive the source.
std::unique_ptr<ByteSource> openMemory(std::string_view text);

/// Detects gzip, zstd and xz by the first bytes and decompresses them, including concatenated members, frames and
/// streams; other bytes pass through unchanged. `name` is the file in error messages. Fails if the source is empty.
Expected<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> packed, const std::string& name);

}  // namespace whorl::sim
