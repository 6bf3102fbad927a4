#include "app/commands/cell_commands.h"

#include <algorithm>
#include <cmath>

#include "app/session/range.h"

namespace whorl::app {

namespace {

/// The settings of a view of cells; null for other views.
CellChoice* choiceOf(Session& session, const ViewId& view) {
    return view.cells() ? &session.viewSettings.cells[view.withoutRun()] : nullptr;
}

std::size_t levelsOf(const Session& session) {
    return session.opened.run ? session.opened.run->machine().levels.size() : 0;
}

}  // namespace

namespace command {

void apply(Session& session, const CellMetric& command) {
    const auto display = command.view.cells();
    CellChoice* const choice = choiceOf(session, command.view);
    const std::uint8_t level = command.level.value_or(0);
    if (choice == nullptr || !canShow(*display, command.metric)) return;
    if (level != 0 && level >= levelsOf(session)) return;
    choice->quantity = scene::CellQuantity{command.metric, level};
}

void apply(Session& session, const CellBytes& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    const bool isSize = command.bytes == 0 || (sim::isPowerOfTwo(command.bytes) && command.bytes >= scene::kMinCell &&
                                               command.bytes <= scene::kMaxCell);
    if (choice == nullptr || !isSize) return;
    choice->cell = command.bytes;
    choice->sight.reset();
}

void apply(Session& session, const CellColumns& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    const bool isCount =
        command.columns == 0 || (sim::isPowerOfTwo(command.columns) && command.columns <= scene::kMaxColumns);
    if (choice == nullptr || !isCount) return;
    choice->columns = command.columns;
    choice->sight.reset();
}

void apply(Session& session, const CellGroups& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    if (command.piece && (!sim::isPowerOfTwo(*command.piece) || *command.piece < scene::kMinCell)) return;
    choice->groups = command.groups;
    if (command.piece) choice->piece = *command.piece;
    choice->sight.reset();
}

void apply(Session& session, const CellCurve& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    chooseOrNext(choice->curve, command.curve);
    choice->sight.reset();
}

void apply(Session& session, const CellOrder& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    if (command.order == app::CellOrder::caused) {
        const auto victim = command.victim ? command.victim : session.marked();
        if (!victim) return;
        choice->victim = *victim;
    }
    choice->order = command.order;
    choice->sight.reset();
}

void apply(Session& session, const CellLogarithmic& command) {
    if (CellChoice* const choice = choiceOf(session, command.view)) turn(choice->logarithmic, command.on);
}

void apply(Session& session, const HalfLife& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr || !std::isfinite(command.accesses)) return;
    choice->halfLife = std::clamp(command.accesses, CellChoice::kMinHalfLife, CellChoice::kMaxHalfLife);
}

void apply(Session& session, const ConflictLines& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr || (command.level && *command.level >= levelsOf(session))) return;
    choice->conflictLevel = command.level;
}

void apply(Session& session, const CellBoundary& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    bool& edge = command.edge == CellEdge::l1   ? choice->boundaries
                 : command.edge == CellEdge::l2 ? choice->boundaries2
                                                : choice->pages;
    turn(edge, command.on);
}

void apply(Session& session, const Interleaved& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    turn(choice->interleaved, command.on);
    if (session.reducedMotion) choice->interleavedShare = choice->interleaved ? 1.0f : 0.0f;
}

void apply(Session& session, const CellZoom& command) {
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr) return;
    const int fold = std::clamp(command.fold, 0, scene::CellScale::kMaxFold);
    const int pixels = fold > 0 ? 1 : std::clamp(command.pixels, 1, scene::CellScale::kMaxPixels);
    choice->sight = CellSight{{pixels, fold}, {std::max(0, command.x), std::max(0, command.y)}};
    choice->wantedZoom = 0;
    choice->wantedPan = {0, 0};
}

void apply(Session& session, const CellFit& command) {
    if (CellChoice* const choice = choiceOf(session, command.view)) choice->sight.reset();
}

void apply(Session& session, const ViewRange& command) {
    if (!session.opened.run) return;
    const std::uint64_t end = session.opened.run->trace().size();
    const auto in = [&](const Position& position) {
        return position.in(static_cast<double>(end), session.player.position());
    };
    CellChoice* const choice = choiceOf(session, command.view);
    if (choice == nullptr || in(command.from) >= std::min(in(command.to), static_cast<double>(end))) return;
    choice->range = rangeBetween(in(command.from), in(command.to), end);
}

void apply(Session& session, const ViewRangeOff& command) {
    if (CellChoice* const choice = choiceOf(session, command.view)) choice->range.reset();
}

}  // namespace command
}  // namespace whorl::app
