#include "app/views/view_classes.h"

#include <algorithm>
#include <array>

#include "app/views/array/array_views.h"
#include "app/views/cells/cell_views.h"
#include "app/views/collisions/collision_view.h"
#include "app/views/cycles/cycles_view.h"
#include "app/views/history/place_histories.h"
#include "app/views/life/life_views.h"
#include "app/views/phases/phase_views.h"
#include "app/views/table/table_views.h"

namespace whorl::app {

namespace {

/// Register new classes of flat views here.
constexpr std::array kClasses{classOf<CollisionViews>(), classOf<CellViews>(),  classOf<PlaceHistories>(),
                              classOf<PhaseViews>(),     classOf<CyclesView>(), classOf<LifeViews>(),
                              classOf<TableViews>(),     classOf<ArrayViews>()};

constexpr bool isServed(const ViewKind& kind) {
    return kind.kind == ViewId::Kind::rings || kind.isSpace ||
           std::any_of(kClasses.begin(), kClasses.end(), [&](const ViewClass& of) {
               return std::find(of.kinds.begin(), of.kinds.end(), kind.kind) != of.kinds.end();
           });
}
static_assert(std::all_of(kViewKinds.begin(), kViewKinds.end(), isServed));

}  // namespace

std::span<const ViewClass> flatViewClasses() {
    return kClasses;
}

}  // namespace whorl::app
