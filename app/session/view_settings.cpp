#include "app/session/view_settings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace whorl::app {

const CellChoice& ViewSettings::cellsOf(const ViewId& view) const {
    static const CellChoice kUsual;
    const auto known = cells.find(view.withoutRun());
    return known == cells.end() ? kUsual : known->second;
}

const BlockChoice& ViewSettings::blocksOf(const ViewId& view) const {
    const auto own = ownBlocks.find(view.withoutRun());
    return own == ownBlocks.end() ? blocks : own->second;
}

BlockChoice& ViewSettings::ownBlocksOf(const ViewId& view) {
    return ownBlocks.try_emplace(view.withoutRun(), blocks).first->second;
}

void ViewSettings::changeBlocks(const std::function<void(BlockChoice&)>& change) {
    if (active.kind == ViewId::Kind::blocks) return change(ownBlocksOf(active));
    change(blocks);
    for (auto& [view, choice] : ownBlocks) change(choice);
}

void ViewSettings::changeGraphs(const std::function<void(GraphChoice&)>& change) {
    if (active.kind != ViewId::Kind::objects) change(sources);
    if (active.kind != ViewId::Kind::sources) change(objects);
}

void ViewSettings::putBlockCameras() {
    for (auto& [view, sight] : sights) {
        if (view.kind == ViewId::Kind::blocks) sight.byHand = false;
    }
}

bool ViewSettings::moving() const {
    const auto turns = [](const BlockChoice& choice) { return choice.depth != (choice.solid ? 1.0f : 0.0f); };
    return std::any_of(
               cells.begin(), cells.end(),
               [](const auto& c) { return c.second.interleavedShare != (c.second.interleaved ? 1.0f : 0.0f); }) ||
           turns(blocks) ||
           std::any_of(ownBlocks.begin(), ownBlocks.end(), [&](const auto& b) { return turns(b.second); });
}

bool ViewSettings::shows(const ViewId& view) const {
    return std::find(shown.begin(), shown.end(), view) != shown.end();
}

bool ViewSettings::showsKind(ViewId::Kind kind) const {
    return std::any_of(shown.begin(), shown.end(), [&](const ViewId& v) { return v.kind == kind; });
}

bool ViewSettings::needsHistory() const {
    return std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.needsHistory(); });
}

void ViewSettings::toggle(const ViewId& view) {
    // A view that is shown alone is closed, so the others come back.
    if (!aside.empty() && shows(view)) shown = aside;
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

TileTree ViewSettings::tiles(glm::ivec2 size, int together) const {
    const std::vector<ViewId>& views = aside.empty() ? shown : aside;
    return arrangement ? withViews(*arrangement, views, size) : automaticTree(views, size, together);
}

Tiling ViewSettings::tiling(glm::ivec2 size) const {
    const std::vector<ViewId>& views = aside.empty() ? shown : aside;
    if (!arrangement || views.size() < 2) return {views, {}};
    return {views, tiles(size)};
}

void ViewSettings::take(const Tiling& tiling, const std::function<bool(const ViewId&)>& isWanted) {
    std::vector<ViewId> views;
    std::ranges::copy_if(tiling.shown, std::back_inserter(views), isWanted);
    if (views.empty() && !tiling.shown.empty()) return;
    arrangement = tiling.arrangement;
    if (views.empty()) return;
    aside.clear();
    shown = std::move(views);
    if (!shows(active)) active = shown.front();
}

void ViewSettings::toggleAlone() {
    if (!aside.empty()) {
        shown = std::exchange(aside, {});
    } else if (shown.size() > 1) {
        aside = std::exchange(shown, {active});
    }
}

void ViewSettings::movePicks(const std::function<sim::ByteAddress(sim::ByteAddress)>& moved) {
    const auto move = [&](std::optional<sim::Place>& memory) {
        if (memory && memory->kind == sim::Place::Kind::memory) memory->from = moved(memory->from);
    };
    stay.reset();
    if (object) object->address = moved(object->address);
    move(place);
    for (auto& [view, choice] : histories) move(choice.place);
}

void ViewSettings::carryPicks(const sim::Trace& trace, const sim::Trace& other) {
    if (source) source = sameIn(*source, trace, other);
    if (object) object = sameIn(*object, trace, other);
}

void ViewSettings::leaveTrace() {
    clearPicks();
    classes.clear();
    lens.reset();
    histories.clear();
    arrays.clear();
    for (auto& [view, choice] : cells) {
        choice.range.reset();
        choice.sight.reset();
    }
    // The shown rows are meaningless for another trace's blocks.
    blocks.rows.reset();
    for (auto& [view, choice] : ownBlocks) choice.rows.reset();
}

void ViewSettings::keepLevels(const sim::MachineConfig& machine) {
    const std::size_t levels = machine.levels.size();
    for (std::vector<ViewId>* views : {&shown, &aside}) {
        std::erase_if(*views, [&](const ViewId& v) { return !exists(v, machine); });
    }
    if (shown.empty()) shown = aside.empty() ? std::vector<ViewId>{ViewId{}} : std::exchange(aside, {});
    if (!shows(active)) active = shown.front();
    if (stay && stay->level >= levels) stay.reset();
    if (collisionLevel >= levels) collisionLevel = 0;
    for (GraphChoice* const graph : {&sources, &objects}) {
        if (graph->heightBy.level >= levels) graph->heightBy.level = 0;
        if (graph->colourBy.level >= levels) graph->colourBy.level = 0;
    }
    if (phases.level >= levels) phases.level = 0;
    // A cell of a cache is another one on another machine.
    const auto isOfCache = [](const std::optional<sim::Place>& p) { return p && p->kind == sim::Place::Kind::cache; };
    if (isOfCache(place)) place.reset();
    std::erase_if(histories, [&](const auto& h) { return isOfCache(h.second.place); });
}

void ViewSettings::clearPicks() {
    source.reset();
    object.reset();
    stay.reset();
    place.reset();
}

}  // namespace whorl::app
