// What every panel is given, and what panels share. A panel draws from this and queues commands; it changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/panels/imgui_style.h"
#include "app/session/commands.h"
#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/opening.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"
#include "app/views/tiles.h"
#include "sim/report/report.h"

namespace whorl::app {

/// What the mouse drags on the strip, from press to release.
struct StripDrag {
    enum class Kind : std::uint8_t { none, playhead, range };
    Kind kind = Kind::none;
    double anchor = 0;  ///< range: the moment at its other end
};

/// A change of the layout that is being put together.
struct WhatIfEdit {
    std::size_t kind = 1;  ///< of sim::LayoutChange::Kind
    std::string thing;
    std::string picked;  ///< what was picked when `thing` was last taken from that
    int bytes = 64;
    bool ofClass = false;
};

/// What the widgets themselves must remember between frames: half-typed text, where a list was scrolled to.
struct Edits {
    std::string input;
    std::string machine;
    std::string find;
    std::uint32_t listedLine = 0;         ///< the source line that was last brought into sight
    std::optional<SourceLine> foundLine;  ///< likewise, of those that were looked up
    Selection menu;                       ///< what the menu of the picture is about
    bool dragged = false;                 ///< the mouse has moved since the button went down on the picture
    StripDrag stripDrag;
    WhatIfEdit whatIf;
    std::optional<double> lensDrag;  ///< where in time the lens that is being drawn began
};

struct PanelContext {
    const Session& session;
    const Opening* opening;         ///< null when nothing is being opened or built
    const Picture* picture;         ///< null when nothing is open yet
    const sim::Overview* overview;  ///< null likewise
    const QueryResults& results;
    HistoryViews* historyViews;             ///< null while the history is not known
    double remembered;                      ///< how far that is, from 0 to 1; negative when nobody works on it
    const Picture* baselinePicture;         ///< of the run that it is compared with; null when there is none
    const FrameComposer* baselineComposer;  ///< likewise
    HistoryViews* baselineHistoryViews;     ///< likewise, or not known yet
    const Fonts& fonts;
    float scale;
    Commands& commands;
    Edits& edits;

    const sim::Trace& trace() const { return session.opened.run->trace(); }
    const sim::MachineConfig& machine() const { return session.opened.run->machine(); }
    /// The figures of the range, if there is one; of an earlier one while `isOld`.
    const RangeFigures* range() const { return session.range ? results.range.get() : nullptr; }
    bool isOld() const { return range() == nullptr || range()->of != *session.range; }
    Theme colours() const { return theme(session.ground); }
    void queue(std::string_view action, double number = 0, std::string text = {}) const {
        commands.push_back({action, number, std::move(text)});
    }
};

using sim::grouped;
/// "32K", "895.6K", "2.4M": a number of bytes in three or four digits.
std::string roughBytes(std::uint64_t bytes);
/// "9 999", "10.0K", "1.68M": a number of things where there is room for five digits.
std::string roughCount(std::uint64_t count);
ImU32 packed(scene::Rgba colour);
ImU32 packed(const ImVec4& colour);
/// A heading in small muted capitals, as all sections of the columns have.
void heading(const PanelContext& c, const char* words);
/// Text of less weight.
void muted(const PanelContext& c, const std::string& words);
/// Shows words in a tooltip when the last item is hovered: where a name is cut, for instance.
void hint(const std::string& words);

/// The same with what its figures are of, after it: the range, or else what is named; and how far those of the range
/// are.
void headingOfFigures(const PanelContext& c, const char* words, const char* withoutRange);
/// Text that ends where its column of a table does, so that numbers can be compared.
void numberCell(const std::string& text);
/// A name that is no wider than this: "Bound…Wall", since what tells names apart is often their ends. Empty where there
/// is no room at all.
std::string cut(const std::string& name, float width);
/// What is old is muted until the new is there: a scope.
class Aged {
  public:
    Aged(const PanelContext& c, bool isOld) : isOld_(isOld) {
        if (isOld_) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    }
    ~Aged() {
        if (isOld_) ImGui::PopStyleColor();
    }
    Aged(const Aged&) = delete;
    Aged& operator=(const Aged&) = delete;

  private:
    bool isOld_;
};
/// The colour that stands for a kind of misses.
ImU32 kindColour(const PanelContext& c, std::size_t kind);
/// A bar of parts, as long as their shares; nothing where all are 0.
void stackedBar(ImVec2 from, ImVec2 size, std::span<const std::uint64_t> parts, std::span<const ImU32> colours);

/// The panels. Each fills the ImGui child window that it is called in.
void drawTracePanel(const PanelContext& c);
void drawRegionsPanel(const PanelContext& c);
void drawStatisticsPanel(const PanelContext& c);
void drawSourcePanel(const PanelContext& c);
void drawAccessesPanel(const PanelContext& c);
/// What is selected, in words; and what is watched. Nothing where there is nothing.
void drawChosenPanel(const PanelContext& c, const FrameComposer& composer);
void drawTransportPanel(const PanelContext& c);
/// The strip of the whole trace, `height` pixels high; dragging it seeks, or chooses a range.
void drawOverviewStrip(const PanelContext& c, float height);
/// The keys, over everything.
void drawHelp(const PanelContext& c);
/// What is being read, with its progress, and errors that wait to be read: over the picture.
void drawMessages(const PanelContext& c, ImVec2 from, ImVec2 size);

}  // namespace whorl::app
