// The views of some kinds that show one run: what their users need to know of them, whatever they show. The controls of
// a view are plain data: what each is now, and which command it issues.
#pragma once

#include <cmath>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/command.h"
#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "render/scene/cells/chart.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"
#include "render/scene/space/space_scene.h"
#include "render/scene/time_axis.h"
#include "sim/base/error.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

struct ViewControl {
    /// A button that is bright while something is on.
    struct Toggle {
        bool on;
        Command command;
    };
    struct Option {
        std::string words;
        Command command;
    };
    /// One of several options.
    struct Choice {
        float width;  ///< pixels at scale 1
        std::vector<Option> options;
        std::size_t now;  ///< index of the chosen option; options.size(): none
    };
    /// A whole number on a logarithmic scale.
    struct Slider {
        float width;  ///< pixels at scale 1
        float now;
        float least;
        float most;
        const char* format;  ///< as of printf
        std::function<Command(float number)> commandFor;
    };

    std::string id;  ///< a toggle's words
    std::string help;
    std::variant<Toggle, Choice, Slider> is;
};

/// The controls of a view, the most important ones first.
class ViewControls {
  public:
    void toggle(std::string words, bool on, Command command, std::string help) {
        all_.push_back({std::move(words), std::move(help), ViewControl::Toggle{on, std::move(command)}});
    }
    void choose(std::string id, std::string help, ViewControl::Choice choice) {
        all_.push_back({std::move(id), std::move(help), std::move(choice)});
    }
    void slide(std::string id, std::string help, ViewControl::Slider slider) {
        all_.push_back({std::move(id), std::move(help), std::move(slider)});
    }
    const std::vector<ViewControl>& all() const { return all_; }

  private:
    std::vector<ViewControl> all_;
};

/// The options of a list: `optionOf(item)` makes each.
template <class Items, class F>
std::vector<ViewControl::Option> optionsOf(const Items& items, F&& optionOf) {
    std::vector<ViewControl::Option> options;
    options.reserve(std::size(items));
    for (const auto& item : items) options.push_back(optionOf(item));
    return options;
}

/// A level's name each: `commandFor(level)`.
template <class F>
std::vector<ViewControl::Option> levelOptions(const sim::MachineConfig& machine, F&& commandFor) {
    std::vector<ViewControl::Option> options;
    options.reserve(machine.levels.size());
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        options.push_back({machine.levels[l].name, commandFor(static_cast<std::uint8_t>(l))});
    }
    return options;
}

class Histories;
struct HighlightedPath;
class FrameComposer;
class SeenOverview;

/// The picture in a tile; monostate while the view has none.
using TileScene = std::variant<std::monostate, const scene::Scene*, const scene::FlatScene*, const scene::SpaceScene*>;

/// A view to draw of a run: with these settings, `size` in pixels.
struct ViewQuery {
    const ViewId& view;
    const RunContext& context;
    glm::ivec2 size{0};
    float scale = 1;
};

/// What is at a pixel of a flat picture. To be used at once: it refers to the query that it answers.
struct Hit {
    scene::PixelBox box = {};                            ///< outlined, in pixels of the picture; empty: nothing is
    std::optional<double> time = {};                     ///< target of the playhead on a click
    Commands click = {};                                 ///< further commands of a click
    std::optional<Commands> shift = {};                  ///< commands of a click with Shift; none: as without
    std::function<std::vector<std::string>()> describe;  ///< lines of text; the first is the heading
};

/// What is at a pixel along the time of a picture, whatever its axis measures; times are in accesses. As a Hit, to be
/// used at once.
struct TimePointer {
    scene::TimeSpan here;  ///< time under the pixel; of length 0 where time is continuous
    bool isWhole = true;   ///< all of the time is shown
    /// The visible span after zooming by a factor about the pixel, and after moving the picture by pixels.
    std::function<scene::TimeSpan(double factor)> zoomed;
    std::function<scene::TimeSpan(glm::vec2 pixels)> moved;
    std::function<Command(double factor)> zoomedOther = {};  ///< zooms what is across the time; may be empty
};

/// A pixel of a picture that is zoomed and moved in two dimensions, and the commands that do so.
struct PlanePointer {
    std::function<Command(int steps)> zoomed;     ///< zoom about the pixel
    std::function<Command(glm::ivec2 by)> moved;  ///< empty where all is shown
    Command fitted;
    /// In the small picture of everything beside the visible part: the command that centres the place under the pixel.
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
    /// Progress of a view's computation, from 0 to 1; negative if unknown or if nothing is being computed.
    virtual double fraction(const ViewId& /*view*/) const { return -1; }
    /// Why something could not be computed, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError();

    /// The picture of a view. Owned by the views; valid until the next call for that view.
    virtual TileScene pictureOf(const ViewQuery& query) = 0;
    /// For runs beside each other. largest(): the largest number in a view's picture; none if it shows none.
    /// setCommon(): the scale of all runs for the view's colours or heights; none: the view uses its own.
    virtual std::optional<double> largest(const ViewQuery& /*query*/) { return std::nullopt; }
    virtual void setCommon(const ViewId& /*view*/, const std::optional<scene::CommonScale>& /*common*/) {}

    // For a picture that pictureOf() has just made.

    /// What is at a pixel; in a flat picture, of the area that takes the mouse.
    virtual std::optional<Hit> hitAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }

    // For a flat picture that pictureOf() has just made.

    /// The area that takes the mouse; empty: none.
    virtual scene::PixelBox mouseArea(const ViewQuery& /*query*/) { return {}; }
    virtual std::optional<TimePointer> timeAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }
    virtual std::optional<PlanePointer> planeAt(const ViewQuery& /*query*/, glm::ivec2 /*at*/) { return std::nullopt; }
    /// The command that does what keys have asked of a picture in the plane.
    std::optional<Command> wanted(const ViewQuery& query);
    /// The controls in the row under its title.
    virtual ViewControls controls(const ViewQuery& /*query*/) { return {}; }

    // What views tell each other.

    /// What lies on the critical path, for the pictures of histories: null unless it is to be lit, and known.
    virtual std::shared_ptr<const HighlightedPath> highlightedPath(const RunContext& /*context*/) const {
        return nullptr;
    }
    /// The lengths of the run's loops, ascending, once the phases are shown and they are known.
    virtual std::span<const std::uint64_t> loops() const { return {}; }
    /// The accesses of the longest of the runs beside each other, and the loops that all of them have: the rows of
    /// their phases are of one length. 0: there are no others.
    virtual void setCompared(std::uint64_t /*longest*/, const std::vector<std::uint64_t>& /*loops*/) {}

  protected:
    /// Call once for each work in the background; it must live as long as the views.
    void keep(BackgroundWork& work) { works_.push_back(&work); }

  private:
    std::vector<BackgroundWork*> works_;
};

/// What the views of one run are made of.
struct ViewSources {
    const Opened& opened;
    TaskRunner& runner;
    const FrameComposer&
        rings;  ///< its picture is that of the playhead, also where the rings are not shown; outlives the views
    const sim::Overview& overview;  ///< overview of the run; may grow, outlives the views
    const Histories& histories;     ///< outlives the views
    const SeenOverview& seen;       ///< finer sums of what is seen; outlives the views
};

/// The pointer on an axis of accesses; `x` in its pixels. The axis is kept.
TimePointer pointerOn(const scene::TimeAxis& axis, float x);

// What the flat views and the controls above them have in common.

/// The height of text in the views beside the rings, pixels.
inline float viewText(float scale) {
    constexpr float kText = 14;
    return std::round(kText * scale);
}

/// How the frame of a flat picture looks.
scene::ChartLook chartLook(const RunContext& context, glm::ivec2 size, float scale);

/// The selected range.
std::optional<scene::TimeSpan> chosenIn(const RunContext& context);

/// Adds the controls of a view of a place (ViewId::isOfPlace): keep the place, and add another view. `thing`: what the
/// view shows.
void addPlaceControls(ViewControls& controls, const ViewQuery& query, std::string_view thing);
/// Adds a control that shows the whole time, for a zoomed picture over time.
void addAllTime(ViewControls& controls, const RunContext& context);

/// Words in the middle of an empty picture, `size` and `text` in pixels.
scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text);

}  // namespace whorl::app
