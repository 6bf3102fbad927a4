// Writes a byte stream to a file that gets its final name only when it is complete. The name's extension selects the
// compression.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

class ByteSink {
  public:
    /// Destroying a sink without close() removes what was written.
    virtual ~ByteSink() = default;

    virtual Expected<void> write(std::string_view bytes) = 0;
    /// Flushes everything to the disk and renames the file to its final name.
    virtual Expected<void> close() = 0;
};

/// Keeps what is written.
class StringSink final : public ByteSink {
  public:
    Expected<void> write(std::string_view bytes) override {
        bytes_ += bytes;
        return {};
    }
    Expected<void> close() override { return {}; }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Opens a sink for `path`; "-" is standard output. Names ending in .gz or .zst are compressed. Pipes and devices are
/// written in place; an existing file keeps its content until close(), and its permissions.
Expected<std::unique_ptr<ByteSink>> createFile(const std::string& path);

/// Writes a whole text, or other bytes, to a file as createFile() opens it.
Expected<void> writeText(std::string_view text, const std::string& path);

/// Writes to an open file, which is closed at the end. Errors name `name`.
std::unique_ptr<ByteSink> sinkFor(int fd, std::string name);

}  // namespace whorl::sim
