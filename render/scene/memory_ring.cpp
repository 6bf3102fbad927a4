#include "render/scene/memory_ring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kTop = -kPi / 2;
/// A place smaller than this is shared by several homes.
constexpr float kLeastRoom = 3.0f;

/// The arcs, by the square root of the number of homes, none below a floor; the gaps take at most a quarter in all.
void layArcs(MemoryRing& ring, const Homes& homes) {
    const auto n = static_cast<float>(homes.spans().size());
    const float gap = std::min(std::clamp(0.4f / n, 0.03f, 0.09f), kPi / 2 / n);
    const float room = 2 * kPi - n * gap;
    const float floor = std::min(0.21f, 0.5f * room / n);
    float sum = 0;
    for (const Homes::Span& span : homes.spans()) sum += std::sqrt(static_cast<float>(span.count));
    // What lies above the floor is shared by the square root, so every arc gets the floor and the sum comes out even.
    float at = kTop + gap / 2;
    for (const Homes::Span& span : homes.spans()) {
        const float width = floor + (room - n * floor) * std::sqrt(static_cast<float>(span.count)) / sum;
        ring.arcs.push_back({.from = at, .to = at + width, .firstHome = span.first, .homes = span.count});
        at += width + gap;
    }
}

/// The smallest distance between places if the ring had so many rows and each arc as many columns as it needs.
float roomWith(const MemoryRing& ring, std::uint32_t rows) {
    const float radial = (ring.outer - ring.inner) / static_cast<float>(rows);
    float least = radial;
    for (const MemoryRing::Arc& arc : ring.arcs) {
        const std::uint32_t columns = (arc.homes + rows - 1) / rows;
        least = std::min(least, (arc.to - arc.from) * (ring.inner + radial / 2) / static_cast<float>(columns));
    }
    return least;
}

/// True when a row of an array fills the rows of the ring evenly, so that its columns line up.
bool suits(std::uint32_t rows, const Homes& homes, const sim::Trace& trace) {
    for (const Homes::Span& span : homes.spans()) {
        const sim::Region& region = trace.regions()[span.region];
        const std::uint64_t blocks = region.columns * region.elementSize / homes.blockSize();
        if (blocks > 1 && blocks % rows != 0 && rows % blocks != 0) return false;
    }
    return true;
}

std::uint32_t chooseRows(const MemoryRing& ring, const Homes& homes, const sim::Trace& trace) {
    const auto most = static_cast<std::uint32_t>(std::max(1.0f, (ring.outer - ring.inner) / kLeastRoom));
    float best = 0;
    for (std::uint32_t rows = 1; rows <= most; ++rows) best = std::max(best, roomWith(ring, rows));
    std::uint32_t chosen = most;
    float chosenRoom = 0;
    for (std::uint32_t rows = 1; rows <= most; ++rows) {
        const float room = roomWith(ring, rows);
        // A number of rows that suits the arrays may cost a third of the room.
        const float worth = suits(rows, homes, trace) ? room * 1.5f : room;
        if (worth > chosenRoom) {
            chosen = rows;
            chosenRoom = worth;
        }
    }
    return best < kLeastRoom ? most : chosen;
}

void layPlaces(MemoryRing& ring, MemoryRing::Arc& arc) {
    const float radial = (ring.outer - ring.inner) / static_cast<float>(ring.rows);
    const float length = (arc.to - arc.from) * (ring.inner + radial / 2);
    const auto mostColumns = static_cast<std::uint32_t>(std::max(1.0f, length / kLeastRoom));
    const std::uint32_t most = mostColumns * ring.rows;
    arc.group = (arc.homes + most - 1) / most;
    arc.places = (arc.homes + arc.group - 1) / arc.group;
    arc.firstPlace = static_cast<std::uint32_t>(ring.places.size());
    const std::uint32_t columns = (arc.places + ring.rows - 1) / ring.rows;
    ring.room = std::min(ring.room, length / static_cast<float>(columns));
    for (std::uint32_t p = 0; p < arc.places; ++p) {
        const std::uint32_t row = p % ring.rows;
        const std::uint32_t column = p / ring.rows;
        const float r = ring.inner + (static_cast<float>(row) + 0.5f) * radial;
        const float share = (static_cast<float>(column) + 0.5f) / static_cast<float>(columns);
        const float theta = arc.from + share * (arc.to - arc.from);
        ring.places.push_back(r * glm::vec2(std::cos(theta), std::sin(theta)));
    }
}

}  // namespace

Homes::Homes(const sim::Trace& trace, std::uint64_t block) : block_(block) {
    std::uint64_t next = 0;  // blocks below this address have a home
    for (std::size_t r = 0; r < trace.regions().size(); ++r) {
        const sim::Region& region = trace.regions()[r];
        const auto first = static_cast<std::uint32_t>(addresses_.size());
        const bool whole = region.origin == sim::RegionOrigin::declared && region.size / block <= kMostWhole;
        if (whole) {
            for (std::uint64_t b = region.base.value / block; b * block < region.end().value; ++b) {
                if (b * block >= next) addresses_.emplace_back(b * block);
            }
        } else {
            for (const sim::ByteAddress b : trace.footprint().touchedBlocks(region.base, region.end(), block)) {
                if (b.value >= next) addresses_.push_back(b);
            }
        }
        const auto count = static_cast<std::uint32_t>(addresses_.size()) - first;
        if (count == 0) continue;
        next = addresses_.back().value + block;
        spans_.push_back({.region = r, .first = first, .count = count});
    }
}

std::uint32_t Homes::of(sim::ByteAddress address) const {
    const sim::ByteAddress base{address.value / block_ * block_};
    const auto found = std::lower_bound(addresses_.begin(), addresses_.end(), base);
    if (found == addresses_.end() || *found != base) return kNone;
    return static_cast<std::uint32_t>(found - addresses_.begin());
}

std::size_t Homes::spanOf(std::uint32_t home) const {
    const auto after = std::upper_bound(spans_.begin(), spans_.end(), home,
                                        [](std::uint32_t h, const Span& span) { return h < span.first; });
    return static_cast<std::size_t>(after - spans_.begin()) - 1;
}

MemoryRing layMemory(float inner, float outer, const Homes& homes, const sim::Trace& trace) {
    MemoryRing ring{.inner = inner, .outer = outer, .arcs = {}, .places = {}};
    if (homes.count() == 0) return ring;
    layArcs(ring, homes);
    ring.rows = chooseRows(ring, homes, trace);
    ring.room = (outer - inner) / static_cast<float>(ring.rows);
    for (MemoryRing::Arc& arc : ring.arcs) layPlaces(ring, arc);
    return ring;
}

}  // namespace whorl::scene
