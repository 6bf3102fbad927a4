#include "render/scene/trails.h"

#include <algorithm>
#include <cmath>

#include "render/scene/motion.h"
#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr float kBrightest = 0.62f;
constexpr int kPieces = 20;  ///< of a turning trail

class Trails {
  public:
    Trails(Scene& scene, const sim::Moment& moment, const Subject& subject, const RingLayout& layout, const View& view,
           const Motions& motions)
        : scene_(scene), moment_(moment), subject_(subject), layout_(layout), view_(view), motions_(motions) {}

    void add(std::size_t step) {
        const sim::Step& s = moment_.recent[step];
        const auto old = static_cast<float>((moment_.t - static_cast<double>(s.tick.value)) / view_.history);
        if (old >= 1) return;
        light_ = kBrightest * std::pow(1 - std::max(0.0f, old), 1.5f);
        share_ = eased(motions_.age(step));
        Origin path(layout_.levels.size());
        for (const sim::Event& e : s.events) {
            if (!moment_.isOnPath(e)) continue;
            path.take(e);
            if (e.kind == sim::EventKind::fill && e.level == 0) addCame(s, e, path.servedBy());
            if (e.kind == sim::EventKind::eviction) addLeft(s, e, step);
        }
    }

  private:
    const sim::Cache& cache(std::size_t level) const { return moment_.cache(level); }
    float width() const { return std::max(1.2f, layout_.unit / 220); }

    void addCame(const sim::Step& step, const sim::Event& fill, std::size_t servedBy) {
        const sim::ByteAddress address = cache(0).addressOf(fill.block);
        const glm::vec2 from =
            servedBy < layout_.levels.size() ? placeBefore(step, motions_.at(servedBy, address)) : home(address);
        const glm::vec2 to = straight(from, layout_.linePlace(0, fill.set, 0), share_);
        const Rgba red = paletteFor(view_.ground).flash;
        scene_.trails.push_back({from, to, width(), faded(red, brightness(0)), faded(red, brightness(1))});
    }

    void addLeft(const sim::Step& step, const sim::Event& eviction, std::size_t number) {
        const BlockAt here{eviction.level, eviction.block};
        const sim::ByteAddress address = motions_.addressOf(here);
        const auto refuge = motions_.refuge(eviction.level, address, number);
        const glm::vec2 from = placeBefore(step, here);
        const glm::vec2 to = refuge ? placeNow(*refuge) : home(address);
        const std::size_t region = subject_.trace.regionAt(address);
        const Rgba hue = hueOf(paletteFor(view_.ground), region);
        glm::vec2 last = from;
        for (int i = 1; i <= kPieces; ++i) {
            const float along = static_cast<float>(i) / kPieces;
            const glm::vec2 next = turning(layout_.centre, from, to, share_ * along);
            scene_.trails.push_back(
                {last, next, width(), faded(hue, brightness(along - 1.0f / kPieces)), faded(hue, brightness(along))});
            last = next;
        }
    }

    /// A trail is brighter where it ends, so that its direction can be seen.
    float brightness(float along) const { return light_ * (0.35f + 0.65f * along); }

    /// Where a block stood at a level before the step; where it stands now if the step did not touch its set.
    glm::vec2 placeBefore(const sim::Step& step, const BlockAt& at) const {
        const sim::SetIndex set = cache(at.level).setOf(at.block);
        for (const sim::Reordering& r : step.reorderings) {
            if (r.level != at.level || r.set != set || !moment_.isOnPath(r)) continue;
            for (const sim::Line& line : r.before) {
                if (line.valid && line.block == at.block) return layout_.linePlace(at.level, set, line.rank);
            }
        }
        return placeNow(at);
    }

    glm::vec2 placeNow(const BlockAt& at) const {
        const sim::SetIndex set = cache(at.level).setOf(at.block);
        const std::uint32_t way = cache(at.level).find(at.block);
        if (way == sim::Cache::kNoWay) return home(motions_.addressOf(at));
        return layout_.linePlace(at.level, set, motions_.rank(at, cache(at.level).line(set, sim::WayIndex{way})));
    }

    glm::vec2 home(sim::ByteAddress address) const { return motions_.homePoint(address); }

    Scene& scene_;
    const sim::Moment& moment_;
    const Subject& subject_;
    const RingLayout& layout_;
    const View& view_;
    const Motions& motions_;
    float light_ = 0;
    float share_ = 0;
};

}  // namespace

void addTrails(Scene& scene, const sim::Moment& moment, const Subject& subject, const RingLayout& layout,
               const View& view, const Motions& motions) {
    if (view.history == 0) return;
    Trails trails(scene, moment, subject, layout, view, motions);
    for (std::size_t step = 0; step < moment.recent.size(); ++step) trails.add(step);
}

}  // namespace whorl::scene
