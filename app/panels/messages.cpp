// Over the picture: what is being read or computed, and errors to be read.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// A small window in the middle of the picture.
bool beginCard(const char* id, const PanelContext& c, ImVec2 centre, float width) {
    ImGui::SetNextWindowPos(centre, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16 * c.scale, 14 * c.scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    const bool open = ImGui::Begin(id, nullptr, flags);
    ImGui::PopStyleVar(2);
    return open;
}

/// A progress bar; without a known total it shows how much has been read so far.
void bar(const PanelContext& c, const Opening& opening) {
    const double fraction = opening.fraction();
    if (fraction >= 0) {
        ImGui::ProgressBar(static_cast<float>(fraction), {-1, 0}, fmt::format("{:.0f} %", 100 * fraction).c_str());
    } else if (opening.accesses() == 0) {
        muted(c, "reading …");
    } else {
        muted(c, fmt::format("reading … {} accesses", sim::countInWords(opening.accesses())));
    }
}

void drawReading(const PanelContext& c, ImVec2 centre, float width) {
    if (beginCard("##reading", c, centre, width)) {
        wrapped(fmt::format("Opening {}", nameOfInput(c.opening->request().input)));
        bar(c, *c.opening);
        if (ImGui::Button("Cancel")) c.queue(command::Cancel{});
    }
    ImGui::End();
}

/// Work during which all else goes on takes only a corner: the left one, or the right one.
void drawCorner(const PanelContext& c, const char* id, ImVec2 from, ImVec2 size, bool isLeft, double share,
                const std::string& words) {
    const float width = std::min(260 * c.scale, size.x);
    const float side = width / 2 + 8 * c.scale;
    const ImVec2 centre(isLeft ? from.x + side : from.x + size.x - side, from.y + size.y - 34 * c.scale);
    if (beginCard(id, c, centre, width)) {
        ImGui::ProgressBar(static_cast<float>(std::max(0.0, share)), {width * 0.62f, 0}, words.c_str());
        ImGui::SameLine();
        if (ImGui::Button("Stop")) c.queue(command::Cancel{});
    }
    ImGui::End();
}

void drawNotice(const PanelContext& c, ImVec2 centre, float width) {
    if (beginCard("##notice", c, centre, width)) {
        ImGui::PushStyleColor(ImGuiCol_Text, c.colours().warning);
        ImGui::TextUnformatted("Error");
        ImGui::PopStyleColor();
        wrapped(c.session.error);
        if (ImGui::Button("Close")) c.queue(command::Dismiss{});
    }
    ImGui::End();
}

/// Whether the window that is begun has shown these words for as long as it takes to read them, without the mouse on
/// it.
bool isRead(const std::string& words) {
    constexpr double kAtLeast = 4;           // seconds
    constexpr double kPerCharacter = 0.065;  // slow readers in a foreign language: 15 characters a second
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const int id = static_cast<int>(ImGui::GetID(words.c_str()));
    int& of = *kept.GetIntRef(ImGui::GetID("of"));
    float& since = *kept.GetFloatRef(ImGui::GetID("since"));
    const double now = ImGui::GetTime();
    if (ImGui::IsWindowAppearing() || ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || of != id) {
        of = id;
        since = static_cast<float>(now);
    }
    return now - since > kAtLeast + kPerCharacter * static_cast<double>(words.size());
}

/// Messages other than errors are placed near the top edge, where they hide little, and go when they have been read.
void drawRemark(const PanelContext& c, ImVec2 from, ImVec2 size, float width) {
    const std::string lines = inLines(*ImGui::GetFont(), ImGui::GetFontSize(), width - 32 * c.scale, c.session.message);
    const float text = ImGui::CalcTextSize(lines.c_str()).y;
    const float height = text + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y + 28 * c.scale;
    if (beginCard("##remark", c, {from.x + size.x / 2, from.y + 8 * c.scale + height / 2}, width)) {
        wrapped(c.session.message);
        // Closing it closes the others, too, which may not have been read.
        const bool isAlone = c.session.error.empty() && !c.session.welcome;
        if (ImGui::Button("Close") || (isRead(c.session.message) && isAlone)) c.queue(command::Dismiss{});
    }
    ImGui::End();
}

}  // namespace

void drawMessages(const PanelContext& c, ImVec2 from, ImVec2 size) {
    const ImVec2 centre(from.x + size.x / 2, from.y + size.y / 2);
    const float width = std::min(460 * c.scale, std::max(120.0f, size.x - 20 * c.scale));
    if (c.opening != nullptr && c.opening->working()) {
        if (c.opening->reading()) {
            drawReading(c, centre, width);
        } else {
            // The run can already be played, so its progress only takes a corner.
            drawCorner(c, "##building", from, size, true, c.opening->fraction(), "simulating");
        }
    }
    if (c.making) {
        drawCorner(c, "##filming", from, size, false, *c.making,
                   fmt::format("tour: {:.0f} %", 100 * std::max(0.0, *c.making)));
    }
    if (!c.session.message.empty()) drawRemark(c, from, size, width);
    if (!c.session.error.empty()) drawNotice(c, centre, width);
}

}  // namespace whorl::app
