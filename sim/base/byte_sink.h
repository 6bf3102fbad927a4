// Bytes into a file that appears under its name only when it is whole; packed on the way if its name says so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

class ByteSink {
  public:
    /// A sink that is dropped without close() leaves nothing behind.
    virtual ~ByteSink() = default;

    virtual Expected<void> write(std::string_view bytes) = 0;
    /// Writes what is held back and gives the file its name.
    virtual Expected<void> close() = 0;
};

/// "-" is standard output. A name that ends in .gz or .zst makes the file packed. What is not a plain file, as a pipe
/// or a device, is written to directly.
Expected<std::unique_ptr<ByteSink>> createFile(const std::string& path);

}  // namespace whorl::sim
