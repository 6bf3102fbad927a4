// Decompresses any bytes as a file: gzip, zstd, xz or plain.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/base/byte_source.h"

using namespace whorl::sim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto source = decompressed(openMemory({reinterpret_cast<const char*>(data), size}), "fuzz");
    if (!source) return 0;
    std::array<char, 4096> buffer;
    for (std::size_t total = 0; total < (std::size_t{1} << 22);) {
        const auto n = (*source)->read(buffer);
        if (!n || *n == 0) break;
        if (*n > buffer.size()) std::abort();
        total += *n;
    }
    return 0;
}
