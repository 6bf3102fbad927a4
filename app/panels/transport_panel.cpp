// The bottom: what the current access did, the controls of time, the strip.
#include <fmt/format.h>

#include <cmath>

#include "app/panels/panel.h"
#include "sim/run/sentence.h"

namespace whorl::app {

namespace {

/// A button for an action, with its words and keys as the hint.
void button(const PanelContext& c, const char* sign, std::string_view id, bool lit = false) {
    const Action& action = actionNamed(id);
    if (lit) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    ImGui::PushID(std::string(id).c_str());
    if (ImGui::Button(sign, {34 * c.scale, 0})) c.queue(action.id);
    ImGui::PopID();
    if (lit) ImGui::PopStyleColor();
    hint(fmt::format("{} ({})", action.words, action.keys.front()));
    ImGui::SameLine(0, 4 * c.scale);
}

std::string paceInWords(double pace) {
    return pace < 1 ? fmt::format("1 access in {:g} s", 1 / pace) : fmt::format("{:.4g} accesses/s", pace);
}

void drawSentence(const PanelContext& c) {
    ImGui::PushFont(c.fonts.heading);
    const sim::Step* step = c.picture == nullptr ? nullptr : c.picture->moment.current();
    const std::string words = step == nullptr ? "nothing has happened yet: every cache is empty"
                                              : sim::sentenceFor(*step, c.trace(), c.machine());
    if (step == nullptr) {
        muted(c, words);
    } else {
        ImGui::TextUnformatted(words.c_str());
        hint(words);
    }
    ImGui::PopFont();
}

void drawControls(const PanelContext& c) {
    const Player& player = c.session.player;
    button(c, "⏮", "restart");
    button(c, "⏴", "step-back");
    button(c, player.playing() ? "⏸" : "⏵", "play", player.playing());
    button(c, "⏭", "step");
    button(c, "↻", "loop", player.loops());
    auto pace = static_cast<float>(player.pace());
    ImGui::SetNextItemWidth(150 * c.scale);
    ImGui::SameLine(0, 12 * c.scale);
    if (ImGui::SliderFloat("##pace", &pace, static_cast<float>(Player::kSlowest), static_cast<float>(Player::kFastest),
                           "", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput)) {
        c.queue("pace", pace);
    }
    hint("the pace (Up and Down)");
    ImGui::SameLine(0, 8 * c.scale);
    const float column = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(paceInWords(player.pace()).c_str());
    // As wide as the longest words, so that what follows stands still.
    ImGui::SameLine(column + ImGui::CalcTextSize("10000 accesses/s").x + 16 * c.scale);
    const auto done = static_cast<std::uint64_t>(std::ceil(player.position()));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(grouped(done).c_str());
    ImGui::SameLine(0, 6 * c.scale);
    muted(c, fmt::format("of {}", grouped(c.trace().size())));
    // The way to all the keys stands at the right edge, where there is room for it.
    const float width = ImGui::CalcTextSize("? keys").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) {
        ImGui::NewLine();
        return;
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
    if (ImGui::Button("? keys")) c.queue("help");
}

}  // namespace

void drawTransportPanel(const PanelContext& c) {
    if (!c.session.opened.run) return;
    drawSentence(c);
    drawControls(c);
    ImGui::Dummy({0, 2 * c.scale});
    drawOverviewStrip(c, ImGui::GetContentRegionAvail().y);
}

}  // namespace whorl::app
