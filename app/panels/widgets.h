// Building blocks of panels: headings, cells, bars, small windows, and numbers in words. All are stateless.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/commands/bindings.h"
#include "app/panels/panel_context.h"
#include "sim/report/report.h"

namespace whorl::app {

using sim::grouped;
using sim::roughCount;

ImU32 packed(scene::Rgba colour);
ImU32 packed(const ImVec4& colour);
/// From the form of ImGui's colour editors: red, green and blue from 0 to 1.
scene::Rgba colourFrom(const std::array<float, 3>& rgb);
/// A heading in small muted capitals, as in all sections of the columns.
void heading(const PanelContext& c, const char* words);
/// The heading of a section that a click opens and closes by the setting with that id. Returns whether it is open.
bool section(const PanelContext& c, const std::string& words, std::string_view setting);
/// Less prominent text.
void muted(const PanelContext& c, const std::string& words);
/// Text wrapped to the available width; see inLines().
void wrapped(const std::string& words);
void mutedWrapped(const PanelContext& c, const std::string& words);
/// A checkbox that shows whether something is on, and queues the command that switches it.
void checkbox(const PanelContext& c, const char* words, bool on, const Command& command);
/// A choice of one of several words, of which that with the index `now` is chosen; `commandFor` gives the command that
/// chooses an index.
template <class Words, class CommandFor>
void combo(const PanelContext& c, const char* name, const Words& words, std::size_t now, const CommandFor& commandFor) {
    const std::string shown(now < words.size() ? std::string_view(words[now]) : "");
    if (!ImGui::BeginCombo(name, shown.c_str(), ImGuiComboFlags_HeightLarge)) return;
    for (std::size_t i = 0; i < words.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(std::string(words[i]).c_str(), i == now)) c.queue(commandFor(i));
        if (i == now) ImGui::SetItemDefaultFocus();
        ImGui::PopID();
    }
    ImGui::EndCombo();
}
/// Continues the line if the next button, with these words and `more` pixels, still fits.
void flow(const std::string& next, float more = 0);
/// Names the last item, for tests to find it.
void nameItem(const PanelContext& c, const std::string& name);
/// Shows a tooltip when the last item is hovered: for instance, where a name is cut.
void hint(const std::string& words);
/// What a command does and its first key, as a hint for the widget that issues it: "play or pause (Space)".
std::string wordsWithKey(const Command& command);
/// "… (a)": other words, with the command's first key.
std::string withKey(const std::string& words, const Command& command);

/// The words of a heading, followed by what the figures refer to: the range, or else the given words; and the progress
/// of the computation for the range.
std::string figuresWords(const PanelContext& c, const char* words, const char* withoutRange);
/// A heading of these words.
void headingOfFigures(const PanelContext& c, const char* words, const char* withoutRange);
/// Text at the right end of the room, so that numbers below each other can be compared.
void rightAligned(const std::string& text);
/// Right-aligned text in the next column of a table.
void numberCell(const std::string& text);
/// A name cut to this width: "Bound…Wall", since names often differ at their ends. Empty when nothing fits.
std::string cut(const std::string& name, float width);
/// Text within this scope is muted while it belongs to an earlier query, until the new result arrives.
class MutedScope {
  public:
    MutedScope(const PanelContext& c, bool isOld) : isOld_(isOld) {
        if (isOld_) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    }
    ~MutedScope() {
        if (isOld_) ImGui::PopStyleColor();
    }
    MutedScope(const MutedScope&) = delete;
    MutedScope& operator=(const MutedScope&) = delete;

  private:
    bool isOld_;
};
/// The colour of a kind of misses.
ImU32 kindColour(const PanelContext& c, std::size_t kind);
/// A bar of parts, with lengths by their shares; nothing if all are 0.
void stackedBar(ImVec2 from, ImVec2 size, std::span<const std::uint64_t> parts, std::span<const ImU32> colours);

/// The colour of a region: the chosen one, or else that of its look.
scene::Rgba hueOfRegion(const PanelContext& c, std::size_t region);
/// The colour of a region with its texture, for areas.
scene::Ink inkOfRegion(const PanelContext& c, std::size_t region);
/// A region's sign in the current window, in the form of its glyphs.
void drawRegionSign(const PanelContext& c, ImVec2 centre, float radius, std::size_t region);
/// A small window over the views, as high as its content; ImGui::End() must always be called. `pivot`: which of its
/// points is at `at`, from 0 to 1.
bool beginOverlay(const char* id, const PanelContext& c, ImVec2 at, ImVec2 pivot, float width);

}  // namespace whorl::app
