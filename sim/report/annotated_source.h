// The sources of a trace with what each line costs beside it, function by function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/stalls.h"
#include "sim/replay/measures.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A line of a function. What makes no access has no costs.
struct AnnotatedLine {
    std::uint32_t number = 0;  ///< from 1
    std::string_view text;     ///< of the trace; empty if it is not known
    std::vector<Cell> costs;   ///< by column, or none
};

/// A function, or what a file has outside of known functions. The lines in between that cost nothing are there, too;
/// but of a long stretch of them only the first and the last few: a number is missing then.
struct AnnotatedFunction {
    std::string name;  ///< empty: not known
    std::string path;
    bool hasText = true;
    Cycles cycles = 0;
    Cycles lost = 0;
    std::vector<AnnotatedLine> lines;
};

struct AnnotatedSource {
    std::string trace;
    std::string machine;
    std::vector<std::string> settings;  ///< of the machine beside its name; the caller adds them
    Cycles cycles = 0;
    Cycles lost = 0;       ///< beyond a look-up in the nearest level for each access
    Cycles elsewhere = 0;  ///< access cycles of what has no line
    /// cycles lost and their share, access cycles, accesses, misses of each level, the kind of most of those of the
    /// nearest, the stride of the accesses, and the share of the bytes fetched that is used.
    std::vector<Column> columns;
    std::vector<AnnotatedFunction> functions;  ///< the most cycles first
};

/// The trace must outlive the result. The measures must have a ledger.
AnnotatedSource annotated(const Trace& trace, const Measures& measures, const Stalls& stalls);

/// The first `top` functions in text and Markdown. JSON: {"trace", "machine", "cycles", "lost", "elsewhere",
/// "functions": [{"name", "file", "cycles", "lost", "lines": [{"line", "text", and a key for each column}]}]}, without
/// the lines that cost nothing; CSV: a row for each line that costs something; and a page of HTML.
Document annotatedDocument(AnnotatedSource source);

}  // namespace whorl::sim
