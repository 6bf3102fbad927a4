// Another context of ImGui than that of the window.
#pragma once

#include <imgui.h>

namespace whorl::app {

/// The context of before is current again at its end.
class ContextScope {
  public:
    explicit ContextScope(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(context);
    }
    ~ContextScope() { ImGui::SetCurrentContext(before_); }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

  private:
    ImGuiContext* before_;
};

}  // namespace whorl::app
