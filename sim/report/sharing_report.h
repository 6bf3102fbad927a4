// The sharing found between CPUs, in words.
#pragma once

#include <string>
#include <string_view>

#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/sharing.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A change as advice: "align each Quadrant to 256 bytes", "spread the elements of C to 16 bytes each".
std::string asAdvice(const LayoutChange& change);

/// What a trial saves or costs: "saves 1 234 access cycles and 56 elapsed, for 28 bytes of padding".
std::string savingsOf(const Trial& trial);

/// "neighbours in x belong to different threads: give each a contiguous chunk".
std::string chunksInWords(std::string_view thing);

/// What there is to say about the layout of a group besides its cures, each a sentence: what causes the misses, and why
/// nothing is a cure. Empty where there is nothing.
std::string remarksOn(const SharingReport& report, const SharingGroup& group);

/// A paragraph for each of the first `top` groups.
std::string sharingAsText(const SharingReport& report, const Trace& trace, std::size_t top);

/// What was tried, and a paragraph for each of the first `top` groups.
std::string latentAsText(const LatentReport& report, std::size_t top);

}  // namespace whorl::sim
