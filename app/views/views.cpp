#include "app/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/cell_commands.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::app {

void Views::cancel() {
    for (BackgroundWork* const work : works_) work->cancel();
}

bool Views::working() const {
    return std::any_of(works_.begin(), works_.end(), [](const BackgroundWork* work) { return work->working(); });
}

std::optional<sim::Error> Views::takeError() {
    for (BackgroundWork* const work : works_) {
        if (auto error = work->takeError()) return error;
    }
    return std::nullopt;
}

TimePointer pointerOn(const scene::TimeAxis& axis, float x) {
    return {.here = {axis.at(x), axis.at(x)},
            .isWhole = axis.isWhole(),
            .zoomed = [axis, x](double factor) { return axis.zoomed(x, factor); },
            .moved = [axis](glm::vec2 pixels) { return axis.moved(pixels.x); }};
}

std::optional<Command> Views::wanted(const ViewQuery& query) {
    const ViewSettings& settings = query.context.viewSettings;
    if (settings.wanted == WantedSight{} || settings.active != query.view) return std::nullopt;
    const scene::PixelBox area = mouseArea(query);
    const auto pointer = area.isEmpty() ? std::nullopt : planeAt(query, (area.low + area.high) / 2);
    if (!pointer) return std::nullopt;
    if (settings.wanted.all) return pointer->fitted;
    if (settings.wanted.zoom != 0) return pointer->zoomed(settings.wanted.zoom);
    if (!pointer->moved) return std::nullopt;
    return pointer->moved(glm::ivec2(-settings.wanted.pan * glm::vec2(area.width(), area.height())));
}

scene::ChartLook chartLook(const RunContext& context, glm::ivec2 size, float scale) {
    constexpr float kControls = 26;  // without panels there are none
    return {.size = size,
            .ground = context.ground,
            .text = viewText(scale),
            .controls = context.panels ? static_cast<int>(std::lround(kControls * scale)) : 0};
}

std::optional<scene::TimeSpan> chosenIn(const RunContext& context) {
    if (!context.range) return std::nullopt;
    return scene::spanOf(*context.range);
}

void addPlaceControls(ViewControls& controls, const ViewQuery& query, std::string_view thing) {
    const ViewId view = query.view.withoutRun();
    const std::string_view kind = kindOf(view).button;
    const auto& histories = query.context.viewSettings.histories;
    const auto known = histories.find(view);
    controls.toggle("keep", known != histories.end() && known->second.place, command::HistoryKeep{view, {}},
                    fmt::format("keep this {}, or follow the pick", thing));
    controls.toggle(fmt::format("+ {}", kind), false, command::PaneAdd{view, {}},
                    fmt::format("another {}, which keeps this {}", kind, thing));
}

void addAllTime(ViewControls& controls, const RunContext& context) {
    if (context.seen) controls.toggle("all time", false, command::TimeAll{}, "show all of the time (double click)");
}

scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text) {
    scene::FlatScene scene;
    scene.ground = ground;
    scene.background = scene::paletteFor(ground).ground;
    scene.raster = scene::Raster(size, scene.background);
    const auto lines = scene::wrapped(words, static_cast<float>(size.x) - text, text);
    const float line = 1.3f * text;
    glm::vec2 at = glm::vec2(size) / 2.0f - glm::vec2(0, 0.5f * line * (static_cast<float>(lines.size()) - 1));
    for (const std::string& row : lines) {
        scene::Label label;
        label.text = row;
        label.at = at;
        label.size = text;
        label.colour = scene::paletteFor(ground).muted;
        label.isBare = true;
        scene.labels.push_back(std::move(label));
        at.y += line;
    }
    return scene;
}

}  // namespace whorl::app
