#include "render/scene/rings/level_ring.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "render/scene/scene.h"

namespace whorl::scene {

float involuteTurn(float base, float r) {
    const float x = std::sqrt(std::max(0.0f, (r / base) * (r / base) - 1));
    return x - std::atan(x);
}

float sideTurn(const RingSector& sector, float r) {
    return sector.base > 0 ? involuteTurn(sector.base, r) - involuteTurn(sector.base, sector.inner) : 0;
}

Arms::Arms(const Shape& shape) : shape_(shape) {
    const float area = shape.outer * shape.outer - shape.inner * shape.inner;
    const auto glyphs = static_cast<float>(shape.ways * shape.parts);
    // An involute of a circle of radius a is area / 2a long between the two radii.
    base_ = std::min(shape.inner, std::sqrt(area / (2 * shape.stepOverPitch * glyphs * shape.curvedBy)));
    step_ = area / (2 * base_ * glyphs);
}

float Arms::radius(float rank) const {
    const float u = std::max(0.0f, (rank + 0.5f) / static_cast<float>(shape_.ways));
    return std::sqrt(shape_.inner * shape_.inner + u * (shape_.outer * shape_.outer - shape_.inner * shape_.inner));
}

float Arms::rankAt(float r) const {
    const float u = (r * r - shape_.inner * shape_.inner) / (shape_.outer * shape_.outer - shape_.inner * shape_.inner);
    return u * static_cast<float>(shape_.ways) - 0.5f;
}

glm::vec2 Arms::place(float arm, float rank) const {
    const float r = radius(rank);
    const float theta = shape_.first + shape_.apart * arm + turned(r);
    return r * glm::vec2(std::cos(theta), std::sin(theta));
}

float Arms::armAt(glm::vec2 place) const {
    const float r = glm::length(place);
    const float theta = std::atan2(place.y, place.x) - turned(std::max(r, shape_.inner)) - shape_.first;
    const float turns = theta / (2 * kPi);
    return (turns - std::floor(turns)) * 2 * kPi / shape_.apart;
}

float Arms::turned(float r) const {
    return involuteTurn(base_, r) - involuteTurn(base_, shape_.inner);
}

namespace {

constexpr float kGlyphRoom = 7.0f;  ///< pixels; with less, blocks are cells
/// Least gain in room for which sets of few places are folded, or cells are folded further, as a factor.
constexpr float kWorthFolding = 1.25f;
constexpr float kCellSteps = 2.0f;  ///< the step along the arm over the pitch, for capsules
constexpr std::uint32_t kMaxBands = 24;
/// Gap between two sectors, as a share of one; and its limit, radians.
constexpr float kGapShare = 0.12f;
constexpr float kMaxGap = 0.10f;

glm::vec2 turnedBy(glm::vec2 v, float angle) {
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    return {v.x * c - v.y * s, v.x * s + v.y * c};
}

}  // namespace

Tier tierFor(float room) {
    return room >= kGlyphRoom ? Tier::glyphs : Tier::cells;
}

LevelRing::LevelRing(Shape shape) : shape_(std::move(shape)) {
    foldForGlyphs();
    const bool hasGlyphs = room_ >= kGlyphRoom * shape_.detail;
    if (!hasGlyphs) foldForCells();
    if (!shape_.shares.empty()) widen(hasGlyphs ? Arms::kArmSteps : kCellSteps);
    setAt_.resize(shape_.sets);
    for (std::uint32_t s = 0; s < shape_.sets; ++s) setAt_[shape_.spoke[s]] = s;
    places_.reserve(slots() * shape_.parts);
    for (std::uint32_t c = 0; c < shape_.caches; ++c) {
        for (std::uint32_t s = 0; s < shape_.sets; ++s) {
            for (std::uint32_t k = 0; k < shape_.ways; ++k) {
                for (std::uint32_t p = 0; p < shape_.parts; ++p) {
                    places_.push_back(place(c, s, static_cast<float>(k), p));
                }
            }
        }
    }
}

/// Folds into one band if its arms have room; else into the number of bands that gives the most room.
void LevelRing::foldForGlyphs() {
    bands_ = fold(1, Arms::kArmSteps);
    room_ = measureRoom(bands_);
    const bool few = shape_.ways * shape_.parts <= kFewPlaces;
    if (room_ >= kGlyphRoom * shape_.detail && !few) return;
    float least = few ? kWorthFolding * room_ : room_;
    for (std::uint32_t count = 2; count <= std::min(kMaxBands, shape_.sets); ++count) {
        std::vector<Arms> bands = fold(count, Arms::kArmSteps);
        const float room = measureRoom(bands);
        if (room <= least) continue;
        room_ = least = room;
        bands_ = std::move(bands);
    }
}

/// Folds into the number of bands with the broadest capsules; more bands must be worth it (kWorthFolding).
void LevelRing::foldForCells() {
    float broadest = 0;
    for (std::uint32_t count = 1; count <= std::min(kMaxBands, shape_.sets); ++count) {
        std::vector<Arms> bands = fold(count, kCellSteps);
        float breadth = shape_.outer;
        for (const Arms& band : bands) {
            breadth = std::min({breadth, band.pitch(), band.step() * static_cast<float>(shape_.parts)});
        }
        if (breadth <= kWorthFolding * broadest) continue;
        broadest = breadth;
        bands_ = std::move(bands);
    }
    room_ = std::min(broadest, measureRoom(bands_));
}

void LevelRing::widen(float stepOverPitch) {
    for (std::uint32_t c = 0; c < shape_.caches; ++c) {
        wide_.push_back(fold(static_cast<std::uint32_t>(bands_.size()), stepOverPitch, spanOf(c)));
    }
}

/// The sets of a sector in `count` bands of equal area, one around the other.
std::vector<Arms> LevelRing::fold(std::uint32_t count, float stepOverPitch, float span) const {
    const float area = shape_.outer * shape_.outer - shape_.inner * shape_.inner;
    const std::uint32_t arms = (shape_.sets + count - 1) / count;
    const float gap = this->gap();
    const float apart = (span - gap) / static_cast<float>(arms);
    const float least = (narrowest() - gap) / static_cast<float>(arms);
    // The only sector begins with an arm, so that a level's first arm starts where the nearer level's ends.
    float first = shape_.caches == 1 ? shape_.start : shape_.start + gap / 2 + apart / 2;
    std::vector<Arms> bands;
    float from = shape_.inner;
    for (std::uint32_t b = 1; b <= count; ++b) {
        const float to =
            std::sqrt(shape_.inner * shape_.inner + area * static_cast<float>(b) / static_cast<float>(count));
        bands.emplace_back(Arms::Shape{from, to, arms, shape_.ways, shape_.parts, first, apart, stepOverPitch, least});
        first += bands.back().turned(to);
        from = to;
    }
    return bands;
}

/// The smallest distance between two places. Arms of a band are turned copies of one another and keep their distance,
/// so it is enough to look from one arm at its neighbours, and from its inner end at the band before.
float LevelRing::measureRoom(const std::vector<Arms>& bands) const {
    float least = shape_.outer - shape_.inner;  // a cache of one block has all the room there is
    const std::uint32_t glyphs = shape_.ways * shape_.parts;
    const auto rankOf = [&](std::uint32_t g) {
        return (static_cast<float>(g) + 0.5f) / static_cast<float>(shape_.parts) - 0.5f;
    };
    for (std::size_t b = 0; b < bands.size(); ++b) {
        const Arms& band = bands[b];
        for (std::uint32_t g = 0; g < glyphs; ++g) {
            const glm::vec2 here = band.place(0, rankOf(g));
            const std::uint32_t near = std::min(glyphs, std::uint32_t{64});
            if (g + 1 < glyphs) least = std::min(least, glm::distance(here, band.place(0, rankOf(g + 1))));
            if (band.arms() == 1) {
                for (std::uint32_t o = 0; o < glyphs; ++o) {
                    const glm::vec2 other = band.place(0, rankOf(o));
                    if (o > g + 1) least = std::min(least, glm::distance(here, other));
                    if (shape_.caches > 1) least = std::min(least, glm::distance(here, turnedBy(other, narrowest())));
                }
                continue;
            }
            const std::uint32_t low = g < near ? 0 : g - near;
            for (std::uint32_t o = low; o < std::min(glyphs, g + near); ++o) {
                least = std::min(least, glm::distance(here, band.place(1, rankOf(o))));
            }
        }
        if (b == 0) continue;
        const glm::vec2 inmost = band.place(0, rankOf(0));
        for (std::uint32_t arm = 0; arm < bands[b - 1].arms(); ++arm) {
            const glm::vec2 other = bands[b - 1].place(static_cast<float>(arm), rankOf(glyphs - 1));
            least = std::min(least, glm::distance(inmost, other));
        }
    }
    return least;
}

float LevelRing::turnOf(std::uint32_t cache) const {
    if (shape_.shares.empty()) return 2 * kPi * static_cast<float>(cache) / static_cast<float>(shape_.caches);
    return 2 * kPi * std::accumulate(shape_.shares.begin(), shape_.shares.begin() + cache, 0.0f);
}

float LevelRing::spanOf(std::uint32_t cache) const {
    return shape_.shares.empty() ? narrowest() : 2 * kPi * shape_.shares[cache];
}

float LevelRing::narrowest() const {
    if (shape_.shares.empty()) return 2 * kPi / static_cast<float>(shape_.caches);
    return 2 * kPi * *std::min_element(shape_.shares.begin(), shape_.shares.end());
}

float LevelRing::gap() const {
    return shape_.caches == 1 ? 0 : std::min(kMaxGap, kGapShare * narrowest());
}

glm::vec2 LevelRing::place(std::uint32_t cache, std::uint32_t set, float rank, std::uint32_t part) const {
    const Spot spot = spotOf(set);
    const auto parts = static_cast<float>(shape_.parts);
    const float shifted = rank + (static_cast<float>(part) + 0.5f) / parts - 0.5f;
    const glm::vec2 first = armsOf(cache, spot.band).place(static_cast<float>(spot.arm), shifted);
    return cache == 0 ? first : turnedBy(first, turnOf(cache));
}

Sector LevelRing::sector(std::uint32_t cache, float r) const {
    float from = shape_.start + gap() / 2 + turnOf(cache);
    for (const Arms& band : bands_) {
        from += band.turned(std::clamp(r, band.inner(), band.outer()));
        if (r <= band.outer()) break;
    }
    return {from, spanOf(cache) - gap()};
}

Slot LevelRing::slotAt(glm::vec2 place) const {
    const float r = glm::length(place);
    const auto found = std::find_if(bands_.begin(), bands_.end(), [&](const Arms& b) { return r <= b.outer(); });
    const Arms& band = found == bands_.end() ? bands_.back() : *found;
    const auto b = static_cast<std::size_t>(&band - bands_.data());
    // The angle from the first side of the first sector.
    const float turn = (band.armAt(place) + 0.5f) * band.apart();
    std::uint32_t cache = 0;
    while (cache + 1 < shape_.caches && turnOf(cache + 1) <= turn) ++cache;
    const bool isBefore = turn >= turnOf(cache) + spanOf(cache);  // half an arm before the first
    if (isBefore) cache = 0;
    const Arms& arms = armsOf(cache, b);
    const float within = isBefore ? 0 : (turn - turnOf(cache)) / arms.apart() - 0.5f;
    auto nearest = static_cast<std::uint32_t>(std::lround(std::max(0.0f, within)));
    Slot slot{.cache = cache};
    slot.rank =
        static_cast<std::uint32_t>(std::clamp(std::lround(band.rankAt(r)), 0L, static_cast<long>(shape_.ways) - 1));
    if (shape_.caches == 1) nearest %= band.arms();
    const auto spoke = nearest * bands_.size() + b;
    slot.set = nearest < band.arms() && spoke < setAt_.size() ? setAt_[spoke] : shape_.sets;
    return slot;
}

float LevelRing::end() const {
    float end = shape_.start;
    for (const Arms& band : bands_) end += band.turned(band.outer());
    return end;
}

LevelRing::Cells LevelRing::cellsFor(float zoom, float least) const {
    Cells size;
    const auto narrower = [](const Arms& a, const Arms& b) { return a.pitch() < b.pitch(); };
    const auto shorter = [](const Arms& a, const Arms& b) { return a.step() < b.step(); };
    const Arms& narrowest = *std::min_element(bands_.begin(), bands_.end(), narrower);
    const float step =
        std::min_element(bands_.begin(), bands_.end(), shorter)->step() * static_cast<float>(shape_.parts) * zoom;
    const float pitch = narrowest.pitch() * zoom;
    while (static_cast<float>(size.ranks) * step < least && size.ranks < shape_.ways) ++size.ranks;
    while (static_cast<float>(size.arms) * pitch < least && size.arms < narrowest.arms()) size.arms *= 2;
    return size;
}

std::vector<LevelRing::Cell> LevelRing::cells(const Cells& size) const {
    std::vector<Cell> out;
    const auto count = static_cast<std::uint32_t>(bands_.size());
    for (std::uint32_t c = 0; c < shape_.caches; ++c) {
        for (std::uint32_t b = 0; b < count; ++b) {
            const Arms& band = armsOf(c, b);
            for (std::uint32_t arm = 0; arm < band.arms(); arm += size.arms) {
                for (std::uint32_t k = 0; k < shape_.ways; k += size.ranks) {
                    Cell cell;
                    for (std::uint32_t a = arm; a < std::min(arm + size.arms, band.arms()); ++a) {
                        const std::size_t spoke = std::size_t{a} * count + b;
                        if (spoke >= setAt_.size()) continue;
                        for (std::uint32_t r = k; r < std::min(k + size.ranks, shape_.ways); ++r) {
                            cell.slots.push_back({c, setAt_[spoke], r});
                        }
                    }
                    if (cell.slots.empty()) continue;
                    const auto arms = static_cast<float>(std::min(size.arms, band.arms() - arm));
                    const auto ranks = static_cast<float>(std::min(size.ranks, shape_.ways - k));
                    const float middle = static_cast<float>(arm) + (arms - 1) / 2;
                    const float along = ranks * band.step() * static_cast<float>(shape_.parts);
                    cell.width = 0.8f * std::min(arms * band.pitch(), along);
                    // The round ends of a capsule reach half its width farther than its axis.
                    const float half = 0.5f * std::max(0.0f, 0.86f * along - cell.width) / along * ranks;
                    const float centre = static_cast<float>(k) + (ranks - 1) / 2;
                    cell.from = turnedBy(band.place(middle, centre - half), turnOf(c));
                    cell.to = turnedBy(band.place(middle, centre + half), turnOf(c));
                    out.push_back(std::move(cell));
                }
            }
        }
    }
    return out;
}

}  // namespace whorl::scene
