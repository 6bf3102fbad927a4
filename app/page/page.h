// A run in a page of the web: a session without a window. What moves it comes in as texts of commands, keys and
// pointers; what stands beside its pictures goes out as texts. Knows nothing of browsers, so that the same page can be
// played and tested on the desktop. See app/page/web for the other side.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/page/pointer.h"
#include "app/session/session.h"
#include "app/tasks/background_queries.h"
#include "app/tasks/run_requests.h"
#include "app/tasks/scene_telling.h"
#include "app/tasks/task.h"
#include "app/tours/presenting.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "sim/base/error.h"

namespace whorl::app {

/// What a page shows at first, as `whorl page` has written it.
struct PageStart {
    SessionStart session;
    std::vector<std::string> commands = {};        ///< executed once the run is open
    std::shared_ptr<const sim::Trace> trace = {};  ///< of the request, if it is already in memory
    bool isFigure = false;                         ///< the picture alone, without panels
};
/// Reads {"runs": [{"input", "machine", "settings"}, those beside it], "lock", "order", "tour", "scene", "paused",
/// "commands", "figure"}; the tour is a text of its own. Errors name the key.
sim::Expected<PageStart> pageStart(std::string_view json);
std::string pageStartText(const PageStart& start, const std::string& tour);

class Page {
  public:
    Page(PageStart start, scene::Ground ground, bool reducedMotion);

    /// The pixels of the picture, and those of a unit of the interface.
    void resize(glm::ivec2 size, float scale);
    /// Executes a command in its text form, or "page-own", which opens again what the page was made with. The error is
    /// one sentence.
    sim::Expected<void> command(std::string_view text);
    /// What is bound to a key; false if nothing is.
    bool key(std::string_view chord);
    /// Acts on the pointer; returns the lines that describe what is under it, if it only moves.
    std::vector<std::string> point(const PointerEvent& event);

    /// Lets time pass, and makes what is shown. Long work is done in parts, a part a frame.
    void frame(double seconds);
    /// Paints it into the framebuffer that is bound, of the size of the picture; needs a context. An error says why
    /// nothing can be painted.
    sim::Expected<void> paint();
    /// Whether something is opened or computed that will change what is shown.
    bool isWorking() const;
    /// Whether another frame would show something else.
    bool needsFrame() const;

    const Session& session() const { return session_; }
    Shown shown() const { return {session_, runs_}; }
    const QueryResults& results() const { return queries_.results(); }
    const RunRequests& requested() const { return requested_; }
    const std::vector<Tile>& tiles() const { return tiles_; }
    const PageStart& start() const { return start_; }
    float scale() const { return scale_; }

  private:
    void returnToOwn();
    void compose();

    PageStart start_;
    Session session_;
    Commands commands_;  ///< executed in the next frame
    QueueRunner runner_;
    RunRequests requested_{runner_, start_.trace};
    BackgroundQueries queries_{runner_};
    SceneTelling telling_{runner_};
    RunViews runs_{runner_};
    std::unique_ptr<ViewRenderer> renderer_;  ///< made when something is painted
    std::vector<Tile> tiles_;
    glm::ivec2 size_{1280, 720};
    float scale_ = 1;
    bool isEntered_ = false;  ///< the commands of the start have been executed
};

}  // namespace whorl::app
