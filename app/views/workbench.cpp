#include "app/views/workbench.h"

#include <algorithm>

namespace whorl::app {

bool Workbench::shows(const ViewId& view) const {
    return std::find(shown.begin(), shown.end(), view) != shown.end();
}

bool Workbench::needsHistory() const {
    return std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind != ViewId::Kind::rings; });
}

void Workbench::toggle(const ViewId& view) {
    aside.clear();
    if (!shows(view)) {
        shown.insert(std::upper_bound(shown.begin(), shown.end(), view), view);
        active = view;
        return;
    }
    if (shown.size() == 1) return;
    std::erase(shown, view);
    if (!shows(active)) active = shown.front();
}

void Workbench::toggleAlone() {
    if (!aside.empty()) {
        shown = std::exchange(aside, {});
    } else if (shown.size() > 1) {
        aside = std::exchange(shown, {active});
    }
}

void Workbench::letGoOfPicks() {
    source.reset();
    object.reset();
    stay.reset();
}

scene::Rgba classColour(const Workbench& bench, scene::Ground ground, const std::string& name, std::size_t place) {
    const auto given = bench.hues.find(name);
    return given != bench.hues.end() ? given->second : scene::cpuColour(ground, static_cast<std::uint32_t>(place % 64));
}

}  // namespace whorl::app
