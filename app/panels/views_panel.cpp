// Which views are shown, and the settings of the active one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// A button that stays pressed while something is on.
bool toggleButton(const PanelContext& c, const std::string& words, bool on) {
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, c.colours().selected);
    if (on) ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
    const bool pressed = ImGui::SmallButton(words.c_str());
    if (on) ImGui::PopStyleColor(2);
    return pressed;
}

void drawChoices(const PanelContext& c) {
    bool isFirst = true;
    for (const ViewId& view : viewsOf(c.machine())) {
        const ViewKind& kind = kindOf(view);
        const std::string level = levelName(view, c.machine());
        const std::string name = (level.empty() ? "" : level + " ") + std::string(kind.button);
        if (!isFirst) flow(name);
        isFirst = false;
        if (toggleButton(c, name, c.context.viewSettings.shows(view))) c.queue(command::View{view});
        nameItem(c, "view " + name);
        const Binding& binding = *bindingOf(command::Views{kind.kind});
        hint(withKey(std::string(binding.alone.empty() ? binding.words : binding.alone), binding.command));
    }
}

/// The lists of what is the height, or the colour, of a folded graph, and in which level.
void drawMetric(const PanelContext& c, const char* name, const NodeQuantity& now, const std::string& setting) {
    constexpr std::array<const char*, 5> kMetrics = {"nothing", "cycles", "accesses", "misses", "invalidations"};
    const bool ofLevel = now.metric >= NodeMetric::misses && c.machine().levels.size() > 1;
    ImGui::SetNextItemWidth((ofLevel ? -120 : -60) * c.scale);
    combo(c, fmt::format("##{}", setting).c_str(), kMetrics, static_cast<std::size_t>(now.metric),
          [&](std::size_t i) { return changeOf(setting + "-by", static_cast<NodeMetric>(i)); });
    nameItem(c, fmt::format("what the {} is", name));
    hint(fmt::format("what the {} of a node is", name));
    if (ofLevel) {
        std::vector<std::string> levels;
        for (const sim::LevelConfig& level : c.machine().levels) levels.push_back(level.name);
        ImGui::SameLine();
        ImGui::SetNextItemWidth(52 * c.scale);
        combo(c, fmt::format("##{} level", setting).c_str(), levels, now.level,
              [&](std::size_t i) { return changeOf(setting + "-level", static_cast<std::uint8_t>(i)); });
    }
    ImGui::SameLine();
    muted(c, name);
}

void drawGraphChoices(const PanelContext& c, const GraphChoice& graph, bool isObjects) {
    checkbox(c, "by address", graph.order == scene::NodeOrder::address, command::Order{});
    if (isObjects) {
        ImGui::SameLine();
        const ViewSettings& viewSettings = c.context.viewSettings;
        checkbox(c, "words", viewSettings.words.value_or(viewSettings.wordsFit), command::Words{});
        checkbox(c, "colours of classes", viewSettings.classColours, changeOf("class-colours"));
    }
    drawMetric(c, "height", graph.heightBy, "graph-height");
    drawMetric(c, "colour", graph.colourBy, "graph-colour");
    float height = graph.height;
    ImGui::SetNextItemWidth(-60 * c.scale);
    const auto flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp;
    if (ImGui::SliderFloat("height", &height, 0.1f, 10, "%.1f", flags)) c.queue(command::GraphHeight{height});
}

void drawCpuPlanes(const PanelContext& c) {
    const std::uint32_t cpus = std::min(c.machine().cpus, 64u);
    if (cpus < 2) return;
    for (std::uint32_t i = 0; i < cpus; ++i) {
        const std::string name = fmt::format("{}##plane", i);
        if (i > 0) flow(std::to_string(i));
        const bool on = (c.context.viewSettings.blocksOf(c.context.viewSettings.active).cpus >> i & 1) != 0;
        ImGui::PushStyleColor(ImGuiCol_Text,
                              on ? packed(scene::nameColour(scene::cpuColour(c.context.ground, i), c.context.ground))
                                 : packed(c.colours().muted));
        if (ImGui::SmallButton(name.c_str())) c.queue(command::CpuPlane{i});
        ImGui::PopStyleColor();
        hint(fmt::format("show or hide the lane of CPU {}{}", i, i < 9 ? fmt::format(" ({})", i + 1) : std::string()));
    }
}

/// The time range of the lens, as fields and sliders.
void drawLens(const PanelContext& c, const sim::History& history) {
    const auto& lens = c.context.viewSettings.lens;
    const auto put = [&](double from, double length) {
        const double begin = static_cast<double>(history.begin);
        const double end = static_cast<double>(history.end);
        length = std::clamp(length, 1.0, std::max(1.0, end - begin));
        from = std::clamp(from, begin, std::max(begin, end - length));
        c.queue(command::Lens{static_cast<sim::Cycles>(std::llround(from)),
                              static_cast<sim::Cycles>(std::llround(from + length))});
    };
    const double all = static_cast<double>(history.end - history.begin);
    bool on = lens.has_value();
    if (ImGui::Checkbox("lens", &on)) {
        if (on) {
            put(static_cast<double>(history.begin) + 0.4 * all, 0.2 * all);
        } else {
            c.queue(command::LensOff{});
        }
    }
    hint("the time range in which stays are drawn as boxes; or drag with Ctrl in a BlockView");
    if (!lens) return;
    const double from = lens->from;
    const double length = lens->length();
    ImGui::SameLine();
    if (ImGui::SmallButton("show it")) c.queue(command::LensView{});
    hint(withKey("zoom all pictures over time to the lens", command::LensView{}));
    float place = static_cast<float>((from - static_cast<double>(history.begin)) / std::max(1.0, all));
    float share = static_cast<float>(length / std::max(1.0, all));
    ImGui::SetNextItemWidth(-60 * c.scale);
    if (ImGui::SliderFloat("from", &place, 0, 1, grouped(static_cast<sim::Cycles>(from)).c_str())) {
        put(static_cast<double>(history.begin) + place * all, length);
    }
    ImGui::SetNextItemWidth(-60 * c.scale);
    const auto flags = ImGuiSliderFlags_Logarithmic;
    if (ImGui::SliderFloat("long", &share, 0.001f, 1, grouped(static_cast<sim::Cycles>(length)).c_str(), flags)) {
        put(from, share * all);
    }
}

void drawBlockChoices(const PanelContext& c) {
    const ViewId& active = c.context.viewSettings.active;
    constexpr std::array<const char*, 5> kDraws = {"points", "lines", "faces", "boxes", "automatic"};
    constexpr std::array<const char*, 3> kColours = {"CPU", "state", "class"};
    const BlockChoice& blocks = c.context.viewSettings.blocksOf(active);
    const float width = 0.5f * ImGui::GetContentRegionAvail().x - 46 * c.scale;
    ImGui::SetNextItemWidth(width);
    combo(c, "draw", kDraws, static_cast<std::size_t>(blocks.draw),
          [](std::size_t i) { return changeOf("block-draw", static_cast<scene::BlockLook::Draw>(i)); });
    ImGui::SameLine();
    ImGui::SetNextItemWidth(width);
    combo(c, "colour", kColours, static_cast<std::size_t>(blocks.colour),
          [](std::size_t i) { return changeOf("block-colours", static_cast<scene::BlockLook::Colour>(i)); });
    checkbox(c, "by address", blocks.order == scene::BlockOrder::address, command::Order{});
    flow("only highlighted", ImGui::GetFrameHeight());
    checkbox(c, "only highlighted", blocks.highlightedOnly, changeOf("lit-only"));
    flow("at an angle", ImGui::GetFrameHeight());
    checkbox(c, "at an angle", blocks.solid, changeOf("solid"));
    checkbox(c, "invalidated", blocks.coherence, changeOf("stays-invalidated"));
    flow("replaced", ImGui::GetFrameHeight());
    checkbox(c, "replaced", blocks.replacement, changeOf("stays-replaced"));
    flow("others", ImGui::GetFrameHeight());
    checkbox(c, "others", blocks.other, changeOf("stays-other"));
    drawCpuPlanes(c);
    const HistoryViews* const views = c.historyViews(active);
    if (views != nullptr) drawLens(c, views->history());
    if (blocks.rows) {
        if (ImGui::SmallButton("all rows")) c.queue(command::BlockRows{active, 0, 1});
        hint("show all rows (double click)");
        flow("all time");
    }
    if (c.context.seen) {
        if (ImGui::SmallButton("all time")) c.queue(command::TimeAll{});
        hint("show all of the time (double click)");
    }
}

void drawCamera(const PanelContext& c) {
    const auto sight =
        c.context.viewSettings.sights.find({c.context.viewSettings.active.kind, c.context.viewSettings.active.level});
    if (sight == c.context.viewSettings.sights.end()) return;
    // A BlockView that is seen face on is zoomed and moved along its rows and its time.
    const bool isFlat =
        c.context.viewSettings.active.kind == ViewId::Kind::blocks && sight->second.camera.isFacing(scene::Plane::yz);
    if (isFlat) return;
    float perspective = sight->second.camera.perspective;
    ImGui::SetNextItemWidth(-76 * c.scale);
    if (ImGui::SliderFloat("perspective", &perspective, 0, 1, "%.2f")) c.queue(command::Perspective{perspective});
    hint("from orthographic, where distances can be compared, to a wide-angle perspective");
    for (const auto& [name, plane] :
         {std::pair("xy", scene::Plane::xy), std::pair("xz", scene::Plane::xz), std::pair("yz", scene::Plane::yz)}) {
        flow(name);
        if (ImGui::SmallButton(name)) c.queue(command::Face{plane});
        nameItem(c, fmt::format("face {}", name));
        hint("look along the third axis");
    }
    flow("reset");
    if (ImGui::SmallButton("reset")) c.queue(command::ZoomReset{});
    hint("reset the camera (0)");
}

}  // namespace

void drawViewsPanel(const PanelContext& c) {
    if (!c.context.opened.run || !section(c, "VIEWS", "section-views")) return;
    ImGui::PushFont(c.fonts.small);
    drawChoices(c);
    const ViewId& active = c.context.viewSettings.active;
    if (c.context.viewSettings.shows(active) && active.isSpace()) {
        ImGui::Dummy({0, 3 * c.scale});
        muted(c, titleOf(active, c.machine()));
        if (active.kind == ViewId::Kind::sources) drawGraphChoices(c, c.context.viewSettings.sources, false);
        if (active.kind == ViewId::Kind::objects) drawGraphChoices(c, c.context.viewSettings.objects, true);
        // What a turned view needs first is on the screen; below it is what all have.
        drawCamera(c);
        if (active.kind == ViewId::Kind::blocks) drawBlockChoices(c);
    }
    if (c.context.viewSettings.needsHistory() || active.kind == ViewId::Kind::cycles) {
        checkbox(c, "critical path", c.context.viewSettings.path, changeOf("critical-path"));
    }
    if (c.trace().recording() && c.context.viewSettings.needsHistory()) {
        checkbox(c, "as recorded", c.context.viewSettings.recorded, changeOf("recorded"));
    }
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
