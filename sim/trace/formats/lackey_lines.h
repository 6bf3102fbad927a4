// Where the time goes when a trace of lackey's is read: its usual lines, many one after the other. Written twice, with
// and without AVX2, and chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/trace/access.h"

namespace whorl::sim {

struct LackeyOptions {
    bool passing = false;  ///< instructions are of no use: they are passed over
    SiteId site;           ///< of all accesses
};

struct LackeyLines {
    const char* end = nullptr;  ///< where the lines that were taken end
    std::size_t accesses = 0;   ///< how many went into the room
    std::uint64_t passed = 0;   ///< how many instructions were passed over
};

/// Takes loads and stores of up to nine bytes, as most are, as long as there are no others and there is room for three.
/// Leaves the last lines before `end`, which is the end of a line, to others.
LackeyLines readLackeyLines(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);

/// The two ways of it: they do the same. The second needs a processor with AVX2.
LackeyLines readLackeyLinesPortably(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);
LackeyLines readLackeyLinesByAvx2(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how);

}  // namespace whorl::sim
