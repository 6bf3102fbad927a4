// The parts of a .whorl file, which its writer and its reader must agree on. All numbers are little-endian.
//
// A file is a FileHead and then blocks, each of which has a BlockHead: the sections, which tell what is known about the
// trace, the chunks, and at the end the index. A block can be read without any other, and found without the index: a
// file that is damaged, or cut off, gives all the blocks that are whole. Last comes a Trailer, which leads to the
// index.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/trace.h"

namespace whorl::sim {

/// No text starts like this, and a transfer that changes the ends of lines spoils it.
inline constexpr std::string_view kWhorlMagic("\x89WHORL\r\n", 8);
inline constexpr std::uint32_t kWhorlVersion = 1;

struct FileHead {
    std::array<char, 8> magic{};
    std::uint32_t version = kWhorlVersion;
    std::uint32_t extras = 0;  ///< the sections behind the first eight that the file has: a bit each
};
static_assert(sizeof(FileHead) == 16);

/// What a block holds. The values stand in files.
enum class BlockKind : std::uint32_t {
    chunk = 1,       ///< accesses, of ChunkEncoder
    index = 2,       ///< where the blocks are
    about = 3,       ///< name, counts, machine: the sections begin here
    files = 4,       ///< source files, with their texts
    sites = 5,       ///< source lines and instructions
    regions = 6,     ///< with their shapes
    objects = 7,     ///< with their lives
    marks = 8,       ///< named moments
    modules = 9,     ///< where the program and its libraries were
    footprint = 10,  ///< which memory is touched: the last that every file has
    timing = 11      ///< work and waiting between the accesses
};
inline constexpr BlockKind kFirstSection = BlockKind::about;
inline constexpr BlockKind kLastSection = BlockKind::timing;

/// The bit of FileHead::extras that says that a file has a section; 0 for those that every file has.
constexpr std::uint32_t extraBit(BlockKind section) {
    return section == BlockKind::timing ? 1u : 0u;
}

struct BlockHead {
    std::uint32_t sync = 0x5b4c5257;  ///< "WRL[", to be found by
    BlockKind kind = BlockKind::chunk;
    std::uint64_t first = 0;      ///< a chunk: the tick of its first access
    std::uint32_t accesses = 0;   ///< a chunk: how many
    std::uint32_t bytes = 0;      ///< behind this head
    std::uint32_t checksum = 0;   ///< CRC-32 of these bytes
    std::uint32_t headCheck = 0;  ///< CRC-32 of the head up to here
};
static_assert(sizeof(BlockHead) == 32);

/// An entry of the index.
struct BlockEntry {
    std::uint64_t offset = 0;  ///< of the head, from the start of the file
    std::uint64_t first = 0;
    BlockKind kind = BlockKind::chunk;
    std::uint32_t accesses = 0;
};
static_assert(sizeof(BlockEntry) == 24);

struct Trailer {
    std::uint64_t index = 0;  ///< the offset of the index
    std::array<char, 8> magic{};
};
static_assert(sizeof(Trailer) == 16);
inline constexpr std::string_view kTrailerMagic("\r\nWHORL.", 8);

/// CRC-32, as zlib and everyone else computes it.
std::uint32_t checksumOf(std::string_view bytes);

/// The head for a block, with its checksums.
BlockHead headOf(BlockKind kind, std::string_view bytes, std::uint64_t first = 0, std::uint32_t accesses = 0);
/// Whether bytes begin with a block's head that is whole; `head` becomes it.
bool readHead(std::string_view bytes, BlockHead& head);

/// A section as it stands in a file: packed by zstd.
std::string packedSection(BlockKind section, const Trace& trace);
/// Takes a section into a trace's parts. False, and nothing changed, when it is not sound. The source files come before
/// the sites.
bool readSection(BlockKind section, std::string_view packed, TraceParts& parts);
/// What a section tells of, as a sentence has it: "the marks".
std::string_view nameOf(BlockKind section);

}  // namespace whorl::sim
