#include "app/commands/cell_commands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/selection_commands.h"
#include "app/session/selection.h"
#include "sim/trace/layout/array_shape.h"

namespace whorl::app {

namespace {

void show(ViewSettings& settings, const ViewId& view) {
    if (!settings.shows(view)) settings.toggle(view);
}

/// The memory that the pick in the views of the run's history is; of a word its element.
std::optional<sim::Place> pickedMemory(const ViewSettings& settings, const sim::Run& run) {
    if (settings.stay && settings.stay->level < run.machine().levels.size()) {
        const std::uint64_t block = run.machine().levels[settings.stay->level].block;
        return sim::Place{.from = sim::ByteAddress{settings.stay->block.value * block}, .bytes = block};
    }
    if (!settings.object) return std::nullopt;
    const auto memory = memoryOf(*settings.object, run.trace());
    if (!memory) return std::nullopt;
    const bool isWord = settings.object->kind == sim::CostNode::Kind::word;
    constexpr std::uint64_t kWord = 4;  // as the ObjectView has them
    return sim::Place{.from = memory->from, .bytes = isWord ? kWord : memory->bytes};
}

}  // namespace

std::optional<sim::Place> pickedPlace(const RunContext& context) {
    const ViewSettings& settings = context.viewSettings;
    if (!context.opened.run || settings.place) return settings.place;
    if (const auto memory = pickedMemory(settings, *context.opened.run)) return memory;
    const auto& regions = context.opened.run->trace().regions();
    if (context.selected && context.selected->target.kind == scene::Target::Kind::region &&
        context.selected->target.region < regions.size()) {
        const sim::Region& region = regions[context.selected->target.region];
        return sim::Place{.from = region.base, .bytes = region.size};
    }
    const auto byte = context.marked();
    if (!byte) return std::nullopt;
    const std::uint64_t block = context.opened.run->machine().blockBytes();
    return sim::Place{.from = sim::ByteAddress{byte->value / block * block}, .bytes = block};
}

std::vector<std::string> cellsAsCommands(const Session& session) {
    std::vector<std::string> out;
    for (const auto& [view, choice] : session.viewSettings.cells) {
        if (!session.viewSettings.shows(view) || !choice.quantity) continue;
        out.push_back(textOf(command::CellMetric{view, choice.quantity->metric, choice.quantity->level}));
    }
    for (const auto& [view, region] : session.viewSettings.arrays) {
        if (session.viewSettings.shows(view)) out.push_back(textOf(command::ArrayOf{view, region}));
    }
    return out;
}

std::optional<sim::LifeSubject> lifeOf(const RunContext& context, const ViewId& life) {
    if (!context.opened.run) return std::nullopt;
    const sim::Trace& trace = context.opened.run->trace();
    const ViewSettings& settings = context.viewSettings;
    const sim::Range range = context.range.value_or(sim::Range{sim::Tick{0}, sim::Tick{trace.size()}});
    const auto known = settings.histories.find(life.withoutRun());
    const auto isMemory = [](const std::optional<sim::Place>& p) { return p && p->kind == sim::Place::Kind::memory; };
    if (known != settings.histories.end() && isMemory(known->second.place)) {
        return lifeSubjectOf(*known->second.place, trace, range);
    }
    if (isMemory(settings.place)) return lifeSubjectOf(*settings.place, trace, range);
    const sim::Object* const object = settings.object && !settings.stay ? objectOf(*settings.object, trace) : nullptr;
    if (object != nullptr) return lifeSubjectOf(*object, range);
    const auto picked = pickedPlace(context);
    return isMemory(picked) ? std::optional(lifeSubjectOf(*picked, trace, range)) : std::nullopt;
}

std::optional<sim::Place> placeOf(const RunContext& context, const ViewId& history) {
    const auto known = context.viewSettings.histories.find(history.withoutRun());
    if (known != context.viewSettings.histories.end() && known->second.place) return known->second.place;
    return pickedPlace(context);
}

std::optional<std::size_t> arrayOf(const RunContext& context, const ViewId& view) {
    if (!context.opened.run) return std::nullopt;
    const sim::Trace& trace = context.opened.run->trace();
    const auto known = context.viewSettings.arrays.find(view.withoutRun());
    for (std::size_t r = 0; known != context.viewSettings.arrays.end() && r < trace.regions().size(); ++r) {
        if (trace.regions()[r].name == known->second && sim::ArrayShape::of(trace, r)) return r;
    }
    return sim::firstArray(trace);
}

namespace {

/// What a view keeps to when it no longer follows the pick.
std::optional<sim::Place> keptPlace(const Session& session, const ViewId& view) {
    if (view.kind != ViewId::Kind::life) return placeOf(session, view);
    const auto life = lifeOf(session, view);
    return life ? std::optional(sim::Place{.from = life->from, .bytes = life->bytes}) : std::nullopt;
}

/// The settings of a view of cells; null for other views.
CellChoice* choiceOf(Session& session, const ViewId& view) {
    return view.cells() ? &session.viewSettings.cells[view.withoutRun()] : nullptr;
}

std::size_t levelsOf(const Session& session) {
    return session.opened.run ? session.opened.run->machine().levels.size() : 0;
}

}  // namespace

namespace command {

void apply(Session& session, const PickMemory& command) {
    const bool isLegal = command.bytes > 0 && command.address.value + (command.bytes - 1) >= command.address.value;
    if (!session.opened.run || !isLegal) return;
    apply(session, Select{command.address});
    session.viewSettings.place = sim::Place{.from = command.address, .bytes = command.bytes};
}

void apply(Session& session, const PickWay& command) {
    if (!session.opened.run) return;
    const sim::MachineConfig& machine = session.opened.run->machine();
    if (command.level >= machine.levels.size() || command.cache >= machine.caches(command.level)) return;
    const sim::LevelConfig& level = machine.levels[command.level];
    if (command.set.value >= level.sets() || command.way.value >= level.ways) return;
    apply(session,
          SelectPart{
              {.kind = scene::Target::Kind::set, .level = command.level, .cache = command.cache, .set = command.set}});
    session.viewSettings.place = sim::Place{.kind = sim::Place::Kind::cache,
                                            .level = command.level,
                                            .cache = command.cache,
                                            .set = command.set,
                                            .way = command.way};
}

void apply(Session& session, const HistoryShow&) {
    show(session.viewSettings, ViewId{ViewId::Kind::history});
}

void apply(Session& session, const LifeShow&) {
    show(session.viewSettings, ViewId{ViewId::Kind::life});
}

void apply(Session& session, const HistoryKeep& command) {
    if (!command.view.isOfPlace()) return;
    HistoryChoice& choice = session.viewSettings.histories[command.view.withoutRun()];
    bool keeps = choice.place.has_value();
    turn(keeps, command.on);
    choice.place = keeps ? keptPlace(session, command.view) : std::nullopt;
}

void apply(Session& session, const TimeSeen& command) {
    if (!session.opened.run) return;
    const auto end = static_cast<double>(session.opened.run->trace().size());
    const auto in = [&](const Position& position) { return position.in(end, session.player.position()); };
    const scene::TimeSpan wanted{in(command.from), in(command.to)};
    if (!std::isfinite(wanted.to) || !(wanted.from < wanted.to)) return;
    const scene::TimeSpan seen = scene::keptWithin(wanted, std::max(1.0, end));
    session.seen = seen.length() >= end ? std::nullopt : std::optional(seen);
    session.viewSettings.lensWanted = false;
}

void apply(Session& session, const TimeAll&) {
    session.seen.reset();
    session.viewSettings.lensWanted = false;
}

void apply(Session& session, const PhaseRow& command) {
    session.viewSettings.phases.rowLength = command.accesses;
}

void apply(Session& session, const PhaseLevel& command) {
    if (!session.opened.run || command.level >= session.opened.run->machine().levels.size()) return;
    session.viewSettings.phases.level = command.level;
}

void apply(Session& session, const PaneAdd& command) {
    if (!kindOf(command.view).hasParts || kindOf(command.view).ofLevel) return;
    ViewSettings& settings = session.viewSettings;
    ViewId added = command.view.withoutRun();
    while (settings.shows(added) && added.part < ViewId::kMaxParts) ++added.part;
    if (added.part >= ViewId::kMaxParts) return;
    if (added.kind == ViewId::Kind::array) {
        const auto region = arrayOf(session, command.view);
        if (region) settings.arrays[added] = session.opened.run->trace().regions()[*region].name;
    } else if (added.cells()) {
        CellChoice choice = settings.cellsOf(command.view);
        if (command.pinned.value_or(false)) choice.range = session.range;
        settings.cells[added] = choice;
    } else {
        HistoryChoice choice{.place = keptPlace(session, command.view)};
        if (command.pinned.value_or(false)) choice.range = session.range;
        settings.histories[added] = choice;
    }
    show(settings, added);
}

void apply(Session& session, const ArrayOf& command) {
    if (command.view.kind == ViewId::Kind::array) {
        session.viewSettings.arrays[command.view.withoutRun()] = command.region;
    }
}

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
    session.viewSettings.wanted = {};
}

void apply(Session& session, const CellFit& command) {
    if (CellChoice* const choice = choiceOf(session, command.view)) choice->sight.reset();
    session.viewSettings.wanted = {};
}

void apply(Session& session, const CollisionsZoom& command) {
    ViewSettings& settings = session.viewSettings;
    settings.collisionSight =
        scene::MatrixSight{std::clamp(command.cell, scene::MatrixSight::kMin, scene::MatrixSight::kMax),
                           glm::max(command.first, glm::vec2(0))};
    settings.wanted = {};
}

void apply(Session& session, const CollisionsFit&) {
    session.viewSettings.collisionSight.reset();
    session.viewSettings.wanted = {};
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
