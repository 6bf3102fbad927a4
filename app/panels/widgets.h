// What panels are made of: headings, cells, bars, small windows, and numbers in words. None of it keeps anything.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "app/panels/panel_context.h"
#include "app/session/bindings.h"
#include "sim/report/report.h"

namespace whorl::app {

using sim::grouped;

/// "32K", "895.6K", "2.4M": a number of bytes in three or four digits.
std::string roughBytes(std::uint64_t bytes);
/// "9 999", "10.0K", "1.68M": a number of things where there is room for five digits.
std::string roughCount(std::uint64_t count);
ImU32 packed(scene::Rgba colour);
ImU32 packed(const ImVec4& colour);
/// As ImGui's colour editors have it: red, green and blue from 0 to 1.
scene::Rgba colourFrom(const std::array<float, 3>& rgb);
/// A heading in small muted capitals, as all sections of the columns have.
void heading(const PanelContext& c, const char* words);
/// Text of less weight.
void muted(const PanelContext& c, const std::string& words);
/// Gives the last item a name, by which tests find it.
void nameItem(const PanelContext& c, const std::string& name);
/// Shows words in a tooltip when the last item is hovered: where a name is cut, for instance.
void hint(const std::string& words);
/// What a command does and its first key, as a hint for the widget that gives it: "play or pause (Space)".
std::string wordsWithKey(const Command& command);
/// "… (a)": other words, with the command's first key.
std::string withKey(const std::string& words, const Command& command);

/// The same with what its figures are of, after it: the range, or else what is named; and how far those of the range
/// are.
void headingOfFigures(const PanelContext& c, const char* words, const char* withoutRange);
/// Text that ends where its column of a table does, so that numbers can be compared.
void numberCell(const std::string& text);
/// A name that is no wider than this: "Bound…Wall", since what tells names apart is often their ends. Empty where there
/// is no room at all.
std::string cut(const std::string& name, float width);
/// Text within this scope is muted while it is of an earlier question, until the new answer is there.
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
/// The colour that stands for a kind of misses.
ImU32 kindColour(const PanelContext& c, std::size_t kind);
/// A bar of parts, as long as their shares; nothing where all are 0.
void stackedBar(ImVec2 from, ImVec2 size, std::span<const std::uint64_t> parts, std::span<const ImU32> colours);

/// The colour of a region: as it was chosen, or else the palette's.
scene::Rgba hueOfRegion(const PanelContext& c, std::size_t region);
/// A region's sign, as its glyphs look.
void drawRegionSign(ImDrawList& list, ImVec2 centre, float radius, scene::Shape shape, ImU32 colour);
/// A small window over the views, as high as its content; ImGui::End() ends it in any case. `pivot`: which of its
/// points lies at `at`, from 0 to 1.
bool beginOverlay(const char* id, const PanelContext& c, ImVec2 at, ImVec2 pivot, float width);

}  // namespace whorl::app
