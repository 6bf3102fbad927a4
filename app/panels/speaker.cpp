// What the speaker sees during a talk, and the audience does not: beside what is shown, notes, what comes next, the
// time against the plan.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "app/tours/presenting.h"

namespace whorl::app {

namespace {

/// "12:05"
std::string minutes(double seconds) {
    const auto whole = static_cast<long>(std::floor(std::abs(seconds)));
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// The seconds planned for the scenes before this one.
double plannedBefore(const Tour& tour, std::size_t scene) {
    double sum = 0;
    for (std::size_t i = 0; i < scene; ++i) sum += tour.scenes[i].planned;
    return sum;
}

/// How the clock stands against the plan; empty where nothing is planned.
std::string verdict(const Session& session) {
    if (!session.presentation) return {};
    const Presentation& p = *session.presentation;
    const double total = plannedBefore(*p.tour, p.tour->scenes.size());
    if (total == 0) return {};
    const double from = plannedBefore(*p.tour, p.scene);
    const double to = from + p.own().planned;
    const double now = session.talk.clock;
    std::string state = "on time";
    if (now > to) state = minutes(now - to) + " late";
    if (now < from) state = minutes(from - now) + " early";
    return fmt::format("{}   this step: {} to {} of {}", state, minutes(from), minutes(to), minutes(total));
}

void drawClock(const PanelContext& c) {
    ImGui::PushFont(c.fonts.large);
    ImGui::TextUnformatted(minutes(c.session.talk.clock).c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::TextUnformatted(c.session.talk.clockPaused ? "paused" : verdict(c.session).c_str());
    const auto button = [&](const char* words, const Command& command, bool first = false) {
        if (!first) ImGui::SameLine();
        if (ImGui::Button(words)) c.queue(command);
    };
    button(c.session.talk.clockPaused ? "Run the clock" : "Pause the clock", command::ClockPause{}, true);
    button("From 0:00", command::ClockReset{});
    button("Blank", command::StageBlank{});
    if (!c.session.presentation) return;
    button("Back", command::TourPrevious{});
    button("Next", command::TourNext{});
}

/// Draws a picture as large as the room allows, up to kMaxOfHeight of the height; a frame while it is missing.
void drawSight(const PanelContext& c, unsigned texture, float aspect) {
    constexpr float kMaxOfHeight = 0.58f;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::min(room.x, aspect * kMaxOfHeight * room.y);
    const ImVec2 size(width, width / aspect);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 to(from.x + size.x, from.y + size.y);
    if (texture != 0) {
        const auto id = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture));
        list.AddImage(id, from, to, {0, 1}, {1, 0});
    }
    list.AddRect(from, to, packed(c.colours().border));
    ImGui::Dummy({0, 4 * c.scale});
}

std::string titleOf(const Presentation& p, const char* when, std::size_t scene) {
    return fmt::format("{}: {} OF {}", when, scene + 1, p.tour->scenes.size());
}

/// "Hit or miss? Answer: miss".
void drawAsked(const PanelContext& c, const std::optional<app::Question>& question) {
    if (!question) return;
    mutedWrapped(c, question->answer.empty()
                        ? "The question is about the first access."
                        : fmt::format("Question: {} Answer: {}", question->text, question->answer));
}

/// In large letters, where they fit.
void drawNotes(const PanelContext& c, const std::string& notes) {
    if (notes.empty()) return;
    heading(c, "NOTES");
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImFont& large = *c.fonts.large;
    const std::string lines = inLines(large, large.FontSize, room.x, notes);
    const bool fits = large.CalcTextSizeA(large.FontSize, FLT_MAX, 0, lines.c_str()).y <= room.y;
    ImGui::PushFont(fits ? &large : c.fonts.heading);
    wrapped(notes);
    ImGui::PopFont();
}

void drawNow(const PanelContext& c, const SpeakerSight& sight) {
    const auto& p = c.session.presentation;
    heading(c, p ? titleOf(*p, "NOW", p->scene).c_str() : "NOW");
    drawSight(c, sight.now, sight.aspect);
    if (!p) return muted(c, "No tour is open: this area shows the notes of its steps.");
    drawAsked(c, p->question);
    drawNotes(c, saidScene(*p, p->scene).notes);
}

void drawNext(const PanelContext& c, const SpeakerSight& sight) {
    const auto& p = c.session.presentation;
    if (!p) return;
    if (p->isLast()) return muted(c, "This is the last step.");
    const TourScene scene = sight.said.value_or(saidScene(*p, p->scene + 1));
    heading(c, titleOf(*p, "NEXT", p->scene + 1).c_str());
    drawSight(c, sight.next, sight.aspect);
    wrapped(scene.title);
    mutedWrapped(c, scene.words);
    drawAsked(c, scene.question);
}

}  // namespace

void drawSpeaker(const PanelContext& c, const SpeakerSight& sight) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("##speaker", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    drawClock(c);
    ImGui::Dummy({0, 8 * c.scale});
    const float gap = 16 * c.scale;
    ImGui::BeginChild("now", {std::floor((ImGui::GetContentRegionAvail().x - gap) / 2), 0});
    drawNow(c, sight);
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    ImGui::BeginChild("next");
    drawNext(c, sight);
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace whorl::app
