// The sections of a .whorl file: the data about a trace besides its accesses. To add a section, add its kind, and an
// entry here with its reader and writer.
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
    /// Returns false, with nothing changed, if the section is invalid, or if it takes more memory than is left.
    bool (*read)(SectionReader& in, TraceParts& parts);
    bool isFoundAgain = false;  ///< its content can be recomputed from the accesses if it is lost

    // For optional sections:
    bool (*isWanted)(const TraceParts& parts) = nullptr;  ///< whether the file of a trace has it
    std::uint32_t bit = 0;                                ///< its bit in FileHead::extras; 0: every file has it
    bool isUsual = false;  ///< the bit means that a file lacks the section, not that it has it

    bool isIn(std::uint32_t extras) const { return bit == 0 || ((extras & bit) != 0) != isUsual; }
};

/// All sections, in the order in which they are written and read.
std::span<const WhorlSection> whorlSections();
const WhorlSection& sectionOf(BlockKind kind);

/// The optional sections of a trace's file, as in FileHead.
std::uint32_t extrasOf(const TraceParts& parts);
/// A section as stored in a file: compressed by zstd.
std::string packedSection(const WhorlSection& section, const TraceParts& parts);
/// Reads a section into a trace's parts. False, with nothing changed, if it is invalid, or if it takes more memory than
/// is left, which exceeds the budget. The sections before it must already be read.
bool readSection(const WhorlSection& section, std::string_view packed, TraceParts& parts, MemoryBudget& budget);

}  // namespace whorl::sim
