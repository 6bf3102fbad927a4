// Locates picks in a history, and finds the related nodes and stays to highlight in the other views; and what of a
// history lies on the critical path of its run, which is highlighted in the views that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/command.h"
#include "app/session/selection.h"
#include "app/session/view_settings.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"
#include "sim/report/sharing_table.h"

namespace whorl::app {

SourcePick pickOf(const sim::CostNode& source);
ObjectPick objectPickOf(const sim::CostNode& object);
StayPick pickOf(const sim::HistoryLevel& level, std::size_t levelIndex, std::size_t stay);

/// The index in the history; nothing if it is not contained.
std::optional<std::uint32_t> find(const sim::History& history, const SourcePick& pick);
std::optional<std::uint32_t> find(const sim::History& history, const StayPick& pick);
/// The first stay of a block in a cache of a level, as a pick; nothing if there is none.
std::optional<StayPick> firstStay(const sim::History& history, std::size_t level, sim::BlockAddress block);
/// Index among the objects; for a word, that of the object that contains it.
std::optional<std::uint32_t> findObject(const sim::History& history, const ObjectPick& pick);
/// Index among the words; nothing for other kinds.
std::optional<std::uint32_t> findWord(const sim::History& history, const ObjectPick& pick);

/// The highlights of a view, as indices into its history; ascending.
struct Highlights {
    std::optional<std::uint32_t> picked;
    std::vector<std::uint32_t> related;    ///< related to the pick in the other view
    std::vector<std::uint32_t> ofTheByte;  ///< in the selected block
    bool operator==(const Highlights&) const = default;
};

/// Source lines: those that accessed the picked object, and those that accessed the selected block.
Highlights sourceHighlights(const sim::History& history, const Picks& picks, std::uint64_t blockSize);
/// Objects or words: those that the picked line accessed, and those in the selected block.
Highlights objectHighlights(const sim::History& history, const Picks& picks, bool words, std::uint64_t blockSize);
/// Stays of a level. For a picked line: the stays of all blocks that it accessed. For an object: those that started
/// with an access to it, so that other stays between them indicate false sharing. For a block: all its stays.
Highlights stayHighlights(const sim::History& history, std::size_t level, const Picks& picks);

/// The commands that pick the memory of a row of sharing in all views: an offset's word; a block's first stay if the
/// history has one, else its costliest word. If no BlockView is shown, they show that of the row's level.
Commands picksOf(const sim::SharingReport& report, const sim::SharingRow& row, const sim::History* history,
                 const ViewSettings& settings);

// The critical path.

/// A critical path to highlight.
struct HighlightedPath {
    std::shared_ptr<const sim::RunCosts> costs;
    sim::PathCosts parts;
};

/// Plays a complete run. Null when cancelled.
std::shared_ptr<const HighlightedPath> highlightedPathOf(const sim::Run& run,
                                                         std::shared_ptr<const sim::RunCosts> costs,
                                                         sim::Progress& progress);

/// Indices, ascending, of the source lines that take at least a hundredth of the path. `history` must be the simulated
/// history of the run.
std::vector<std::uint32_t> linesOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path);
/// The objects that take at least a hundredth of the path, or the words of such objects.
std::vector<std::uint32_t> objectsOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path,
                                     bool words);
/// The stays of a level that began with an access on the path.
std::vector<std::uint32_t> staysOn(const sim::History& history, std::size_t level, const HighlightedPath& path);

}  // namespace whorl::app
