#include "sim/trace/region_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace whorl::sim {

std::uint32_t bytesOfGranule(std::uint64_t granule, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t start = granule * Footprint::kGranule;
    const std::uint64_t final = start + Footprint::kGranule - 1;
    if (last < start || first > final) return 0;
    const std::uint64_t from = std::max(first, start) - start;
    const std::uint64_t to = std::min(last, final) - start;
    return ((2u << (to - from)) - 1) << from;
}

void EdgeWatch::watch(std::uint64_t granule) {
    touched_.try_emplace(granule, 0);
    recent_[granule % kRecent] = {};
    perhaps_[granule % kKept] = true;
}

std::optional<std::uint32_t> EdgeWatch::touched(std::uint64_t granule) const {
    const auto known = touched_.find(granule);
    return known == touched_.end() ? std::nullopt : std::optional(known->second);
}

void EdgeWatch::touchWatched(ByteAddress address, std::uint64_t size, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t final = address.value + (size - 1);
    if (first == last) {
        Recent& recent = recent_[first % kRecent];
        if (recent.granule != first) {
            const auto known = touched_.find(first);
            recent = {.granule = first, .touched = known == touched_.end() ? nullptr : &known->second};
        }
        if (recent.touched != nullptr) *recent.touched |= bytesOfGranule(first, address.value, final);
        return;
    }
    for (auto edge = touched_.lower_bound(first); edge != touched_.end() && edge->first <= last; ++edge) {
        edge->second |= bytesOfGranule(edge->first, address.value, final);
    }
}

namespace {

constexpr std::uint64_t kGranule = Footprint::kGranule;
constexpr std::uint64_t kFarGap = std::uint64_t{2} << 20;
constexpr std::uint64_t kSmallTrace = std::uint64_t{64} << 10;
constexpr std::uint64_t kCloseGap = 64;  ///< smaller gaps are ignored
constexpr std::uint64_t kClearBreak = 4;
constexpr std::size_t kMinParts = 3;

// Valgrind on amd64 puts the dynamic linker at 0x4000000 with the heap behind it, mappings at 0x4800000 or a little
// above, and the stack just below 0x1fff001000. A program's image lies below all of these.
constexpr std::uint64_t kValgrindLinker = 0x4000000;
constexpr std::uint64_t kValgrindMapped = 0x4800000;
constexpr std::uint64_t kValgrindStack = 0x1ffb001000;
constexpr std::uint64_t kValgrindStackEnd = 0x1fff001000;
// Linux on amd64 puts the stack into the last 64 GiB and mappings into some terabytes below.
constexpr std::uint64_t kLinuxMapped = 0x700000000000;
constexpr std::uint64_t kLinuxStack = 0x7ff000000000;
constexpr std::uint64_t kLinuxStackEnd = 0x800000000000;

/// A maximal range [base, last] of touched bytes outside declared regions.
struct TouchedRange {
    std::uint64_t base = 0;
    std::uint64_t last = 0;
    bool behindRegion = false;  ///< a declared region lies between the previous range and this one
    std::uint64_t gap = 0;      ///< bytes between the previous range and this one, without those of declared regions
};

/// A granule partly covered by declared regions, with its covered and touched bytes as bits.
struct Edge {
    std::uint64_t granule = 0;
    std::uint32_t covered = 0;
    std::uint32_t touched = 0;
};

/// Finds the touched bytes of granules at the edges of declared regions: from the bytes watched while the trace was
/// made, or else from its accesses. The footprint is too coarse for that: an array that starts within a granule must
/// not get a spurious neighbour.
void touchEdges(const Trace& trace, const EdgeWatch& watched, std::vector<Edge>& edges) {
    EdgeWatch unknown;
    for (const Edge& e : edges) {
        if (!watched.touched(e.granule)) unknown.watch(e.granule);
    }
    if (!unknown.empty()) {
        trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { unknown.touch(a.address, a.size); });
    }
    for (Edge& e : edges) {
        const auto known = watched.touched(e.granule);
        e.touched = known ? *known : unknown.touched(e.granule).value_or(0);
    }
}

/// Collects the touched ranges outside declared regions.
class TouchedRangeFinder {
  public:
    TouchedRangeFinder(const Trace& trace, const EdgeWatch& watched)
        : trace_(trace), watched_(watched), regions_(trace.regions()) {}

    std::vector<TouchedRange> find() {
        std::vector<Edge> edges;
        forEachPiece([&](std::uint64_t start, std::uint64_t, std::uint32_t covered) {
            if (covered != 0 && covered != kWhole) edges.push_back({.granule = start / kGranule, .covered = covered});
        });
        touchEdges(trace_, watched_, edges);
        auto edge = edges.begin();
        forEachPiece([&](std::uint64_t start, std::uint64_t size, std::uint32_t covered) {
            if (covered == 0) {
                append(start, start + (size - 1));
            } else if (covered != kWhole) {
                appendBytes(start, edge->touched & ~covered);
                ++edge;
            }
        });
        return std::move(runs_);
    }

  private:
    static constexpr std::uint32_t kWhole = (1u << kGranule) - 1;

    const Trace& trace_;
    const EdgeWatch& watched_;
    const std::vector<Region>& regions_;
    std::vector<TouchedRange> runs_;
    std::size_t passed_ = 0;  ///< declared regions before this index lie below the last range

    /// Calls f(address, size, bytes covered by declared regions) for every touched granule, or for a whole page at once
    /// where no declared region is near.
    template <class F>
    void forEachPiece(F&& f) const {
        std::size_t r = 0;
        for (const Footprint::Page& page : trace_.footprint().pages()) {
            const std::uint64_t pageStart = page.index * Footprint::kPage;
            while (r < regions_.size() && regions_[r].last().value < pageStart) ++r;
            const bool clear = r == regions_.size() || regions_[r].base.value > pageStart + Footprint::kPage - 1;
            if (clear && page.bits == ~std::uint64_t{0}) {
                f(pageStart, Footprint::kPage, 0);
                continue;
            }
            for (std::uint64_t bits = page.bits; bits != 0; bits &= bits - 1) {
                const std::uint64_t granule = page.index * 64 + static_cast<unsigned>(std::countr_zero(bits));
                const std::uint64_t start = granule * kGranule;
                while (r < regions_.size() && regions_[r].last().value < start) ++r;
                std::uint32_t covered = 0;
                for (std::size_t i = r; i < regions_.size() && regions_[i].base.value <= start + kGranule - 1; ++i) {
                    covered |= bytesOfGranule(granule, regions_[i].base.value, regions_[i].last().value);
                }
                f(start, kGranule, covered);
            }
        }
    }

    void appendBytes(std::uint64_t start, std::uint32_t bytes) {
        for (std::uint64_t i = 0; i < kGranule; ++i) {
            if ((bytes >> i & 1) != 0) append(start + i, start + i);
        }
    }

    void append(std::uint64_t base, std::uint64_t last) {
        if (!runs_.empty() && runs_.back().last + 1 == base) {
            runs_.back().last = last;
            return;
        }
        TouchedRange run{.base = base, .last = last};
        if (!runs_.empty()) run.gap = base - (runs_.back().last + 1);
        for (; passed_ < regions_.size() && regions_[passed_].base.value < base; ++passed_) {
            if (runs_.empty()) continue;
            run.behindRegion = true;
            run.gap -= regions_[passed_].size;
        }
        runs_.push_back(run);
    }
};

enum class ProcessLayout { plain, valgrind, native };

ProcessLayout processLayoutOf(const std::vector<TouchedRange>& runs) {
    const std::uint64_t top = runs.back().last;
    if (top >= kValgrindStack && top < kValgrindStackEnd) return ProcessLayout::valgrind;
    if (top >= kLinuxStack && top < kLinuxStackEnd) return ProcessLayout::native;
    return ProcessLayout::plain;
}

/// Whether the gap before a range may separate regions; false within an area that the process layout treats as one.
bool canPart(const TouchedRange& run, const TouchedRange& before, ProcessLayout layout) {
    if (layout != ProcessLayout::valgrind) return true;
    return run.base >= kValgrindLinker && before.base < kValgrindStack;
}

/// For a small trace: the narrowest of the (at most `most`) gaps that are clearly wider than the rest, or 0 if there
/// are none. `gaps` are in descending order.
std::uint64_t clearBreak(const std::vector<std::uint64_t>& gaps, std::size_t most) {
    std::uint64_t best = 0;
    double clearest = 0;
    for (std::size_t i = 0; i < std::min(most, gaps.size()); ++i) {
        const std::uint64_t wide = std::min(gaps[i], kFarGap);
        const std::uint64_t next = std::max(i + 1 < gaps.size() ? std::min(gaps[i + 1], kFarGap) : 0, kCloseGap);
        const double clarity = static_cast<double>(wide) / static_cast<double>(next);
        if (clarity < static_cast<double>(kClearBreak) || clarity <= clearest) continue;
        clearest = clarity;
        best = gaps[i];
    }
    return best;
}

/// The minimum width of a gap that separates regions.
std::uint64_t partingGap(const std::vector<TouchedRange>& runs, ProcessLayout layout) {
    std::vector<std::uint64_t> gaps;
    std::uint64_t touched = 0;
    std::size_t pieces = 1;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        touched += runs[i].last - runs[i].base + 1;
        if (runs[i].behindRegion) {
            ++pieces;
        } else if (i > 0 && canPart(runs[i], runs[i - 1], layout)) {
            gaps.push_back(runs[i].gap);
        }
    }
    std::sort(gaps.begin(), gaps.end(), std::greater<>());
    // Even with many declared regions the stack must be separated from the heap.
    const std::size_t most = std::max(kMaxInferredRegions - std::min(pieces, kMaxInferredRegions), kMinParts);
    if (touched <= kSmallTrace) {
        if (const std::uint64_t width = clearBreak(gaps, most); width > 0) return width;
    }
    // If there are too many gaps, only the widest ones separate regions; of equally wide ones all or none.
    return most < gaps.size() ? std::max(gaps[most] + 1, kFarGap) : kFarGap;
}

/// The start of the program's heap, if known. Linux puts the heap behind the program's variables, at a distance that
/// differs from run to run and may be zero.
std::optional<std::uint64_t> heapOf(const Trace& trace, ProcessLayout layout) {
    std::optional<std::uint64_t> lowest;
    for (const Object& o : trace.objects()) {
        const bool isOnHeap = layout == ProcessLayout::native && o.base.value < kLinuxMapped;
        if (isOnHeap && (!lowest || o.base.value < *lowest)) lowest = o.base.value;
    }
    return lowest;
}

/// The name of a group of ranges; `place` is its index from the lowest address, `heap` the index of the group in which
/// the heap begins, if known.
std::string_view nameOf(std::uint64_t base, std::size_t place, bool highest, ProcessLayout layout,
                        std::optional<std::size_t> heap) {
    if (layout == ProcessLayout::plain) return "memory";
    if (highest) return "stack";
    if (layout == ProcessLayout::valgrind) {
        if (base < kValgrindLinker) return "globals";
        return base < kValgrindMapped ? "heap" : "mapped";
    }
    if (base >= kLinuxMapped) return "mapped";
    if (heap) return place < *heap ? "globals" : "heap";
    return place == 0 ? "globals" : place == 1 ? "heap" : "mapped";
}

/// Numbers names that occur more than once, except the first one; "memory" is numbered from 1.
void numberNames(std::vector<Region>& regions) {
    std::map<std::string, int> total;
    std::map<std::string, int> seen;
    for (const Region& r : regions) ++total[r.name];
    for (Region& r : regions) {
        const int n = ++seen[r.name];
        if (n > 1 || (r.name == "memory" && total[r.name] > 1)) r.name = fmt::format("{} {}", r.name, n);
    }
}

}  // namespace

std::vector<Region> inferRegions(const Trace& trace, const EdgeWatch& watched) {
    const std::vector<TouchedRange> runs = TouchedRangeFinder(trace, watched).find();
    std::vector<Region> regions;
    if (runs.empty()) return regions;
    const ProcessLayout layout = processLayoutOf(runs);
    const std::uint64_t width = partingGap(runs, layout);
    const auto heap = heapOf(trace, layout);
    std::optional<std::size_t> heapGroup;

    std::vector<std::size_t> groupOf;  // by region: the ranges between two separating gaps form a group
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool isHeapNext = i > 0 && heap && runs[i - 1].last < *heap && *heap <= runs[i].last;
        const bool parted = i > 0 && (isHeapNext || (runs[i].gap >= width && canPart(runs[i], runs[i - 1], layout)));
        if (i == 0 || parted || runs[i].behindRegion) {
            groupOf.push_back(i == 0 ? 0 : groupOf.back() + (parted ? 1 : 0));
            Region region;
            region.base = ByteAddress{runs[i].base};
            region.origin = RegionOrigin::inferred;
            regions.push_back(std::move(region));
        }
        if (heap && !heapGroup && *heap <= runs[i].last) heapGroup = groupOf.back();
        // A region cannot span the whole address space: its size would not fit into 64 bits.
        regions.back().size =
            std::max(runs[i].last - regions.back().base.value, runs[i].last - regions.back().base.value + 1);
    }
    std::vector<std::uint64_t> groupBase;
    for (std::size_t i = 0; i < regions.size(); ++i) {
        if (groupOf[i] == groupBase.size()) groupBase.push_back(regions[i].base.value);
        regions[i].name = nameOf(groupBase[groupOf[i]], groupOf[i], groupOf[i] == groupOf.back(), layout, heapGroup);
    }
    numberNames(regions);
    return regions;
}

}  // namespace whorl::sim
