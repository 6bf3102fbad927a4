// What is typed to find something, and what fits it: the command palette, the field for positions, the dialog for
// files, the note of a bookmark.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
// After imgui.h, whose names it uses.
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

constexpr int kShownRows = 12;

const char* hintOf(Asks asks) {
    switch (asks) {
        case Asks::command:
            return "a command, a setting, a view, a scene, a region, file:line";
        case Asks::position:
            return "1200, 50%, +100, -100, start, end";
        case Asks::file:
            return "a name, a path, or a program such as matmul:n=32";
        case Asks::note:
            return "a note, or nothing";
        case Asks::nothing:
            break;
    }
    return "";
}

bool isPressed(ImGuiKey key) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
}

void makeChoices(const PanelContext& c, PromptEdit& edit) {
    static const std::vector<NamedTour> kNoTours;
    const std::vector<NamedTour>& tours = c.offers == nullptr ? kNoTours : c.offers->tours();
    switch (c.session.prompt.asks) {
        case Asks::command:
            edit.choices = paletteChoices(c.session, tours);
            break;
        case Asks::position:
            edit.choices = positionChoices(c.session);
            break;
        case Asks::file:
            edit.choices = fileChoices(c.session, tours, c.offers == nullptr ? nullptr : c.offers->listing());
            break;
        case Asks::note:
        case Asks::nothing:
            edit.choices.clear();
            break;
    }
}

/// The choices that fit what is typed now, the best first; made anew only when something has changed.
void update(const PanelContext& c, PromptEdit& edit) {
    const Prompt& prompt = c.session.prompt;
    const std::uint64_t version = (c.offers == nullptr ? 0 : c.offers->version()) + (prompt.serial << 20);
    const bool isNew = edit.made != version || edit.asks != prompt.asks;
    if (!isNew && edit.ranked == edit.typed) return;
    if (isNew) makeChoices(c, edit);
    edit.made = version;
    edit.asks = prompt.asks;
    // What was typed as a choice was put beside those that are offered.
    std::erase_if(edit.choices, [](const Choice& choice) { return choice.kind == ChoiceKind::typed; });
    const bool usesRecent = prompt.asks == Asks::command;
    const std::string typed(edit.typed);
    edit.order =
        ranked(typed, edit.choices,
               usesRecent ? std::span<const std::string>(c.session.recentCommands) : std::span<const std::string>());
    if (const auto own = typedChoice(c.session, typed)) {
        edit.choices.push_back(own->choice);
        edit.order.insert(own->isFirst ? edit.order.begin() : edit.order.end(), edit.choices.size() - 1);
    }
    if (edit.ranked != edit.typed || prompt.asks != Asks::file) edit.chosen = 0;
    if (edit.chosen >= edit.order.size()) edit.chosen = 0;
    edit.scrolls = true;
    edit.ranked = typed;
}

void choose(const PanelContext& c, const PromptEdit& edit, std::size_t row) {
    if (row >= edit.order.size()) return;
    const Choice& choice = edit.choices[edit.order[row]];
    if (choice.isOff) return;
    if (choice.needsMore) {
        c.queue(command::Ask{c.session.prompt.asks, choice.command});
    } else {
        c.queue(command::Do{choice.command});
    }
}

/// Moves the choice by keys; at the ends it goes round.
void moveChoice(PromptEdit& edit) {
    if (edit.order.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(edit.order.size()) - 1;
    auto row = static_cast<std::ptrdiff_t>(edit.chosen);
    const std::ptrdiff_t before = row;
    if (isPressed(ImGuiKey_DownArrow)) row = row == last ? 0 : row + 1;
    if (isPressed(ImGuiKey_UpArrow)) row = row == 0 ? last : row - 1;
    if (isPressed(ImGuiKey_PageDown)) row = std::min(last, row + kShownRows - 1);
    if (isPressed(ImGuiKey_PageUp)) row = std::max<std::ptrdiff_t>(0, row - kShownRows + 1);
    if (row == before) return;
    edit.chosen = static_cast<std::size_t>(row);
    edit.scrolls = true;
}

/// Backspace where nothing is typed: the folder above.
void goUp(const PanelContext& c) {
    const std::filesystem::path folder(c.session.prompt.folder);
    const std::string above = folder.parent_path().string();
    if (!above.empty() && above != folder.string()) c.queue(command::Folder{above});
}

void drawField(const PanelContext& c, PromptEdit& edit) {
    const Prompt& prompt = c.session.prompt;
    if (edit.serial != prompt.serial) {
        edit.serial = prompt.serial;
        edit.typed = prompt.text;
    }
    const bool takesFocus = c.session.focus == Field::prompt;
    if (takesFocus) {
        ImGui::SetWindowFocus();
        ImGui::SetKeyboardFocusHere();
        c.queue(command::Focus{Field::none});
    }
    const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(std::max(30.0f, ImGui::GetContentRegionAvail().x - cross - 4 * c.scale));
    const bool wasEmpty = edit.typed.empty();
    // The user continues the initial text of a prompt, so the caret goes to its end. ImGui selects the whole text of a
    // field that gets the focus, and keeps its own copy while focused: another text needs another field.
    const std::string id = fmt::format("##typed {}", prompt.serial);
    const auto caretToEnd = [](ImGuiInputTextCallbackData* data) {
        auto* const pending = static_cast<bool*>(data->UserData);
        if (!std::exchange(*pending, false)) return 0;
        data->CursorPos = data->BufTextLen;
        data->SelectionStart = data->SelectionEnd = data->CursorPos;
        return 0;
    };
    edit.caretToEnd |= takesFocus;
    const bool entered = ImGui::InputTextWithHint(
        id.c_str(), hintOf(prompt.asks), &edit.typed,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways, caretToEnd, &edit.caretToEnd);
    nameItem(c, "prompt field");
    const bool isActive = ImGui::IsItemActive();
    const bool escaped = ImGui::IsItemDeactivated() && isPressed(ImGuiKey_Escape);
    update(c, edit);
    if (isActive) moveChoice(edit);
    if (isActive && wasEmpty && prompt.asks == Asks::file && isPressed(ImGuiKey_Backspace)) goUp(c);
    if (entered) choose(c, edit, edit.chosen);
    if (escaped) c.queue(command::AskClose{});
    ImGui::SameLine(0, 4 * c.scale);
    if (ImGui::Button("×")) c.queue(command::AskClose{});
    hint("close (Escape)");
}

/// Draws a choice: its words, detail, kind and key.
void drawRow(const PanelContext& c, const PromptEdit& edit, std::size_t row) {
    const Choice& choice = edit.choices[edit.order[row]];
    const float width = ImGui::GetContentRegionAvail().x;
    const float left = ImGui::GetCursorPosX();
    ImGui::PushID(static_cast<int>(row));
    const bool isChosen = row == edit.chosen;
    if (isChosen) ImGui::PushStyleColor(ImGuiCol_Header, c.colours().selected);
    if (ImGui::Selectable("##row", isChosen, choice.isOff ? ImGuiSelectableFlags_Disabled : 0)) choose(c, edit, row);
    if (isChosen) ImGui::PopStyleColor();
    nameItem(c, "choice " + (choice.needsMore ? choice.command + "…" : choice.command));
    if (!choice.detail.empty()) hint(choice.words + "\n" + choice.detail);
    ImGui::PopID();

    const std::string right = choice.key.empty() ? std::string(wordOf(choice.kind)) : choice.key;
    ImGui::PushFont(c.fonts.small);
    const float rightWidth = ImGui::CalcTextSize(right.c_str()).x;
    ImGui::PopFont();
    const float room = width - rightWidth - 12 * c.scale;
    ImGui::SameLine(left + 2 * c.scale);
    const std::string words = cut(choice.words, std::max(40.0f, room));
    if (choice.isOff) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TextUnformatted(words.c_str());
    if (choice.isOff) ImGui::PopStyleColor();
    ImGui::PushFont(c.fonts.small);
    const float used = ImGui::CalcTextSize("x").x + ImGui::GetItemRectSize().x + 10 * c.scale;
    if (!choice.detail.empty() && choice.detail != choice.words && room - used > 40 * c.scale) {
        ImGui::SameLine(left + used);
        muted(c, cut(choice.detail, room - used));
    }
    ImGui::SameLine(left + width - rightWidth);
    ImGui::PushStyleColor(ImGuiCol_Text, choice.key.empty() ? c.colours().muted : c.colours().accent);
    ImGui::TextUnformatted(right.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void drawChoices(const PanelContext& c, PromptEdit& edit, float height) {
    if (edit.order.empty()) {
        if (c.session.prompt.asks == Asks::command) muted(c, "no matches");
        return;
    }
    const float row = ImGui::GetTextLineHeightWithSpacing();
    const float wanted = row * static_cast<float>(std::min<std::size_t>(edit.order.size(), kShownRows)) + 2 * c.scale;
    ImGui::BeginChild("##choices", {0, std::min(wanted, height)}, false, ImGuiWindowFlags_NoNav);
    // Only the rows that are seen are drawn.
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(edit.order.size()), row);
    if (edit.scrolls)
        clipper.ForceDisplayRangeByIndices(static_cast<int>(edit.chosen), static_cast<int>(edit.chosen) + 1);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            drawRow(c, edit, static_cast<std::size_t>(i));
            if (edit.scrolls && static_cast<std::size_t>(i) == edit.chosen) ImGui::SetScrollHereY();
        }
    }
    edit.scrolls = false;
    ImGui::EndChild();
}

/// Draws the listed folder, or the reason why it cannot be read.
void drawFolder(const PanelContext& c) {
    const FolderListing* const listing = c.offers == nullptr ? nullptr : c.offers->listing();
    const std::string& folder = c.session.prompt.folder;
    const bool isRead = listing != nullptr && listing->folder == folder;
    muted(c, cut(isRead ? folder : folder + ": reading …", ImGui::GetContentRegionAvail().x));
    if (!isRead || listing->fault.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().warning);
    wrapped(listing->fault);
    ImGui::PopStyleColor();
}

}  // namespace

void drawPromptCard(const PanelContext& c, const gl::Rect& canvas) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2, gap);
    const float width = std::min(620 * c.scale, screen.x - 2 * gap);
    const float left = std::clamp(at.x, width / 2 + gap, std::max(width / 2 + gap, screen.x - width / 2 - gap));
    if (beginOverlay("##prompt", c, {left, at.y}, {0.5f, 0}, width)) {
        PromptEdit& edit = c.edits.prompt;
        drawField(c, edit);
        if (!c.session.prompt.error.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, c.colours().warning);
            wrapped(c.session.prompt.error);
            ImGui::PopStyleColor();
        }
        if (c.session.prompt.asks == Asks::file) drawFolder(c);
        drawChoices(c, edit, std::max(60.0f, screen.y - ImGui::GetCursorScreenPos().y - 24 * c.scale));
    }
    ImGui::End();
}

void drawChangeBar(const PanelContext& c, const gl::Rect& canvas) {
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2,
                    static_cast<float>(canvas.y + canvas.height) - gap);
    const float width = std::min(480 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    if (beginOverlay("##changed", c, at, {0.5f, 1}, width)) {
        const std::string name = std::filesystem::path(c.session.changedOnDisk).filename().string();
        wrapped(name + " changed on disk.");
        if (ImGui::Button(withKey("Reload", command::Reload{}).c_str())) c.queue(command::Reload{});
        nameItem(c, "reload");
        hint(wordsWithKey(command::Reload{}));
        ImGui::SameLine();
        if (ImGui::Button("Ignore (Escape)")) c.queue(command::ReloadIgnore{});
        nameItem(c, "reload-ignore");
    }
    ImGui::End();
}

}  // namespace whorl::app
