// The context passed to every panel. A panel draws from it and queues commands; it changes nothing.
#pragma once

#include <imgui.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/menus.h"
#include "app/commands/palette.h"
#include "app/panels/imgui_style.h"
#include "app/panels/picked/picked_accesses.h"
#include "app/panels/regions/region_tree.h"
#include "app/panels/table_rows.h"
#include "app/panels/tour/wrapped_field.h"
#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/opening.h"
#include "app/tasks/prompt_offers.h"
#include "app/tours/tour_form.h"
#include "app/views/run_views.h"
#include "app/views/tiles.h"
#include "render/gl/painter.h"
#include "sim/report/sharing_table.h"

namespace whorl::app {

/// Something in a picture that the mouse can take hold of: the playhead, an end of the range, the lens.
struct Handle {
    int which = 0;        ///< as its picture numbers them
    double anchor = 0;    ///< what stays where it is while it is carried: the position of the other end
    bool atOnce = false;  ///< it comes to the mouse on the press, not only when dragged
    ImGuiMouseCursor cursor = ImGuiMouseCursor_Arrow;
};

/// What the mouse does to a picture, from press to release.
struct MouseDrag {
    enum class Kind : std::uint8_t { none, move, turn, select, carry };
    Kind kind = Kind::none;
    Handle handle = {};   ///< carry
    double anchor = 0;    ///< select: the position of the other end
    bool moved = false;   ///< it is a drag, not a click
    bool clicks = false;  ///< unless it has moved, its release is a click
    bool asks = false;    ///< its release opens a menu
    double playhead = 0;  ///< where the playhead was; of a double click, before the first
};

/// The menu of what was under the mouse, or is selected.
struct ContextMenu {
    MenuSubject subject = {};
    bool opens = false;  ///< it has been asked for
};

/// A layout change being edited.
struct WhatIfEdit {
    std::size_t kind = 1;  ///< index into sim::LayoutChange::Kind
    std::string thing;
    std::string picked;  ///< what was picked when `thing` was last set from it
    int bytes = 64;
    bool ofClass = false;
};

/// A table to be written to a file whose name begins so.
struct SavedTable {
    std::string name;
    std::string text;
};

/// State of the card "What costs most".
struct CostEdits {
    std::string picked;                    ///< the name of the row
    std::vector<sim::SharingRow> sharing;  ///< what the rows of the sharing tab are about
};

/// A text that is being edited.
struct TypedText {
    std::string typed;
    std::string of;  ///< the text when `typed` was last taken from it
};

/// The text typed over the picture, and the chosen offer.
struct PromptEdit {
    std::uint64_t serial = ~std::uint64_t{0};  ///< Prompt::serial of the text taken over last
    std::string typed;
    std::size_t chosen = 0;
    bool scrolls = false;     ///< scroll to the chosen one
    bool caretToEnd = false;  ///< move the caret to the end once the field has the keyboard focus
    std::vector<Choice> choices;
    std::vector<std::size_t> order;  ///< indices of the choices that match, best first
    // What `choices` and `order` were made from.
    std::uint64_t made = ~std::uint64_t{0};
    std::string ranked;
    Asks asks = Asks::nothing;
};

/// The fields of the tour's panel.
struct TourEdits {
    std::string opened;
    TypedText file;
    std::optional<std::size_t> listed;  ///< the scene last scrolled into view
    // The form: what it shows, and its fields by their names.
    std::weak_ptr<const Tour> shown;
    std::size_t scene = 0;
    FormValues values;
    std::map<std::string, WrappedText> fields;
};

/// Widget state that must be kept between frames: half-typed text, scroll positions.
struct Edits {
    TypedText input;
    TypedText machine;
    std::string find;
    std::uint32_t listedLine = 0;         ///< the source line last scrolled into view
    std::optional<SourceLine> foundLine;  ///< the searched line last scrolled into view
    ContextMenu menu;
    std::optional<Command> menuOf;  ///< what the menu that is asked for is about; none: what is selected
    scene::Target touching;         ///< what the word under the mouse names, in this frame
    MouseDrag drag;
    WhatIfEdit whatIf;
    std::map<std::string, KeptTable, std::less<>> tables;
    std::vector<RegionTree::Row> regionRows;  ///< of the tree of regions
    PickedAccesses picked;                    ///< those to what is picked
    std::optional<SavedTable> saved;          ///< to be written
    CostEdits costs;
    PromptEdit prompt;
    TourEdits tour;
    TypedText pattern;
    float mouseRested = 1e9f;         ///< seconds since it moved or was over a button, where panels are not shown
    bool mouseIsThere = false;        ///< the mouse is over the window and has moved lately, or draws or points
    float wordsShare = 1;             ///< the size of a scene's words on the stage, of their usual one; 0: left out
    bool numbersAreExplained = true;  ///< false: the caption should explain the numbers in the rings, but does not
};

/// The positions of things in the window, by name, for tests that drive it with the mouse: widgets by the names that
/// panels give them, things in pictures by the text of the command that a click on them issues. Collects the positions
/// in a frame and maintains a file with them:
///
///     applied 12 mouse 700 200 buttons 1
///     580 1010 splitter left
///
/// First the number of commands applied when the frame was drawn, the position of the mouse and the buttons that were
/// down (1 left, 2 right, 4 middle); then the centre of each thing, in pixels from the window's upper left corner, and
/// its name. The file is replaced as a whole whenever it changes, so that a reader never sees a part of it.
class NamedPlaces {
  public:
    /// Without a file's name, the positions are only kept.
    explicit NamedPlaces(std::string file = {}) : file_(std::move(file)) {}
    /// For the file named by WHORL_PLACES; empty if it is not set.
    static std::optional<NamedPlaces> asked();

    /// Starts a frame. `appliedCommands`: number of commands applied before it.
    void begin(std::uint64_t appliedCommands);
    void add(const std::string& name, ImVec2 from, ImVec2 to);
    /// Whether pictures are to be scanned in this frame. Scans take at most a sixth of the time; between them, what the
    /// last one found is repeated as long as no command is applied.
    bool scans() const { return scans_; }
    /// Looks at points of a picture, close to each other. `nameAt` gives the name of what is under a pixel of it, empty
    /// for nothing.
    void scan(const gl::Rect& picture, const std::function<std::string(glm::vec2)>& nameAt);
    /// Ends the frame: writes the file if it would change.
    void finish();
    /// What is in the file.
    const std::string& text() const { return written_; }

  private:
    using Clock = std::chrono::steady_clock;

    std::string file_;
    std::uint64_t applied_ = 0;
    std::string lines_;
    bool scans_ = false;
    Clock::time_point nextScan_;
    Clock::duration scanning_{0};  ///< time spent on the scans of this frame
    std::string scanned_;          ///< what the last scans found
    std::uint64_t scannedAt_ = 0;  ///< the commands that had been applied then
    std::string written_;
};

struct PanelContext {
    const Session& session;
    const RunContext& context;  ///< the run whose tile is drawn, else the open run
    const Opening* opening;     ///< null when nothing is being opened or built
    const RunViews& runs;
    const QueryResults& results;  ///< results for the open run
    const Fonts& fonts;
    float scale;
    Commands& commands;
    Edits& edits;
    NamedPlaces* places = nullptr;          ///< where to record the positions of things; null when not requested
    std::size_t run = 0;                    ///< index of the run whose tile is drawn
    const PromptOffers* offers = nullptr;   ///< what is offered while something is typed; null without a window
    bool isSaved = false;                   ///< as a picture: nothing lies over it
    std::optional<double> making = {};      ///< the share of a film, or slides, that is made by now; none: nothing is
    std::vector<unsigned> thumbnails = {};  ///< the textures of the steps of a tour, with rows from the bottom

    operator Shown() const { return {session, runs}; }
    /// The picture of the open run; null when nothing is open yet.
    const Picture* picture() const { return runs.open() == nullptr ? nullptr : runs.open()->composer().picture(); }
    /// The pictures of the history that a view shows, null while it is not available; see RunView.
    HistoryViews* historyViews(const ViewId& view) const {
        return runs.at(view.run) == nullptr ? nullptr : runs.at(view.run)->historyViews(view);
    }
    /// The overview of the open run, which there must be.
    const sim::Overview& overview() const { return runs.open()->composer().overview(); }
    /// The finest sums known of what pictures over time show.
    const sim::Overview& overviewSeen() const { return runs.open()->overviewSeen(session.seen); }
    /// The pictures of a run's history; null while it is not available.
    HistoryViews* historyViews(std::size_t of = 0) const {
        return runs.at(of) == nullptr ? nullptr : runs.at(of)->historyViews();
    }
    const sim::Trace& trace() const { return session.opened.run->trace(); }
    const sim::MachineConfig& machine() const { return session.opened.run->machine(); }
    /// The figures of the range, if there is one; those of an earlier range while `isOld`.
    const RangeFigures* range() const { return session.range ? results.range.get() : nullptr; }
    bool isOld() const { return range() == nullptr || range()->of != *session.range; }
    Theme colours() const { return theme(session.ground); }
    void queue(Command command) const { commands.push_back(std::move(command)); }
    // Times are those of the run whose tile is drawn: it then is at them, or as near as the lock allows.
    void queue(const command::Seek& seek) const { queue(Command(ofOpenRun(seek))); }
    void queue(const command::Range& range) const;
    void queue(const command::TimeSeen& seen) const;
    void queue(const command::ViewRange& range) const;
    /// The command for the open run that moves the run whose tile is drawn.
    command::Seek ofOpenRun(const command::Seek& seek) const;
};

}  // namespace whorl::app
