// What the speaker sees during a talk, and the audience does not: notes, what comes next, the time against the plan.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

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
    const double now = session.stage.clock;
    std::string state = "on time";
    if (now > to) state = minutes(now - to) + " late";
    if (now < from) state = minutes(from - now) + " early";
    return fmt::format("{}   this step: {} to {} of {}", state, minutes(from), minutes(to), minutes(total));
}

void drawClock(const PanelContext& c) {
    ImGui::PushFont(c.fonts.large);
    ImGui::TextUnformatted(minutes(c.session.stage.clock).c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::TextUnformatted(c.session.stage.clockPaused ? "paused" : verdict(c.session).c_str());
    const auto button = [&](const char* words, const Command& command, bool first = false) {
        if (!first) ImGui::SameLine();
        if (ImGui::Button(words)) c.queue(command);
    };
    button(c.session.stage.clockPaused ? "Run the clock" : "Pause the clock", command::ClockPause{}, true);
    button("From 0:00", command::ClockReset{});
    button("Blank", command::StageBlank{});
    if (!c.session.presentation) return;
    button("Back", command::TourPrevious{});
    button("Next", command::TourNext{});
}

void drawScene(const PanelContext& c, const Presentation& p, std::size_t index, bool isNow) {
    const TourScene scene = resolvedScene(*p.tour, index);
    heading(c, fmt::format("{}: {} OF {}", isNow ? "NOW" : "NEXT", index + 1, p.tour->scenes.size()).c_str());
    if (isNow) ImGui::PushFont(c.fonts.heading);
    wrapped(scene.title);
    if (isNow) ImGui::PopFont();
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    wrapped(scene.words);
    if (const auto& question = isNow ? p.question : scene.question) {
        const std::string words = question->answer.empty()
                                      ? "It asks what its first access does."
                                      : fmt::format("Question: {} Answer: {}", question->text, question->answer);
        wrapped(words);
    }
    ImGui::PopStyleColor();
    if (isNow && !scene.notes.empty()) {
        ImGui::Dummy({0, 4 * c.scale});
        ImGui::PushFont(c.fonts.large);
        wrapped(scene.notes);
        ImGui::PopFont();
    }
    ImGui::Dummy({0, 8 * c.scale});
}

}  // namespace

void drawSpeaker(const PanelContext& c) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("##speaker", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    drawClock(c);
    ImGui::Dummy({0, 8 * c.scale});
    if (const auto& p = c.session.presentation) {
        drawScene(c, *p, p->scene, true);
        if (!p->isLast()) drawScene(c, *p, p->scene + 1, false);
    } else {
        muted(c, "No tour is open: the notes of its steps would stand here.");
    }
    ImGui::End();
}

}  // namespace whorl::app
