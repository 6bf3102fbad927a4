#include "app/panels/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/panels/text_lines.h"
#include "app/session/compared_runs.h"
#include "render/scene/palette.h"

namespace whorl::app {

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

bool section(const PanelContext& c, const std::string& words, std::string_view setting) {
    const bool isOpen = std::get<bool>(settingNamed(setting).value.get(c.context));
    ImGui::PushFont(c.fonts.small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetTextLineHeight();
    ImGui::PushID(std::string(setting).c_str());
    const bool isClicked = ImGui::InvisibleButton("section", {std::max(1.0f, ImGui::GetContentRegionAvail().x), side});
    ImGui::SetItemAllowOverlap();  // a button may stand at its end
    ImGui::PopID();
    if (c.places != nullptr) c.places->add(std::string(setting), at, {at.x + 2 * side, at.y + side});
    const ImU32 colour = packed(ImGui::IsItemHovered() ? c.colours().text : c.colours().muted);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    constexpr float kSize = 0.7f;
    ImGui::RenderArrow(&list, {at.x, at.y + 0.15f * side}, colour, isOpen ? ImGuiDir_Down : ImGuiDir_Right, kSize);
    list.AddText({at.x + side, at.y}, colour, words.c_str());
    ImGui::PopFont();
    if (isClicked) c.queue(changeOf(setting, !isOpen));
    return isOpen;
}

std::string figuresWords(const PanelContext& c, const char* words, const char* withoutRange) {
    const auto& range = c.context.range;
    std::string of = fmt::format("{}  {}", words, range && c.range() != nullptr ? "range" : withoutRange);
    if (!c.session.compared.empty()) of += ", " + titlesOfRuns(c.session).front();
    if (!range) return of;
    if (!c.isOld()) return of;
    const char* which = c.range() == nullptr ? "range" : "another";
    if (!c.results.measuring) {
        const bool built = c.context.end() >= static_cast<double>(range->to.value);
        of += fmt::format("; {} {}", which, built ? "stopped" : "not simulated yet");
    } else if (c.results.measured > 0) {
        of += fmt::format("; {} {:.0f} %", which, 100 * c.results.measured);
    }
    return of;
}

void headingOfFigures(const PanelContext& c, const char* words, const char* withoutRange) {
    heading(c, figuresWords(c, words, withoutRange).c_str());
}

void numberCell(const std::string& text) {
    ImGui::TableNextColumn();
    rightAligned(text);
}

void rightAligned(const std::string& text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    ImGui::TextUnformatted(text.c_str());
}

std::string cut(const std::string& name, float width) {
    constexpr std::size_t kHead = 5;
    if (ImGui::CalcTextSize(name.c_str()).x <= width) return name;
    const auto isWithin = [&](std::size_t i) {
        return i < name.size() && (static_cast<unsigned char>(name[i]) & 0xc0u) == 0x80;
    };
    for (std::size_t n = name.size() - 1; n > 1 && n < name.size(); --n) {
        std::size_t head = std::min(kHead, n / 2);
        std::size_t tail = name.size() - (n - head);
        while (isWithin(head)) --head;  // no part of a character
        while (isWithin(tail)) ++tail;
        std::string shorter = name.substr(0, head) + "…" + name.substr(tail);
        if (ImGui::CalcTextSize(shorter.c_str()).x <= width) return shorter;
    }
    return {};
}

ImU32 kindColour(const PanelContext& c, std::size_t kind) {
    return packed(scene::paletteFor(c.context.ground).missKinds[kind]);
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

void wrapped(const std::string& words) {
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::TextUnformatted(inLines(*ImGui::GetFont(), ImGui::GetFontSize(), room, words).c_str());
}

void mutedWrapped(const PanelContext& c, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    wrapped(words);
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
    if (binding == nullptr) return std::string(command.words());
    return withKey(binding->alone.empty() ? std::string(binding->words) : binding->alone, command);
}

void checkbox(const PanelContext& c, const char* words, bool on, const Command& command) {
    bool now = on;
    if (ImGui::Checkbox(words, &now)) c.queue(command);
    hint(wordsWithKey(command));
}

void flow(const std::string& next, float more) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(next.c_str()).x + 2 * style.FramePadding.x + more;
    const float right = ImGui::GetItemRectMax().x + style.ItemSpacing.x / 2 + width;
    if (right < ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x) {
        ImGui::SameLine(0, style.ItemSpacing.x / 2);
    }
}

void nameItem(const PanelContext& c, const std::string& name) {
    if (c.places != nullptr) c.places->add(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

/// Places the tooltip below or above the item, within its panel if possible, so that it does not cover what it
/// describes beside the item or in the picture.
void hint(const std::string& words) {
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 pad = ImGui::GetStyle().WindowPadding;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 panel = ImGui::GetWindowPos();
    const float wrap = std::max(ImGui::GetWindowWidth(), 14 * ImGui::GetFontSize()) - 2 * pad.x;
    const std::string lines = inLines(*ImGui::GetFont(), ImGui::GetFontSize(), wrap, words);
    const ImVec2 text = ImGui::CalcTextSize(lines.c_str());
    const float width = text.x + 2 * pad.x;
    const float height = text.y + 2 * pad.y;
    const float x = std::min({from.x, std::max(panel.x, panel.x + ImGui::GetWindowWidth() - width), screen.x - width});
    const float below = ImGui::GetItemRectMax().y + 4;
    ImGui::SetNextWindowPos({std::max(0.0f, x), below + height <= screen.y ? below : from.y - 4 - height});
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(lines.c_str());
    ImGui::EndTooltip();
}

scene::Rgba hueOfRegion(const PanelContext& c, std::size_t region) {
    return c.context.opened.regionLooks->hueOf(region, c.context.ringView.hues, c.context.ground);
}

scene::Ink inkOfRegion(const PanelContext& c, std::size_t region) {
    return c.context.opened.regionLooks->inkOf(region, c.context.ringView.hues, c.context.ground);
}

namespace {

/// The outline of a sign, clockwise; as those of glyphs (shaders/glyph.frag), but for the corners.
std::vector<ImVec2> outlineOf(scene::Shape shape, ImVec2 centre, float radius) {
    struct Polygon {
        int corners;
        float reach;  // distance of a corner from the centre, in radii
        float first;  // angle of the first corner
        float lower;  // how far the middle is below the centre, in radii
    };
    constexpr float kPi = 3.14159265f;
    const Polygon p = shape == scene::Shape::disc      ? Polygon{24, 1, 0, 0}
                      : shape == scene::Shape::diamond ? Polygon{4, 1.2f, 0, 0}
                      : shape == scene::Shape::square  ? Polygon{4, 1.2f, kPi / 4, 0}
                                                       : Polygon{3, 1.35f, -kPi / 2, 0.2f};
    std::vector<ImVec2> outline;
    outline.reserve(static_cast<std::size_t>(p.corners));
    for (int i = 0; i < p.corners; ++i) {
        const float angle = p.first + 2 * kPi * static_cast<float>(i) / static_cast<float>(p.corners);
        outline.emplace_back(centre.x + p.reach * radius * std::cos(angle),
                             centre.y + (p.lower + p.reach * std::sin(angle)) * radius);
    }
    return outline;
}

/// The part of a convex outline between two parallels: those places p with low <= dot(p - centre, across) <= high.
std::vector<ImVec2> between(const std::vector<ImVec2>& outline, ImVec2 centre, ImVec2 across, float low, float high) {
    const auto cutOff = [&](const std::vector<ImVec2>& whole, float sign, float limit) {
        const auto beyond = [&](ImVec2 p) {
            return sign * ((p.x - centre.x) * across.x + (p.y - centre.y) * across.y) - limit;
        };
        std::vector<ImVec2> part;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const ImVec2 a = whole[i];
            const ImVec2 b = whole[(i + 1) % whole.size()];
            const float da = beyond(a);
            const float db = beyond(b);
            if (da <= 0) part.push_back(a);
            if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
                const float share = da / (da - db);
                part.emplace_back(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y));
            }
        }
        return part;
    };
    return cutOff(cutOff(outline, 1, high), -1, -low);
}

}  // namespace

void drawRegionSign(const PanelContext& c, ImVec2 centre, float radius, std::size_t region) {
    const scene::RegionLook& look = c.context.opened.regionLooks->of(region);
    const scene::Ink ink = inkOfRegion(c, region);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto fill = [&](const std::vector<ImVec2>& outline, scene::Rgba colour) {
        if (outline.size() > 2)
            list.AddConvexPolyFilled(outline.data(), static_cast<int>(outline.size()), packed(colour));
    };
    const std::vector<ImVec2> outline = outlineOf(look.shape, centre, radius);
    fill(outline, ink.colour);
    if (look.texture == scene::Texture::plain) return;
    constexpr float kHalf = 0.70710678f;
    const ImVec2 across = look.texture == scene::Texture::rising  ? ImVec2(kHalf, kHalf)
                          : look.texture == scene::Texture::level ? ImVec2(0, 1)
                                                                  : ImVec2(1, 0);
    fill(between(outline, centre, across, -0.62f * radius, -0.2f * radius), ink.stripe);
    fill(between(outline, centre, across, 0.2f * radius, 0.62f * radius), ink.stripe);
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
