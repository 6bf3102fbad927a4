// What lies over the picture during a talk: the pen, the pointer, the answers of a question, the list of scenes, and a
// bar of buttons that comes with the mouse and leaves again.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/tours/presenting.h"

namespace whorl::app {

namespace {

constexpr float kHeight = 720;  ///< height of the picture in which strokes are measured

/// From the picture in which strokes are measured to the screen, and back.
ImVec2 onScreen(glm::vec2 at, ImVec2 screen) {
    const float unit = screen.y / kHeight;
    return {screen.x / 2 + at.x * unit, screen.y / 2 + at.y * unit};
}
glm::vec2 inPicture(ImVec2 at, ImVec2 screen) {
    const float unit = kHeight / screen.y;
    return {(at.x - screen.x / 2) * unit, (at.y - screen.y / 2) * unit};
}

constexpr auto kOverAll = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

/// Takes the mouse from the picture; the pen draws with it.
void takeMouse(const PanelContext& c, ImVec2 screen) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("##pen", nullptr, kOverAll | ImGuiWindowFlags_NoBackground);
    ImGui::InvisibleButton("##paper", screen);
    const glm::vec2 at = inPicture(ImGui::GetIO().MousePos, screen);
    if (!c.session.talk.pen) {
        // The mouse only points.
    } else if (ImGui::IsItemActivated()) {
        c.queue(command::PenDown{at});
    } else if (ImGui::IsItemActive() && !c.session.talk.strokes.empty() && c.session.talk.strokes.back().back() != at) {
        c.queue(command::PenTo{at});
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void drawStrokes(const PanelContext& c, ImVec2 screen) {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float unit = screen.y / kHeight;
    // In a colour that has no meaning in the picture, with an outline in the ground's colour.
    const ImU32 ink = packed(c.colours().accent);
    const ImU32 outline = packed(scene::paletteFor(c.context.ground).ground);
    std::vector<ImVec2> points;
    for (const Stroke& stroke : c.session.talk.strokes) {
        points.clear();
        for (const glm::vec2 at : stroke) points.push_back(onScreen(at, screen));
        if (points.size() == 1) points.push_back({points[0].x + 1, points[0].y});
        list.AddPolyline(points.data(), static_cast<int>(points.size()), outline, 0, 7 * unit);
        list.AddPolyline(points.data(), static_cast<int>(points.size()), ink, 0, 4 * unit);
    }
    if (!c.session.talk.pointer || !ImGui::IsMousePosValid()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    ImVec4 glow = c.colours().accent;
    glow.w = 0.35f;
    list.AddCircleFilled(mouse, 20 * unit, packed(glow), 48);
    list.AddCircleFilled(mouse, 6 * unit, ink, 32);
    list.AddCircle(mouse, 20 * unit, ink, 48, 2 * unit);
}

/// The next window is in the lower right corner of the picture, above the words.
void putInCorner(const PanelContext& c, const gl::Rect& canvas) {
    const float gap = 8 * c.scale;
    ImGui::SetNextWindowPos(
        {static_cast<float>(canvas.x + canvas.width) - gap, static_cast<float>(canvas.y + canvas.height) - gap},
        ImGuiCond_Always, {1, 1});
}

void drawAnswers(const PanelContext& c, const gl::Rect& canvas) {
    const auto& choices = c.session.presentation->question->choices;
    putInCorner(c, canvas);
    ImGui::Begin("##answers", nullptr, kOverAll | ImGuiWindowFlags_AlwaysAutoResize);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        // Up to kFew choices are stacked, beside the rings.
        constexpr std::size_t kFew = 4;
        if (i > 0 && choices.size() > kFew) ImGui::SameLine();
        const std::string words = numberedChoice(i, choices[i]);
        if (ImGui::Button(words.c_str())) c.queue(command::TourAnswer{static_cast<std::uint32_t>(i)});
        nameItem(c, fmt::format("answer {}", i));
        if (ImGui::IsItemHovered()) c.edits.mouseRested = 0;
    }
    ImGui::End();
}

void drawList(const PanelContext& c, ImVec2 screen) {
    const Presentation& p = *c.session.presentation;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0.3f * screen.x, 0}, {0.8f * screen.x, 0.9f * screen.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("##scenes of the talk", nullptr,
                 (kOverAll & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize);
    for (std::size_t i = 0; i < p.tour->scenes.size(); ++i) {
        const std::string words = fmt::format("{}  {}", i + 1, saidScene(p, i).title);
        if (ImGui::Selectable(words.c_str(), i == p.scene)) c.queue(command::TourGo{static_cast<std::uint32_t>(i)});
        nameItem(c, fmt::format("listed scene {}", i));
        if (i == p.scene && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

/// "end the talk (F11)": the words of the list of the stage's keys, with the first key.
std::string wordsOnStage(const Command& command, bool hasTour) {
    for (const Binding& binding : stageBindings(hasTour)) {
        if (binding.command.id() == command.id()) return fmt::format("{} ({})", binding.words, binding.keys.front());
    }
    return std::string(command.words());
}

void drawBar(const PanelContext& c, ImVec2 screen) {
    ImGui::SetNextWindowPos({screen.x - 8 * c.scale, 8 * c.scale}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowBgAlpha(0.85f);
    ImGui::Begin("##bar of the talk", nullptr, kOverAll | ImGuiWindowFlags_AlwaysAutoResize);
    const bool hasTour = c.session.presentation.has_value();
    const ImGuiStyle& style = ImGui::GetStyle();
    const float room = screen.x - 16 * c.scale - 2 * style.WindowPadding.x;
    float end = 0;  // right end of the buttons in this row; buttons that do not fit start a new row
    const auto button = [&](const char* words, const Command& command) {
        const float width = ImGui::CalcTextSize(words).x + 2 * style.FramePadding.x;
        const bool goesOn = end > 0 && end + style.ItemSpacing.x + width <= room;
        end = goesOn ? end + style.ItemSpacing.x + width : width;
        if (goesOn) ImGui::SameLine();
        if (ImGui::Button(words)) c.queue(command);
        nameItem(c, fmt::format("bar {}", command.id()));
        if (ImGui::IsItemHovered()) c.edits.mouseRested = 0;
        hint(wordsOnStage(command, hasTour));
    };
    if (hasTour) {
        button("Back", command::TourPrevious{});
        button("Next", command::TourNext{});
        button("Scenes", command::StageList{});
    }
    button("Pen", command::Pen{});
    button("Pointer", command::Pointer{});
    button("Blank", command::StageBlank{});
    button("End", command::Present{false});
    ImGui::End();
}

/// Notes whether the mouse has moved lately.
void noteMouse(const PanelContext& c) {
    constexpr float kSeconds = 2.5f;
    constexpr float kMaxOfFrame = 0.25f;  // what stands under the mouse must not vanish because a frame took long
    const ImGuiIO& io = ImGui::GetIO();
    const bool isThere = ImGui::IsMousePosValid();
    const bool isBack = c.session.talk.on && !c.edits.mouseIsThere;  // a mouse that rests there is nowhere
    const bool moved = isThere && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || isBack);
    c.edits.mouseRested = moved ? 0 : c.edits.mouseRested + std::min(io.DeltaTime, kMaxOfFrame);
    const bool isAtWork = c.edits.mouseRested < kSeconds;
    c.edits.mouseIsThere = isThere && (isAtWork || c.session.talk.pen || c.session.talk.pointer);
}

}  // namespace

void hideRestingMouse(const PanelContext& c) {
    noteMouse(c);
    if (c.edits.mouseIsThere) return;
    // The next movement sets it again.
    ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void drawPanelsButton(const PanelContext& c, const gl::Rect& canvas) {
    noteMouse(c);
    if (!c.edits.mouseIsThere) return;
    putInCorner(c, canvas);
    ImGui::SetNextWindowBgAlpha(0.85f);
    ImGui::Begin("##panels again", nullptr, kOverAll | ImGuiWindowFlags_AlwaysAutoResize);
    if (ImGui::Button("Panels")) c.queue(changeOf("panels"));
    nameItem(c, "panels again");
    if (ImGui::IsItemHovered()) c.edits.mouseRested = 0;
    hint(wordsWithKey(changeOf("panels")));
    ImGui::End();
}

void drawStage(const PanelContext& c, const gl::Rect& canvas) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const Talk& talk = c.session.talk;
    if (talk.blank) {
        ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, screen, IM_COL32_BLACK);
        return;
    }
    if (talk.pen || talk.pointer) takeMouse(c, screen);
    const bool hasHand = c.edits.mouseIsThere && !talk.pointer;
    const auto& p = c.session.presentation;
    // The scene's words already list the choices: buttons appear only while the mouse is in use.
    const bool asks = c.session.asks() && p->entered && p->question && !p->question->choices.empty();
    if (asks && hasHand) drawAnswers(c, canvas);
    if (p && talk.list) drawList(c, screen);
    if (hasHand && !talk.pen) drawBar(c, screen);
    drawStrokes(c, screen);
}

}  // namespace whorl::app
