#include "app/panels/imgui_style.h"

#include <cstdint>

namespace whorl::app {
namespace {

ImVec4 rgb(std::uint32_t hex) {
    const auto channel = [hex](int shift) { return float(hex >> shift & 255) / 255; };
    return {channel(16), channel(8), channel(0), 1};
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
    colours[ImGuiCol_ChildBg] = t.panel;
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
    style.GrabMinSize = 12;
    style.WindowBorderSize = 0;
    style.FrameBorderSize = 1;
    style.ChildBorderSize = style.PopupBorderSize = 1;
    style.DisabledAlpha = 1;  // muted text marks disabled items without losing contrast
    style.WindowMenuButtonPosition = ImGuiDir_None;
}

}  // namespace

Theme theme(scene::Ground ground) {
    if (ground == scene::Ground::light) {
        return {.ground = rgb(0xFAFAF7),
                .panel = rgb(0xFFFFFF),
                .frame = rgb(0xF0F2F4),
                .frameHovered = rgb(0xE5E9ED),
                .frameActive = rgb(0xD7DDE3),
                .border = rgb(0xD9DCE1),
                .text = rgb(0x1B1F27),
                .muted = rgb(0x4A525D),
                .accent = rgb(0x0B6B7A),
                .selected = rgb(0xCFE9EC),
                .warning = rgb(0xB3261E)};
    }
    return {.ground = rgb(0x0B0E14),
            .panel = rgb(0x12161F),
            .frame = rgb(0x1C222D),
            .frameHovered = rgb(0x262E3B),
            .frameActive = rgb(0x2F3947),
            .border = rgb(0x2A313C),
            .text = rgb(0xE6E9EF),
            .muted = rgb(0x9AA4B2),
            .accent = rgb(0x6FD6D9),
            .selected = rgb(0x1F3D45),
            .warning = rgb(0xFF8F7F)};
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

}  // namespace whorl::app
