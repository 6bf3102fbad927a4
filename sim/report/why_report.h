// Why a program stalls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/orders.h"
#include "sim/analysis/why.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// "same", "unit", "constant 512", "irregular", "-".
std::string strideInWords(const StrideSummary& stride);

/// What is wrong with a row, and what the best layout saves that was tried, in one sentence: "B is walked down its
/// columns: 4 096 of 4 096 accesses miss; stored transposed (--map transpose:B): 24 % of that, -61 % stall cycles".
std::string adviceFor(const StallRow& row, const WhyReport& report);

/// What might help besides layouts, which nobody tried, a sentence each: "mm.c:10 walks 5 600 bytes a step: the loops
/// over i and j the other way round".
std::vector<std::string> hintsInWords(const StallRow& row, const WhyReport& report);

/// Which of the stalls are no matter of the layout: first touches, and what a stride prefetcher would hide. Empty if
/// few are, or if adviceFor() says so.
std::string apartInWords(const StallRow& row, const WhyReport& report);

/// How long CPUs wait for each other, which no layout changes: "CPUs wait at locks for 1 458 260 cycles, 21 % of all
/// their cycles". Empty if they wait at none.
std::string waitsInWords(const WhyReport& report);

/// How many layouts were tried, and on how much of the trace: "12 other layouts were tried by playing the trace with
/// them", or on a sample; "no other layout to try".
std::string trialsInWords(const WhyReport& report);

/// In which order the accesses were played, and how many stall cycles the other one loses: see order_words.h.
std::string orderInWords(const WhyReport& report, const OrderNote& order);

/// The figures of lines, or of arrays. `thing`: "line" or "array".
Table stallTable(std::string_view thing, const std::vector<StallRow>& rows, const WhyReport& report);

/// The tables of lines and of arrays, the advice for each row, and the waits. JSON: {"trace", "machine", "accesses",
/// "cycles", "lost", "tried", "played", "lines": [{"name", "accesses", "cycles", "lost", "levels": {level: {"misses",
/// kind: misses, "fills", "used_bytes", "used_share"}}, "stride": {"class", "bytes", "steps", "share"}, "array":
/// {"name", "accesses", "lost", "stride", "spanning", "has_name", "fields", "used", "alternates", "line"}, "tried":
/// trials as in sharing_report.h, "cure": one of them or null, "misses_then" and "misses_then_within": null without,
/// "advice", "hints": [sentences], "first_touches" and "prefetched": shares, or null}], "arrays": as "lines", "loops":
/// [as loopTrialAsJson(), the fewest cycles first], "loop_cure": one of them or null}. Of a
/// sample, "played" is less than "accesses", "saved_elapsed" is null, and trials have "saved_cycles_within": what they
/// save is within so many cycles of "saved_cycles" in 95 of 100 cases. "bytes" is null for strides that are not
/// constant, and "used_share" where nothing was fetched. With a note on the order of the accesses, also a paragraph,
/// and "order": orderAsJson(). In CSV there is a row for each line and each array. Notes are a line for each sentence;
/// only they need the trace, which may be null otherwise.
Document whyDocument(WhyReport report, std::shared_ptr<const Trace> trace, const std::optional<OrderNote>& order = {});

}  // namespace whorl::sim
