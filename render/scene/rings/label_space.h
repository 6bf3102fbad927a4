// Where text may stand in the picture: not over other text or a leader, and not over a glyph that moves, flashes or is
// selected; so use it after those are drawn.
#pragma once

#include <algorithm>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// A rectangle of the picture, pixels.
struct TextBox {
    glm::vec2 low{0};
    glm::vec2 high{0};

    /// Whether a place is in it, or no farther away than that along x and y.
    bool isWithin(float distance, glm::vec2 at) const {
        return at.x > low.x - distance && at.x < high.x + distance && at.y > low.y - distance &&
               at.y < high.y + distance;
    }
};

class LabelSpace {
  public:
    LabelSpace(Scene& scene, const FrameContext& frame) : scene_(scene), frame_(frame), size_(frame.layout.text) {}

    /// The height of a text, pixels.
    float size() const { return size_; }

    /// Writes a text along a circle, within a span of angles and as near to `wanted` as it can be seen and covers
    /// nothing; `size`: its height, 0: as others. False when there is no such place. `holdsStill`: blocks on their way
    /// pass under it.
    bool addCurved(const std::string& text, float radius, float from, float span, float wanted, Rgba colour,
                   const Target& target, float size = 0, bool holdsStill = false);
    /// Writes a text with its upper left corner at `at`. False, and nothing is written, when it would cover something
    /// or leave the picture.
    bool add(const std::string& text, glm::vec2 at, float size, Rgba colour, const Target& target);
    /// Writes a text in the middle of a box that it fills; a place that isFree().
    void addIn(const TextBox& box, const std::string& text, float size, Rgba colour, const Target& target);
    /// Writes a text around a place on a glyph, which it may cover, but no other one that moves. Otherwise as add().
    bool addOn(const Glyph& glyph, glm::vec2 at, const std::string& text, float size, Rgba colour, bool isBare,
               const Target& target);
    /// Whether a text could be written there. `goes`: it goes with a block, and those that only make room for that, a
    /// place along their arm, pass under it.
    bool isFree(const TextBox& box, bool goes = false) const;
    /// The points of a thin line from a text to what it is about.
    using Leader = std::vector<glm::vec2>;
    /// Whether a leader would cross neither text nor another leader.
    bool isFree(const Leader& leader) const;
    /// Draws a leader. Its end is a tick, as a dot would look like a block.
    void addLeader(const Leader& leader);

  private:
    struct Segment {
        glm::vec2 from;
        glm::vec2 to;
    };
    /// A text along a circle around the centre: pixels, and half of its angle.
    struct Arc {
        float radius;
        float angle;
        float half;
        float size;
    };

    void put(Label label, const Target& target, const TextBox& box);
    bool isSeen(const Arc& arc) const;
    bool coversText(const TextBox& box, bool within = false) const;
    bool coversLeader(const TextBox& box) const;
    bool isFree(const Segment& segment) const;
    /// The tick across the end of a leader.
    Segment tickOf(const Leader& leader) const;
    float lineWidth() const { return frame_.layout.lineWidth(1.0f / 360); }
    static float distanceTo(const Segment& segment, glm::vec2 point);
    static bool meet(const Segment& a, const Segment& b);
    static bool isNear(const Segment& segment, const TextBox& box, float distance);
    glm::vec2 placeOn(const Arc& arc, float angle) const;
    bool crossesArc(const Arc& arc) const;
    /// Whether it covers no other text, leader or moving glyph; texts along circles apart.
    bool isFree(const Arc& arc, bool overMoving) const;
    /// The places along the middle of a text.
    template <class F>
    bool anyOf(const Arc& arc, F&& holds) const;

    Scene& scene_;
    const FrameContext& frame_;
    float size_;
    std::vector<Arc> arcs_;
    std::vector<TextBox> boxes_;
    std::vector<Segment> leaders_;
};

}  // namespace whorl::scene
