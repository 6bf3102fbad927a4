// Frames without a window: the same interface and the same painter as in a window, into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Draws frames of one size. Owns an OpenGL context and an ImGui context, both current in the thread that made it until
/// it is destroyed; then those that were current before are so again.
class OffscreenRenderer {
  public:
    static sim::Expected<std::unique_ptr<OffscreenRenderer>> create(int width, int height, scene::Ground ground,
                                                                    float scale);
    virtual ~OffscreenRenderer() = default;

    /// The frame that shows the session, which has a run open, with moves that last `moveTicks`: RGBA, rows from the
    /// top. It depends on nothing else, whatever was drawn before. The reference is good until the next call.
    virtual const std::vector<std::byte>& draw(const Session& session, double moveTicks) = 0;

    virtual int width() const = 0;
    virtual int height() const = 0;
};

}  // namespace whorl::app
