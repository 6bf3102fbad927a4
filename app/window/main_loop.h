// What the program does in each frame of its window. The frames are driven from outside: by a loop
// (cli/show_window.h), or by a browser before it repaints.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/interface.h"
#include "app/session/memory_file.h"
#include "app/session/state_file.h"
#include "app/session/tour.h"
#include "app/session/transitions.h"
#include "app/system/background_programs.h"
#include "app/system/editors.h"
#include "app/tasks/background_queries.h"
#include "app/tasks/files.h"
#include "app/tasks/prompt_offers.h"
#include "app/tasks/run_requests.h"
#include "app/tasks/scene_telling.h"
#include "app/tasks/task.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "app/window/control.h"
#include "app/window/speaker_window.h"
#include "app/window/step_pictures.h"
#include "app/window/window.h"

namespace whorl::app {

using PixelSpan = std::span<const std::byte>;

struct WindowOptions {
    SessionStart start;
    std::string stateFile;                              ///< the path for StateFile; empty: settings are not saved
    std::optional<WatchedSource> watch = std::nullopt;  ///< source of the shown program, recorded again on changes
    RecordedSource first = {};                          ///< its first recording
    std::string temporary;                              ///< an input that will be gone, and is not remembered
    /// Writes RGBA pixels, rows from the top, into a new PNG file; gives its name. Null: pictures cannot be saved.
    using SavePicture =
        std::function<sim::Expected<std::string>(const std::string& name, int width, int height, PixelSpan pixels)>;
    SavePicture savePicture = nullptr;
    /// Writes RGBA pixels, rows from the top, into the file of that name, which is replaced.
    using SavePictureAs =
        std::function<sim::Expected<void>(const std::string& file, int width, int height, PixelSpan pixels)>;
    SavePictureAs savePictureAs = nullptr;
    std::string control;  ///< the name of the socket through which programs drive the window; empty: none
    std::string program = "/proc/self/exe";  ///< the whorl that records films
};

/// Owns the session. The window, the renderer and the runner of background tasks must outlive it.
class MainLoop {
  public:
    /// `control`: through which other programs drive the window; null: none.
    MainLoop(const WindowOptions& options, Window& window, ViewRenderer& renderer, TaskRunner& runner,
             std::unique_ptr<LineServer> control);
    ~MainLoop();
    MainLoop(const MainLoop&) = delete;
    MainLoop& operator=(const MainLoop&) = delete;

    /// False when the program should end: then call finish().
    bool running() const { return window_.isOpen() && !session_.requests.has<request::Quit>(); }
    /// Runs one frame, from input to display. When nothing moves it then waits for input, some
    /// seconds at most.
    void frame();
    /// Saves unsaved settings. The error is that of the first input if it could not be opened, in which case nothing
    /// was ever shown.
    sim::Expected<void> finish();

  private:
    using Clock = std::chrono::steady_clock;
    struct WrittenTour {
        std::shared_ptr<const Tour> tour;
        std::string file;
    };

    void updateScale();
    void readInput();
    void applyCommands();
    void handleControl();
    void updateWatched();
    void titleWindow();
    void updateRuns();
    bool updateFile();
    void flushRequests();
    void noteWindow();
    void takeOver(sim::Expected<Opened> result);
    void updateTour();
    std::string keepTours();
    void updateMaking();
    void updateStage();
    void drawFrame();
    void take(const std::vector<KeyPress>& presses);
    void drawSpeakerWindow();
    PaintedWindow paintedWindow() const;
    void advanceTime();
    void composeViews();
    void updateQueries();
    void drawPanels();
    void saveTable(const SavedTable& table);
    void paint();
    void savePicture();
    void saveState();
    bool isMoving() const;
    bool isWorking() const;
    void waitWhenStill();
    bool needsFrames() const;

    Window& window_;
    ViewRenderer& renderer_;
    TaskRunner& runner_;
    float scale_ = 0;
    Fonts fonts_;
    StateFile state_;
    MemoryFile memory_;
    WindowOptions::SavePicture writePicture_;
    WindowOptions::SavePictureAs writePictureAs_;
    std::optional<Control> control_;
    int settledFrames_ = 0;  ///< those in a row without background work or moves, not counting playing
    std::string whorl_;      ///< the program that makes films and slides
    std::string temporary_;
    Field expected_ = Field::none;         ///< the field for which input was held back last
    std::optional<scene::Ground> styled_;  ///< the ground that ImGui's style is set for

    Session session_;
    Commands commands_;  ///< executed in the next frame
    Edits edits_;
    std::uint64_t applied_ = 0;  ///< number of commands so far
    std::optional<NamedPlaces> places_ = NamedPlaces::asked();
    std::optional<WatchedProgram> watched_;
    Editors editors_;
    std::string watchedFile_;
    bool isTitled_ = false;  ///< the title says that the watched program is being recorded
    RunRequests requested_;
    std::optional<Task<WrittenTour>> writingTour_;
    std::optional<Task<std::string>> making_;  ///< the name of a film or slides, or the findings of a check
    std::shared_ptr<const TourWish> wish_;     ///< what is made
    bool isFullScreen_ = false;
    std::unique_ptr<SpeakerWindow> speaker_;
    std::optional<SpeakerPictures> speakerPictures_;  ///< while that is open
    std::optional<StepThumbnails> thumbnails_;        ///< once they are shown
    BackgroundQueries queries_;
    SceneTelling telling_;
    RunViews runs_;
    PromptOffers offers_;
    FileChange change_;
    Window::Place lastPlace_;  ///< place of the window at the last noteWindow()
    bool isSettled_ = false;   ///< `lastPlace_` was read since the window opened
    bool saving_ = false;      ///< this frame is saved as a picture, in a new file or as control_ asks
    bool savingNew_ = false;   ///< in a new file
    gl::Rect canvas_;
    std::vector<Tile> tiles_;
    Clock::time_point advancedAt_;
    Clock::time_point waitsSince_;  ///< nothing has moved since, while something was computed
    Clock::time_point savedAt_;
    std::uint64_t savedAfter_ = 0;  ///< commands that had been applied when the state was saved
};

}  // namespace whorl::app
