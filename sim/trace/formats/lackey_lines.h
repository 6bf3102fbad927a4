// The inner loop of reading a lackey trace: parses many common lines in a row. There is a portable and an AVX2 version,
// selected at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/trace/access.h"

namespace whorl::sim {

struct LackeyOptions {
    bool passing = false;  ///< skip instruction lines
    SiteId site;           ///< the site of all accesses
};

struct LackeyLines {
    const char* end = nullptr;  ///< the end of the parsed lines
    std::size_t accesses = 0;   ///< number of accesses stored
    std::uint64_t passed = 0;   ///< number of instruction lines skipped
};

/// Parses loads and stores of up to 9 bytes, which most lines are, until another kind of line comes or there is space
/// for fewer than three accesses. Does not parse the last lines before `end`, which must be the end of a line.
LackeyLines readLackeyLines(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);

/// The two equivalent versions. The second needs a processor with AVX2.
LackeyLines readLackeyLinesPortably(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);
LackeyLines readLackeyLinesByAvx2(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);

}  // namespace whorl::sim
