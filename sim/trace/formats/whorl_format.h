// The layout of a .whorl file, shared by writer and reader. All numbers are little-endian.
//
// A file is a FileHead followed by blocks, each with a BlockHead: the sections, which describe the trace; the packs of
// accesses, each dictionary before the packs that need it (a pack may need only the last dictionary before it); and
// finally the index. Blocks are independent and can be found without the index, so that all intact blocks of a damaged
// or truncated file can be recovered. A Trailer at the end gives the offset of the index.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace whorl::sim {

/// No text starts like this, and a transfer that converts line endings corrupts it.
inline constexpr std::string_view kWhorlMagic("\x89WHORL\r\n", 8);
/// The version written. Version 1 has packs of one chunk, in a layout of their own, and no dictionaries; all versions
/// are read.
inline constexpr std::uint32_t kWhorlVersion = 2;

struct FileHead {
    std::array<char, 8> magic{};
    std::uint32_t version = kWhorlVersion;
    std::uint32_t extras = 0;  ///< which optional sections the file has or lacks: see whorl_sections.h
};
static_assert(sizeof(FileHead) == 16);

/// The content of a block. The values are stored in files.
enum class BlockKind : std::uint32_t {
    pack = 1,         ///< accesses, encoded by PackEncoder
    index = 2,        ///< the positions of all blocks
    about = 3,        ///< name, counts, machine: the first section
    files = 4,        ///< source files, with their texts
    sites = 5,        ///< source lines and instructions
    regions = 6,      ///< regions, with their shapes
    objects = 7,      ///< objects, with their lifetimes
    marks = 8,        ///< named points in time
    modules = 9,      ///< load addresses of the program and its libraries
    footprint = 10,   ///< touched memory
    timing = 11,      ///< work and waiting between the accesses
    dictionary = 12,  ///< addresses that packs refer to; not a section
    names = 13,       ///< functions, types and threads, from debug information
    syncs = 14,       ///< where threads waited for each other
    order = 15,       ///< the order of the accesses is not the recorded one
    calls = 16,       ///< the calls that led to the accesses
    windows = 17,     ///< where the windows begin that the accesses are of
    excerpt = 18      ///< which stretch of a longer trace it is, and what came before
};

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
    std::uint64_t offset = 0;  ///< offset of the head, from the start of the file
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

/// CRC-32, as computed by zlib. `before` is the checksum of the bytes that precede these.
std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before = 0);
/// The checksum of the last `bytes` bytes of a text, given the checksums of the text without them and of the whole
/// text.
std::uint32_t checksumAfter(std::uint32_t without, std::uint32_t whole, std::size_t bytes);

/// The head of a block, with its checksums.
BlockHead headOf(BlockKind kind, std::string_view bytes, std::uint64_t first = 0, std::uint32_t accesses = 0);
/// Reads an intact block head from the start of `bytes`. False if there is none.
bool readHead(std::string_view bytes, BlockHead& head);

}  // namespace whorl::sim
