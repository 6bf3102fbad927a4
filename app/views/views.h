// The views of some kinds that show one run: what their users need to know of them, whatever they show.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/command.h"
#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/view_control.h"
#include "render/scene/cells/common_scale.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"
#include "render/scene/space/space_scene.h"
#include "render/scene/time_axis.h"
#include "sim/base/error.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

class Histories;

/// Nothing where the view has no picture yet.
using TileScene = std::variant<std::monostate, const scene::Scene*, const scene::FlatScene*, const scene::SpaceScene*>;

/// A view of a run as it is to be seen: with these settings, `size` in pixels.
struct ViewQuery {
    const ViewId& view;
    const RunContext& context;
    glm::ivec2 size{0};
    float scale = 1;
};

/// What is at a pixel of a flat picture. To be used at once: it refers to the query that it answers.
struct Hit {
    scene::PixelBox box = {};                            ///< outlined, in pixels of the picture; empty: nothing is
    std::optional<double> time = {};                     ///< where a click moves the playhead
    Commands click = {};                                 ///< what else a click does
    std::optional<Commands> shift = {};                  ///< what one with Shift does instead; none: the same
    std::function<std::vector<std::string>()> describe;  ///< in lines; the first is the heading
};

/// What is at a pixel along the time of a picture, whatever its axis measures; times are in accesses. As a Hit, to be
/// used at once.
struct TimePointer {
    scene::TimeSpan here;  ///< what the pixel stands for; without length where time is continuous
    bool isWhole = true;   ///< all of the time is shown
    /// What is seen after zooming by a factor about the pixel, and after moving by so many pixels to the right; empty
    /// where the picture always shows all of the time: there, each drag selects a range.
    std::function<scene::TimeSpan(double factor)> zoomed;
    std::function<scene::TimeSpan(float pixels)> moved;
};

/// A pixel of a picture that is zoomed and moved in two dimensions, and the commands that do so.
struct PlanePointer {
    std::function<Command(int steps)> zoomed;  ///< about the pixel
    std::function<Command(glm::ivec2 by)> moved;
    Command fitted;
    /// Where all is shown small beside what is seen: brings what is there into the middle.
    std::function<std::optional<Command>()> centred;
    bool isInset = false;  ///< the pixel is in that small picture
};

class Views {
  public:
    Views() = default;
    virtual ~Views() = default;
    Views(const Views&) = delete;
    Views& operator=(const Views&) = delete;

    /// Once per frame: requests what the session's views need, and takes what has arrived.
    virtual void update(const RunContext& /*context*/) {}
    /// Cancels what is computed in the background; it is repeated only when something else is needed.
    void cancel();
    /// Something that a picture shows is being computed.
    bool working() const;
    /// How much of what a view shows is there, from 0 to 1; negative if unknown or if nothing is being computed.
    virtual double fraction(const ViewId& /*view*/) const { return -1; }
    /// Why something could not be computed, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError();

    /// The picture of a view. Owned by the views; valid until the next call for that view.
    virtual TileScene pictureOf(const ViewQuery& query) = 0;
    /// Of runs beside each other: the largest number of a view's picture, nothing if it shows none; and that of all of
    /// them, which its colours or heights are then relative to; none: its own.
    virtual std::optional<double> largest(const ViewQuery& /*query*/) { return std::nullopt; }
    virtual void setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& /*common*/) {}

    // Of a flat picture, which pictureOf() has just made.

    /// Where it takes the mouse; empty: nowhere.
    virtual scene::PixelBox mouseArea(const ViewQuery& /*query*/) { return {}; }
    /// What is at a pixel of that area.
    virtual std::optional<Hit> hitAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }
    virtual std::optional<TimePointer> timeAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }
    virtual std::optional<PlanePointer> planeAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }
    /// What keys have asked for that depends on the picture's size.
    virtual std::optional<Command> wanted(const ViewQuery& /*query*/) { return std::nullopt; }
    /// The controls in the row under its title.
    virtual ViewControls controls(const ViewQuery& /*query*/) { return {}; }

  protected:
    /// To be called once for each work in the background; it must live as long as the views.
    void keep(BackgroundWork& work) { works_.push_back(&work); }

  private:
    std::vector<BackgroundWork*> works_;
};

/// What the views of one run are made of.
struct ViewSources {
    const Opened& opened;
    TaskRunner& runner;
    const sim::Overview& overview;  ///< of the run; it may grow, and outlives the views
    const Histories& histories;     ///< outlives them, too
};

/// The pointer on an axis of accesses; `x` in its pixels. The axis is kept.
TimePointer pointerOn(const scene::TimeAxis& axis, float x);

}  // namespace whorl::app
