// Infers regions for touched memory outside declared regions, by grouping addresses by the gaps between them.
#pragma once

#include <vector>

#include "sim/trace/edge_watch.h"
#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The maximum number of inferred regions, unless declared regions lie between them.
inline constexpr std::size_t kMaxInferredRegions = 8;

/// Regions that together hold every touched byte outside trace.regions(), in address order, disjoint from those and
/// from each other; each extends from its first to its last touched granule.
///
/// Gaps of 2 MiB and more separate regions, or only the widest ones if that would give more than 8. The code of a
/// program or library, which loads and stores do not touch, is mostly smaller, so the data of one image stays together.
/// A trace that touches at most 64 KiB is probably written by hand: there gaps of 256 bytes and more separate regions
/// too, if they are at least four times as wide as all other gaps.
///
/// Names: if the highest group lies where Linux or valgrind puts the stack, groups are named globals, heap, mapped and
/// stack according to that process layout; where objects lie below the mappings, the heap begins. Otherwise they are
/// "memory 1", "memory 2", …, or just "memory".
///
/// The bytes touched next to declared regions come from `watched`, or else from a pass over all accesses.
std::vector<Region> inferRegions(const Trace& trace, const EdgeWatch& watched = {});

}  // namespace whorl::sim
