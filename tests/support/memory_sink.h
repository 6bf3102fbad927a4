// The bytes that would be written to a file.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/byte_sink.h"

namespace whorl::sim::test {

class MemorySink : public ByteSink {
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

}  // namespace whorl::sim::test
