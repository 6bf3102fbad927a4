#include "sim/trace/formats/whorl_format.h"

#include <zlib.h>

#include <cstddef>
#include <cstring>

namespace whorl::sim {

std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before) {
    // zlib restarts the checksum when it gets a null pointer.
    if (bytes.empty()) return before;
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t checksumAfter(std::uint32_t without, std::uint32_t whole, std::size_t bytes) {
    // The checksum is linear: that of a concatenation is that of the first part, advanced over the length of the
    // second, combined with that of the second.
    return whole ^ static_cast<std::uint32_t>(crc32_combine(without, 0, static_cast<z_off_t>(bytes)));
}

BlockHead headOf(BlockKind kind, std::string_view bytes, std::uint64_t first, std::uint32_t accesses) {
    BlockHead head;
    head.kind = kind;
    head.first = first;
    head.accesses = accesses;
    head.bytes = static_cast<std::uint32_t>(bytes.size());
    head.checksum = checksumOf(bytes);
    head.headCheck = checksumOf({reinterpret_cast<const char*>(&head), offsetof(BlockHead, headCheck)});
    return head;
}

bool readHead(std::string_view bytes, BlockHead& head) {
    if (bytes.size() < sizeof head) return false;
    BlockHead read;
    std::memcpy(&read, bytes.data(), sizeof read);
    if (read.sync != BlockHead{}.sync ||
        read.headCheck != checksumOf(bytes.substr(0, offsetof(BlockHead, headCheck)))) {
        return false;
    }
    head = read;
    return true;
}

}  // namespace whorl::sim
