#include "render/scene/rings/event_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/angle.h"
#include "render/scene/rings/moving_glyphs.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

using sim::StepFact;

/// The axis-aligned box of a text.
struct Box {
    glm::vec2 at{0};    ///< its middle
    glm::vec2 half{0};  ///< half of its size

    bool meets(const Box& other) const {
        return std::abs(at.x - other.at.x) < half.x + other.half.x &&
               std::abs(at.y - other.at.y) < half.y + other.half.y;
    }
    bool meets(const Glyph& glyph) const {
        const glm::vec2 nearest = glm::clamp(glyph.at, at - half, at + half);
        return glm::distance(nearest, glyph.at) < glyph.radius;
    }
};

class EventNumbers {
  public:
    EventNumbers(Scene& scene, const FrameContext& frame)
        : scene_(scene), frame_(frame), levels_(frame.layout.levels.size()), size_(frame.layout.text) {
        for (const Label& label : scene.labels) placed_.push_back(boxOf(label));
    }

    void add() {
        const std::size_t step = frame_.snapshot.recent.size() - 1;
        for (const StepFact& fact :
             sim::factsOf(frame_.snapshot.recent[step], frame_.subject.trace, frame_.subject.machine)) {
            if (const auto at = placeOf(fact, step)) note(frame_.lens.at(*at), numberOf(fact));
        }
        for (const Mark& mark : marks_) place(mark);
    }

  private:
    /// Numbers of one place.
    struct Mark {
        glm::vec2 at{0};
        std::string text;
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

    void note(glm::vec2 at, const char* number) {
        const auto known =
            std::find_if(marks_.begin(), marks_.end(), [&](const Mark& m) { return glm::distance(m.at, at) < 1; });
        if (known == marks_.end()) {
            marks_.push_back({at, number});
        } else if (known->text.find(number) == std::string::npos) {
            known->text += number;
        }
    }

    /// As near as it covers nothing that moves, no other text and, if that can be, nothing that rests.
    void place(const Mark& mark) {
        if (!frame_.lens.sees(mark.at, 0)) return;
        constexpr int kDirections = 16;
        const Box* best = nullptr;
        Box found;
        std::size_t least = ~std::size_t{0};
        const float nearest = 1.5f * movingRadius(frame_, 0) + 0.9f * size_;
        for (const float away : {1.0f, 1.4f, 1.9f}) {
            for (int i = 0; i < kDirections; ++i) {
                const float angle = 2 * kPi * static_cast<float>(i) / kDirections;
                const Box box{mark.at + away * nearest * glm::vec2(std::cos(angle), std::sin(angle)),
                              halfOf(mark.text)};
                if (!isFree(box)) continue;
                const auto covered = static_cast<std::size_t>(
                    std::count_if(scene_.resting.begin(), scene_.resting.end(),
                                  [&](const Glyph& g) { return g.fill.a != 0 && box.meets(g); }));
                if (covered >= least) continue;
                least = covered;
                found = box;
                best = &found;
            }
        }
        if (best == nullptr) return;
        placed_.push_back(found);
        scene_.labels.push_back(
            {Label::Kind::plain, mark.text, found.at, kNumberSize * size_, frame_.style.palette().text});
        scene_.labelTargets.push_back({});
    }

    bool isFree(const Box& box) const {
        const bool inside = box.at.x > box.half.x && box.at.y > box.half.y && box.at.x < scene_.size.x - box.half.x &&
                            box.at.y < scene_.size.y - box.half.y;
        return inside && std::none_of(placed_.begin(), placed_.end(), [&](const Box& b) { return b.meets(box); }) &&
               std::none_of(scene_.moving.begin(), scene_.moving.end(), [&](const Glyph& g) { return box.meets(g); });
    }

    static constexpr float kNumberSize = 1.5f;  ///< of the other texts

    glm::vec2 halfOf(const std::string& text) const {
        // A number in a circle is as broad as it is high.
        const std::size_t circles = text.size() / 3;
        return kNumberSize * size_ * glm::vec2(0.5f * static_cast<float>(circles), 0.5f);
    }
    /// Of a text along a circle: the box around its middle and ends.
    Box boxOf(const Label& label) const {
        const float half = widthOf(label.text, label.size) / 2;
        if (label.kind == Label::Kind::corner)
            return {label.at + glm::vec2(half, label.size / 2), {half, label.size / 2}};
        if (label.kind == Label::Kind::plain) return {label.at, {half, label.size / 2}};
        glm::vec2 low = scene_.size;
        glm::vec2 high(0);
        for (const float side : {-1.0f, 0.0f, 1.0f}) {
            const float angle = label.at.y + side * half / std::max(label.at.x, 1.0f);
            const glm::vec2 at = scene_.centre + label.at.x * glm::vec2(std::cos(angle), std::sin(angle));
            low = glm::min(low, at);
            high = glm::max(high, at);
        }
        return {(low + high) / 2.0f, (high - low) / 2.0f + label.size / 2};
    }

    Scene& scene_;
    const FrameContext& frame_;
    std::size_t levels_;
    float size_;
    std::vector<Mark> marks_;
    std::vector<Box> placed_;
};

}  // namespace

const char* numberOf(const sim::StepFact& fact) {
    static constexpr std::array<const char*, 4> kNumbers{"①", "②", "③", "④"};
    return kNumbers[static_cast<std::size_t>(fact.kind) - 1];
}

void addEventNumbers(Scene& scene, const FrameContext& frame) {
    if (!frame.view.numbered || frame.view.lapse > 1 || frame.snapshot.recent.empty()) return;
    if (frame.motions.moves(frame.snapshot.recent.size() - 1)) return;
    EventNumbers(scene, frame).add();
}

}  // namespace whorl::scene
