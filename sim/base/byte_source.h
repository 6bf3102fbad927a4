// Bytes, one after the other, from a file, from standard input or from memory; unpacked on the way when they are
// packed. A source owns what it reads from, save memory, which belongs to the caller.
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

    /// Reads at most to.size() bytes and gives how many; 0 only at the end. An error names the file.
    virtual Expected<std::size_t> read(std::span<char> to) = 0;
};

/// Opens a file, or standard input for "-". The progress is in bytes of the file as it is stored.
Expected<std::unique_ptr<ByteSource>> openFile(const std::string& path, Progress& progress);

/// Reads text that stays where it is.
std::unique_ptr<ByteSource> openMemory(std::string_view text);

/// Looks at the first bytes of a source: gzip and zstd are unpacked, member after member and frame after frame, other
/// bytes are passed on. `name` stands for the file in errors. An error when the source is empty, or packed in another
/// way.
Expected<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> packed, const std::string& name);

}  // namespace whorl::sim
