// What the flat views and the controls above them have in common: how large their text is, the row of controls, and
// what they show of the session.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "app/views/views.h"
#include "render/scene/cells/chart.h"
#include "render/scene/flat_scene.h"
#include "render/scene/time_axis.h"

namespace whorl::app {

/// The height of text in the views beside the rings, pixels.
inline float viewText(float scale) {
    constexpr float kText = 14;
    return std::round(kText * scale);
}

/// How the frame of a flat picture looks.
scene::ChartLook chartLook(const RunContext& context, glm::ivec2 size, float scale);

/// The selected range.
std::optional<scene::TimeSpan> chosenIn(const RunContext& context);

/// Adds the controls of a view of a place (ViewId::isOfPlace): keep the place, and add another view. `thing`: what the
/// view shows.
void addPlaceControls(ViewControls& controls, const ViewQuery& query, std::string_view thing);
/// Adds a control that shows the whole time, for a zoomed picture over time.
void addAllTime(ViewControls& controls, const RunContext& context);

/// Words in the middle of an empty picture, `size` and `text` in pixels.
scene::FlatScene wordsScene(const std::string& words, glm::ivec2 size, scene::Ground ground, float text);

}  // namespace whorl::app
