// What the program in its window does in each frame. Who calls for the frames is another's business: a loop
// (run_window.h), or a browser when it is about to repaint.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/interface.h"
#include "app/session/state_file.h"
#include "app/session/transitions.h"
#include "app/tasks/background_queries.h"
#include "app/tasks/opening.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "app/window/window.h"

namespace whorl::app {

struct WindowOptions {
    SessionStart start;
    std::string stateFile;  ///< where what is chosen is kept, as StateFile has it; empty: nowhere
};

/// Owns the session. The window, the renderer and the runner of its background tasks must outlive it.
class MainLoop {
  public:
    MainLoop(const WindowOptions& options, Window& window, ViewRenderer& renderer, TaskRunner& runner);
    MainLoop(const MainLoop&) = delete;
    MainLoop& operator=(const MainLoop&) = delete;

    /// False when there are to be no more frames: then call finish().
    bool running() const { return window_.isOpen() && !session_.quit; }
    /// One frame, from the input to the screen. When nothing moves it waits for input first, a quarter of a second at
    /// most.
    void frame();
    /// Writes what is yet to be kept. The error is that of the first input, when it could not be opened: then nothing
    /// was ever shown.
    sim::Expected<void> finish();

  private:
    using Clock = std::chrono::steady_clock;

    void readInput();
    void applyCommands();
    void updateOpening();
    void takeOver(sim::Expected<Opened> result);
    void advanceTime();
    void composeViews();
    void updateQueries();
    void drawPanels();
    void paint();
    void saveState();
    void waitWhenStill();

    Window& window_;
    ViewRenderer& renderer_;
    TaskRunner& runner_;
    float scale_;
    Fonts fonts_;
    StateFile state_;
    std::optional<scene::Ground> styled_;  ///< the ground that ImGui's style is for

    Session session_;
    Commands commands_;  ///< applied in the next frame
    Edits edits_;
    std::uint64_t applied_ = 0;  ///< commands, so far
    std::optional<NamedPlaces> places_ = NamedPlaces::asked();
    std::optional<Opening> opening_;
    BackgroundQueries queries_;
    RunViews runs_;
    gl::Rect canvas_;
    std::vector<Tile> tiles_;
    Clock::time_point advancedAt_;
    Clock::time_point savedAt_;
};

}  // namespace whorl::app
