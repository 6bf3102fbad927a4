#include "app/panels/tour/wrapped_field.h"

#include <imgui.h>
#include <imgui_internal.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <string_view>

namespace whorl::app {

namespace {

constexpr std::string_view kGiven = "¶";  ///< stands before a line end of the text itself
constexpr ImWchar kGivenSign = 0x00b6;

bool isGiven(std::string_view text, std::size_t end) {
    return text.substr(0, end).ends_with(kGiven);
}

/// Ends lines in place of spaces, so that positions in the text stay the same.
void wrapInPlace(char* text, std::size_t length, float width) {
    const ImFont& font = *ImGui::GetFont();
    std::size_t line = 0;
    std::size_t space = std::string_view::npos;
    for (std::size_t i = 0; i <= length; ++i) {
        const bool ends = i < length && text[i] == '\n' && isGiven({text, length}, i);
        if (i < length && text[i] == '\n' && !ends) text[i] = ' ';
        if (i < length && text[i] != ' ' && !ends) continue;
        if (space != std::string_view::npos &&
            font.CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text + line, text + i).x > width) {
            text[space] = '\n';
            line = space + 1;
        }
        space = i;
        if (!ends) continue;
        line = i + 1;
        space = std::string_view::npos;
    }
}

int onEdit(ImGuiInputTextCallbackData* data) {
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (data->EventChar == '\n') data->EventChar = kGivenSign;
        return 0;
    }
    const float width = static_cast<const WrappedText*>(data->UserData)->width;
    const auto text = [&] { return std::string_view(data->Buf, static_cast<std::size_t>(data->BufTextLen)); };
    for (std::size_t at = text().find(kGiven); at != std::string_view::npos; at = text().find(kGiven, at + 1)) {
        const std::size_t after = at + kGiven.size();
        if (after < text().size() && text()[after] == ' ') data->Buf[after] = '\n';
        if (after == text().size() || text()[after] != '\n') data->InsertChars(static_cast<int>(after), "\n");
    }
    wrapInPlace(data->Buf, text().size(), width);
    data->BufDirty = true;
    return 0;
}

void fill(WrappedText& field, const std::string& now, float width) {
    field = {.of = now, .typed = {}, .width = width};
    for (const char c : now) {
        if (c == '\n') field.typed += kGiven;
        field.typed += c;
    }
    wrapInPlace(field.typed.data(), field.typed.size(), width);
}

}  // namespace

bool wrappedField(const char* id, WrappedText& field, const std::string& now, float width) {
    const float inner = width - 2 * ImGui::GetStyle().FramePadding.x - ImGui::GetFontSize() / 2;
    const bool isActive = ImGui::GetActiveID() == ImGui::GetID(id);
    if (field.of != now || (!isActive && field.width != inner)) fill(field, now, inner);
    const auto lines = 1 + std::count(field.typed.begin(), field.typed.end(), '\n');
    const float height = static_cast<float>(lines) * ImGui::GetFontSize() + 2 * ImGui::GetStyle().FramePadding.y;
    constexpr auto kFlags = ImGuiInputTextFlags_CtrlEnterForNewLine | ImGuiInputTextFlags_CallbackEdit |
                            ImGuiInputTextFlags_CallbackCharFilter | ImGuiInputTextFlags_NoHorizontalScroll;
    ImGui::InputTextMultiline(id, &field.typed, {width, height}, kFlags, onEdit, &field);
    return ImGui::IsItemDeactivatedAfterEdit() && textIn(field) != now;
}

std::string textIn(const WrappedText& field) {
    std::string text = field.typed;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' && !isGiven(text, i)) text[i] = ' ';
    }
    for (std::size_t at = text.find(kGiven); at != std::string::npos; at = text.find(kGiven, at)) {
        text.erase(at, kGiven.size());
    }
    return text;
}

}  // namespace whorl::app
