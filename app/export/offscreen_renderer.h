// Frames without a window: the same interface and painter as in a window, drawn into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/title_card.h"
#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// What is behind what is drawn: the ground, or nothing. Then pixels have the alpha of what covers them, and colours
/// that are not multiplied by it, as PNG and video have them.
enum class Backdrop : std::uint8_t { ground, none };

/// Draws frames of one size. Owns an OpenGL context and an ImGui context, both current in the thread that created it
/// until it is destroyed; then the previous ones become current again.
class OffscreenRenderer {
  public:
    static sim::Expected<std::unique_ptr<OffscreenRenderer>> create(int width, int height, scene::Ground ground,
                                                                    float scale);
    virtual ~OffscreenRenderer() = default;

    /// The frame for the session, which must have a run open, with moves that last `moveTicks`: RGBA, rows from the
    /// top. Depends on nothing else, such as earlier frames. The reference is valid until the next call.
    virtual const std::vector<std::byte>& draw(const Session& session, double moveTicks, Backdrop backdrop) = 0;
    const std::vector<std::byte>& draw(const Session& session, double moveTicks) {
        return draw(session, moveTicks, Backdrop::ground);
    }
    /// The frame for a page of words alone: RGBA, rows from the top. The reference is valid until the next call.
    virtual const std::vector<std::byte>& draw(const TitleCard& card, scene::Ground ground, Backdrop backdrop) = 0;

    /// How large the words of the session's scene are in its frame, of their usual size; 0 where they have no room.
    virtual float wordsShare(const Session& session) = 0;

    /// The frame for the session as SVG, with its text as text. Views in space, which need hidden-surface removal per
    /// pixel, and flat views with more boxes than SVG viewers can handle are embedded as images.
    virtual sim::Expected<std::string> drawSvg(const Session& session, double moveTicks) = 0;
    /// A page of words of any size as SVG.
    virtual std::string drawSvg(const TitleCard& card, scene::Ground ground, glm::ivec2 size) = 0;

    virtual int width() const = 0;
    virtual int height() const = 0;
};

}  // namespace whorl::app
