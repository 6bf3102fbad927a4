// The visible part of the rings. Changes requested by the user are animated, so that the eye can follow. Lengths are
// fractions of the picture's unit, half of its smaller side: the rings are within 1 of their centre.
#pragma once

#include <glm/vec2.hpp>

namespace whorl::app {

class Camera {
  public:
    struct Sight {
        float zoom = 1;      ///< as in scene::View
        glm::vec2 focus{0};  ///< as in scene::View
        bool operator==(const Sight&) const = default;
    };

    /// The current sight, and the one that the animation ends at.
    const Sight& now() const { return now_; }
    const Sight& target() const { return target_; }
    bool moving() const { return now_ != target_; }
    bool zoomed() const { return now_.zoom > 1 || target_.zoom > 1; }

    /// The nearest sight that keeps the rings in view: their disc fills the picture's smaller side.
    static Sight kept(Sight sight);

    /// Sets a sight without animation.
    void put(Sight sight) { now_ = target_ = kept(sight); }
    void glideTo(Sight sight) { target_ = kept(sight); }
    /// Glides to a sight that was a target before, exactly: kept() would round it again.
    void glideBack(Sight sight) { target_ = sight; }
    /// Zooms by a factor (below 1: out); the point shown at `at`, relative to the picture's centre, stays in place.
    void zoomAt(float factor, glm::vec2 at);
    /// Follows a drag without animation: the point at the picture's centre moves by `by`; a zoom under way goes on.
    void drag(glm::vec2 by);
    /// Moves the sight by fractions of the picture.
    void pan(glm::vec2 by);
    /// Advances the animation.
    void advance(double seconds);

  private:
    Sight now_;
    Sight target_;
};

}  // namespace whorl::app
