#include "render/scene/rings/event_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/rings/frame_context.h"
#include "render/scene/scene.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

using sim::StepFact;

constexpr std::array<const char*, 6> kNumbers{"①", "②", "③", "④", "⑤", "⑥"};

class EventNumbers {
  public:
    EventNumbers(LabelSpace& space, Scene& scene, const FrameContext& frame)
        : space_(space), scene_(scene), frame_(frame), levels_(frame.layout.levels.size()), size_(space.size()) {}

    /// Adds numbers for the effects of the last access.
    void addNumbers() {
        const std::size_t step = frame_.snapshot.recent.size() - 1;
        const auto facts = factsOf(step);
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (const auto at = placeOf(facts[i], step)) note(frame_.lens.at(*at), facts[i], i, step);
        }
        if (frame_.view.stage && !hasMiss(facts)) noteHit(step);
        for (const Mark& mark : marks_) place(mark);
    }
    /// Adds the names of the blocks of the last access and of all blocks on their way, the last first. Each name moves
    /// with its block.
    void addNames() {
        const std::size_t steps = frame_.snapshot.recent.size();
        for (std::size_t step = steps; step-- > 0;) {
            if (step + 1 < steps && !frame_.motions.moves(step)) break;
            const auto facts = factsOf(step);
            for (const StepFact& fact : facts) {
                // Nothing moves at the source of a fill, and a lost block has the name of the one that comes in.
                if (fact.kind == StepFact::Kind::fill || fact.kind == StepFact::Kind::invalidation) continue;
                if (const auto at = placeOf(fact, step)) noteName(frame_.lens.at(*at), nameOf(fact, step));
            }
            if (!hasMiss(facts)) noteHit(step);
        }
        for (const Mark& mark : marks_) placeBeside(mark);
    }

  private:
    /// The numbers at one place, and the name of the block there.
    struct Mark {
        glm::vec2 at{0};
        std::string text;
        std::string name;                ///< empty: the name stands at another place
        std::vector<std::size_t> facts;  ///< indices of the facts
    };

    static bool hasMiss(const std::vector<StepFact>& facts) {
        return std::any_of(facts.begin(), facts.end(),
                           [](const StepFact& f) { return f.kind == StepFact::Kind::miss; });
    }
    std::vector<StepFact> factsOf(std::size_t step) const {
        return sim::factsOf(frame_.snapshot.recent[step], frame_.subject.trace, frame_.subject.machine);
    }

    /// Where the block of a fact is now, on its way or at rest; none if it is not drawn.
    std::optional<glm::vec2> placeOf(const StepFact& fact, std::size_t step) const {
        const Motions& motions = frame_.motions;
        const BlockAt at{fact.level, fact.cache, fact.block};
        if (!motions.shows(at)) return std::nullopt;
        switch (fact.kind) {
            case StepFact::Kind::miss:
                if (!frame_.cache(at).holds(at.block)) return std::nullopt;
                if (const Flight* entering = motions.entering(at); entering != nullptr && !frame_.view.reducedMotion) {
                    return motions.point(*entering, frame_.layout.partOf(at.level, byteIn(at, step)));
                }
                return motions.pointNow(at, byteIn(at, step));
            case StepFact::Kind::fill:
                if (fact.other == levels_) return motions.slotPoint(byteIn(at, step));
                return motions.pointNow(motions.outward(at, fact.other), byteIn(at, step));
            case StepFact::Kind::eviction:
                return motions.victimPoint({.step = step, .newcomer = at, .victim = at});
            case StepFact::Kind::handover:
            case StepFact::Kind::writeback:
                if (fact.other == levels_) return motions.slotPoint(byteIn(at, step));
                return motions.pointNow(motions.outward(at, fact.other), byteIn(at, step));
            case StepFact::Kind::invalidation:
                return motions.stayPoint(at, step, byteIn(at, step));
        }
        return std::nullopt;
    }

    /// The accessed byte if the block holds it, else its first.
    sim::ByteAddress byteIn(const BlockAt& at, std::size_t step) const {
        const sim::ByteAddress base = frame_.motions.addressOf(at);
        const sim::ByteAddress asked = frame_.snapshot.recent[step].access.address;
        return asked.value - base.value < frame_.layout.blockSizes[at.level] ? asked : base;
    }

    void note(glm::vec2 at, const StepFact& fact, std::size_t index, std::size_t step) {
        auto known =
            std::find_if(marks_.begin(), marks_.end(), [&](const Mark& m) { return glm::distance(m.at, at) < 1; });
        if (known == marks_.end()) {
            known = marks_.insert(marks_.end(), {at, {}, nameOf(fact, step), {}});
            const bool isKnown =
                std::any_of(marks_.begin(), known, [&](const Mark& m) { return m.name == known->name; });
            if (isKnown) known->name.clear();
        }
        // Beside other runs, no text explains the numbers.
        const char* const number = frame_.view.compared ? "" : numberOf(fact);
        if (known->text.find(number) == std::string::npos) known->text += number;
        known->facts.push_back(index);
    }

    /// Notes the block of a hit, for which there is no fact.
    void noteHit(std::size_t step) {
        for (const sim::Event& e : frame_.snapshot.recent[step].events) {
            const BlockAt at{e.level, e.cache, e.block};
            if (e.kind != sim::EventKind::hit || !e.demand || e.level >= levels_ || !frame_.motions.shows(at)) continue;
            if (!frame_.cache(at).holds(at.block)) continue;
            const sim::ByteAddress byte = byteIn(at, step);
            noteName(frame_.lens.at(frame_.motions.pointNow(at, byte)),
                     frame_.subject.trace.placeOf(byte, frame_.snapshot.begun()));
        }
    }

    void noteName(glm::vec2 at, std::string name) {
        const bool isKnown = std::any_of(marks_.begin(), marks_.end(), [&](const Mark& m) { return m.name == name; });
        if (!isKnown) marks_.push_back({at, {}, std::move(name), {}});
    }

    /// The name of the block of a fact.
    std::string nameOf(const StepFact& fact, std::size_t step) const {
        // Another block may have taken its place.
        if (fact.kind == StepFact::Kind::invalidation) return "lost";
        const BlockAt at{fact.level, fact.cache, fact.block};
        // At the source of a fill, use the name of the block's first byte, as the words do; else, if the block holds
        // the accessed byte, use that byte's name, as the program does.
        const bool isSource = fact.kind == StepFact::Kind::fill;
        const sim::ByteAddress byte = isSource ? frame_.motions.addressOf(at) : byteIn(at, step);
        return frame_.subject.trace.placeOf(byte, frame_.snapshot.begun());
    }

    /// Places a mark where it covers nothing that moves, no other text and, if possible, nothing that rests; as near as
    /// that allows.
    void place(const Mark& mark) {
        if (!frame_.lens.sees(mark.at, 0)) return;
        if (!placeWords(mark, mark.name)) placeWords(mark, {});
    }

    bool placeWords(const Mark& mark, const std::string& name) {
        std::optional<TextBox> best;
        std::size_t least = ~std::size_t{0};
        anyBox(mark, name, false, [&](const TextBox& box) {
            const std::size_t covered = restingUnder(box);
            if (covered < least) best = box;
            least = std::min(least, covered);
            return false;
        });
        if (!best) return false;
        write(*best, mark, name);
        return true;
    }

    /// Places a mark at the first free place, which stays the same as long as that place is free.
    void placeBeside(const Mark& mark) {
        if (!frame_.lens.sees(mark.at, 0)) return;
        anyBox(mark, mark.name, true, [&](const TextBox& box) {
            write(box, mark, mark.name);
            return true;
        });
    }

    /// Whether a free place around a mark, the nearest first, is one that `takes`.
    template <class Takes>
    bool anyBox(const Mark& mark, const std::string& name, bool goes, Takes&& takes) const {
        constexpr int kDirections = 16;
        const glm::vec2 half = halfOf(mark.text, name);
        const float glyph = 1.2f * movingRadius(frame_, 0);
        for (const float away : {0.3f, 0.9f, 1.8f, 3.0f, 5.0f}) {
            for (int i = 0; i < kDirections; ++i) {
                const float angle = 2 * kPi * static_cast<float>(i) / kDirections;
                const glm::vec2 towards(std::cos(angle), std::sin(angle));
                // Where the box, which is broad, begins so far from the glyph.
                const float reach = std::min(half.x / std::max(1e-3f, std::abs(towards.x)),
                                             half.y / std::max(1e-3f, std::abs(towards.y)));
                const glm::vec2 middle = mark.at + (glyph + reach + away * size_) * towards;
                const TextBox box{middle - half, middle + half};
                const auto pointer = pointerFrom(box, mark.at);
                if (space_.isFree(box, goes) && (!pointer || space_.isFree(*pointer)) && takes(box)) return true;
            }
        }
        return false;
    }

    void write(const TextBox& box, const Mark& mark, const std::string& name) {
        const Rgba colour = frame_.style.palette().text;
        const float numbers = 2 * halfOf(mark.text, {}).x;
        if (const auto pointer = pointerFrom(box, mark.at)) space_.addLeader(*pointer);
        if (!mark.text.empty()) {
            space_.addIn({box.low, {box.low.x + numbers, box.high.y}}, mark.text, kNumberSize * size_, colour, {});
        }
        if (!name.empty()) space_.addIn({{box.low.x + numbers, box.low.y}, box.high}, name, size_, colour, {});
        scene_.numbered.insert(scene_.numbered.end(), mark.facts.begin(), mark.facts.end());
    }

    /// A short line from the words to their block; none where they stand at it.
    std::optional<LabelSpace::Leader> pointerFrom(const TextBox& box, glm::vec2 at) const {
        const glm::vec2 from = glm::clamp(at, box.low, box.high);
        const float distance = glm::distance(from, at);
        const float glyph = movingRadius(frame_, 0);
        if (distance < glyph + 0.7f * size_) return std::nullopt;
        // The tick of the leader must not hide a small glyph.
        return LabelSpace::Leader{from, at + (from - at) * ((glyph + 0.2f * size_) / distance)};
    }

    std::size_t restingUnder(const TextBox& box) const {
        const auto glyphs = std::count_if(scene_.resting.begin(), scene_.resting.end(), [&](const Glyph& g) {
            return g.fill.a != 0 && box.isWithin(g.radius, g.at);
        });
        const auto cells = std::count_if(scene_.cells.begin(), scene_.cells.end(), [&](const Stroke& cell) {
            return box.isWithin(cell.width / 2, (cell.a + cell.b) / 2.0f);
        });
        return static_cast<std::size_t>(glyphs + cells);
    }

    static constexpr float kNumberSize = 1.5f;  ///< size of a number, as a share of the other texts'

    glm::vec2 halfOf(const std::string& text, const std::string& name) const {
        // A number in a circle is as broad as it is high.
        const std::size_t circles = text.size() / 3;
        const float words = name.empty() ? 0 : widthOf(name, size_) + 0.4f * size_;
        const float height = circles > 0 ? kNumberSize * size_ : size_;
        return {(kNumberSize * size_ * static_cast<float>(circles) + words) / 2, height / 2};
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
    return kNumbers[std::size_t{fact.number} - 1];
}

bool isEventNumber(const Label& label) {
    return std::any_of(kNumbers.begin(), kNumbers.end(),
                       [&](const char* number) { return label.text.starts_with(number); });
}

namespace {

/// Names are only for paces at which the eye can separate one access from the next.
bool hasNames(const View& view) {
    return view.stage && moveTicksOf(view) < 1;
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
    if (frame.snapshot.recent.empty() || frame.view.lapse > 1) return;
    if (frame.view.numbered && !frame.motions.moves(frame.snapshot.recent.size() - 1)) {
        EventNumbers(space, scene, frame).addNumbers();
    } else if (hasNames(frame.view)) {
        EventNumbers(space, scene, frame).addNames();
    }
}

}  // namespace whorl::scene
