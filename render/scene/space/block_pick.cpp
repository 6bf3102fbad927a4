#include "render/scene/space/block_pick.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/space/block_view.h"

namespace whorl::scene {

namespace {

constexpr float kStayReach = 4;  ///< pixels; from anywhere in a cell of FoldGrid to what it holds

/// Follows the line of sight from plane to plane and row to row; in a row the stays are found by halving.
class Picker {
  public:
    Picker(const BlockView& view, const BlockLook& look, glm::vec2 pixel)
        : view_(view), look_(look), frame_(view, look), grid_(foldGrid(look, frame_)), pixel_(pixel) {
        toClip_ = look.camera.toClip(look.size, frame_.around());
        const Ray ray = rayAt(toClip_, pixel, look.size);
        from_ = ray.from;
        way_ = glm::dvec3(ray.to) - glm::dvec3(ray.from);
    }

    /// The first stay, taken as a box, that the line of sight goes through.
    std::optional<std::uint32_t> struck() {
        for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
            if (frame_.showsCache(cache)) strikePlane(cache);
        }
        return best_;
    }

    /// The stay whose mark is the nearest to the pixel.
    std::optional<std::uint32_t> nearest() {
        if (std::abs(way_.x) < 1e-6 * glm::length(way_)) return std::nullopt;
        bestAt_ = kStayReach;
        for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
            if (frame_.showsCache(cache)) searchPlane(cache);
        }
        return best_;
    }

    /// The time where the line of sight meets the plane through the middle of all planes.
    double time() const {
        // Seen along the planes there is no such place: the point nearest to the target is taken.
        const bool along = std::abs(way_.x) < 1e-3 * glm::length(way_);
        const double at = along ? glm::dot(glm::dvec3(look_.camera.target) - from_, way_) / glm::dot(way_, way_)
                                : (look_.camera.target.x - from_.x) / way_.x;
        return timeOf(from_.z + way_.z * at);
    }

    /// Whether only the ends of stays are drawn.
    bool drawsEnds() const { return look_.draw == BlockLook::Draw::points || grid_.events; }

    std::optional<CellAround> cellAround(std::uint32_t index) const {
        const sim::Stay stay = view_.level().stays[index];
        const std::optional<std::uint32_t> row = view_.rowOf(stay.block);
        if (look_.colour == BlockLook::Colour::state || standsOut(index)) return std::nullopt;
        if (!grid_.isOn() || !row || !frame_.showsRow(*row) || !(grid_.events || grid_.folds(stay)))
            return std::nullopt;
        const double at = grid_.events ? nearerEnd(stay) : middleOf(stay);
        if (isInLens(at)) return std::nullopt;
        const std::int64_t cell = grid_.cellAt(at);
        const double from = static_cast<double>(cell) * grid_.step;
        CellAround around{grid_, {from, from + grid_.step}, 0};
        const auto [begin, end] = frame_.rows();
        const std::uint32_t first = begin + (*row - begin) / grid_.rows * grid_.rows;
        for (std::uint32_t r = first; r < std::min(first + grid_.rows, end); ++r) {
            for (std::uint32_t cache = 0; cache < view_.planes(); ++cache) {
                const bool isIn = frame_.merges() ? frame_.showsCache(cache) : cache == stay.cache;
                if (isIn) around.count += countIn(cell, r, cache);
            }
        }
        return around;
    }

  private:
    static double middleOf(const sim::Stay& s) { return (static_cast<double>(s.from) + static_cast<double>(s.to)) / 2; }

    /// Of a stay's fill and departure, the one that is nearer to the line of sight.
    double nearerEnd(const sim::Stay& s) const {
        const double at = (frame_.xOf(s.cache) - from_.x) / way_.x;
        const double time = timeOf(from_.z + way_.z * at);
        const auto from = static_cast<double>(s.from);
        const auto to = static_cast<double>(s.to);
        return frame_.departsInside(s) && (!frame_.comesInside(s) || std::abs(to - time) < std::abs(from - time))
                   ? to
                   : from;
    }

    std::uint32_t countIn(std::int64_t cell, std::uint32_t row, std::uint32_t cache) const {
        std::uint32_t count = 0;
        const auto add = [&](double at) { count += grid_.cellAt(at) == cell && !isInLens(at) ? 1 : 0; };
        const auto [first, last] = view_.staysOf(row, cache);
        for (std::uint32_t i = first; i < last; ++i) {
            const sim::Stay s = view_.level().stays[i];
            if (!frame_.shows(s) || standsOut(i)) continue;
            if (grid_.folds(s)) add(middleOf(s));
            if (grid_.events && frame_.comesInside(s)) add(static_cast<double>(s.from));
            if (grid_.events && frame_.departsInside(s)) add(static_cast<double>(s.to));
        }
        return count;
    }

    struct Span {
        double from;
        double to;
    };

    /// The part of the line of sight on which a coordinate is between two values; empty when from > to.
    Span within(int axis, double low, double high, Span span) const {
        if (way_[axis] == 0) return from_[axis] < low || from_[axis] > high ? Span{1, 0} : span;
        double a = (low - from_[axis]) / way_[axis];
        double b = (high - from_[axis]) / way_[axis];
        if (a > b) std::swap(a, b);
        return {std::max(span.from, a), std::min(span.to, b)};
    }

    void strikePlane(std::uint32_t cache) {
        const double x = frame_.xOf(cache);
        const double half = frame_.half();
        const Span slab = within(0, x - half, x + half, {0, 1});
        if (slab.from > slab.to || slab.from >= bestAt_) return;
        const double y0 = from_.y + way_.y * slab.from;
        const double y1 = from_.y + way_.y * slab.to;
        const auto [first, last] = rowsBetween(std::min(y0, y1) - half, std::max(y0, y1) + half);
        for (std::int64_t row = first; row <= last; ++row) strikeRow(static_cast<std::uint32_t>(row), cache, slab);
    }

    /// The rows that are shown, and of which anything lies between two heights.
    std::pair<std::int64_t, std::int64_t> rowsBetween(double low, double high) const {
        const auto begin = static_cast<double>(frame_.rows().first);
        const auto end = static_cast<double>(frame_.rows().second);
        const double first = std::clamp(std::floor(frame_.rowAt(low)), begin, end);
        const double last = std::clamp(std::floor(frame_.rowAt(high)), begin - 1, end - 1);
        return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
    }

    void strikeRow(std::uint32_t row, std::uint32_t cache, Span slab) {
        const double y = frame_.yOf(row, cache);
        const Span span = within(1, y - frame_.halfHigh(), y + frame_.halfHigh(), slab);
        if (span.from > span.to || span.from >= bestAt_) return;
        const double z0 = from_.z + way_.z * span.from;
        const double z1 = from_.z + way_.z * span.to;
        const auto [first, last] = view_.staysOf(row, cache);
        const sim::StayList& stays = view_.level().stays;
        // Stays of a block in one cache follow each other: those that end too early are skipped.
        const double early = timeOf(std::min(z0, z1) - 1e-6);
        const auto begin = std::partition_point(stays.begin() + first, stays.begin() + last,
                                                [&](const sim::Stay& s) { return static_cast<double>(s.to) < early; });
        for (auto i = static_cast<std::uint32_t>(begin - stays.begin()); i < last; ++i) {
            const sim::Stay s = stays[i];
            if (frame_.zOf(static_cast<double>(s.from)) > std::max(z0, z1)) break;
            if (!frame_.shows(s)) continue;
            const Span through = within(2, zFrom(s), zTo(s), span);
            if (through.from > through.to || through.from >= bestAt_) continue;
            bestAt_ = through.from;
            best_ = i;
        }
    }

    double zFrom(const sim::Stay& s) const { return frame_.zOf(frame_.partOf(s).from); }
    double zTo(const sim::Stay& s) const { return frame_.zOf(frame_.partOf(s).to); }

    void searchPlane(std::uint32_t cache) {
        const double at = (frame_.xOf(cache) - from_.x) / way_.x;
        if (at < 0 || at > 1) return;
        const double y = from_.y + way_.y * at;
        const double z = from_.z + way_.z * at;
        // The reach on this plane, with some to spare as the plane may be seen at an angle.
        const float w = std::max((toClip_ * glm::vec4(frame_.xOf(cache), y, z, 1)).w, 0.05F);
        const double reach = 3.0 * kStayReach * w / look_.camera.pixelsPerUnit(look_.size);
        const auto [first, last] = rowsBetween(y - reach, y + reach);
        for (std::int64_t row = first; row <= last; ++row) {
            searchRow(static_cast<std::uint32_t>(row), cache, z, reach);
        }
    }

    void searchRow(std::uint32_t row, std::uint32_t cache, double z, double reach) {
        const auto [first, last] = view_.staysOf(row, cache);
        const sim::StayList& stays = view_.level().stays;
        const double early = timeOf(z - reach);
        const auto begin = std::partition_point(stays.begin() + first, stays.begin() + last,
                                                [&](const sim::Stay& s) { return static_cast<double>(s.to) < early; });
        for (auto i = static_cast<std::uint32_t>(begin - stays.begin()); i < last; ++i) {
            const sim::Stay s = stays[i];
            if (frame_.zOf(static_cast<double>(s.from)) > z + reach) break;
            if (!frame_.shows(s)) continue;
            const float away = awayFrom(s, i, row, cache, z);
            if (away >= bestAt_) continue;
            bestAt_ = away;
            best_ = i;
        }
    }

    /// How many pixels away a stay's mark is: its line, or its two ends where only those are drawn.
    float awayFrom(const sim::Stay& s, std::uint32_t index, std::uint32_t row, std::uint32_t cache, double z) const {
        const auto pixelsTo = [&](double place) {
            const glm::vec3 at(frame_.xOf(cache), frame_.yOf(row, cache), place);
            return glm::distance(pixel_, pixelOf(toClip_, at, look_.size));
        };
        if (drawsEnds() && !standsOut(index)) {
            const float come = frame_.comesInside(s) ? pixelsTo(zFrom(s)) : kStayReach;
            const bool leaves = grid_.events ? frame_.departsInside(s) : frame_.leavesInside(s);
            return std::min(come, leaves ? pixelsTo(zTo(s)) : kStayReach);
        }
        return pixelsTo(std::clamp(z, zFrom(s), zTo(s)));
    }

    /// Whether a stay is drawn by itself, whatever its length.
    bool standsOut(std::uint32_t index) const {
        if (look_.picked == index) return true;
        return look_.highlights && std::binary_search(look_.highlights->begin(), look_.highlights->end(), index);
    }

    bool isInLens(double at) const { return look_.lens && look_.lens->from <= at && at < look_.lens->to; }

    double timeOf(double z) const {
        const double cycles = (z + BlockFrame::kLength / 2.0) / frame_.zPerCycle();
        return std::clamp(frame_.from() + cycles, frame_.from(), frame_.to());
    }

    const BlockView& view_;
    const BlockLook& look_;
    BlockFrame frame_;
    FoldGrid grid_;
    glm::vec2 pixel_;
    glm::mat4 toClip_{1};
    glm::dvec3 from_{0};
    glm::dvec3 way_{0};
    std::optional<std::uint32_t> best_;
    double bestAt_ = 2;
};

}  // namespace

std::optional<std::uint32_t> pickStay(const BlockView& view, const BlockLook& look, glm::vec2 pixel) {
    Picker picker(view, look, pixel);
    if (!picker.drawsEnds()) {
        if (const auto stay = picker.struck()) return stay;
    }
    return picker.nearest();
}

std::optional<CellAround> cellAround(const BlockView& view, const BlockLook& look, std::uint32_t stay,
                                     glm::vec2 pixel) {
    return Picker(view, look, pixel).cellAround(stay);
}

double timeAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel) {
    return Picker(view, look, pixel).time();
}

}  // namespace whorl::scene
