// Data about a recorded program besides its accesses, in raw form: addresses and numbers, not yet names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/sync_log.h"

namespace whorl::sim {

/// An executable or library whose code ran.
struct CapturedModule {
    std::string path;
    std::uint64_t bias = 0;   ///< added to the addresses in the file
    std::uint64_t start = 0;  ///< start of its code
    std::uint64_t size = 0;   ///< bytes of code

    bool holds(std::uint64_t pc) const { return pc - start < size; }
};

/// A block of the heap. Its callers are an index into CaptureLog::callers.
struct Allocation {
    ByteAddress base;
    std::uint64_t size = 0;
    Tick born;
    Tick died{~std::uint64_t{0}};
    std::uint32_t callers = 0;
};

/// A call of a function with named local variables.
struct StackFrame {
    std::uint64_t stack = 0;  ///< stack pointer on entry to the function
    std::uint64_t entry = 0;  ///< address of the function
    Tick born;
    Tick died{~std::uint64_t{0}};
};

/// Memory that the program itself named.
struct RequestedRegion {
    std::string name;
    ByteAddress base;
    std::uint64_t size = 0;
    std::uint64_t elementSize = 1;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

struct CapturedThread {
    std::uint32_t cpu = 0;
    bool alive = true;
    std::string name;
};

struct CaptureLog {
    std::vector<CapturedModule> modules;
    std::vector<std::vector<std::uint64_t>> callers;  ///< addresses within calls, innermost first; each list once
    std::vector<Allocation> allocations;              ///< by birth
    std::uint64_t unnamedAllocations = 0;             ///< allocations beyond the limit
    std::vector<StackFrame> frames;                   ///< the ended ones first, then the others
    std::uint64_t unnamedFrames = 0;                  ///< frames beyond the limit
    std::vector<RequestedRegion> regions;
    std::map<std::uint64_t, CapturedThread> threads;  ///< by number
    SyncLog syncs;
    std::uint64_t unkeptSyncs = 0;  ///< operations beyond the limit
    std::uint64_t mainStack = 0;    ///< the stack pointer on entry to main; 0: unknown
    std::uint64_t mainEntry = 0;
    std::vector<std::string> notes;  ///< messages for the user
    bool begun = false;              ///< recording has begun at some time
    bool becameOther = false;        ///< another program took its place (exec)
};

}  // namespace whorl::sim
