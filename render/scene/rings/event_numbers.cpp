#include "render/scene/rings/event_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/angle.h"
#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

namespace {

using sim::StepFact;

constexpr std::array<const char*, 4> kNumbers{"①", "②", "③", "④"};

class EventNumbers {
  public:
    EventNumbers(LabelSpace& space, Scene& scene, const FrameContext& frame)
        : space_(space), scene_(scene), frame_(frame), levels_(frame.layout.levels.size()), size_(space.size()) {}

    void add() {
        const std::size_t step = frame_.snapshot.recent.size() - 1;
        const auto facts = sim::factsOf(frame_.snapshot.recent[step], frame_.subject.trace, frame_.subject.machine);
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (const auto at = placeOf(facts[i], step)) note(frame_.lens.at(*at), numberOf(facts[i]), i);
        }
        for (const Mark& mark : marks_) place(mark);
    }

  private:
    /// Numbers of one place.
    struct Mark {
        glm::vec2 at{0};
        std::string text;
        std::vector<std::size_t> facts;  ///< indices
    };

    /// Where what a fact tells of is now; none when it is not drawn.
    std::optional<glm::vec2> placeOf(const StepFact& fact, std::size_t step) const {
        const Motions& motions = frame_.motions;
        const BlockAt at{fact.level, fact.cache, fact.block};
        if (!motions.shows(at)) return std::nullopt;
        const sim::ByteAddress byte = motions.addressOf(at);
        switch (fact.kind) {
            case StepFact::Kind::miss:
                if (!frame_.cache(at).holds(at.block)) return std::nullopt;
                return motions.pointNow(at, byteIn(at, step));
            case StepFact::Kind::fill:
                if (fact.other == levels_) return motions.slotPoint(byteIn(at, step));
                return motions.pointNow(motions.outward(at, fact.other), byteIn(at, step));
            case StepFact::Kind::eviction: {
                const auto holder = motions.nextHolder(at, step);
                return holder ? motions.pointNow(*holder, byte) : motions.slotPoint(byte);
            }
            case StepFact::Kind::writeback:
                if (fact.other == levels_) return motions.slotPoint(byte);
                return motions.pointNow(motions.outward(at, fact.other), byte);
        }
        return std::nullopt;
    }

    /// The accessed byte if the block holds it, else its first.
    sim::ByteAddress byteIn(const BlockAt& at, std::size_t step) const {
        const sim::ByteAddress base = frame_.motions.addressOf(at);
        const sim::ByteAddress asked = frame_.snapshot.recent[step].access.address;
        return asked.value - base.value < frame_.layout.blockSizes[at.level] ? asked : base;
    }

    void note(glm::vec2 at, const char* number, std::size_t fact) {
        auto known =
            std::find_if(marks_.begin(), marks_.end(), [&](const Mark& m) { return glm::distance(m.at, at) < 1; });
        if (known == marks_.end()) known = marks_.insert(marks_.end(), {at, {}, {}});
        if (known->text.find(number) == std::string::npos) known->text += number;
        known->facts.push_back(fact);
    }

    /// As near as it covers nothing that moves, no other text and, if that can be, nothing that rests.
    void place(const Mark& mark) {
        if (!frame_.lens.sees(mark.at, 0)) return;
        constexpr int kDirections = 16;
        std::optional<TextBox> best;
        std::size_t least = ~std::size_t{0};
        const float nearest = 1.5f * movingRadius(frame_, 0) + 0.9f * size_;
        for (const float away : {1.0f, 1.4f, 1.9f}) {
            for (int i = 0; i < kDirections; ++i) {
                const float angle = 2 * kPi * static_cast<float>(i) / kDirections;
                const glm::vec2 middle = mark.at + away * nearest * glm::vec2(std::cos(angle), std::sin(angle));
                const TextBox box{middle - halfOf(mark.text), middle + halfOf(mark.text)};
                if (!space_.isFree(box)) continue;
                const std::size_t covered = restingUnder(box);
                if (covered >= least) continue;
                least = covered;
                best = box;
            }
        }
        if (!best) return;
        space_.addIn(*best, mark.text, kNumberSize * size_, frame_.style.palette().text, {});
        scene_.numbered.insert(scene_.numbered.end(), mark.facts.begin(), mark.facts.end());
    }

    std::size_t restingUnder(const TextBox& box) const {
        return static_cast<std::size_t>(
            std::count_if(scene_.resting.begin(), scene_.resting.end(),
                          [&](const Glyph& g) { return g.fill.a != 0 && box.isWithin(g.radius, g.at); }));
    }

    static constexpr float kNumberSize = 1.5f;  ///< of the other texts

    glm::vec2 halfOf(const std::string& text) const {
        // A number in a circle is as broad as it is high.
        const std::size_t circles = text.size() / 3;
        return kNumberSize * size_ * glm::vec2(0.5f * static_cast<float>(circles), 0.5f);
    }

    LabelSpace& space_;
    Scene& scene_;
    const FrameContext& frame_;
    std::size_t levels_;
    float size_;
    std::vector<Mark> marks_;
};

}  // namespace

const char* numberOf(const sim::StepFact& fact) {
    return kNumbers[static_cast<std::size_t>(fact.kind) - 1];
}

bool isEventNumber(const Label& label) {
    return std::any_of(kNumbers.begin(), kNumbers.end(),
                       [&](const char* number) { return label.text.starts_with(number); });
}

namespace {

bool hasEventNumbers(const sim::Snapshot& snapshot, const View& view) {
    if (!view.numbered || view.lapse > 1 || snapshot.recent.empty()) return false;
    return snapshot.t - static_cast<double>(snapshot.recent.back().tick.value) >= kLeavingMoves * moveTicksOf(view);
}

}  // namespace

std::vector<std::string> numberedWords(const Scene& scene, const std::vector<StepFact>& facts) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (std::find(scene.numbered.begin(), scene.numbered.end(), i) == scene.numbered.end()) continue;
        const std::string number = numberOf(facts[i]);
        const bool isKnown = !out.empty() && out.back().compare(0, number.size(), number) == 0;
        if (isKnown) {
            out.back() += "; " + facts[i].words;
        } else {
            out.push_back(number + " " + facts[i].words);
        }
    }
    return out;
}

void addEventNumbers(LabelSpace& space, Scene& scene, const FrameContext& frame) {
    if (hasEventNumbers(frame.snapshot, frame.view)) EventNumbers(space, scene, frame).add();
}

}  // namespace whorl::scene
