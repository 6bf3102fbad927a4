#include "render/scene/rings/flow_bands.h"

#include <algorithm>
#include <cmath>

#include "render/scene/angle.h"
#include "render/scene/rings/easing.h"

namespace whorl::scene {

namespace {

using sim::FlowKey;

constexpr float kBroadest = 0.075f;  ///< as a share of the unit
constexpr int kBandPieces = 18;
/// The flows of one region spread over at most this angle, radians.
constexpr float kWidestSpread = 0.7f;

class FlowBands {
  public:
    FlowBands(Scene& scene, const FrameContext& frame)
        : scene_(scene), frame_(frame), palette_(frame.style.palette()), levels_(frame.layout.levels.size()) {
        for (const auto& [key, count] : frame.snapshot.flows.counts()) most_ = std::max(most_, count);
    }

    void add() {
        std::uint32_t index = 0;
        for (const auto& [key, count] : frame_.snapshot.flows.counts()) {
            if (shows(key)) draw(key, count, index);
            ++index;
        }
    }

  private:
    bool shows(const FlowKey& key) const {
        if (key.kind == FlowKey::Kind::inward) return frame_.layout.shows(0, key.cache);
        return key.level < levels_ && frame_.layout.shows(key.level, key.cache);
    }

    void draw(const FlowKey& key, std::uint64_t count, std::uint32_t index) {
        target_ = {
            .kind = Target::Kind::flow, .level = key.level, .cache = key.cache, .region = key.region, .flow = index};
        const float share = static_cast<float>(count) / static_cast<float>(most_);
        const float width = std::max(1.5f * frame_.layout.detail, kBroadest * frame_.layout.unit * share);
        const Rgba hue = frame_.style.hue(key.region);
        switch (key.kind) {
            case FlowKey::Kind::inward:
                band(inwardPath(key), hue, width, 0.55f);
                band(inwardPath(key), palette_.flash, std::max(1.2f, 0.22f * width), 0.9f);
                break;
            case FlowKey::Kind::outward:
                band(outwardPath(key), hue, width, 0.38f);
                break;
            case FlowKey::Kind::writeback:
                band(outwardPath(key), hue, width, 0.38f);
                band(outwardPath(key), palette_.dirty, std::max(1.2f, 0.16f * width), 0.7f);
                break;
            case FlowKey::Kind::taken:
                band(takenPath(key), palette_.mark, 0.5f * width, 0.5f);
                break;
        }
    }

    /// The angle at which a region's flows cross a ring: its arc's, so that they keep together, or that of a sector.
    float angleAt(std::size_t level, std::uint32_t cache, std::uint32_t region, float aside) const {
        const LevelRing& ring = frame_.layout.levels[level];
        if (ring.caches() == 1) return regionAngle(region, aside);
        const Sector sector = ring.sector(frame_.layout.shownAs(level, cache), (ring.inner() + ring.outer()) / 2);
        return sector.from + sector.span * (0.5f + 0.5f * aside);
    }

    float regionAngle(std::uint32_t region, float aside) const {
        const auto& spans = frame_.subject.memorySlots.spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            if (spans[i].region != region) continue;
            const MemoryRing::Arc& arc = frame_.layout.memory.arcs[i];
            return (arc.from + arc.to) / 2 + aside * std::min(arc.to - arc.from, kWidestSpread);
        }
        return -kPi / 2;
    }

    glm::vec2 onRing(std::size_t level, std::uint32_t cache, std::uint32_t region, float aside, float depth) const {
        if (level == levels_) {
            const float angle = regionAngle(region, aside);
            const float r =
                frame_.layout.memory.inner + 0.1f * (frame_.layout.memory.outer - frame_.layout.memory.inner);
            return r * glm::vec2(std::cos(angle), std::sin(angle));
        }
        const LevelRing& ring = frame_.layout.levels[level];
        const float r = ring.inner() + depth * (ring.outer() - ring.inner());
        const float angle = angleAt(level, cache, region, aside);
        return r * glm::vec2(std::cos(angle), std::sin(angle));
    }

    std::vector<glm::vec2> inwardPath(const FlowKey& key) const {
        const std::uint32_t outer = key.level == levels_ ? 0 : frame_.subject.outerCache(key.level, 0, key.cache);
        const glm::vec2 from = onRing(key.level, outer, key.region, -0.18f, 0.5f);
        const glm::vec2 to = onRing(0, key.cache, key.region, -0.18f, 0.75f);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i) path.push_back(straight(from, to, static_cast<float>(i) / kBandPieces));
        return path;
    }

    std::vector<glm::vec2> outwardPath(const FlowKey& key) const {
        const std::size_t next = key.level + std::size_t{1};
        const std::uint32_t outer = next == levels_ ? 0 : frame_.subject.outerCache(next, key.level, key.cache);
        const glm::vec2 from = onRing(key.level, key.cache, key.region, 0.10f, 0.85f);
        const glm::vec2 to = onRing(next, outer, key.region, 0.30f, 0.25f);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i)
            path.push_back(turning({0, 0}, from, to, static_cast<float>(i) / kBandPieces, 0));
        return path;
    }

    std::vector<glm::vec2> takenPath(const FlowKey& key) const {
        const LevelRing& ring = frame_.layout.levels[key.level];
        const float radius = ring.outer() + 0.25f * frame_.layout.channel;
        const std::uint32_t writer = frame_.subject.machine.cacheOf(key.level, key.other);
        const float from = angleAt(key.level, writer, key.region, 0);
        const float way = std::remainder(angleAt(key.level, key.cache, key.region, 0) - from, 2 * kPi);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i) {
            const float angle = from + way * static_cast<float>(i) / kBandPieces;
            path.push_back(radius * glm::vec2(std::cos(angle), std::sin(angle)));
        }
        return path;
    }

    void band(const std::vector<glm::vec2>& path, Rgba colour, float width, float light) {
        for (std::size_t i = 1; i < path.size(); ++i) {
            const auto bright = [&](std::size_t at) {
                return light * (0.45f + 0.55f * static_cast<float>(at) / static_cast<float>(path.size() - 1));
            };
            scene_.trails.push_back({frame_.lens.at(path[i - 1]), frame_.lens.at(path[i]), width,
                                     faded(colour, bright(i - 1)), faded(colour, bright(i))});
            scene_.trailTargets.push_back(target_);
        }
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Palette& palette_;
    std::size_t levels_;
    std::uint64_t most_ = 1;
    Target target_;
};

}  // namespace

void addFlowBands(Scene& scene, const FrameContext& frame) {
    scene.legend.flows = true;
    FlowBands(scene, frame).add();
}

}  // namespace whorl::scene
