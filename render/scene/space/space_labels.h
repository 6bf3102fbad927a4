// Text in pictures in space: numbers along axes, and labels that do not lie on each other.
#pragma once

#include <string>
#include <vector>

#include "render/scene/space/space_scene.h"
#include "sim/cache/cost.h"

namespace whorl::scene {

/// The smallest of 1, 2, 5, 10, 20, 50 … that divides a length into at most `steps` steps.
sim::Cycles niceStep(sim::Cycles length, std::uint32_t steps);

/// Puts labels into a scene, each only where it covers no other and lies inside the picture.
class SpaceLabels {
  public:
    SpaceLabels(SpaceScene& scene, const SpaceLook& look);

    /// Where a text lies from the point that it is put at.
    enum class Side : std::uint8_t { centre, left, right, above, below };

    /// False when there is no room. `at` and `size` are in pixels; size 0: that of the look. `isBare`: without an
    /// outline of the ground's colour.
    bool put(const std::string& text, glm::vec2 at, Side side, Rgba colour, float size = 0, bool isBare = false);
    /// As put(), at a place in the world and `gap` pixels away from it.
    bool putAt(const std::string& text, glm::vec3 at, Side side, Rgba colour, float gap, float size = 0);
    /// Records that the text put last names a node of the surface.
    void namesNode(std::uint32_t node) { scene_.names.push_back({taken_.back().low, taken_.back().high, node}); }
    /// Puts the title into the upper left corner.
    void title();
    /// Where a text beside the title begins, halfway up.
    glm::vec2 besideTitle() const;

    float textSize() const { return textSize_; }
    Rgba text() const { return text_; }
    Rgba muted() const { return muted_; }

  private:
    struct Place {
        glm::vec2 low;
        glm::vec2 high;
    };
    SpaceScene& scene_;
    const SpaceLook& look_;
    float textSize_;
    Rgba text_;
    Rgba muted_;
    std::vector<Place> taken_;
};

}  // namespace whorl::scene
