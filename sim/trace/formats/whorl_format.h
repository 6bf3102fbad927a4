// The layout of a .whorl file, shared by writer and reader. All numbers are little-endian.
//
// A file is a FileHead followed by blocks, each with a BlockHead: the sections, which hold what is known about the
// trace, the packs of accesses, each dictionary before the packs that need it (a pack may need the last one before it),
// and finally the index. Blocks are
// independent and can be found without the index, so that all intact blocks of a damaged or truncated file can be
// recovered. A Trailer at the end gives the offset of the index.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/memory_budget.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// No text starts like this, and a transfer that converts line endings corrupts it.
inline constexpr std::string_view kWhorlMagic("\x89WHORL\r\n", 8);
/// The version written. Version 1 has packs of one chunk, in a layout of their own, and no dictionaries; all versions
/// are read.
inline constexpr std::uint32_t kWhorlVersion = 2;

struct FileHead {
    std::array<char, 8> magic{};
    std::uint32_t version = kWhorlVersion;
    std::uint32_t extras = 0;  ///< which optional sections the file has; see extraBit
};
static_assert(sizeof(FileHead) == 16);

/// The content of a block. The values are stored in files.
enum class BlockKind : std::uint32_t {
    pack = 1,         ///< accesses, encoded by PackEncoder
    index = 2,        ///< the positions of all blocks
    about = 3,        ///< name, counts, machine: the first section
    files = 4,        ///< source files, with their texts
    sites = 5,        ///< source lines and instructions
    regions = 6,      ///< with their shapes
    objects = 7,      ///< with their lifetimes
    marks = 8,        ///< named points in time
    modules = 9,      ///< load addresses of the program and its libraries
    footprint = 10,   ///< touched memory
    timing = 11,      ///< work and waiting between the accesses
    dictionary = 12,  ///< addresses that packs refer to; no section
    names = 13,       ///< functions, types and threads, from debug information
    syncs = 14        ///< where threads waited for each other
};
inline constexpr BlockKind kFirstSection = BlockKind::about;
inline constexpr BlockKind kLastSection = BlockKind::syncs;

/// The bit of FileHead::extras for an optional section; 0 for those that every file has.
constexpr std::uint32_t extraBit(BlockKind section) {
    switch (section) {
        case BlockKind::timing:
            return 1;
        case BlockKind::names:
            return 4;
        case BlockKind::syncs:
            return 8;
        case BlockKind::dictionary:
            return 1u << 31;  // never set: it lies between the sections, but is none
        default:
            return 0;
    }
}
/// The bit of FileHead::extras for a footprint that was left out, because the accesses give it in less space.
inline constexpr std::uint32_t kNoFootprint = 2;

struct BlockHead {
    std::uint32_t sync = 0x5b4c5257;  ///< "WRL[", to find heads in damaged files
    BlockKind kind = BlockKind::pack;
    std::uint64_t first = 0;      ///< a pack: the tick of its first access; a dictionary: its number
    std::uint32_t accesses = 0;   ///< a pack: the number of accesses
    std::uint32_t bytes = 0;      ///< size of the content after this head
    std::uint32_t checksum = 0;   ///< CRC-32 of the content
    std::uint32_t headCheck = 0;  ///< CRC-32 of the head before this field
};
static_assert(sizeof(BlockHead) == 32);

/// An entry of the index.
struct BlockEntry {
    std::uint64_t offset = 0;  ///< of the head, from the start of the file
    std::uint64_t first = 0;
    BlockKind kind = BlockKind::pack;
    std::uint32_t accesses = 0;
};
static_assert(sizeof(BlockEntry) == 24);

struct Trailer {
    std::uint64_t index = 0;  ///< the offset of the index
    std::array<char, 8> magic{};
};
static_assert(sizeof(Trailer) == 16);
inline constexpr std::string_view kTrailerMagic("\r\nWHORL.", 8);

/// CRC-32, as computed by zlib; of bytes that follow others whose checksum is `before`.
std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before = 0);
/// The checksum of the last `bytes` bytes of a text, from that of the text without them and that of the whole.
std::uint32_t checksumAfter(std::uint32_t without, std::uint32_t whole, std::size_t bytes);

/// The head of a block, with its checksums.
BlockHead headOf(BlockKind kind, std::string_view bytes, std::uint64_t first = 0, std::uint32_t accesses = 0);
/// Reads an intact block head from the start of `bytes`. False if there is none.
bool readHead(std::string_view bytes, BlockHead& head);

/// Whether a trace has anything that the section of names holds.
bool hasNames(const Trace& trace);
/// A section as stored in a file: compressed by zstd.
std::string packedSection(BlockKind section, const Trace& trace);
/// Reads a section into a trace's parts. False, with nothing changed, if it is invalid, or if it takes more memory than
/// is left, by which the budget is exceeded. Source files must be read before sites.
bool readSection(BlockKind section, std::string_view packed, TraceParts& parts, MemoryBudget& budget);
/// The content of a section, for messages: "the marks".
std::string_view nameOf(BlockKind section);

}  // namespace whorl::sim
