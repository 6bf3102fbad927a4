// The style of the panels: fonts, colours, spacing. Needs a current ImGui context but no window, so that frames without
// one look the same.
#pragma once

#include <imgui.h>

#include <string>

#include "render/scene/scene.h"

namespace whorl::app {

/// Owned by ImGui's atlas; invalidated by the next loadFonts() and with the context. Sizes are line heights at scale 1.
struct Fonts {
    ImFont* body = nullptr;     ///< 16 px
    ImFont* small = nullptr;    ///< 13 px
    ImFont* large = nullptr;    ///< 28 px
    ImFont* heading = nullptr;  ///< 18 px, bold
    ImFont* mono = nullptr;     ///< 13 px, monospaced: source lines, addresses
    std::string note;           ///< what is missing and why it looks plain, in a sentence; empty when nothing is
};

inline constexpr const char* kFontFolder = "/usr/share/fonts/truetype/dejavu";

/// Loads DejaVu in all sizes, times `scale`, into the current context, replacing its fonts; `body` becomes the default.
/// Never call it between NewFrame and Render. Without the font files ImGui's own font is used, which has no characters
/// beyond Latin-1.
///
/// Beside Latin, Greek and the usual signs (× – … → ↻ ▶ ◀ ■ ● ✓ ≤ ≈ µ) all but `mono` have the media player signs that
/// DejaVu lacks, which are drawn here: ⏩ ⏪ ⏭ ⏮ ⏴ ⏵ ⏸ ⏹ ⏺.
Fonts loadFonts(float scale, const std::string& folder = kFontFolder);

/// Begins a frame of ImGui and of its OpenGL renderer, which takes over new fonts. The backend must be initialised.
void beginImguiFrame();

/// The roles of the palette that panels use, for ImGui, opaque. Text and muted text keep a contrast of 4.5 : 1 to all
/// of ImGui's backgrounds.
struct Theme {
    ImVec4 ground;  ///< behind the picture
    ImVec4 panel;   ///< behind text
    ImVec4 frame;   ///< fields and sliders
    ImVec4 frameHovered;
    ImVec4 frameActive;
    ImVec4 border;
    ImVec4 text;
    ImVec4 muted;     ///< less important text
    ImVec4 accent;    ///< what is selected, moved or ticked; also legible as text on a panel
    ImVec4 selected;  ///< behind selected text
    ImVec4 warning;   ///< text on a panel about a problem
};

Theme theme(scene::Ground ground);

/// Resets the style of the current context.
void applyStyle(scene::Ground ground, float scale);

}  // namespace whorl::app
