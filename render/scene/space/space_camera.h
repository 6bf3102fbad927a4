// The camera of a picture in space: plain data, and the ways of moving it by dragging, by the wheel, by a slider. World
// coordinates are right-handed with y up; pixels have x to the right and y down.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>

namespace whorl::scene {

/// A box in the world, along its axes.
struct Extent {
    glm::vec3 low{0};
    glm::vec3 high{0};

    glm::vec3 centre() const { return (low + high) * 0.5F; }
    float radius() const;
    bool operator==(const Extent&) const = default;
};

/// The free room at the sides of a picture, pixels.
struct Margin {
    float left = 0;
    float right = 0;
    float top = 0;
    float bottom = 0;
};

/// Two axes of the world that lie parallel to the screen.
enum class Plane : std::uint8_t { xy, xz, yz };

struct SpaceCamera {
    /// The angle of view at the full end of the perspective slider, radians.
    static constexpr float kWidestAngle = 1.2F;
    static constexpr float kDefaultPerspective = 0.25F;

    glm::vec3 target{0};  ///< the place in the middle of the picture, about which it turns
    float azimuth = 0;    ///< the direction of the eye around the target, radians: 0 on +z, growing toward +x
    float elevation = 0;  ///< the direction of the eye above the target, radians: -π/2 to π/2
    float span = 2;       ///< how much of the world, at the target, the height of the picture shows
    float perspective =
        kDefaultPerspective;  ///< 0 (orthographic) to 1; the size of what is at the target does not change

    bool operator==(const SpaceCamera&) const = default;

    /// The picture's right and upward, and from the target to the eye, in the world. Each of length one.
    glm::vec3 right() const;
    glm::vec3 up() const;
    glm::vec3 toEye() const;

    /// From the world to OpenGL's clip coordinates, for a picture of this size in pixels; the near and far planes
    /// enclose the extent. w is 1 at the target, whatever the perspective.
    glm::mat4 toClip(glm::vec2 size, const Extent& extent) const;

    /// Where the eye is, in homogeneous coordinates: w is 0 without perspective.
    glm::vec4 eye() const;
    /// The pixels across which a length of one, at right angles to the line of sight, is seen at the target.
    float pixelsPerUnit(glm::vec2 size) const { return size.y / span; }

    // --- by hand: pixels dragged in a picture of this size ---
    /// Turns the scene about the target: a drag over the whole height is half a turn.
    void turn(glm::vec2 dragged, glm::vec2 size);
    /// Moves the scene along the screen; what is as deep as the target follows the pointer.
    void pan(glm::vec2 dragged, glm::vec2 size);
    /// Enlarges by a factor; the place under the pixel, as deep as the target, stays where it is.
    void zoom(float factor, glm::vec2 pixel, glm::vec2 size);
    /// Looks straight at a plane, from its positive side; yz as BlockViews are, from the side where z runs to the
    /// right.
    void face(Plane plane);
    /// Whether it looks straight at a plane, from either side.
    bool isFacing(Plane plane) const;
    /// Moves and zooms without turning, so that the extent just fits into the picture less its margin.
    void fit(const Extent& extent, glm::vec2 size, const Margin& margin);
    /// As above, with margin.x pixels left and right, and margin.y pixels above and below.
    void fit(const Extent& extent, glm::vec2 size, glm::vec2 margin) {
        fit(extent, size, {margin.x, margin.x, margin.y, margin.y});
    }
};

/// A folded graph seen from the front left and above: the most expensive corner is at the back, the cheapest in front.
SpaceCamera foldedCamera();
/// A BlockView seen along x: time to the right, blocks upward. At a depth of 0 face on and without perspective, so that
/// places and times can be compared; at 1 slightly turned, so that the planes of the CPUs show behind each other.
SpaceCamera blockCamera(float depth = 0);

/// The way from one camera to another: share 0 to 1, turning the shorter way and growing evenly.
SpaceCamera between(const SpaceCamera& from, const SpaceCamera& to, float share);
/// As between(), with a gentle start and end.
SpaceCamera glide(const SpaceCamera& from, const SpaceCamera& to, float share);

/// A line of sight, from the near end of what can be seen to the far.
struct Ray {
    glm::vec3 from{0};
    glm::vec3 to{0};
};
/// The line of sight through a pixel.
Ray rayAt(const glm::mat4& toClip, glm::vec2 pixel, glm::vec2 size);
/// Where a point of the world is in the picture: pixels.
glm::vec2 pixelOf(const glm::mat4& toClip, glm::vec3 at, glm::vec2 size);

/// The smallest box around what lies both in the extent and in the picture; none when nothing does.
std::optional<Extent> visiblePart(const glm::mat4& toClip, const Extent& extent);

}  // namespace whorl::scene
