#include "app/cli/cell_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/cli/values.h"
#include "app/session/words.h"
#include "sim/analysis/place.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// The settings of all views of cells that are shown.
template <class F>
void forEachChoice(Session& session, F&& f) {
    for (const ViewId& view : session.viewSettings.shown) {
        if (view.cells()) f(view, session.viewSettings.cells[view.withoutRun()]);
    }
}

/// A power of two within limits, as "64" or "4K".
sim::Expected<std::uint64_t> powerIn(const std::string& option, const std::string& words, std::uint64_t least,
                                     std::uint64_t most) {
    const std::uint64_t unit = !words.empty() && (words.back() == 'K' || words.back() == 'k') ? 1024 : 1;
    const auto number = sim::wholeNumber(std::string_view(words).substr(0, words.size() - (unit > 1 ? 1 : 0)));
    if (number && *number <= most / unit && sim::isPowerOfTwo(*number * unit) && *number * unit >= least) {
        return *number * unit;
    }
    return sim::fail("", fmt::format("{} \"{}\" is not a size that it can have", option, words),
                     fmt::format("use a power of two from {} to {}", least, most));
}

sim::Expected<void> chooseMetric(const std::string& words, Session& session) {
    if (words.empty()) return {};
    std::optional<sim::Error> error;
    forEachChoice(session, [&](const ViewId& view, CellChoice& choice) {
        const auto& machine = session.opened.run->machine();
        choice.quantity = scene::quantityNamed(words, *view.cells(), machine);
        if (choice.quantity || error) return;
        error = sim::Error{
            .where = "",
            .what = fmt::format("--metric \"{}\": the view {} has no such metric", words, wordOf(view, machine)),
            .hint = "use " + sim::joinNames(scene::quantityWords(*view.cells(), machine), "or")};
    });
    if (error) return tl::unexpected(*error);
    return {};
}

sim::Expected<void> chooseGroups(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const sim::MachineConfig& machine = session.opened.run->machine();
    scene::MemoryGroups groups = scene::MemoryGroups::pieces;
    std::uint64_t piece = 0;
    if (words == "regions") groups = scene::MemoryGroups::regions;
    if (words == "address") groups = scene::MemoryGroups::address;
    if (words == "page") piece = machine.pageBytes();
    if (groups == scene::MemoryGroups::pieces && piece == 0) {
        const auto level = levelNamed(words, machine);
        if (!level) {
            return sim::fail("", fmt::format("--groups \"{}\" is not a way to group memory", words),
                             "use regions, address, page, or a level: pieces as large as one of its ways");
        }
        piece = machine.levels[*level].wayBytes();
        if (!sim::isPowerOfTwo(piece)) {
            return sim::fail("",
                             fmt::format("--groups {}: one way of it is {} bytes, not a power of two", words, piece),
                             "use regions, address, page, or another level");
        }
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.groups = groups;
        if (piece != 0) choice.piece = piece;
    });
    return {};
}

sim::Expected<void> chooseBoundaries(const std::vector<std::string>& words, Session& session) {
    if (words.empty()) return {};
    bool l1 = false;
    bool l2 = false;
    bool pages = false;
    for (const std::string& word : words) {
        bool* const edge = word == "L1" ? &l1 : word == "L2" ? &l2 : word == "pages" ? &pages : nullptr;
        if (edge == nullptr && word != "none") {
            return sim::fail("", fmt::format("--boundaries \"{}\" has no boundaries", word),
                             "use L1, L2, pages, several with commas, or none");
        }
        if (edge != nullptr) *edge = true;
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.boundaries = l1;
        choice.boundaries2 = l2;
        choice.pages = pages;
    });
    return {};
}

sim::Expected<void> chooseSizes(const CellOptions& options, Session& session) {
    std::uint64_t cell = 0;
    std::uint64_t width = 0;
    if (!options.cell.empty()) {
        const auto read = WHORL_TRY(powerIn("--cell", options.cell, scene::kMinCell, scene::kMaxCell));
        cell = read;
    }
    if (!options.width.empty()) {
        const auto read = WHORL_TRY(powerIn("--width", options.width, 1, scene::kMaxColumns));
        width = read;
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        if (cell != 0) choice.cell = cell;
        if (width != 0) choice.columns = static_cast<std::uint32_t>(width);
        if (options.pixels > 0) choice.sight = CellSight{{options.pixels, 0}, {0, 0}};
    });
    return {};
}

/// "penalty", "misses", "caused:PLACE".
sim::Expected<void> chooseOrder(const std::string& words, Session& session) {
    if (words.empty()) return {};
    constexpr std::string_view kCaused = "caused:";
    sim::ByteAddress victim;
    std::string word = words;
    if (words.starts_with(kCaused)) {
        const auto place = WHORL_TRY(sim::placeNamed(std::string_view(words).substr(kCaused.size()),
                                                     session.opened.run->trace(), session.opened.run->machine()));
        if (place.kind != sim::Place::Kind::memory) {
            return sim::fail("", fmt::format("--order \"{}\" names a cell of a cache", words),
                             "name memory whose misses were caused, such as caused:B");
        }
        victim = place.from;
        word = "caused";
    }
    const auto known = valueNamed<CellOrder>(word);
    if (!known || words == "caused") {
        return sim::fail("", fmt::format("--order \"{}\" is not an order of groups", words),
                         "use address, penalty, misses, or caused:PLACE");
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        choice.order = *known;
        choice.victim = victim;
    });
    return {};
}

sim::Expected<void> chooseConflicts(const std::string& words, Session& session) {
    if (words.empty()) return {};
    const auto level = WHORL_TRY(levelNamed(words, session.opened.run->machine()));
    forEachChoice(session,
                  [&](const ViewId&, CellChoice& choice) { choice.conflictLevel = static_cast<std::uint8_t>(level); });
    return {};
}

}  // namespace

void addCellOptions(OptionParser& command, CellOptions& options) {
    command.add(
        "--metric", options.metric,
        "what cells show: accesses, misses:L1, miss-rate:L2, penalty, level, conflicts:L1, …; of live views glow, "
        "last, since, residence, …",
        {.kind = ValueKind::metric});
    command.add("--cell", options.cell, "bytes of a cell of memory, a power of two; without it, a block of L1");
    command.add("--width", options.width, "cells (of a cache: sets) in a row, a power of two; without it, what fits");
    command.add("--pixels", options.pixels, "pixels of a cell; without it, what fits",
                {.limits = Limits<int>{1, scene::CellScale::kMaxPixels}});
    command.add("--groups", options.groups,
                "memory by regions, by address, by page, or in pieces as large as one way of a level (L1, L2)",
                {.kind = ValueKind::level, .among = {"regions", "address", "page"}});
    command.add("--order", options.order,
                "the order of the groups of memory: address, penalty, misses, or caused:PLACE, by the misses that they "
                "caused in the group of that place",
                {.among = {"address", "penalty", "misses", "caused:"}, .after = ValueKind::place});
    command.addFlag("--hilbert", options.hilbert, "memory along a Hilbert curve instead of row by row");
    command.addFlag("--log", options.logarithmic, "a logarithmic scale of the colours of cells");
    command.add("--boundaries", options.boundaries, "L1, L2, pages, several with commas, or none; L1 without it",
                {.commaSeparated = true, .among = {"L1", "L2", "pages", "none"}});
    command.add("--half-life", options.halfLife,
                "accesses after which the glow of live cells is half as bright; 200 without it");
    command.add("--conflicts", options.conflicts,
                "LEVEL: lines from what came into that level to what it evicted; for memory-live",
                {.kind = ValueKind::level});
    command.addFlag("--interleaved", options.interleaved, "the ways of a cache side by side, not an array for each");
}

sim::Expected<void> takeOver(const CellOptions& options, Session& session) {
    if (options.halfLife &&
        !(*options.halfLife >= CellChoice::kMinHalfLife && *options.halfLife <= CellChoice::kMaxHalfLife)) {
        return sim::fail("", fmt::format("--half-life {} is out of range", *options.halfLife),
                         fmt::format("use {} to {} accesses", CellChoice::kMinHalfLife, CellChoice::kMaxHalfLife));
    }
    forEachChoice(session, [&](const ViewId&, CellChoice& choice) {
        if (options.hilbert) choice.curve = scene::MemoryCurve::hilbert;
        if (options.logarithmic) choice.logarithmic = true;
        if (options.interleaved) choice.interleaved = true;
        if (options.halfLife) choice.halfLife = *options.halfLife;
        // A frame shows the arrangement, not the way to it.
        choice.interleavedShare = choice.interleaved ? 1.0f : 0.0f;
    });
    return chooseMetric(options.metric, session)
        .and_then([&] { return chooseSizes(options, session); })
        .and_then([&] { return chooseGroups(options.groups, session); })
        .and_then([&] { return chooseBoundaries(options.boundaries, session); })
        .and_then([&] { return chooseOrder(options.order, session); })
        .and_then([&] { return chooseConflicts(options.conflicts, session); });
}

}  // namespace whorl::app
