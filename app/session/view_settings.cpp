#include "app/session/view_settings.h"

#include <algorithm>
#include <utility>

namespace whorl::app {

bool ViewSettings::shows(const ViewId& view) const {
    return std::find(shown.begin(), shown.end(), view) != shown.end();
}

bool ViewSettings::needsHistory() const {
    return std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.needsHistory(); });
}

void ViewSettings::toggle(const ViewId& view) {
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

void ViewSettings::toggleAlone() {
    if (!aside.empty()) {
        shown = std::exchange(aside, {});
    } else if (shown.size() > 1) {
        aside = std::exchange(shown, {active});
    }
}

void ViewSettings::clearAddressPicks() {
    if (object && object->kind == sim::CostNode::Kind::word) object.reset();
    stay.reset();
}

void ViewSettings::keepLevels(std::size_t levels) {
    for (std::vector<ViewId>* views : {&shown, &aside}) {
        std::erase_if(*views, [&](const ViewId& v) { return v.kind == ViewId::Kind::blocks && v.level >= levels; });
    }
    if (shown.empty()) shown = aside.empty() ? std::vector<ViewId>{ViewId{}} : std::exchange(aside, {});
    if (!shows(active)) active = shown.front();
    if (stay && stay->level >= levels) stay.reset();
    if (collisionLevel >= levels) collisionLevel = 0;
}

void ViewSettings::clearPicks() {
    source.reset();
    object.reset();
    stay.reset();
}

}  // namespace whorl::app
