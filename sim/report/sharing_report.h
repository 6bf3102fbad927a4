// The sharing found between CPUs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/orders.h"
#include "sim/analysis/sharing.h"
#include "sim/report/document.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A change as advice: "align each Quadrant to 256 bytes", "spread the elements of C to 16 bytes each".
std::string asAdvice(const LayoutChange& change);

/// What a trial saves or costs: "saves 1 234 access cycles and 56 elapsed, for 28 bytes of padding".
std::string savingsOf(const Trial& trial);

/// "neighbours in x belong to different threads: give each a contiguous chunk".
std::string chunksInWords(std::string_view thing);

/// Remarks on the layout of a group besides its cures, each a sentence: what causes the misses, and why nothing is a
/// cure. Empty if there are none.
std::string remarksOn(const SharingReport& report, const SharingGroup& group);

/// What was tried, and a paragraph for each of the first `top` groups.
std::string latentAsText(const LatentReport& report, std::size_t top);

/// {"changes": [{"kind", "thing", "of_class", "bytes", "element", "spec"}], "saved_cycles", "saved_elapsed",
/// "padding"}. What costs cycles has negative savings.
JsonValue trialAsJson(const Trial& trial);

/// An answer about sharing, and what it shows.
struct SharingAnswer {
    SharingReport report;
    std::shared_ptr<const Trace> trace;
    std::optional<LatentReport> latent = {};  ///< if set, latent sharing, too
    std::optional<OrderNote> order = {};      ///< if set, the order of the accesses
    bool showsBlocks = false;                 ///< in text, also the table of the blocks
};

/// A paragraph for each of the first `top` groups, also of latent sharing. JSON: {"lost", "cycles", "machine", "tried",
/// "untried", "together": a trial or null, "groups": [{"level", "cause", "things", "blocks": [{"block",
/// "invalidations", "true_sharing", "false_sharing", "lost", "fields": [{"place", "address", "size", "cpus": [{"cpu",
/// "reads", "writes"}]}]}], "invalidations", "true_sharing", "false_sharing", "lost", "lines": [{"line", "misses",
/// "invalidations", "lost"}], "cures": [trials], "rejected": [trials], "through": level or null}]}; and of latent
/// sharing "latent": {"placements", "doubled_blocks": {level: bytes} or null, "groups": [{"shifts": changes, none with
/// blocks twice as large, "level", "things", "cpus", "false_sharing", "false_sharing_now", "lost"}]}; and
/// "order": orderAsJson(). CSV: the table of sharing_table.h.
Document sharingDocument(SharingAnswer answer);

}  // namespace whorl::sim
