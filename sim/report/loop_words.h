// What other orders of a program's loops save, in words and as JSON. For this folder and the window.
#pragma once

#include <string>

#include "sim/analysis/why.h"
#include "sim/report/json.h"

namespace whorl::sim {

/// What the best other order of the loops saves, or that none saves enough: "the loops over j and k the other way round
/// (line 5): 25 % of the L2 misses, -64 % stall cycles; type 'pattern:…'". Empty if none was tried.
std::string loopsInWords(const WhyReport& report);

/// "5 other orders of the loops were tried by running them"; empty if none was.
std::string loopTrialsInWords(const WhyReport& report);

/// {"words", "line", "pattern", "accesses", "cycles", "saved_cycles", "lost", "misses_then": {level: misses}}.
JsonValue loopTrialAsJson(const LoopTrial& trial, const WhyReport& report);

}  // namespace whorl::sim
