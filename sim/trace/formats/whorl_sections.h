// The sections of a .whorl file: what is known about a trace besides its accesses. A new one is its kind, and an entry
// here with how it is written and read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/memory_budget.h"
#include "sim/trace/formats/whorl_format.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class FieldWriter;
struct SectionReader;

struct WhorlSection {
    BlockKind kind;
    std::string_view content;  ///< for messages: "the marks"
    void (*write)(FieldWriter& out, const TraceParts& parts);
    /// False, with nothing changed, if it is invalid, or if it takes more memory than is left.
    bool (*read)(SectionReader& in, TraceParts& parts);
    bool isFoundAgain = false;  ///< the accesses tell its content, where it is lost

    // Of those that not every file has:
    bool (*isWanted)(const TraceParts& parts) = nullptr;  ///< whether the file of a trace has it
    std::uint32_t bit = 0;                                ///< of FileHead::extras; 0: every file has it
    bool isUsual = false;                                 ///< the bit says that a file lacks it, not that it has it

    bool isIn(std::uint32_t extras) const { return bit == 0 || ((extras & bit) != 0) != isUsual; }
};

/// In the order in which they are written and read.
std::span<const WhorlSection> whorlSections();
const WhorlSection& sectionOf(BlockKind kind);

/// The optional sections of a trace's file, as in FileHead.
std::uint32_t extrasOf(const TraceParts& parts);
/// A section as stored in a file: compressed by zstd.
std::string packedSection(const WhorlSection& section, const TraceParts& parts);
/// Reads a section into a trace's parts. False, with nothing changed, if it is invalid, or if it takes more memory than
/// is left, by which the budget is exceeded. Those before it must have been read.
bool readSection(const WhorlSection& section, std::string_view packed, TraceParts& parts, MemoryBudget& budget);

}  // namespace whorl::sim
