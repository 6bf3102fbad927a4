// Pictures of steps of the open tour that are not shown: the next one for the speaker, small ones of all for the
// author. They are painted in the main window, whose frame is painted over them, from runs that are opened in the
// background.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "app/panels/imgui_style.h"
#include "app/panels/panels.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "render/gl/handles.h"
#include "render/scene/scene.h"

struct ImDrawData;
struct ImGuiContext;

namespace whorl::app {

/// The window in which they are painted: its size in pixels, and how its text is.
struct PaintedWindow {
    int width = 0;
    int height = 0;
    float scale = 1;
    const Fonts& fonts;
};

/// Opens steps, one at a time, and paints them. The main window's contexts must be current whenever it is used.
class StepPainter {
  public:
    explicit StepPainter(TaskRunner& runner);
    ~StepPainter();
    StepPainter(const StepPainter&) = delete;
    StepPainter& operator=(const StepPainter&) = delete;

    /// A step of a tour: as it is when its transition is over, or when it has come to rest.
    struct Key {
        std::shared_ptr<const Tour> tour;
        std::size_t scene = 0;
        bool atEnd = false;
        bool operator==(const Key&) const = default;
    };
    /// Asks for a step of the open tour, from these settings; its last step is kept until this one is open.
    void ask(const Session& session, const Key& key, const Session& before);
    /// True once a step has been opened, or cannot be.
    bool update() { return step_.update(); }
    /// Null while it is not open.
    const Session* opened(const Key& key) const;
    /// Why the step that was asked for cannot be opened, once.
    std::optional<sim::Error> takeError() { return step_.takeError(); }

    /// Paints an opened step into the lower left corner of the window, and takes its picture. False if nothing can be
    /// painted here.
    bool paint(const Session& step, const PaintedWindow& window, gl::PaintedPicture& into);
    /// Something of the step that was painted last is still computed.
    bool isPartial() const { return runs_.working(); }
    bool working() const { return step_.working() || runs_.working(); }

  private:
    struct Step {
        Key key;
        Session session;
    };
    ImDrawData* draw(const Session& step, const PaintedWindow& window);

    LatestTask<Key, std::shared_ptr<const Step>> step_;
    RunViews runs_;
    std::unique_ptr<ViewRenderer> renderer_;
    ImGuiContext* context_ = nullptr;  ///< for what is drawn in the step; its fonts are the window's
};

/// What the speaker sees: what the audience does, and the step that comes next.
class SpeakerPictures {
  public:
    explicit SpeakerPictures(TaskRunner& runner) : painter_(runner) {}

    /// Call once per frame: opens the next step in the background, once the present one is open.
    void update(const Session& session);
    bool working() const { return painter_.working(); }
    /// Paints the next step into the window and takes its picture, if there is a new one.
    void paintNext(const PaintedWindow& window);
    /// Takes what has been painted into the window.
    void takeNow(const PaintedWindow& window) { now_.take(window.width, window.height); }
    SpeakerSight sight(const PaintedWindow& window) const;

  private:
    /// Null while it is not open.
    const Session* next() const { return wanted_ ? painter_.opened(*wanted_) : nullptr; }

    StepPainter painter_;
    std::optional<StepPainter::Key> wanted_;
    glm::ivec2 painted_{0};  ///< the size of the picture of the next step; none yet: 0
    gl::PaintedPicture next_;
    gl::PaintedPicture now_;
};

/// Small pictures of all steps, each where it comes to rest, without its words.
class StepThumbnails {
  public:
    explicit StepThumbnails(TaskRunner& runner) : painter_(runner) {}

    /// Call once per frame in which they are shown: opens a step whose picture is missing.
    void update(const Session& session);
    bool working() const { return wanted_.has_value() || painter_.working(); }
    /// Paints the step that was opened.
    void paintNext(const PaintedWindow& window);
    /// By scene, with rows from the bottom; 0: not painted yet.
    std::vector<unsigned> textures() const;

    static constexpr float kAspect = 16.0f / 9.0f;

  private:
    struct Thumbnail {
        TourScene of;  ///< what it shows, without what is said
        std::unique_ptr<gl::PaintedPicture> picture = nullptr;
        bool isDone = false;
    };
    /// Keeps the pictures of steps that are as they were.
    void follow(const Presentation& p, scene::Ground ground);

    StepPainter painter_;
    std::shared_ptr<const Tour> tour_;
    scene::Ground ground_ = scene::Ground::dark;
    std::vector<std::shared_ptr<Thumbnail>> scenes_;
    std::optional<StepPainter::Key> wanted_;
};

}  // namespace whorl::app
