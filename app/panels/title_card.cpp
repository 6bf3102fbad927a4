#include "app/panels/title_card.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

#include "app/panels/imgui_style.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

struct CardText {
    ImFont* font;
    float size;
    ImU32 colour;
    std::string words;
};

/// The lines in which words are as wide as this at most.
std::vector<std::string> cardLines(const CardText& text, float width) {
    std::vector<std::string> lines;
    std::istringstream all(inLines(*text.font, text.size, width, text.words));
    for (std::string line; std::getline(all, line);) lines.push_back(std::move(line));
    return lines;
}

/// Draws the texts from `top` on, unless `list` is null; returns where they end.
float layOut(ImDrawList* list, const std::vector<CardText>& texts, float left, float width, float top, bool isCentred) {
    constexpr float kLine = 1.3f;
    constexpr float kGap = 0.7f;
    for (const CardText& text : texts) {
        for (const std::string& line : cardLines(text, width)) {
            const float wide = text.font->CalcTextSizeA(text.size, FLT_MAX, 0, line.c_str()).x;
            const float x = isCentred ? left + (width - wide) / 2 : left;
            if (list != nullptr) {
                list->AddText(text.font, text.size, {std::floor(x), std::floor(top)}, text.colour, line.c_str());
            }
            top += kLine * text.size;
        }
        top += kGap * text.size;
    }
    return top;
}

std::vector<CardText> textsOf(const TitleCard& card, const Fonts& fonts, scene::Ground ground, float share) {
    const Theme colours = theme(ground);
    std::vector<CardText> texts;
    const float title = (card.isNotes ? 1.0f : 2.0f) * fonts.heading->FontSize * share;
    if (!card.title.empty()) texts.push_back({fonts.heading, title, packed(colours.text), card.title});
    for (const std::string& line : card.lines) {
        const ImVec4& colour = card.isNotes ? colours.text : colours.muted;
        texts.push_back({fonts.body, fonts.body->FontSize * share, packed(colour), line});
    }
    return texts;
}

}  // namespace

std::string TitleCard::words() const {
    std::string all = title;
    for (const std::string& line : lines) all += " " + line;
    return all;
}

float titleCardScale(float width, float height) {
    constexpr float kSteps = 8;
    constexpr float kMax = 8;
    return std::clamp(std::floor(kSteps * std::min(width, height) / 400) / kSteps, 0.5f, kMax);
}

void drawTitleCard(const TitleCard& card, const Fonts& fonts, scene::Ground ground, glm::vec2 size) {
    const float margin = 0.06f * std::min(size.x, size.y);
    const float width = (card.isNotes ? size.x - 2 * margin : 0.84f * size.x);
    const float left = (size.x - width) / 2;
    // What does not fit is written smaller. Notes are read on paper, from a desk.
    constexpr float kMin = 0.3f;
    constexpr float kNotes = 1.7f;
    for (float share = card.isNotes ? kNotes : 1;; share *= 0.9f) {
        const std::vector<CardText> texts = textsOf(card, fonts, ground, share);
        const float high = layOut(nullptr, texts, left, width, 0, !card.isNotes);
        if (high > size.y - 2 * margin && share > kMin) continue;
        const float top = card.isNotes ? margin : std::max(margin, (size.y - high) / 2);
        layOut(ImGui::GetForegroundDrawList(), texts, left, width, top, !card.isNotes);
        return;
    }
}

}  // namespace whorl::app
