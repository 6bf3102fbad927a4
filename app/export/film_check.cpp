#include "app/export/film_check.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>

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

/// The length of a number of EBML by its first byte, 1 to 8; 0: it is none.
std::size_t ebmlLength(unsigned char first) {
    for (std::size_t length = 1; length <= 8; ++length) {
        if ((first & (0x100U >> length)) != 0) return length;
    }
    return 0;
}

/// What an element of EBML says its size is, and where its content begins; nothing if its head is not whole.
struct EbmlElement {
    std::uint64_t id = 0;
    std::uint64_t size = 0;
    std::uint64_t content = 0;
};
std::optional<EbmlElement> ebmlElementAt(std::ifstream& file, std::uint64_t at) {
    constexpr std::size_t kMost = 12;
    const std::string head = bytesAt(file, at, kMost);
    if (head.empty()) return std::nullopt;
    const std::size_t id = ebmlLength(static_cast<unsigned char>(head[0]));
    if (id == 0 || id > 4 || head.size() <= id) return std::nullopt;
    const std::size_t size = ebmlLength(static_cast<unsigned char>(head[id]));
    if (size == 0 || head.size() < id + size) return std::nullopt;
    // The bit that tells the length is not part of the number.
    const std::uint64_t mask = (std::uint64_t{1} << (7 * size)) - 1;
    return EbmlElement{numberAt(std::string_view(head).substr(0, id)),
                       numberAt(std::string_view(head).substr(id, size)) & mask, at + id + size};
}

bool isWholeWebm(std::ifstream& file, std::uint64_t end) {
    constexpr std::uint64_t kHead = 0x1A45DFA3;
    constexpr std::uint64_t kSegment = 0x18538067;
    const auto head = ebmlElementAt(file, 0);
    if (!head || head->id != kHead || head->size > end - head->content) return false;
    const auto segment = ebmlElementAt(file, head->content + head->size);
    return segment && segment->id == kSegment && segment->size > 0 && segment->size == end - segment->content;
}

}  // namespace

bool isCompleteFilm(const std::string& path, std::string_view format) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff end = file.tellg();
    if (!file || end <= 0) return false;
    const auto size = static_cast<std::uint64_t>(end);
    if (format == "mp4") return hasWholeBoxes(file, size);
    if (format == "webm") return isWholeWebm(file, size);
    constexpr char kTrailer = 0x3b;
    return bytesAt(file, 0, 4) == "GIF8" && bytesAt(file, size - 1, 1) == std::string(1, kTrailer);
}

}  // namespace whorl::app
