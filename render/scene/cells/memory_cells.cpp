#include "render/scene/cells/memory_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/machine/machine_config.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

/// The fewest successive untouched rows that are left out of a region rather than shown.
constexpr std::uint64_t kMinGap = 16;
/// The most rows of a declared array that is shown as a whole.
constexpr std::uint64_t kMaxWhole = 4096;
/// The most pieces that still have titles.
constexpr std::size_t kMaxTitled = 64;

/// The pieces of `size` bytes in [first, last], as numbers, that the trace touches. Ascending.
std::vector<std::uint64_t> touchedPieces(const sim::Trace& trace, sim::ByteAddress first, sim::ByteAddress last,
                                         std::uint64_t size) {
    std::vector<std::uint64_t> out;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(size));
    const std::uint64_t unit = std::max<std::uint64_t>(size, sim::Footprint::kGranule);
    const std::uint64_t lowest = first.value >> shift;
    const std::uint64_t highest = last.value >> shift;
    for (const sim::ByteAddress block : trace.footprint().touchedBlocks(first, last, unit)) {
        const std::uint64_t from = std::max(lowest, block.value >> shift);
        const std::uint64_t to = std::min(highest, (block.value + (unit - 1)) >> shift);
        for (std::uint64_t piece = from; piece <= to; ++piece) {
            if (out.empty() || out.back() < piece) out.push_back(piece);
        }
    }
    return out;
}

/// "A  32K" or "heap  216 016 bytes".
std::string titleOf(const sim::Region& region) {
    const bool isRound = region.size % 1024 == 0;
    const std::string size = isRound ? sim::formatBytes(region.size) : sim::grouped(region.size) + " bytes";
    return fmt::format("{}  {}", region.name, size);
}

}  // namespace

MemoryCells::MemoryCells(const sim::Trace& trace, const MemoryShape& shape) : shape_(shape) {
    groups_.columns = shape.columns;
    switch (shape.groups) {
        case MemoryGroups::regions:
            addRegions(trace);
            gather(trace);
            break;
        case MemoryGroups::address:
            addRanges(trace);
            break;
        case MemoryGroups::pieces:
            addPieces(trace);
            break;
    }
}

/// Adds the cells with these numbers as a group.
void MemoryCells::addPart(std::uint64_t first, std::uint64_t last, std::size_t region, bool follows) {
    const std::uint64_t columns = shape_.columns;
    const bool isLoose =
        shape_.curve == MemoryCurve::linear && 2 * (last - first + 1) <= columns && first / columns != last / columns;
    const std::uint64_t origin = isLoose ? first : first / columns * columns;
    std::uint64_t rows = (last - origin) / columns + 1;
    if (shape_.curve == MemoryCurve::hilbert) rows = (rows + columns - 1) / columns * columns;
    extents_.push_back({.origin = origin, .first = first, .last = last, .region = region});
    groups_.groups.push_back({.title = {},
                              .rows = static_cast<std::uint32_t>(rows),
                              .follows = follows,
                              .isAfterGap = follows,
                              .firstCell = first - origin,
                              .cells = last - first + 1});
}

void MemoryCells::addRegions(const sim::Trace& trace) {
    const unsigned shift = static_cast<unsigned>(std::countr_zero(shape_.cell));
    const std::uint64_t columns = shape_.columns;
    std::uint64_t next = 0;  // the first cell that no region before has
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        const sim::Region& region = trace.regions()[r];
        if (region.size == 0) continue;
        const sim::ByteAddress lastByte{region.base.value + (region.size - 1)};
        const std::uint64_t first = std::max(next, region.base.value >> shift);
        const std::uint64_t last = lastByte.value >> shift;
        if (first > last) continue;
        next = last + 1;
        const std::size_t title = groups_.groups.size();
        const std::uint64_t rows = last / columns - first / columns + 1;
        if (region.origin == sim::RegionOrigin::declared && rows <= kMaxWhole) {
            addPart(first, last, r, false);
        } else {
            const std::vector<std::uint64_t> touched =
                touchedPieces(trace, sim::ByteAddress{first << shift}, lastByte, shape_.row());
            for (std::size_t i = 0; i < touched.size();) {
                std::size_t end = i + 1;
                while (end < touched.size() && touched[end] - touched[end - 1] <= kMinGap) ++end;
                addPart(std::max(first, touched[i] * columns), std::min(last, touched[end - 1] * columns + columns - 1),
                        r, i > 0);
                i = end;
            }
        }
        if (title < groups_.groups.size()) {
            groups_.groups[title].name = region.name;
            groups_.groups[title].title = titleOf(region);
        }
    }
}

namespace {

/// What a region is, by the names that recorded memory has.
std::size_t kindOf(const std::string& name) {
    return name.starts_with("heap") ? 0 : name.find("stack") != std::string::npos ? 1 : 2;
}

/// "23 stacks and globals".
std::string titleOf(std::size_t regions, const std::array<bool, 3>& kinds) {
    constexpr std::array<std::string_view, 3> kWords{"heap blocks", "stacks", "globals"};
    std::string words;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k]) words += fmt::format("{}{}", words.empty() ? "" : " and ", kWords[k]);
    }
    return fmt::format("{} {}", regions, words);
}

}  // namespace

/// Gives successive small regions one title.
void MemoryCells::gather(const sim::Trace& trace) {
    constexpr std::size_t kFewest = 3;
    std::vector<CellGroup>& groups = groups_.groups;
    const auto endOfRegion = [&](std::size_t g) {
        do ++g;
        while (g < groups.size() && groups[g].follows);
        return g;
    };
    const auto isSmall = [&](std::size_t g, std::size_t end) {
        std::uint64_t cells = 0;
        for (; g < end; ++g) cells += groups[g].cells;
        return cells <= shape_.gathered;
    };
    for (std::size_t first = 0; first < groups.size();) {
        std::vector<std::size_t> regions;
        std::array<bool, 3> kinds{};
        std::size_t end = first;
        for (std::size_t next = endOfRegion(end); isSmall(end, next); next = endOfRegion(end)) {
            kinds[kindOf(trace.regions()[extents_[end].region].name)] = true;
            regions.push_back(end);
            end = next;
            if (end == groups.size()) break;
        }
        for (const std::size_t g : regions) {
            if (regions.size() < kFewest) break;
            groups[g].title = g == first ? titleOf(regions.size(), kinds) : std::string();
            groups[g].name = groups[g].title;
            groups[g].isGathered = true;
            groups[g].follows = g > first;
        }
        first = std::max(end, endOfRegion(first));
    }
}

void MemoryCells::addRanges(const sim::Trace& trace) {
    const std::uint64_t columns = shape_.columns;
    const std::vector<std::uint64_t> touched =
        touchedPieces(trace, sim::ByteAddress{0}, sim::ByteAddress{~std::uint64_t{0}}, shape_.row());
    for (std::size_t i = 0; i < touched.size();) {
        std::size_t end = i + 1;
        while (end < touched.size() && touched[end] - touched[end - 1] <= kMinGap) ++end;
        const sim::ByteAddress base{touched[i] * shape_.row()};
        addPart(touched[i] * columns, touched[end - 1] * columns + (columns - 1), trace.regionAt(base), false);
        groups_.groups.back().title = fmt::format("{:#x}", base.value);
        i = end;
    }
}

void MemoryCells::addPieces(const sim::Trace& trace) {
    const std::uint64_t cells = shape_.piece / shape_.cell;
    const std::vector<std::uint64_t> pieces =
        touchedPieces(trace, sim::ByteAddress{0}, sim::ByteAddress{~std::uint64_t{0}}, shape_.piece);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const sim::ByteAddress base{pieces[i] * shape_.piece};
        addPart(pieces[i] * cells, pieces[i] * cells + (cells - 1), trace.regionAt(base), false);
        CellGroup& group = groups_.groups.back();
        group.isAfterGap = i > 0 && pieces[i] != pieces[i - 1] + 1;
        if (pieces.size() <= kMaxTitled) group.title = trace.placeOf(base, sim::Tick{0});
    }
}

std::optional<std::uint32_t> MemoryCells::groupOf(sim::ByteAddress a) const {
    const std::uint64_t cell = a.value / shape_.cell;
    const auto after = std::upper_bound(extents_.begin(), extents_.end(), cell,
                                        [](std::uint64_t c, const Extent& e) { return c < e.first; });
    if (after == extents_.begin() || std::prev(after)->last < cell) return std::nullopt;
    return static_cast<std::uint32_t>(after - extents_.begin() - 1);
}

std::optional<CellPlace> MemoryCells::placeOf(sim::ByteAddress a) const {
    const auto group = groupOf(a);
    if (!group) return std::nullopt;
    const std::uint64_t i = a.value / shape_.cell - extents_[*group].origin;
    const std::uint64_t columns = shape_.columns;
    if (shape_.curve == MemoryCurve::linear) {
        return CellPlace{*group, static_cast<std::uint32_t>(i / columns), static_cast<std::uint32_t>(i % columns)};
    }
    const std::uint64_t square = columns * columns;
    const HilbertPoint p = hilbertPoint(shape_.columns, i % square);
    return CellPlace{*group, static_cast<std::uint32_t>(i / square * columns) + p.y, p.x};
}

std::optional<sim::ByteAddress> MemoryCells::addressAt(const CellPlace& place) const {
    if (place.group >= extents_.size() || place.column >= shape_.columns) return std::nullopt;
    const Extent& extent = extents_[place.group];
    const std::uint64_t columns = shape_.columns;
    std::uint64_t i = place.row * columns + place.column;
    if (shape_.curve == MemoryCurve::hilbert) {
        const std::uint64_t square = place.row / columns;
        i = square * columns * columns +
            hilbertIndex(shape_.columns, place.column, static_cast<std::uint32_t>(place.row % columns));
    }
    const std::uint64_t cell = extent.origin + i;
    if (cell < extent.first || cell > extent.last) return std::nullopt;
    return sim::ByteAddress{cell * shape_.cell};
}

sim::ByteAddress MemoryCells::firstOf(std::uint32_t group) const {
    return sim::ByteAddress{extents_[group].first * shape_.cell};
}

sim::ByteAddress MemoryCells::lastOf(std::uint32_t group) const {
    return sim::ByteAddress{extents_[group].last * shape_.cell + (shape_.cell - 1)};
}

namespace {

void turnQuadrant(std::uint32_t n, std::uint32_t& x, std::uint32_t& y, bool right, bool low) {
    if (low) return;
    if (right) {
        x = n - 1 - x;
        y = n - 1 - y;
    }
    std::swap(x, y);
}

}  // namespace

std::uint64_t hilbertIndex(std::uint32_t n, std::uint32_t x, std::uint32_t y) {
    std::uint64_t index = 0;
    for (std::uint32_t s = n / 2; s > 0; s /= 2) {
        const bool right = (x & s) != 0;
        const bool low = (y & s) != 0;
        index += std::uint64_t{s} * s * ((right ? 3u : 0u) ^ (low ? 1u : 0u));
        turnQuadrant(n, x, y, right, low);
    }
    return index;
}

HilbertPoint hilbertPoint(std::uint32_t n, std::uint64_t index) {
    HilbertPoint p;
    for (std::uint32_t s = 1; s < n; s *= 2) {
        const bool right = (index / 2 & 1) != 0;
        const bool low = ((index ^ (right ? 1u : 0u)) & 1) != 0;
        turnQuadrant(s, p.x, p.y, right, low);
        p.x += right ? s : 0;
        p.y += low ? s : 0;
        index /= 4;
    }
    return p;
}

}  // namespace whorl::scene
