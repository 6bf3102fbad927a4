#include "sim/base/compact_bytes.h"

#include <zstd.h>

namespace whorl::sim {

std::string compressed(std::string_view bytes) {
    constexpr int kQuick = 1;
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kQuick);
    packed.resize(ZSTD_isError(size) != 0 ? 0 : size);
    packed.shrink_to_fit();
    return packed;
}

bool decompress(std::string_view packed, std::span<char> to) {
    return ZSTD_decompress(to.data(), to.size(), packed.data(), packed.size()) == to.size();
}

}  // namespace whorl::sim
