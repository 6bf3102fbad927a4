// The speaker's window, and the pictures in it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/panels/imgui_style.h"
#include "app/panels/panels.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "app/window/keys.h"
#include "render/gl/handles.h"
#include "render/scene/scene.h"
#include "sim/base/error.h"

namespace whorl::app {

// The speaker's window, beside the program's own, with a context of its own for OpenGL and for ImGui. It has no loop:
// the main loop draws it after its own frame.

class SpeakerWindow {
  public:
    /// The current contexts are again what they were.
    static sim::Expected<std::unique_ptr<SpeakerWindow>> open(float scale);
    ~SpeakerWindow();
    SpeakerWindow(const SpeakerWindow&) = delete;
    SpeakerWindow& operator=(const SpeakerWindow&) = delete;

    /// Takes the input and draws a frame: `draw` makes the widgets, with these fonts. Returns the key presses. The
    /// contexts of the main window must be made current again by Window::activate().
    std::vector<KeyPress> frame(scene::Ground ground, const std::function<void(const Fonts&)>& draw);

    /// The user has asked to close it.
    bool wantsToClose() const;

  private:
    struct Parts;
    explicit SpeakerWindow(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

// The pictures in the speaker's window: what the audience sees, and the step that comes next. They are painted in the
// main window, whose frame is painted over the latter.

/// The window in which they are painted: its size in pixels, and how its text is.
struct PaintedWindow {
    int width = 0;
    int height = 0;
    float scale = 1;
    const Fonts& fonts;
};

/// The main window's contexts must be current whenever it is used.
class SpeakerPictures {
  public:
    explicit SpeakerPictures(TaskRunner& runner);
    ~SpeakerPictures();
    SpeakerPictures(const SpeakerPictures&) = delete;
    SpeakerPictures& operator=(const SpeakerPictures&) = delete;

    /// Call once per frame: opens the next step in the background, once the present one is open.
    void update(const Session& session);
    bool working() const { return step_.working() || runs_.working(); }
    /// Paints the next step into the window and takes its picture, if there is a new one.
    void paintNext(const PaintedWindow& window);
    /// Takes what has been painted into the window.
    void takeNow(const PaintedWindow& window) { now_.take(window.width, window.height); }
    SpeakerSight sight(const PaintedWindow& window) const;

  private:
    /// A step of a tour.
    struct Key {
        std::shared_ptr<const Tour> tour;
        std::size_t scene = 0;
        bool operator==(const Key&) const = default;
    };
    struct Step {
        Key key;
        Session session;
    };

    /// Null while it is not open.
    const Session* next() const;
    ImDrawData* drawNext(const Session& next, const PaintedWindow& window);

    std::optional<Key> wanted_;
    LatestTask<Key, std::shared_ptr<const Step>> step_;
    RunViews runs_;
    std::unique_ptr<ViewRenderer> renderer_;
    ImGuiContext* context_ = nullptr;  ///< for what is drawn in the next step; its fonts are the window's
    glm::ivec2 painted_{0};            ///< the size of the picture of the next step; none yet: 0
    gl::PaintedPicture next_;
    gl::PaintedPicture now_;
};

}  // namespace whorl::app
