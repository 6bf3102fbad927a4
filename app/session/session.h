// The user's choices: what is open, the position of the playhead, and the look of it. Plain data; only commands
// (commands.h) and transitions (transitions.h) change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/camera.h"
#include "app/session/look.h"
#include "app/session/opened.h"
#include "app/session/player.h"
#include "app/session/predict.h"
#include "app/session/presentation.h"
#include "app/session/requests.h"
#include "app/session/view_history.h"
#include "render/scene/time_axis.h"
#include "sim/base/types.h"

namespace whorl::app {

enum class Asks : std::uint8_t {
    nothing,
    command,   ///< a command, or anything that has a name
    position,  ///< a position of the playhead
    file,      ///< what to open
    note,      ///< the words of a bookmark
};

/// What is typed over the picture to find something.
struct Prompt {
    Asks asks = Asks::nothing;
    std::string text;          ///< stands in the field at first
    std::string error;         ///< why the last thing entered was not done
    std::string folder;        ///< the folder whose files are listed
    std::uint64_t serial = 0;  ///< changes whenever `text` takes the place of what is typed

    bool isOpen() const { return asks != Asks::nothing; }
};

struct Bookmark {
    double at = 0;     ///< the number of accesses that have happened
    std::string note;  ///< may be empty
    bool operator==(const Bookmark&) const = default;
};

/// Where the window stands on the desktop, in pixels.
struct WindowPlace {
    static constexpr int kMin = 200;
    static constexpr int kMax = 20'000;  ///< more than any desktop

    int width = 0;
    int height = 0;
    int x = 0;
    int y = 0;
    bool operator==(const WindowPlace&) const = default;
};

/// The edge being dragged: the width of a column, or the height of the bottom panel or of a panel in a column.
enum class PanelEdge : std::uint8_t { left, right, bottom, statistics, source, picked };

/// A text field, or a menu, that takes the keyboard.
enum class Field : std::uint8_t { none, input, machine, lookUp, prompt, menus, contextMenu };

/// The parts of what costs most, by their index in costTables() (app/commands): first advice, then tables.
enum class CostTab : std::uint8_t { why };

/// The look-up field and its last result.
struct LookUpField {
    bool open = false;
    std::string text;    ///< the last text looked up
    std::string answer;  ///< how it was interpreted, or why it was not found; empty before the first look-up
    bool found = false;
};

/// The words of a scene about the moment that it shows.
struct SceneWords {
    std::string title;
    std::string words;
    std::string source = {};  ///< source of the tour's claims; may be empty
    double at = 0;            ///< accesses that have happened when the scene begins
    double to = 0;            ///< accesses that have happened when the scene ends
    bool operator==(const SceneWords&) const = default;
};

/// What is shown over the picture, or beside it.
struct Overlays {
    bool picture = false;                       ///< the display settings
    bool costs = false;                         ///< what costs most
    CostTab costTab = CostTab::why;             ///< which part of that
    bool live = false;                          ///< the values of the machine and the program, to be tried
    bool tourForm = false;                      ///< what can be changed of the tour
    std::optional<std::uint32_t> regionColour;  ///< the region whose colour is being chosen

    bool showsCosts(CostTab tab) const { return costs && costTab == tab; }
};

/// A run that is open beside the first, to compare.
struct ComparedRun {
    Opened opened;
    bool unchanged = false;  ///< the open run before its layout was changed; it goes with the changes
    std::shared_ptr<const sim::LineMatch> lines =
        nullptr;  ///< from the open run's times to its own; null: see TimeLock
};

/// A point or a line of the pen, in pixels of a picture 720 high, from its centre.
using Stroke = std::vector<glm::vec2>;

/// A named way to look at any run: see layouts.h.
struct Layout {
    static constexpr std::size_t kMaxName = 60;  ///< bytes

    std::string name;
    /// Texts of commands: `arrange`, then settings.
    std::vector<std::string> commands;
    bool operator==(const Layout&) const = default;
};

/// A talk: the picture and words alone, on the whole screen, and the means of the speaker.
struct Talk {
    bool on = false;
    bool blank = false;    ///< nothing is shown
    bool list = false;     ///< the scenes are listed
    bool pen = false;      ///< the mouse draws
    bool pointer = false;  ///< the mouse is a spot that can be seen from afar
    std::vector<Stroke> strokes;

    bool speaker = false;  ///< the speaker's window is open
    double clock = 0;      ///< seconds of the talk, without those in which the clock was paused
    bool clockPaused = false;

    // The settings before the talk, restored at its end.
    bool panels = true;
    bool caption = false;
    bool lecture = false;
};

/// What the pictures of one run are made of: the run, its playhead, and how it is looked at. Copied for a run that
/// stands beside the open one: contextOf() in compared_runs.h.
struct RunContext : Look {
    Opened opened;  ///< run is null until something is open
    Player player;
    Camera camera;
    std::optional<Prediction> prediction;  ///< while accesses are predicted

    /// The last position that can be played now, and whether that is the end of the trace.
    double end() const { return opened.run ? static_cast<double>(opened.run->built().value) : 0; }
    bool complete() const { return opened.run && opened.run->complete(); }

    /// What playback keeps to: the range, or everything.
    scene::TimeSpan played() const;
    /// The accesses of the run from the first recorded one on.
    double toPlay() const;
    /// The clock by which the playhead advances in cycles; null if it advances by accesses, or the run is incomplete.
    sim::AccessClock* clock();

    /// Whether the block of a byte in the nearest level is watched.
    bool watches(sim::ByteAddress byte) const;

    /// A byte of the selected block, if a block is selected.
    std::optional<sim::ByteAddress> marked() const { return selected ? selected->byte : std::nullopt; }

    /// The frames of a window a second. Above two accesses a frame, each shows all since the previous one, unless the
    /// user has turned the time-lapse off.
    static constexpr double kFramesPerSecond = 60;
    static constexpr double kLapsePace = 2 * kFramesPerSecond;
    std::uint64_t lapseNow() const;
    /// Accesses a second that are played, in a window or by a film; 0: the picture rests.
    double paceNow() const { return player.playing() ? player.pace() : ringView.pace; }
};

struct Session : RunContext {
    std::vector<ComparedRun> compared;  ///< runs that are compared with it
    Requests requests;                  ///< requests to the main loop
    bool exchanged = false;             ///< the pictures of the first two runs have changed places, while a key is held
    std::string error;                  ///< shown until closed; empty if there is none
    std::string message;                ///< a message that is not an error, shown until closed
    std::string refused;                ///< why the last command did nothing; empty: it did something, see refuse()
    bool welcome = false;               ///< the tour for beginners is offered

    std::optional<Presentation> presentation;  ///< the tour that is open
    Talk talk;
    std::optional<SceneWords> sceneText;  ///< words of the scene entered last, on this run
    bool playWhenOpen = false;            ///< the next opened run starts playing
    /// What undoing opens again; null: nothing.
    std::shared_ptr<const WasOpen> comesBack;
    bool keepsPlace = false;          ///< the next opened run is the same program, recorded anew
    std::optional<double> resumeAt;   ///< the playhead moves there once the run is built that far
    std::optional<sim::Error> fatal;  ///< why nothing can be shown, so that the program exits

    bool paceChosen = false;       ///< another run is played at the same pace
    std::optional<Search> search;  ///< requested search

    Prompt prompt;                    ///< what is typed to find something
    ViewHistory history;              ///< changes of the view, to undo them
    std::vector<Bookmark> bookmarks;  ///< bookmarks of the open input, sorted by position
    static constexpr std::size_t kMaxBookmarks = 200;
    std::vector<std::string> recentInputs;    ///< latest first
    std::vector<std::string> recentCommands;  ///< texts of commands chosen in the palette, latest first
    std::vector<Layout> layouts;              ///< of the user's own, by name
    std::string editor;                 ///< a command with {file} and {line} that opens a source line; empty: none
    glm::ivec2 pictureSize{1280, 720};  ///< size of the part of the window that shows the views, in pixels
    std::string changedOnDisk;          ///< the open file, if it has changed since it was read
    std::optional<WindowPlace> place;   ///< none: as the desktop likes
    bool isWindow = false;              ///< it is seen in a window, so that the mouse can move tiles

    bool help = false;
    Overlays overlays;
    LookUpField lookUp;
    std::optional<scene::Target> touched;  ///< what a word under the mouse names: a region or a level of the open run
    Field focus = Field::none;             ///< receives the keyboard focus in the next frame

    const RunContext& context() const { return *this; }
    /// All that undoing gives back.
    Look& look() { return *this; }
    const Look& look() const { return *this; }
    /// The look with the settings that scenes and the stage change as the user has them.
    Look ownLook() const;

    /// The open runs, indexed by ViewId::run: the run that the panels measure, then those beside it.
    std::vector<const Opened*> openRuns() const;
    /// The run before its layout was changed, as an index into openRuns(); 0 unless it was.
    std::size_t unchangedRun() const;

    /// How visible a scene's words are: 1 at its moment, or with the caption on; 0 once the playhead has left it.
    float sceneTextOpacity() const;
    /// Whether views are shown for several runs.
    bool compares() const;
    /// Whether the scene of a tour asks something, and nothing may tell the answer yet.
    bool asks() const { return presentation && presentation->asks(); }
    /// Whether it is shown for an audience: the picture has all the room, and words take what is left.
    bool onStage() const { return !panels && (caption || lecture); }
    /// Whether what can be changed of a tour is shown.
    bool showsTourForm() const { return presentation && overlays.tourForm && panels; }
    /// Whether tiles have bars with their titles, which the mouse takes hold of.
    bool framesTiles() const;
    /// Whether the rings of one run are the only view.
    bool showsRingsAlone() const;

    /// The pixels of a unit of the interface, in a picture of this size on a display of this scale. On the stage, text
    /// of 16 units is a 32nd of the shorter side at least, and a 40th of the height: a tall picture is seen on a small
    /// screen. Where runs stand beside each other without panels, it is that of a picture of 1280 x 720, or
    /// 720 x 1280, enlarged.
    float scaleIn(glm::vec2 size, float display) const;
    static constexpr float kStageSide = 32 * 16;
    static constexpr float kStageHeight = 40 * 16;
    static constexpr float kMinScale = 0.5f;
    static constexpr float kMaxScale = 8;

    /// The view of a picture of this size in pixels, of the open run, or of another as contextOf() has it.
    scene::View view(glm::vec2 size, float scale) const { return view(*this, size, scale); }
    scene::View view(const RunContext& run, glm::vec2 size, float scale) const;
};

/// A session as Whorl begins with it.
const Session& newSession();

}  // namespace whorl::app
