#include "app/views/tile_look.h"

#include <fmt/format.h>

#include "app/commands/place_commands.h"

namespace whorl::app {

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
                    fmt::format("keep this {}, or follow what is picked", thing));
    controls.toggle(fmt::format("+ {}", kind), false, command::PaneAdd{view, {}},
                    fmt::format("a second {}, which keeps this {}", kind, thing));
}

void addAllTime(ViewControls& controls, const RunContext& context) {
    if (context.seen) controls.toggle("all time", false, command::TimeAll{}, "show all of the time (double click)");
}

}  // namespace whorl::app
