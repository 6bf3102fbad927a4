#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/panels/imgui_style.h"

namespace whorl::app {

void beginImguiFrame() {
    const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    // New fonts have no texture yet; in the very first frame the backend creates it.
    if (fonts.TexID == nullptr) ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_NewFrame();
    if (fonts.TexID == nullptr) ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::NewFrame();
}

}  // namespace whorl::app
