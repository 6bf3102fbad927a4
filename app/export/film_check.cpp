#include "app/export/film_check.h"

#include <cstddef>
#include <cstdint>
#include <fstream>

namespace whorl::app {
namespace {

/// A number of so many bytes, the most significant first.
std::uint64_t numberAt(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// The bytes at a position; fewer at the end of the file.
std::string bytesAt(std::ifstream& file, std::uint64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool hasWholeBoxes(std::ifstream& file, std::uint64_t end) {
    constexpr std::size_t kHead = 8;
    constexpr std::size_t kLongHead = 16;
    bool hasMovie = false;
    bool hasMedia = false;
    std::uint64_t at = 0;
    while (at < end) {
        const std::string head = bytesAt(file, at, kLongHead);
        if (head.size() < kHead) return false;
        std::uint64_t size = numberAt(head.substr(0, 4));
        hasMovie |= head.compare(4, 4, "moov") == 0;
        hasMedia |= head.compare(4, 4, "mdat") == 0;
        if (size == 1 && head.size() == kLongHead) size = numberAt(head.substr(kHead));
        if (size == 0) size = end - at;  // up to the end
        if (size < kHead || size > end - at) return false;
        at += size;
    }
    return hasMovie && hasMedia;
}

}  // namespace

bool isCompleteFilm(const std::string& path, std::string_view format) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff end = file.tellg();
    if (!file || end <= 0) return false;
    const auto size = static_cast<std::uint64_t>(end);
    if (format == "mp4") return hasWholeBoxes(file, size);
    constexpr char kTrailer = 0x3b;
    return bytesAt(file, 0, 4) == "GIF8" && bytesAt(file, size - 1, 1) == std::string(1, kTrailer);
}

}  // namespace whorl::app
