// In place of view_classes.cpp, offered_views.cpp, histories.cpp and space_pointer.cpp in a small player of pages: it
// has the rings and the tables of the caches.
#include <array>

#include "app/page/space_pointer.h"
#include "app/session/view_id.h"
#include "app/views/space/histories.h"
#include "app/views/table/table_views.h"
#include "app/views/view_classes.h"

namespace whorl::app {

std::span<const ViewClass> flatViewClasses() {
    static constexpr std::array kClasses{classOf<TableViews>()};
    return kClasses;
}

bool isOffered(ViewId::Kind kind) {
    return isBasic(kind);
}

void Histories::take(const RunContext&, bool, const std::shared_ptr<const HighlightedPath>&) {}
TileScene Histories::pictureOf(const ViewQuery&) {
    return {};
}
std::optional<Hit> Histories::hitAt(const ViewQuery&, glm::ivec2) {
    return std::nullopt;
}

Commands inSpace(const PointerEvent&, const Session&, RunView&, const ViewQuery&, glm::vec2) {
    return {};
}

}  // namespace whorl::app
