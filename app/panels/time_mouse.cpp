#include "app/panels/time_mouse.h"

#include <cmath>

namespace whorl::app {

void showTime(const PanelContext& c, const scene::TimeSpan& span) {
    c.queue(command::TimeSeen{span.from, span.to});
}

double timeZoom(float notches) {
    return std::pow(1.4, static_cast<double>(notches));
}

bool actOnTime(const PanelContext& c, const scene::TimeAxis& axis, float x, bool movesHere) {
    TimeDrag& drag = c.edits.timeDrag;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) showTime(c, axis.zoomed(x, timeZoom(io.MouseWheel)));
    if (ImGui::IsItemActivated()) {
        const bool selects = io.KeyShift || ImGui::IsMouseDown(ImGuiMouseButton_Right);
        drag = {selects     ? TimeDrag::Kind::range
                : movesHere ? TimeDrag::Kind::move
                            : TimeDrag::Kind::none,
                std::round(axis.at(x)), false};
    }
    if (!ImGui::IsItemActive()) return false;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        drag.moved = true;
        c.queue(command::TimeAll{});
        return true;
    }
    const float moved = io.MouseDelta.x;
    if (moved != 0 && (drag.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3) ||
                       ImGui::IsMouseDragging(ImGuiMouseButton_Right, 3))) {
        drag.moved = true;
        if (drag.kind == TimeDrag::Kind::range) c.queue(command::Range{drag.anchor, std::round(axis.at(x))});
        if (drag.kind == TimeDrag::Kind::move) showTime(c, axis.moved(moved));
    }
    return drag.kind != TimeDrag::Kind::none;
}

bool isTimeDragged(const PanelContext& c) {
    return c.edits.timeDrag.moved;
}

bool isTimeClick(const PanelContext& c) {
    return ImGui::IsItemDeactivated() && !c.edits.timeDrag.moved && c.edits.timeDrag.kind != TimeDrag::Kind::range;
}

}  // namespace whorl::app
