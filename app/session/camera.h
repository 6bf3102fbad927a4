// Which part of the rings is seen, and its way there: what a person asks for is glided to, so that the eye can follow.
// Lengths are shares of the picture's unit, half of its smaller side: the rings lie within 1 of their centre.
#pragma once

#include <glm/vec2.hpp>

namespace whorl::app {

class Camera {
  public:
    struct Sight {
        float zoom = 1;      ///< as scene::View has it
        glm::vec2 focus{0};  ///< likewise
        bool operator==(const Sight&) const = default;
    };

    /// What is seen now, and what it comes to.
    const Sight& now() const { return now_; }
    const Sight& target() const { return target_; }
    bool moving() const { return now_ != target_; }
    bool zoomed() const { return now_.zoom > 1 || target_.zoom > 1; }

    /// The nearest sight from which the rings cannot be lost: their disc fills the picture's smaller side.
    static Sight kept(Sight sight);

    /// Shows something at once.
    void put(Sight sight) { now_ = target_ = kept(sight); }
    void glideTo(Sight sight) { target_ = kept(sight); }
    /// Comes nearer by a factor, or goes away; what is seen at `at`, from the middle of the picture, stays there.
    void zoomAt(float factor, glm::vec2 at);
    /// Goes along with a drag at once: what was seen in the middle is seen `by` beside it.
    void drag(glm::vec2 by);
    /// Moves what is seen by shares of the picture.
    void pan(glm::vec2 by);
    /// Lets time pass.
    void advance(double seconds);

  private:
    Sight now_;
    Sight target_;
};

}  // namespace whorl::app
