// The appearance of the picture: every setting that can be chosen with the mouse, over the left column.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

using What = sim::GaugeSettings::What;

constexpr float kNames = 92;  ///< width of their column

std::array<float, 3> channelsOf(scene::Rgba colour) {
    return {static_cast<float>(colour.r) / 255, static_cast<float>(colour.g) / 255, static_cast<float>(colour.b) / 255};
}

/// A label before its setting, in a column of its own.
void name(const PanelContext& c, const char* words) {
    ImGui::AlignTextToFramePadding();
    muted(c, words);
    ImGui::SameLine(kNames * c.scale);
    ImGui::SetNextItemWidth(-1);
}

void drawMotion(const PanelContext& c) {
    heading(c, "MOTION");
    name(c, "pathlines");
    int trails = static_cast<int>(c.context.trails);
    if (ImGui::SliderInt("##trails", &trails, 0, 256, "%d accesses", ImGuiSliderFlags_AlwaysClamp)) {
        c.queue(changeOf("trails", static_cast<std::uint32_t>(trails)));
    }
    hint(fmt::format("number of accesses whose pathlines are shown ({}, {})", keysOf(command::TrailsLonger{}),
                     keysOf(command::TrailsShorter{})));
    name(c, "time-lapse");
    int lapse = static_cast<int>(c.context.lapseNow());
    const auto flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp;
    if (ImGui::SliderInt("##lapse", &lapse, 1, static_cast<int>(Session::kMaxLapse), lapse == 1 ? "off" : "%d a frame",
                         flags)) {
        c.queue(changeOf("lapse", static_cast<std::uint64_t>(lapse)));
    }
    hint(fmt::format("accesses a frame ({}, {})", keysOf(command::LapseLonger{}), keysOf(command::LapseShorter{})));
    ImGui::Dummy({0, 0});
    ImGui::SameLine(kNames * c.scale);
    bool follows = !c.context.lapse.has_value();
    if (ImGui::Checkbox("automatic", &follows)) {
        if (follows) {
            c.queue(command::LapseFollows{});
        } else {
            c.queue(changeOf("lapse", c.context.lapseNow()));
        }
    }
    hint(fmt::format("the accesses played in 1/60 s, above {:.0f} accesses/s ({})", Session::kLapsePace,
                     keysOf(command::LapseFollows{})));
    checkbox(c, "by cycles", c.context.ringView.byCycles, changeOf("by-cycles"));
    hint("each access takes as long as its CPU waits for it");
    checkbox(c, "reduced motion", c.context.reducedMotion, changeOf("reduced-motion"));
}

void drawScores(const PanelContext& c) {
    const sim::TemperatureScores& scores = c.context.ringView.gauge.scores;
    std::array<float, 3> now = {static_cast<float>(scores.nearestMiss), static_cast<float>(scores.miss),
                                static_cast<float>(scores.hit)};
    name(c, "scores");
    if (ImGui::DragFloat3("##scores", now.data(), 0.05f, -10, 10, "%.1f", ImGuiSliderFlags_AlwaysClamp)) {
        c.queue(command::GaugeScores{now[0], now[1], now[2]});
    }
    hint(
        "what a miss in the nearest level, a miss elsewhere and a hit add to the temperature: drag, or Ctrl+click to "
        "type");
}

void drawGauges(const PanelContext& c) {
    heading(c, "LEVEL GAUGES");
    const sim::GaugeSettings& gauge = c.context.ringView.gauge;
    name(c, "show");
    combo(c, "##disk", sim::kGaugeNames, static_cast<std::size_t>(gauge.what),
          [](std::size_t i) { return changeOf("gauge", static_cast<What>(i)); });
    hint(fmt::format(
        "what the level gauges show ({}, {}){}", keysOf(command::GaugeNext{}), keysOf(command::GaugePrevious{}),
        gauge.what == What::temperature ? "\nblue: many misses; amber: many hits; grey: between, or idle" : ""));
    if (gauge.looksBack()) {
        name(c, "over");
        combo(c, "##over", sim::kGaugeOverNames, static_cast<std::size_t>(gauge.over),
              [](std::size_t i) { return changeOf("gauge-over", static_cast<sim::GaugeSettings::Over>(i)); });
        hint(fmt::format("the accesses measured ({}); without a range, the whole run", keysOf(changeOf("gauge-over"))));
    }
    if (gauge.looksBack() && !gauge.isOfSpan()) {
        name(c, "window");
        int window = static_cast<int>(gauge.window);
        if (ImGui::SliderInt("##window", &window, 1, static_cast<int>(sim::GaugeSettings::kMaxWindow), "%d accesses",
                             ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp)) {
            c.queue(changeOf("gauge-window", static_cast<std::uint32_t>(window)));
        }
        hint(fmt::format("over the last N accesses ({}, {})", keysOf(command::GaugeWindowLonger{}),
                         keysOf(command::GaugeWindowShorter{})));
    }
    if (gauge.what == What::temperature) drawScores(c);
    if (gauge.what == What::regionShare && c.context.opened.run) {
        std::vector<std::string> names;
        names.reserve(c.trace().regions().size());
        for (const sim::Region& region : c.trace().regions()) names.push_back(region.name);
        name(c, "region");
        combo(c, "##region", names, gauge.region,
              [](std::size_t i) { return changeOf("gauge-region", static_cast<std::uint32_t>(i)); });
        hint("the region whose share of the blocks is shown");
    }
    if (gauge.what == What::missKind) {
        name(c, "kind");
        combo(c, "##kind", sim::kMissKindWords, static_cast<std::size_t>(gauge.kind),
              [](std::size_t i) { return changeOf("gauge-kind", static_cast<sim::MissKind>(i)); });
        hint("the kind whose share of the misses is shown");
    }
}

/// A button in the colour of each role, which opens a colour editor.
void drawColours(const PanelContext& c) {
    if (!ImGui::CollapsingHeader("colours")) return;
    const auto roles = scene::colourRoles();
    const auto chosen = scene::chosenColours(c.context.ground);
    const std::uint32_t cpus = c.context.opened.run ? c.machine().cpus : 1;
    if (!chosen.empty() && ImGui::Button("reset all")) c.queue(command::ColoursReset{});
    for (std::size_t role = 0; role < roles.size(); ++role) {
        if (roles[role].cpu.value_or(0) >= cpus) continue;
        ImGui::PushID(static_cast<int>(role));
        std::array<float, 3> rgb = channelsOf(scene::roleColour(c.context.ground, role));
        constexpr auto kHue = ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel;
        if (ImGui::ColorEdit3("##role", rgb.data(), kHue)) c.queue(command::Colour{{role}, colourFrom(rgb)});
        nameItem(c, roles[role].name);
        hint("choose the colour");
        ImGui::SameLine();
        muted(c, roles[role].words);
        if (std::ranges::find(chosen, role, &scene::ChosenColour::role) != chosen.end()) {
            flow("reset", ImGui::GetFrameHeight());
            if (ImGui::SmallButton("reset")) c.queue(command::ColourReset{{role}});
            hint("its usual colour");
        }
        ImGui::PopID();
    }
}

void drawLook(const PanelContext& c) {
    heading(c, "LOOK");
    constexpr std::array<const char*, 3> kGrains = {"blocks", "elements", "automatic"};
    name(c, "glyphs show");
    combo(c, "##grain", kGrains, static_cast<std::size_t>(c.context.ringView.grain),
          [](std::size_t i) { return changeOf("grain", static_cast<scene::Grain>(i)); });
    hint(fmt::format("blocks, or the elements in them ({})", keysOf(changeOf("grain"))));
    checkbox(c, "rings by capacity", c.context.ringView.rings == scene::RingSizes::capacity, changeOf("rings"));
    hint("ring sizes follow the capacity of the caches, not what they can hold of this trace");
    checkbox(c, "light ground", !scene::isDark(c.context.ground), changeOf("ground"));
    checkbox(c, "fill by bytes used", c.context.ringView.use, changeOf("fill-by-use"));
    checkbox(c, "for a lecture hall", c.context.lecture, changeOf("lecture"));
    checkbox(c, "legend", c.context.legend, changeOf("legend"));
    checkbox(c, "explain each access", c.context.explain, changeOf("explain"));
    if (!c.context.ringView.hues.empty() && ImGui::Button("reset the colours of all regions"))
        c.queue(command::RegionColoursReset{});
    drawColours(c);
}

}  // namespace

void drawPictureCard(const PanelContext& c, const gl::Rect& canvas) {
    const float gap = 4 * c.scale;
    const float width = std::min(std::max(240 * c.scale, static_cast<float>(canvas.x) - 2 * gap),
                                 ImGui::GetIO().DisplaySize.x - 2 * gap);
    if (beginOverlay("##picture", c, {gap, gap}, {0, 0}, width)) {
        ImGui::PushFont(c.fonts.heading);
        ImGui::TextUnformatted("Picture");
        ImGui::PopFont();
        ImGui::SameLine();
        const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - cross));
        if (ImGui::Button("×")) c.queue(command::PictureCard{});
        hint("close (a)");
        ImGui::PushFont(c.fonts.small);
        drawMotion(c);
        ImGui::Dummy({0, 4 * c.scale});
        drawGauges(c);
        ImGui::Dummy({0, 4 * c.scale});
        drawLook(c);
        ImGui::PopFont();
    }
    ImGui::End();
}

void drawColourCard(const PanelContext& c, const gl::Rect& canvas) {
    const auto region = c.session.overlays.regionColour;
    if (!region || !c.context.opened.run || *region >= c.trace().regions().size()) return;
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x) + gap, static_cast<float>(canvas.y) + gap);
    const float width = std::min(230 * c.scale, ImGui::GetIO().DisplaySize.x - 8);
    if (beginOverlay("##colours", c, at, {0, 0}, width)) {
        ImGui::TextUnformatted(fmt::format("The colour of {}", c.trace().regions()[*region].name).c_str());
        const scene::Rgba now = hueOfRegion(c, *region);
        std::array<float, 3> rgb = channelsOf(now);
        ImGui::SetNextItemWidth(-1);
        const auto flags = ImGuiColorEditFlags_NoSidePreview | ImGuiColorEditFlags_NoSmallPreview |
                           ImGuiColorEditFlags_DisplayHex | ImGuiColorEditFlags_PickerHueWheel;
        if (ImGui::ColorPicker3("##rgb", rgb.data(), flags)) {
            c.queue(command::RegionColour{*region, colourFrom(rgb)});
        }
        if (ImGui::Button("default")) c.queue(command::RegionColourReset{*region});
        hint("its default colour");
        ImGui::SameLine();
        if (ImGui::Button("done")) c.queue(command::RegionColourCard{});
    }
    ImGui::End();
}

}  // namespace whorl::app
