// The card on which an access is predicted, over the upper right of the views: its address and what its set holds, the
// answers to choose from, and, once it has been played, which were right and why.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/prediction_words.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

void drawHeading(const PanelContext& c, const PredictionWords& p) {
    ImGui::PushFont(c.fonts.heading);
    ImGui::TextUnformatted(p.title.c_str());
    ImGui::PopFont();
    const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - cross));
    if (ImGui::Button("×")) c.queue(command::PredictEnd{});
    hint("stop predicting (Escape)");
    if (!p.score.empty()) muted(c, p.score);
}

void drawLevels(const PanelContext& c, const PredictionWords& p) {
    for (std::size_t l = 0; l < p.levels.size(); ++l) {
        if (l > 0) ImGui::SameLine(0, 8 * c.scale);
        if (ImGui::RadioButton(p.levels[l].name.c_str(), p.levels[l].on)) c.queue(p.levels[l].command);
        nameItem(c, "predict level " + p.levels[l].name);
        hint("ask about accesses at this level");
    }
}

/// A button for an answer; the chosen one is marked, and later the right one, too.
void drawAnswer(const PanelContext& c, const PredictionWords::Answer& answer, bool isRevealed, bool isFirst) {
    const Theme colours = c.colours();
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(answer.words.c_str()).x + 2 * style.FramePadding.x;
    if (!isFirst) {
        ImGui::SameLine(0, 4 * c.scale);
        if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    const bool isMarked = answer.chosen || (isRevealed && answer.right);
    const ImVec4 frame = !isRevealed || answer.right ? colours.accent : colours.warning;
    if (isMarked) {
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 2 * c.scale);
        ImGui::PushStyleColor(ImGuiCol_Border, frame);
    }
    const std::string name = "predict " + answer.name;
    ImGui::PushID(name.c_str());
    if (ImGui::Button(answer.words.c_str()) && !isRevealed) c.queue(answer.command);
    ImGui::PopID();
    if (isMarked) {
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
    }
    nameItem(c, name);
    if (!answer.help.empty()) hint(answer.help);
}

void drawAnswers(const PanelContext& c, const PredictionWords& p, bool isRevealed) {
    for (const PredictionWords::Part& part : p.parts) {
        mutedWrapped(c, part.isNext ? part.asked + "  (keys Alt+1, Alt+2, …)" : part.asked);
        for (const PredictionWords::Answer& answer : part.answers) {
            drawAnswer(c, answer, isRevealed, &answer == part.answers.data());
        }
    }
}

void drawQuestion(const PanelContext& c, const PredictionWords& p, bool isRevealed) {
    drawLevels(c, p);
    wrapped(p.access);
    ImGui::PushFont(c.fonts.mono);
    wrapped(p.digits);
    ImGui::PopFont();
    muted(c, p.cache);
    if (p.isAnsweredInTable) {
        mutedWrapped(c, "Click the way in the table in which its block will be.");
    } else {
        drawAnswers(c, p, isRevealed);
    }
    ImGui::Dummy({0, 2 * c.scale});
    for (const PredictionWords::Grade& grade : p.grades) {
        ImGui::PushStyleColor(ImGuiCol_Text, grade.right ? c.colours().accent : c.colours().warning);
        wrapped(grade.words);
        ImGui::PopStyleColor();
    }
    if (!p.why.empty()) wrapped(p.why);
    if (p.next && ImGui::Button(p.next->words.c_str())) c.queue(p.next->command);
    if (p.next) nameItem(c, "predict " + p.next->words);
    if (p.next) hint(wordsWithKey(p.next->command));
    if (p.left.empty()) return;
    ImGui::SameLine();
    muted(c, p.left);
}

}  // namespace

void drawPredictCard(const PanelContext& c, const gl::Rect& canvas) {
    const PredictionWords words = predictionWords(c.session);
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x + canvas.width) - gap, static_cast<float>(canvas.y) + gap);
    const float width = std::min(300 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    if (beginOverlay("##predict", c, at, {1, 0}, width)) {
        ImGui::PushFont(c.fonts.small);
        drawHeading(c, words);
        if (words.note.empty()) {
            drawQuestion(c, words, c.session.prediction->revealed);
        } else {
            wrapped(words.note);
        }
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
