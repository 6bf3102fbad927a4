#include "render/scene/rings/flow_bands.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "render/scene/angle.h"
#include "render/scene/rings/easing.h"

namespace whorl::scene {

namespace {

using sim::FlowKey;

constexpr float kBroadest = 0.11f;  ///< as a share of the unit
/// No stream of fewer blocks is as broad as that: each block that is counted or no longer counted would be seen to
/// change its width.
constexpr std::uint64_t kLeastBroad = 400;
constexpr int kBandPieces = 18;
constexpr float kTaper = 0.35f;  ///< the width of a stream at its end, of that at its beginning
/// What drifts in a stream: streaks, so many on a way as long as the unit, each so long, and on its way for so many
/// frames. In one frame a streak moves by less than its length, so that it does not flicker.
constexpr float kStreaks = 7;
constexpr float kStreakLength = 0.06f;  ///< as a share of the unit
constexpr double kStreakFrames = 150;
/// The flows of one region spread over at most this angle, radians.
constexpr float kWidestSpread = 0.7f;

class FlowBands {
  public:
    FlowBands(Scene& scene, const FrameContext& frame)
        : scene_(scene),
          frame_(frame),
          palette_(frame.style.palette()),
          levels_(frame.layout.levels.size()),
          light_(flowShare(frame.snapshot, frame.view)) {
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
                stream(inwardPath(key), hue, width, 0.55f, palette_.flash);
                break;
            case FlowKey::Kind::outward:
                stream(outwardPath(key, 0.16f), hue, width, 0.38f, hue);
                break;
            case FlowKey::Kind::writeback:
                stream(outwardPath(key, 0.30f), hue, width, 0.38f, palette_.dirty);
                break;
            case FlowKey::Kind::through:
                stream(outwardPath(key, 0.30f), palette_.dirty, width, 0.3f, palette_.dirty);
                break;
            case FlowKey::Kind::taken:
                stream(takenPath(key), palette_.mark, 0.4f * width, 0.22f, std::nullopt);
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
        for (int i = 0; i <= kBandPieces; ++i)
            path.push_back(turning({0, 0}, from, to, static_cast<float>(i) / kBandPieces, 0));
        return path;
    }

    /// What leaves goes along one side of its region's spoke, what comes in along the other.
    std::vector<glm::vec2> outwardPath(const FlowKey& key, float aside) const {
        const std::size_t next = key.level + std::size_t{1};
        const std::uint32_t outer = next == levels_ ? 0 : frame_.subject.outerCache(next, key.level, key.cache);
        const glm::vec2 from = onRing(key.level, key.cache, key.region, aside, 0.85f);
        const glm::vec2 to = onRing(next, outer, key.region, aside, 0.25f);
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

    /// A band that tapers towards its end, and streaks that drift along it: where they are follows from the time. The
    /// many streams along one ring have none, as they would blur.
    void stream(const std::vector<glm::vec2>& path, Rgba colour, float width, float light,
                std::optional<Rgba> streaks) {
        const auto wide = [&](float along) { return width * (1 - (1 - kTaper) * along); };
        const auto bright = [&](float along) { return light_ * light * (0.45f + 0.55f * along); };
        const auto pieces = static_cast<float>(path.size() - 1);
        float length = 0;
        for (std::size_t i = 1; i < path.size(); ++i) {
            const float from = static_cast<float>(i - 1) / pieces;
            const float to = static_cast<float>(i) / pieces;
            push(path[i - 1], path[i], wide(to), faded(colour, bright(from)), faded(colour, bright(to)));
            length += glm::distance(path[i - 1], path[i]);
        }
        if (length <= 0 || !streaks) return;
        const auto count = static_cast<int>(std::ceil(kStreaks * length / frame_.layout.unit));
        const auto drift = static_cast<float>(
            std::fmod(frame_.snapshot.t / (static_cast<double>(frame_.view.lapse) * kStreakFrames), 1.0));
        const float half = 0.5f * kStreakLength * frame_.layout.unit / length;
        for (int i = 0; i < count; ++i) {
            const float middle = std::fmod((static_cast<float>(i) + 0.5f) / static_cast<float>(count) + drift, 1.0f);
            const float shown = std::min({1.0f, 6 * middle, 6 * (1 - middle)});  // fades in and out at the ends
            const Rgba tint = faded(*streaks, light_ * 0.9f * shown);
            push(along(path, std::max(0.0f, middle - half)), along(path, std::min(1.0f, middle + half)),
                 std::max(1.5f * frame_.layout.detail, 0.3f * wide(middle)), faded(tint, 0.15f), tint);
        }
    }

    static glm::vec2 along(const std::vector<glm::vec2>& path, float share) {
        const float at = share * static_cast<float>(path.size() - 1);
        const std::size_t i = std::min(static_cast<std::size_t>(at), path.size() - 2);
        return straight(path[i], path[i + 1], at - static_cast<float>(i));
    }

    void push(glm::vec2 from, glm::vec2 to, float width, Rgba colourFrom, Rgba colourTo) {
        scene_.flows.push_back({frame_.lens.at(from), frame_.lens.at(to), width, colourFrom, colourTo});
        scene_.flowTargets.push_back(target_);
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Palette& palette_;
    std::size_t levels_;
    float light_;
    std::uint64_t most_ = kLeastBroad;
    Target target_;
};

}  // namespace

void addFlowBands(Scene& scene, const FrameContext& frame) {
    scene.legend.flows = true;
    FlowBands(scene, frame).add();
}

}  // namespace whorl::scene
