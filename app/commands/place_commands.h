// Commands about places and time: picking a cell of memory or of a cache, its history, the stretch of time that is
// seen, the phases, and panes of views.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/command.h"
#include "app/session/session.h"
#include "sim/analysis/object_life.h"

namespace whorl::app {

/// The place for a view of histories: the place that the view keeps, else what is picked; none if nothing is picked.
std::optional<sim::Place> placeOf(const RunContext& context, const ViewId& history);

/// The memory and range for a view of a life: the place that the view keeps, else the last pick among a cell of memory,
/// a stay of a block, an object, region or word, and a selected block; in the chosen range. None if nothing is picked.
std::optional<sim::LifeSubject> lifeOf(const RunContext& context, const ViewId& life);

namespace command {

/// Picks a cell of memory; its first block is selected everywhere.
struct PickMemory {
    sim::ByteAddress address;
    std::uint64_t bytes = 1;
    static constexpr auto kForm =
        sceneForm("pick-memory", "pick a cell of memory", argument("address", &PickMemory::address),
                  argument("bytes", &PickMemory::bytes));
};
void apply(Session& session, const PickMemory& command);

/// Picks a cell of a cache.
struct PickWay {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::SetIndex set;
    sim::WayIndex way;
    static constexpr auto kForm =
        sceneForm("pick-way", "pick a cell of a cache", argument("level", &PickWay::level),
                  argument("cache", &PickWay::cache), argument("set", &PickWay::set), argument("way", &PickWay::way));
};
void apply(Session& session, const PickWay& command);

/// Shows the history of what is picked, if it is not shown.
struct HistoryShow {
    static constexpr auto kForm = sceneForm("history-show", "show the history of what is picked");
};
void apply(Session& session, const HistoryShow&);

/// Shows the life of what is picked, if it is not shown.
struct LifeShow {
    static constexpr auto kForm =
        sceneForm("life-show", "show the life of what is picked: who touched it, and its moves");
};
void apply(Session& session, const LifeShow&);

/// Keeps a history, or a life, at the place that it shows, or lets it follow the pick again.
struct HistoryKeep {
    ViewId view;
    Switch on;
    static constexpr auto kForm =
        sceneForm("history-keep", "keep a history or a life at its place, or let it follow the pick",
                  argument("view", &HistoryKeep::view), argument("on", &HistoryKeep::on));
};
void apply(Session& session, const HistoryKeep& command);

/// The stretch of time that all pictures over time show.
struct TimeSeen {
    Position from;
    Position to;
    static constexpr auto kForm = sceneForm("time-seen", "show a stretch of time", argument("from", &TimeSeen::from),
                                            argument("to", &TimeSeen::to))
                                      .joining();
};
void apply(Session& session, const TimeSeen& command);

struct TimeAll {
    static constexpr auto kForm = sceneForm("time-all", "show all of the time");
};
void apply(Session& session, const TimeAll&);

struct PhaseRow {
    std::uint64_t accesses = 0;
    static constexpr auto kForm = sceneForm("phase-row", "the accesses of a row of phases; 0: fitting",
                                            argument("accesses", &PhaseRow::accesses));
};
void apply(Session& session, const PhaseRow& command);

struct PhaseLevel {
    std::uint8_t level = 0;
    static constexpr auto kForm =
        sceneForm("phase-level", "the phases of a level", argument("level", &PhaseLevel::level));
};
void apply(Session& session, const PhaseLevel& command);

/// Adds a view of the same kind with the same settings beside one; pinned to the chosen range if `pinned` is on.
struct PaneAdd {
    ViewId view;
    Switch pinned;
    static constexpr auto kForm = sceneForm("pane-add", "add a second view of a kind", argument("view", &PaneAdd::view),
                                            argument("pinned", &PaneAdd::pinned));
};
void apply(Session& session, const PaneAdd& command);

using PlaceCommands = CommandList<PickMemory, PickWay, HistoryShow, LifeShow, HistoryKeep, TimeSeen, TimeAll, PhaseRow,
                                  PhaseLevel, PaneAdd>;

}  // namespace command
}  // namespace whorl::app
