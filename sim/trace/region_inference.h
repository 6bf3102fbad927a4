// Regions for the memory that no one has named: touched addresses, grouped by the gaps between them.
#pragma once

#include <vector>

#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// At most this many, unless declared regions lie between them.
inline constexpr std::size_t kMaxInferredRegions = 8;

/// The regions that hold every touched byte outside trace.regions(), in address order, disjoint from those and from
/// each other; each reaches from its first to its last touched granule.
///
/// The rule: gaps of 2 MiB and more part regions, or only the widest of them where that gives more than 8. The text of
/// a program or library, which is not touched by loads and stores, is mostly smaller, so the data of one image stays
/// together. A trace that touches little (64 KiB) is most likely written by hand: there gaps of 256 bytes and more part
/// regions where there is a clear break, when they are at least four times as wide as all the other gaps.
///
/// Names: where the highest group lies where stacks do, the trace is taken for that of a process, and the groups for
/// its globals, heap, mapped memory and stack, from the layout that Linux, or valgrind, gives a program. Otherwise they
/// are "memory 1", "memory 2", …, or just "memory".
std::vector<Region> inferRegions(const Trace& trace);

}  // namespace whorl::sim
