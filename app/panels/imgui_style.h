// How the panels look: fonts, colours, spacing. Needs an ImGui context that is current, and no window, so that frames
// without one look the same.
#pragma once

#include <imgui.h>

#include <string>

#include "render/scene/scene.h"

namespace whorl::app {

/// Owned by ImGui's atlas; gone with the next loadFonts() and with the context. Sizes are heights of a line at scale 1.
struct Fonts {
    ImFont* body = nullptr;     ///< 16 px
    ImFont* small = nullptr;    ///< 13 px
    ImFont* large = nullptr;    ///< 28 px
    ImFont* heading = nullptr;  ///< 18 px, bold
    ImFont* mono = nullptr;     ///< 13 px, all characters as wide: source lines, addresses
    std::string note;           ///< what is missing and why it looks plain, in a sentence; empty when all is well
};

inline constexpr const char* kFontFolder = "/usr/share/fonts/truetype/dejavu";

/// Loads DejaVu in all sizes, times `scale`, into the current context, in place of the fonts there; `body` becomes the
/// default. Never between NewFrame and Render. Without the font files ImGui's own font stands in, which has no signs
/// beyond Latin-1.
///
/// Beside Latin, Greek and the usual signs (× – … → ↻ ▶ ◀ ■ ● ✓ ≤ ≈ µ) all but `mono` have the signs of a player, which
/// DejaVu lacks and which are drawn here: ⏩ ⏪ ⏭ ⏮ ⏴ ⏵ ⏸ ⏹ ⏺.
Fonts loadFonts(float scale, const std::string& folder = kFontFolder);

/// The colours of the panels, opaque. Text and muted text keep 4.5 : 1 against everything that ImGui puts under them.
struct Theme {
    ImVec4 ground;  ///< behind the picture
    ImVec4 panel;   ///< behind text
    ImVec4 frame;   ///< fields and sliders
    ImVec4 frameHovered;
    ImVec4 frameActive;
    ImVec4 border;
    ImVec4 text;
    ImVec4 muted;     ///< text that matters less
    ImVec4 accent;    ///< what is chosen, moved or ticked; as a text on a panel it is legible, too
    ImVec4 selected;  ///< under text that is chosen
    ImVec4 warning;   ///< a text on a panel about something wrong
};

Theme theme(scene::Ground ground);

/// Sets the style of the current context anew.
void applyStyle(scene::Ground ground, float scale);

}  // namespace whorl::app
