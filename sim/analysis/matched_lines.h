// Which source lines of one version of a program are those of another: an edit above a line changes its number, and
// versions may lie in different folders.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/trace/source_text.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// For each line of `is`, the number of the same line of `was`, from 1; 0: it has none. The lines are those of a
/// longest common subsequence, without regard to blanks at their ends, and those between two of them where both texts
/// have as many: they were edited. Of texts that differ over more than some thousand lines, only those before the first
/// and after the last difference.
std::vector<std::uint32_t> matchedLines(const SourceText& was, const SourceText& is);

/// The names that lines of the trace `is` have in the trace `was`, where they differ. Files correspond by their paths,
/// or else by their names without folders where only one file of each trace has that name; lines by their texts where
/// both are known, else by their numbers.
std::unordered_map<std::string, std::string> namesOfLines(const Trace& was, const Trace& is);

}  // namespace whorl::sim
