// Where runs are compared: which of them a tile shows, and by how much they differ.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/commands/bindings.h"
#include "app/panels/panels.h"
#include "app/panels/text_lines.h"
#include "app/panels/widgets.h"
#include "app/session/compared_runs.h"
#include "app/views/comparison_words.h"

namespace whorl::app {

namespace {

/// What fits into a strip: a font's size, and the room from edge to edge.
struct Line {
    ImFont* font;
    float size;
    ImVec2 at;  ///< the middle of its upper edge
    float room;

    float widthOf(const std::string& words) const {
        return font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str(), words.c_str() + words.size()).x;
    }
    void draw(const std::string& words, const ImVec4& colour) const {
        ImGui::GetWindowDrawList()->AddText(font, size, {std::round(at.x - widthOf(words) / 2), at.y}, packed(colour),
                                            words.c_str(), words.c_str() + words.size());
    }
    /// Joins the parts that fit, from the first one on.
    std::string joined(const std::string& begin, const std::vector<std::string>& parts) const {
        std::string out;
        for (const std::string& part : parts) {
            std::string longer = out.empty() ? begin : out;
            if (!out.empty()) longer += "    ";
            longer += part;
            if (!out.empty() && widthOf(longer) > room) break;
            out = std::move(longer);
        }
        return out;
    }
    /// One of several titles, cut to fit: parts that the titles have in common are left out first.
    std::string cutAlike(const std::vector<std::string>& titles, std::size_t which) const {
        const std::vector<std::string> shorter =
            withoutAlike(titles, [&](const std::string& title) { return widthOf(title) <= room; });
        return cut(shorter[which]);
    }
    /// Shortened at its end.
    std::string cut(const std::string& words) const { return cutAtEnd(*font, size, room, words); }
};

/// The two lines of a strip.
std::array<Line, 2> linesIn(const PanelContext& c, float x, float y, float width) {
    const float room = std::max(1.0f, width - 12 * c.scale);
    const ImVec2 first(x + width / 2, y + 3 * c.scale);
    Line title{c.fonts.heading, c.fonts.heading->FontSize, first, room};
    Line detail{c.fonts.small, c.fonts.small->FontSize, {first.x, first.y + title.size + c.scale}, room};
    return {title, detail};
}

/// The row of controls below the words.
float controlsTop(const PanelContext& c, const gl::Rect& canvas) {
    const gl::Rect rest = underHeadings(c.session, canvas, c.scale);
    const int words = isCompared(c.session) ? headingHeight(c.session, c.scale) : 0;
    return static_cast<float>(rest.y + rest.height + words);
}

bool hasLines(const Session& session) {
    return std::all_of(session.compared.begin(), session.compared.end(), [](const ComparedRun& b) { return b.lines; });
}

void drawLock(const PanelContext& c) {
    const TimeLock now = possibleLock(c.context.lock, lockedTraces(c.session, c.session.compared.front()));
    constexpr const char* kNoLine = "no source line is in both runs, or the input does not name its lines";
    ImGui::SetNextItemWidth(84 * c.scale);
    const bool isOpen = ImGui::BeginCombo("##lock", std::string(wordOf(now)).c_str());
    nameItem(c, "lock");
    if (!isOpen) hint(withKey("which moments of the runs are shown together", changeOf("lock")));
    if (!isOpen) return;
    constexpr std::array<const char*, 3> kHelp = {"after as many accesses in both",
                                                  "after the same share of the accesses",
                                                  "the n-th execution of a source line in both"};
    for (const TimeLock lock : {TimeLock::access, TimeLock::share, TimeLock::line}) {
        const bool isOff = lock == TimeLock::line && !hasLines(c.session);
        const std::string word(wordOf(lock));
        ImGui::PushStyleColor(ImGuiCol_Text, isOff ? c.colours().muted : c.colours().text);
        if (ImGui::Selectable(word.c_str(), lock == now, isOff ? ImGuiSelectableFlags_Disabled : 0)) {
            c.queue(changeOf("lock", lock));
        }
        ImGui::PopStyleColor();
        nameItem(c, "lock " + word);
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
            ImGui::SetTooltip("%s", isOff ? kNoLine : kHelp[static_cast<std::size_t>(lock)]);
        }
    }
    ImGui::EndCombo();
}

/// Muted words that continue a row, if they fit.
void addWords(const PanelContext& c, const std::string& words, const std::string& help) {
    ImGui::SameLine(0, 12 * c.scale);
    if (ImGui::CalcTextSize(words.c_str()).x > ImGui::GetContentRegionAvail().x) return ImGui::NewLine();
    muted(c, words);
    hint(help);
}

/// Whether the runs stand side by side, their lock, and how to show one in place of the other.
void drawComparisonControls(const PanelContext& c, const gl::Rect& canvas) {
    ImGui::PushFont(c.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6 * c.scale, 2 * c.scale});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0));
    ImGui::SetCursorScreenPos({static_cast<float>(canvas.x) + 8 * c.scale, controlsTop(c, canvas) + 2 * c.scale});
    const ImVec2 size(static_cast<float>(canvas.width) - 16 * c.scale, ImGui::GetFrameHeight() + 1);
    ImGui::BeginChild("comparison", size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const bool isOn = isCompared(c.session);
    ImGui::PushStyleColor(ImGuiCol_Text, isOn ? c.colours().accent : c.colours().muted);
    if (ImGui::Button("side by side")) c.queue(changeOf("compare"));
    ImGui::PopStyleColor();
    nameItem(c, "side by side");
    hint(withKey(isOn ? "show the first run alone" : "show the runs side by side", changeOf("compare")));
    ImGui::SameLine(0, 12 * c.scale);
    ImGui::AlignTextToFramePadding();
    muted(c, "locked by");
    ImGui::SameLine(0, 6 * c.scale);
    drawLock(c);
    const std::string key = keysOf(command::Exchange{true});
    addWords(c, fmt::format("hold {}: {}", key, isOn ? "swap the runs" : "show the other run"),
             "differences stand out when one picture replaces the other");
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

/// Two runs have full titles if both fit, perhaps in smaller letters. Otherwise titles only name the differences, and
/// the strip below names what the runs have in common.
struct Titles {
    bool areFull = false;
    float share = 1;  ///< factor for the letters' size
};

Titles titlesIn(const Session& session, const Line& line) {
    constexpr float kSmallest = 0.75f;
    if (session.openRuns().size() != 2) return {};
    const float wide = std::max(line.widthOf(fullTitleOfRun(session, 0)), line.widthOf(fullTitleOfRun(session, 1)));
    return {wide * kSmallest <= line.room, std::min(1.0f, line.room / wide)};
}

void drawTitle(const PanelContext& c, Line line, std::size_t run) {
    const Titles titles = titlesIn(c.session, line);
    line.size *= titles.areFull ? titles.share : 1;
    line.draw(titles.areFull ? fullTitleOfRun(c.session, run) : line.cutAlike(titlesOfRuns(c.session), run),
              c.colours().text);
}

/// The details for the second line of the strip, as far as they fit.
std::vector<std::string> detailsOf(const PanelContext& c, const gl::Rect& canvas) {
    std::vector<std::string> details;
    if (c.session.openRuns().size() == 2) {
        const auto tiles = tilesOn(c.session, canvas, c.scale);
        const Line heading = linesIn(c, 0, 0, static_cast<float>(tiles.front().where.width))[0];
        if (!titlesIn(c.session, heading).areFull) details.push_back(commonTitleOfRuns(c.session));
    }
    for (std::string& words : circumstances(c)) details.push_back(std::move(words));
    return details;
}

/// The most detail that fits into the heading of every run; the headings have the same width.
LevelWords detailIn(const PanelContext& c, const Line& line) {
    for (const LevelWords detail : {LevelWords::all, LevelWords::brief}) {
        bool fits = true;
        for (std::size_t run = 0; run < c.runs.size(); ++run) {
            const auto parts = headingWords(c, run, detail);
            fits = fits && (parts.empty() || line.joined("", parts).ends_with(parts.back()));
        }
        if (fits) return detail;
    }
    return LevelWords::misses;
}

}  // namespace

void drawTileHeading(const PanelContext& c, const Tile& tile) {
    if (tile.heading <= 0) return;
    const auto [title, detail] = linesIn(c, static_cast<float>(tile.where.x), static_cast<float>(tile.whole().y),
                                         static_cast<float>(tile.where.width));
    const std::size_t run = tile.view.run;
    if (run >= c.session.openRuns().size()) return;
    drawTitle(c, title, run);
    const ImVec2 low(static_cast<float>(tile.where.x), static_cast<float>(tile.whole().y));
    const ImVec2 high(low.x + static_cast<float>(tile.where.width), low.y + static_cast<float>(tile.heading));
    // The name of a trace says what was changed in it.
    const Opened& opened = *c.session.openRuns()[run];
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high)) {
        ImGui::SetTooltip("%s\n%s", fullTitleOfRun(c.session, run).c_str(), opened.run->trace().name().c_str());
    }
    if (hasTitleAlone(c.session)) return;
    // The rates beside the rings count from the start, so a range is named here.
    const std::string span = c.context.range ? "in the range  " : "";
    detail.draw(detail.cut(detail.joined(span, headingWords(c, run, detailIn(c, detail)))), c.colours().muted);
}

void drawDifferences(const PanelContext& c, const gl::Rect& canvas) {
    const gl::Rect rest = underHeadings(c.session, canvas, c.scale);
    if (rest.height == canvas.height) return;
    if (c.context.panels) drawComparisonControls(c, canvas);
    if (!isCompared(c.session)) return;
    const auto [title, detail] = linesIn(c, static_cast<float>(canvas.x), static_cast<float>(rest.y + rest.height),
                                         static_cast<float>(canvas.width));
    const bool areTwo = c.session.openRuns().size() == 2;
    const std::string words =
        areTwo ? title.joined(spanInAWord(c) + "  ", differences(c)) : commonTitleOfRuns(c.session);
    title.draw(title.cut(words), c.colours().text);
    detail.draw(detail.cut(detail.joined("", detailsOf(c, canvas))), c.colours().muted);
}

}  // namespace whorl::app
