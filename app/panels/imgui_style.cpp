#include "app/panels/imgui_style.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <utility>

#include "app/panels/player_signs.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

ImVec4 opaque(scene::Rgba colour) {
    const auto channel = [](std::uint8_t value) { return float(value) / 255; };
    return {channel(colour.r), channel(colour.g), channel(colour.b), 1};
}

ImVec4 withAlpha(ImVec4 colour, float alpha) {
    colour.w = alpha;
    return colour;
}

void setFrames(ImVec4* colours, const Theme& t) {
    colours[ImGuiCol_FrameBg] = t.frame;
    colours[ImGuiCol_FrameBgHovered] = t.frameHovered;
    colours[ImGuiCol_FrameBgActive] = t.frameActive;
    colours[ImGuiCol_Button] = t.frame;
    colours[ImGuiCol_ButtonHovered] = t.frameHovered;
    colours[ImGuiCol_ButtonActive] = t.frameActive;
    colours[ImGuiCol_Header] = t.selected;
    colours[ImGuiCol_HeaderHovered] = t.frameHovered;
    colours[ImGuiCol_HeaderActive] = t.frameActive;
    colours[ImGuiCol_Tab] = t.panel;
    colours[ImGuiCol_TabHovered] = t.frameHovered;
    colours[ImGuiCol_TabActive] = t.selected;
    colours[ImGuiCol_TabUnfocused] = t.panel;
    colours[ImGuiCol_TabUnfocusedActive] = t.frame;
}

void setGrounds(ImVec4* colours, const Theme& t) {
    colours[ImGuiCol_WindowBg] = t.panel;
    colours[ImGuiCol_ChildBg] = withAlpha(t.panel, 0);
    colours[ImGuiCol_PopupBg] = t.panel;
    colours[ImGuiCol_MenuBarBg] = t.panel;
    colours[ImGuiCol_TitleBg] = t.panel;
    colours[ImGuiCol_TitleBgActive] = t.frame;
    colours[ImGuiCol_TitleBgCollapsed] = t.panel;
    colours[ImGuiCol_TableHeaderBg] = t.frame;
    colours[ImGuiCol_TableRowBg] = withAlpha(t.panel, 0);
    colours[ImGuiCol_TableRowBgAlt] = withAlpha(t.frame, 0.5F);
    colours[ImGuiCol_ModalWindowDimBg] = withAlpha(t.ground, 0.6F);
    colours[ImGuiCol_NavWindowingDimBg] = withAlpha(t.ground, 0.6F);
}

void setLines(ImVec4* colours, const Theme& t) {
    colours[ImGuiCol_Border] = t.border;
    colours[ImGuiCol_BorderShadow] = withAlpha(t.border, 0);
    colours[ImGuiCol_Separator] = t.border;
    colours[ImGuiCol_SeparatorHovered] = t.accent;
    colours[ImGuiCol_SeparatorActive] = t.accent;
    colours[ImGuiCol_TableBorderStrong] = t.border;
    colours[ImGuiCol_TableBorderLight] = withAlpha(t.border, 0.6F);
    colours[ImGuiCol_ResizeGrip] = t.border;
    colours[ImGuiCol_ResizeGripHovered] = t.accent;
    colours[ImGuiCol_ResizeGripActive] = t.accent;
    colours[ImGuiCol_ScrollbarBg] = withAlpha(t.panel, 0);
    colours[ImGuiCol_ScrollbarGrab] = t.frameActive;
    colours[ImGuiCol_ScrollbarGrabHovered] = t.muted;
    colours[ImGuiCol_ScrollbarGrabActive] = t.accent;
}

void setMarks(ImVec4* colours, const Theme& t) {
    colours[ImGuiCol_Text] = t.text;
    colours[ImGuiCol_TextDisabled] = t.muted;
    colours[ImGuiCol_TextSelectedBg] = t.selected;
    colours[ImGuiCol_CheckMark] = t.accent;
    colours[ImGuiCol_SliderGrab] = t.accent;
    colours[ImGuiCol_SliderGrabActive] = t.text;
    colours[ImGuiCol_PlotLines] = t.accent;
    colours[ImGuiCol_PlotLinesHovered] = t.text;
    colours[ImGuiCol_PlotHistogram] = t.accent;
    colours[ImGuiCol_PlotHistogramHovered] = t.text;
    colours[ImGuiCol_DragDropTarget] = t.accent;
    colours[ImGuiCol_NavHighlight] = t.accent;
    colours[ImGuiCol_NavWindowingHighlight] = t.accent;
}

void setShapes(ImGuiStyle& style) {
    style.WindowRounding = 0;  // the root window fills the screen
    style.ChildRounding = style.FrameRounding = style.PopupRounding = style.GrabRounding = style.TabRounding = 4;
    style.ScrollbarRounding = 4;
    style.WindowPadding = {12, 12};
    style.FramePadding = {10, 6};
    style.CellPadding = {6, 2};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {8, 6};
    style.IndentSpacing = 18;
    style.ScrollbarSize = 12;
    style.GrabMinSize = 6;  // thin: the value is written there, too
    style.WindowBorderSize = 0;
    style.FrameBorderSize = 1;
    style.ChildBorderSize = style.PopupBorderSize = 1;
    style.DisabledAlpha = 1;  // muted text marks disabled items without losing contrast
    style.WindowMenuButtonPosition = ImGuiDir_None;
}

}  // namespace

Theme theme(scene::Ground ground) {
    const scene::Palette& palette = scene::paletteFor(ground);
    return {.ground = opaque(palette.ground),
            .panel = opaque(palette.panel),
            .frame = opaque(palette.field),
            .frameHovered = opaque(palette.fieldHovered),
            .frameActive = opaque(palette.fieldActive),
            .border = opaque(palette.border),
            .text = opaque(palette.text),
            .muted = opaque(palette.muted),
            .accent = opaque(palette.control),
            .selected = opaque(palette.selected),
            .warning = opaque(palette.warning)};
}

void applyStyle(scene::Ground ground, float scale) {
    ImGuiStyle style;
    setShapes(style);
    const Theme colours = theme(ground);
    setGrounds(style.Colors, colours);
    setFrames(style.Colors, colours);
    setLines(style.Colors, colours);
    setMarks(style.Colors, colours);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

namespace {

constexpr std::array<ImWchar, 31> kText{0x0020, 0x017F,                  // Latin
                                        0x0370, 0x03FF,                  // Greek
                                        0x2007, 0x2007,                  // the space of a digit
                                        0x2010, 0x203A,                  // dashes, quotes, …
                                        0x2070, 0x209C,                  // superscripts and subscripts
                                        0x20AC, 0x20AC,                  // €
                                        0x2190, 0x21FF,                  // arrows
                                        0x2200, 0x22FF,                  // mathematics
                                        0x2318, 0x2318, 0x23CE, 0x23CE,  // keys
                                        0x2460, 0x2473,                  // numbers in circles
                                        0x25A0, 0x25FF,                  // shapes
                                        0x2691, 0x2691,                  // a flag
                                        0x2713, 0x2718,                  // ticks and crosses
                                        0x27F2, 0x27FF,                  // long arrows
                                        0};

/// The characters of titles and big numbers: a large font takes space in the atlas.
constexpr std::array<ImWchar, 19> kTitles{0x0020, 0x00FF, 0x0391, 0x03C9, 0x2010, 0x203A, 0x2190,
                                          0x2199, 0x21BA, 0x21BB, 0x2248, 0x2265, 0x2460, 0x2473,
                                          0x25A0, 0x25FF, 0x2713, 0x2718, 0};

struct FontSpec {
    const char* file;
    float size;  ///< pixels at scale 1
    const ImWchar* ranges;
    bool playerSigns;
};

/// The bytes of a file; empty if it cannot be read.
std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return std::move(bytes).str();
}

/// The font, or null when its file cannot be read.
ImFont* load(const FontSpec& spec, float scale, const std::string& folder) {
    const std::string bytes = bytesOf(folder + "/" + spec.file);  // ImGui ends the program when it cannot read a file
    if (bytes.empty()) return nullptr;
    void* const kept = ImGui::MemAlloc(bytes.size());
    if (kept == nullptr) throw std::bad_alloc();
    std::memcpy(kept, bytes.data(), bytes.size());
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    // The atlas owns the bytes from now on.
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(kept, static_cast<int>(bytes.size()),
                                                      std::round(spec.size * scale), &config, spec.ranges);
}

ImFont* standIn(float size, float scale) {
    ImFontConfig config;
    config.SizePixels = std::round(size * scale);
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

}  // namespace

Fonts loadFonts(float scale, const std::string& folder) {
    static constexpr FontSpec kBody{"DejaVuSans.ttf", 16, kText.data(), true};
    static constexpr FontSpec kSmall{"DejaVuSans.ttf", 13, kText.data(), true};
    static constexpr FontSpec kLarge{"DejaVuSans.ttf", 28, kTitles.data(), true};
    static constexpr FontSpec kHeading{"DejaVuSans-Bold.ttf", 18, kTitles.data(), true};
    static constexpr FontSpec kMono{"DejaVuSansMono.ttf", 13, kText.data(), false};

    ImGuiIO& io = ImGui::GetIO();
    ImFontAtlas& atlas = *io.Fonts;
    atlas.Clear();
    atlas.FontBuilderIO = ImFontAtlasGetBuilderForStbTruetype();  // FreeType's pixels change with its version
    atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    Fonts fonts;
    PlayerSigns signs;
    const auto get = [&](const FontSpec& spec) {
        ImFont* font = load(spec, scale, folder);
        if (font != nullptr && spec.playerSigns) signs.reserve(atlas, *font, std::round(spec.size * scale));
        if (font == nullptr) {
            font = standIn(spec.size, scale);
            fonts.note = "The font " + (folder + "/" + spec.file) +
                         " is missing, so some signs cannot be shown (package fonts-dejavu-core).";
        }
        return font;
    };
    fonts.body = get(kBody);
    fonts.small = get(kSmall);
    fonts.large = get(kLarge);
    fonts.heading = get(kHeading);
    fonts.mono = get(kMono);
    atlas.Build();
    signs.paint(atlas);
    atlas.SetTexID(nullptr);  // tells the renderer that its texture is out of date
    io.FontDefault = fonts.body;
    return fonts;
}

void beginImguiFrame() {
    const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    // New fonts have no texture yet; in the very first frame the backend creates it.
    if (fonts.TexID == nullptr) ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_NewFrame();
    if (fonts.TexID == nullptr) ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::NewFrame();
}

}  // namespace whorl::app
