// What every panel is given, and what panels share. A panel draws from this and queues commands; it changes nothing.
#pragma once

#include <string>

#include "app/actions.h"
#include "app/composer.h"
#include "app/session.h"
#include "app/window/imgui_style.h"
#include "sim/measure/report.h"

namespace whorl::app {

/// What the widgets themselves must remember between frames: half-typed text, where a list was scrolled to.
struct Edits {
    std::string input;
    std::string machine;
    std::uint32_t listedLine = 0;  ///< the source line that was last brought into sight
};

struct PanelContext {
    const Session& session;
    const Opening* opening;         ///< null when nothing is being opened or built
    const Picture* picture;         ///< null when nothing is open yet
    const sim::Overview* overview;  ///< null likewise
    const Fonts& fonts;
    float scale;
    Commands& commands;
    Edits& edits;

    const sim::Trace& trace() const { return session.opened.run->trace(); }
    const sim::MachineConfig& machine() const { return session.opened.run->machine(); }
    Theme colours() const { return theme(session.ground); }
    void queue(std::string_view action, double number = 0, std::string text = {}) const {
        commands.push_back({action, number, std::move(text)});
    }
};

using sim::grouped;
/// "32K", "895.6K", "2.4M": a number of bytes in three or four digits.
std::string roughBytes(std::uint64_t bytes);
ImU32 packed(scene::Rgba colour);
ImU32 packed(const ImVec4& colour);
/// A heading in small muted capitals, as all sections of the columns have.
void heading(const PanelContext& c, const char* words);
/// Text of less weight.
void muted(const PanelContext& c, const std::string& words);
/// Shows words in a tooltip when the last item is hovered: where a name is cut, for instance.
void hint(const std::string& words);

/// The panels. Each fills the ImGui child window that it is called in.
void drawTracePanel(const PanelContext& c);
void drawRegionsPanel(const PanelContext& c);
void drawStatisticsPanel(const PanelContext& c);
void drawSourcePanel(const PanelContext& c);
void drawAccessesPanel(const PanelContext& c);
void drawTransportPanel(const PanelContext& c);
/// The strip of hit rates over the whole trace, `height` pixels high; dragging it seeks.
void drawOverviewStrip(const PanelContext& c, float height);
/// The keys, over everything.
void drawHelp(const PanelContext& c);
/// What is being read, with its progress, and errors that wait to be read: over the picture.
void drawMessages(const PanelContext& c, ImVec2 from, ImVec2 size);

}  // namespace whorl::app
