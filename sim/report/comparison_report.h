// Two measurements side by side, and the savings of a layout change, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/comparison.h"
#include "sim/report/document.h"
#include "sim/report/tables.h"

namespace whorl::sim {

/// "+1 234 (+5.0 %)": by how much the second is above the first; "=" when they are equal. Empty when one is missing.
std::string differenceOf(const ComparedFigure& figure);

/// A figure of the things of one kind in two measurements, for each that has any in one of them: the largest difference
/// first.
struct ComparedRows {
    std::string key;    ///< "L1_misses"
    std::string words;  ///< "L1 misses by region"
    bool isForPeople = true;
    /// `key`: the thing's name in b, if it is there; `words`: with its other name in a, if that differs.
    std::vector<ComparedFigure> rows;
};

/// The things of one kind in two measurements: their accesses, access cycles, and misses of each level, of all kinds
/// and by kind.
struct ComparedThings {
    std::string kind;  ///< "region"
    std::vector<ComparedRows> figures;

    /// The rows of a figure; null if things have no such figure.
    const ComparedRows* rowsOf(std::string_view key) const;
};

/// Things correspond by name, and source lines as in matched_lines.h; those with the same name are combined. The
/// measures must have ledgers.
ComparedThings comparedBy(Grouping grouping, const Measured& a, const Measured& b);

/// A limit that a comparison exceeds (see gate.h).
struct ExceededLimit {
    std::string limit;   ///< "L1.misses>+2%"
    std::string reason;  ///< "L1 misses: 1 100 instead of 1 000, +100 (+10.0 %); most in mm.c:12: +98"
};

/// Tables, with the first `top` things in each; also as Markdown. JSON: {"a": {"trace", "machine"}, "b": as "a",
/// "figures": {key: {"a", "b", "difference", "percent"}}, "by_region": {key: [{"name", "a", "b", "difference",
/// "percent"}]}, as well "by_line" and so on, "failed": see below}. "difference" is b - a and "percent" its share of a;
/// a value that one side does not have is null. CSV: a row for each figure and each figure of a thing.
///
/// `failed`: the limits that are exceeded; in JSON [{"limit", "reason"}], left out where no limit was set. `isGate`:
/// some were set.
Document comparisonDocument(Comparison comparison, std::vector<ComparedThings> things,
                            std::vector<ExceededLimit> failed = {}, bool isGate = false);

/// A table, with the first `top` regions, objects and classes. JSON: {"trace", "machine", "changes": [words],
/// "figures": {key: {"before", "after", "saved", "saved_percent"}}, "regions": [{"name", "before", "after", "saved",
/// "saved_percent"}], "objects", "classes"}; "saved_percent" is null where there was nothing before.
Document whatIfDocument(WhatIf whatIf);

}  // namespace whorl::sim
