// The open tour: its scenes, the texts of the one that is shown, and what changes them.
#include <fmt/format.h>
#include <imgui.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

namespace {

/// A button of a row, which goes on in the next line where there is no room; `first` of it.
void tourButton(const PanelContext& c, const char* words, const Command& command, bool first = false) {
    if (!first) flow(words);
    const bool pressed = ImGui::Button(words);
    nameItem(c, fmt::format("tour {}", command.id()));
    hint(wordsWithKey(command));
    if (pressed) c.queue(command);
}

void drawOpening(const PanelContext& c) {
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##tours", c.session.presentation ? "another tour" : "built-in tours",
                          ImGuiComboFlags_HeightLarge)) {
        for (const std::string& name : tourNames()) {
            if (ImGui::Selectable(name.c_str())) c.queue(command::TourOpen{name});
        }
        ImGui::EndCombo();
    }
    nameItem(c, "tours");
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputTextWithHint("##tour file", "a tour's file", &c.edits.tour.opened,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    nameItem(c, "tour file");
    if (entered && !c.edits.tour.opened.empty()) c.queue(command::TourOpen{c.edits.tour.opened});
}

/// What changes the list of steps, and where this one stands.
void drawChanges(const PanelContext& c, const Presentation& p) {
    const auto index = static_cast<std::uint32_t>(p.scene);
    tourButton(c, "Add this moment", command::TourAdd{}, true);
    tourButton(c, "Show this moment", command::TourSet{});
    const TourScene scene = resolvedScene(*p.tour, p.scene);
    const auto here = c.context.player.position();
    // Drawn even if disabled, so that the items below do not move under the mouse while the playhead moves.
    const bool isAfter = here > scene.position();
    const bool plays = isAfter || !scene.range;
    const char* const words = plays ? "Play to here" : "Stand still";
    flow(words);
    ImGui::BeginDisabled(!isAfter && !scene.range);
    tourButton(c, words, plays ? command::TourPlay{here} : command::TourPlay{}, true);
    ImGui::EndDisabled();
    tourButton(c, "Up", command::TourMove{index, index == 0 ? 0 : index - 1});
    tourButton(c, "Down", command::TourMove{index, index + 1});
    tourButton(c, "Remove", command::TourRemove{index});
    tourButton(c, "Undo", command::TourUndo{});
    tourButton(c, "Redo", command::TourRedo{});
}

void drawSaving(const PanelContext& c, const Presentation& p) {
    TourEdits& edits = c.edits.tour;
    if (edits.file.of != p.file || edits.file.typed.empty()) {
        edits.file = {p.file.empty() ? "lecture.tour.json" : p.file, p.file};
    }
    ImGui::SetNextItemWidth(-72 * c.scale);
    const bool entered = ImGui::InputText("##save as", &edits.file.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    nameItem(c, "tour save as");
    ImGui::SameLine();
    const bool pressed = ImGui::Button(p.unsaved ? "Save *" : "Save");
    nameItem(c, "tour save");
    hint("save the tour to this file");
    if (entered || pressed) c.queue(command::TourSave{edits.file.typed});
}

}  // namespace

void drawWelcome(const PanelContext& c) {
    wrapped("New here? A five-minute tour introduces the views.");
    if (ImGui::Button("Show me")) c.queue(command::TourOpen{kFirstTour});
    nameItem(c, "welcome");
    hint(withKey("begin the tour", command::TourNext{}));
    ImGui::SameLine();
    if (ImGui::Button("Not now")) c.queue(command::Dismiss{});
    nameItem(c, "no welcome");
    hint("Escape");
    muted(c, "F1 lists all keys.");
    ImGui::Dummy({0, 6 * c.scale});
}

void drawTourPanel(const PanelContext& c) {
    const auto& p = c.session.presentation;
    const std::string words = p && !p->tour->title.empty() ? fmt::format("TOUR: {}", p->tour->title) : "TOUR";
    if (!section(c, words, "section-tour")) return;
    if (!p) {
        tourButton(c, "Begin with this moment", command::TourAdd{}, true);
        drawOpening(c);
        return;
    }
    const bool edits = c.session.showsTourForm();
    drawTourSteps(c, *p, edits);
    tourButton(c, "Back", command::TourPrevious{}, true);
    tourButton(c, "Next", command::TourNext{});
    tourButton(c, "Present", command::Present{});
    tourButton(c, edits ? "Done" : "Edit", command::TourEdit{});
    tourButton(c, "Close", command::TourClose{});
    tourButton(c, "Check", command::TourCheck{}, true);
    tourButton(c, "Slides", command::TourSlides{});
    tourButton(c, "Film", command::TourFilm{});
    drawTourFindings(c, *p);
    if (edits || p->unsaved) drawSaving(c, *p);
    if (!edits) {
        tourButton(c, "Add this moment", command::TourAdd{}, true);
        drawOpening(c);
        ImGui::Dummy({0, 6 * c.scale});
        return;
    }
    drawChanges(c, *p);
    drawTourForm(c, *p);
}

}  // namespace whorl::app
