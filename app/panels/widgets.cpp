#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "render/scene/palette.h"

namespace whorl::app {

std::string roughBytes(std::uint64_t bytes) {
    auto amount = static_cast<double>(bytes);
    const char* unit = "";
    for (const char* next : {"K", "M", "G", "T"}) {
        if (amount < 1000) break;
        amount /= 1024;
        unit = next;
    }
    return fmt::format("{:.{}f}{}", amount, amount < 100 && amount != std::floor(amount) ? 1 : 0, unit);
}

ImU32 packed(scene::Rgba c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

ImU32 packed(const ImVec4& colour) {
    return ImGui::ColorConvertFloat4ToU32(colour);
}

void heading(const PanelContext& c, const char* words) {
    ImGui::PushFont(c.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TextUnformatted(words);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void headingOfFigures(const PanelContext& c, const char* words, const char* withoutRange) {
    const auto& range = c.session.range;
    if (!range) {
        heading(c, fmt::format("{}  {}", words, withoutRange).c_str());
        return;
    }
    std::string of = fmt::format("{}  {}", words, c.range() == nullptr ? withoutRange : "range");
    if (c.isOld()) {
        const char* which = c.range() == nullptr ? "range" : "another";
        if (!c.results.measuring) {
            const bool built = c.session.end() >= static_cast<double>(range->to.value);
            of += fmt::format("; {} {}", which, built ? "stopped" : "not simulated yet");
        } else if (c.results.measured > 0) {
            of += fmt::format("; {} {:.0f} %", which, 100 * c.results.measured);
        }
    }
    heading(c, of.c_str());
}

void numberCell(const std::string& text) {
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    ImGui::TextUnformatted(text.c_str());
}

std::string cut(const std::string& name, float width) {
    constexpr std::size_t kHead = 5;
    if (ImGui::CalcTextSize(name.c_str()).x <= width) return name;
    for (std::size_t n = name.size() - 1; n > 1 && n < name.size(); --n) {
        const std::size_t head = std::min(kHead, n / 2);
        std::string shorter = name.substr(0, head) + "…" + name.substr(name.size() - (n - head));
        if (ImGui::CalcTextSize(shorter.c_str()).x <= width) return shorter;
    }
    return {};
}

ImU32 kindColour(const PanelContext& c, std::size_t kind) {
    // Hues that no region has, also different in lightness.
    constexpr std::array<ImU32, sim::kMissKinds> kOnDark = {
        IM_COL32(0x8A, 0x93, 0xA3, 255), IM_COL32(0x3D, 0x7F, 0xD9, 255), IM_COL32(0xFF, 0x8F, 0x5E, 255),
        IM_COL32(0xD9, 0x5F, 0xA8, 255), IM_COL32(0xF2, 0xC1, 0xE4, 255)};
    constexpr std::array<ImU32, sim::kMissKinds> kOnLight = {
        IM_COL32(0x8A, 0x93, 0xA0, 255), IM_COL32(0x1F, 0x5F, 0xB8, 255), IM_COL32(0xD9, 0x5A, 0x1E, 255),
        IM_COL32(0x9B, 0x1F, 0x6E, 255), IM_COL32(0xE0, 0x9A, 0xCB, 255)};
    return (c.session.ground == scene::Ground::dark ? kOnDark : kOnLight)[kind];
}

void stackedBar(ImVec2 from, ImVec2 size, std::span<const std::uint64_t> parts, std::span<const ImU32> colours) {
    const std::uint64_t all = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    if (all == 0) return;
    std::uint64_t done = 0;
    const auto x = [&](std::uint64_t part) {
        return from.x + size.x * static_cast<float>(static_cast<double>(part) / static_cast<double>(all));
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == 0) continue;
        ImGui::GetWindowDrawList()->AddRectFilled({x(done), from.y}, {x(done + parts[i]), from.y + size.y}, colours[i]);
        done += parts[i];
    }
}

void muted(const PanelContext& c, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
}

scene::Rgba colourFrom(const std::array<float, 3>& rgb) {
    const auto byte = [](float part) {
        return static_cast<std::uint8_t>(std::lround(255 * std::clamp(part, 0.0f, 1.0f)));
    };
    return {byte(rgb[0]), byte(rgb[1]), byte(rgb[2]), 255};
}

std::string withKey(const std::string& words, const Command& command) {
    const Binding* binding = bindingOf(command);
    return binding == nullptr ? words : fmt::format("{} ({})", words, binding->keys.front());
}

std::string wordsWithKey(const Command& command) {
    const Binding* binding = bindingOf(command);
    return withKey(std::string(binding == nullptr ? command.words() : binding->words), command);
}

void checkbox(const PanelContext& c, const char* words, bool on, const Command& command) {
    bool now = on;
    if (ImGui::Checkbox(words, &now)) c.queue(command);
    hint(wordsWithKey(command));
}

void nameItem(const PanelContext& c, const std::string& name) {
    if (c.places != nullptr) c.places->add(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

void hint(const std::string& words) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", words.c_str());
}

scene::Rgba hueOfRegion(const PanelContext& c, std::size_t region) {
    const auto own = c.session.look.hues.find(region);
    if (own != c.session.look.hues.end()) return own->second;
    return scene::hueOf(scene::paletteFor(c.session.ground), region);
}

void drawRegionSign(ImDrawList& list, ImVec2 centre, float radius, scene::Shape shape, ImU32 colour) {
    if (shape == scene::Shape::disc) {
        list.AddCircleFilled(centre, radius, colour, 24);
    } else {
        list.AddNgonFilled(centre, 1.2f * radius, colour, 4);
    }
}

bool beginOverlay(const char* id, const PanelContext& c, ImVec2 at, ImVec2 pivot, float width) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(40.0f, screen.y - 8)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * c.scale, 9 * c.scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const auto flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    const bool open = ImGui::Begin(id, nullptr, flags);
    ImGui::PopStyleVar(2);
    return open;
}

}  // namespace whorl::app
