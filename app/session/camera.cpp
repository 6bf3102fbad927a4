#include "app/session/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/rings/view.h"

namespace whorl::app {

namespace {

/// Time constant in seconds: after it about a third of the remaining distance is left.
constexpr double kPatience = 0.09;

}  // namespace

Camera::Sight Camera::kept(Sight sight) {
    sight.zoom = std::clamp(std::isfinite(sight.zoom) ? sight.zoom : 1.0f, 1.0f, scene::View::kMaxZoom);
    const float most = 1 - 1 / sight.zoom;
    const float away = glm::length(sight.focus);
    if (!std::isfinite(away)) sight.focus = {0, 0};
    if (away > most) sight.focus *= most / away;
    return sight;
}

void Camera::zoomAt(float factor, glm::vec2 at) {
    Sight next{.zoom = std::clamp(target_.zoom * factor, 1.0f, scene::View::kMaxZoom), .focus = target_.focus};
    // The point now shown at `at`; it stays there during the animation, see advance().
    const glm::vec2 place = now_.focus + at / now_.zoom;
    next.focus = place - at / next.zoom;
    glideTo(next);
}

void Camera::drag(glm::vec2 by) {
    // A pinch zooms and drags at once: the zoom goes on.
    const glm::vec2 way = by / now_.zoom;
    now_ = kept({now_.zoom, now_.focus - way});
    target_ = kept({target_.zoom, target_.focus - way});
}

void Camera::pan(glm::vec2 by) {
    glideTo({target_.zoom, target_.focus + by / target_.zoom});
}

void Camera::advance(double seconds) {
    if (!moving()) return;
    const auto done = static_cast<float>(1 - std::exp(-seconds / kPatience));
    const float ratio = target_.zoom / now_.zoom;
    const bool close = std::abs(std::log(ratio)) < 2e-3f;
    const float zoom = close ? target_.zoom : now_.zoom * std::pow(ratio, done);
    // Linear in 1 / zoom, so that the point that both sights show at the same position stays there all the way.
    const float left = close ? 1 - done : (1 / zoom - 1 / target_.zoom) / (1 / now_.zoom - 1 / target_.zoom);
    now_ = {zoom, target_.focus + (now_.focus - target_.focus) * left};
    if (close && glm::distance(now_.focus, target_.focus) * zoom < 1e-3f) now_ = target_;
}

}  // namespace whorl::app
