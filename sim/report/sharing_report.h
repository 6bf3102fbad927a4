// The sharing found between CPUs, in words.
#pragma once

#include <string>

#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/sharing.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A change as advice: "align each Quadrant to 256 bytes", "spread the elements of C to 16 bytes each".
std::string asAdvice(const LayoutChange& change);

/// What a trial saves or costs: "saves 1 234 access cycles and 56 elapsed, for 28 bytes of padding".
std::string savingsOf(const Trial& trial);

/// A paragraph for each of the first `top` groups.
std::string sharingAsText(const SharingReport& report, const Trace& trace, std::size_t top);

/// What was tried, and a paragraph for each of the first `top` groups.
std::string latentAsText(const LatentReport& report, std::size_t top);

}  // namespace whorl::sim
