// The search field at the top edge of the picture.
#include <imgui.h>
#include <imgui_internal.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

void drawFindCard(const PanelContext& c, const gl::Rect& canvas) {
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2,
                    static_cast<float>(canvas.y) + gap);
    const float width = std::min(440 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    const LookUpField& field = c.session.lookUp;
    if (beginOverlay("##find", c, at, {0.5f, 0}, width)) {
        std::string& typed = c.edits.find;
        if (c.session.focus == Field::lookUp) {
            ImGui::SetWindowFocus();
            ImGui::SetKeyboardFocusHere();
            c.queue(command::Focus{Field::none});
        }
        const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
        ImGui::SetNextItemWidth(std::max(30.0f, ImGui::GetContentRegionAvail().x - cross - 4 * c.scale));
        const auto flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
        const bool entered = ImGui::InputTextWithHint("##what", "0x1040, B[3][0], B, :12", &typed, flags);
        if (entered) c.queue(command::LookUp{typed});
        // The field consumes the key; once is enough.
        const bool escaped = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
        if (escaped) c.queue(command::LookUpClose{});
        hint(
            "an address, a variable, region or object, a source line (file:12, or :12), L1, L1 set 3, CPU 2; Enter "
            "looks it up");
        ImGui::SameLine(0, 4 * c.scale);
        if (ImGui::Button("×")) c.queue(command::LookUpClose{});
        if (!field.answer.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, field.found ? c.colours().accent : c.colours().warning);
            wrapped(field.answer);
            ImGui::PopStyleColor();
        }
    }
    ImGui::End();
}

}  // namespace whorl::app
