#include "app/views/cells/cell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/commands/cell_commands.h"
#include "app/session/selection.h"
#include "render/scene/cells/cell_metric.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

class CellControls {
  public:
    CellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine)
        : view_(view),
          display_(*view.cells()),
          context_(context),
          machine_(machine),
          choice_(context.viewSettings.cellsOf(view)) {}

    ViewControls made() {
        addMetric();
        // What changes the meaning of the picture is seen in small tiles, too.
        if (choice_.range) addPin();
        if (display_ == scene::CellDisplay::memoryLive) addConflicts();
        if (scene::isOfMemory(display_)) {
            addBytes();
            addColumns();
            addGroups();
            if (!scene::isLive(display_)) addOrder();
            addBoundaries();
        } else {
            controls_.toggle("interleaved", choice_.interleaved, command::Interleaved{view_, {}},
                             "the ways of a set side by side, or an array for each way");
        }
        if (scene::isLive(display_)) {
            addHalfLife();
        } else {
            controls_.toggle("log", choice_.logarithmic, command::CellLogarithmic{view_, {}},
                             "a logarithmic scale of colours");
            if (!choice_.range) addPin();
        }
        if (scene::isOfMemory(display_)) {
            controls_.toggle("+ pane", false, command::PaneAdd{view_, {}}, "add another memory view");
        }
        return std::move(controls_);
    }

  private:
    void addMetric() {
        const auto quantities = scene::quantitiesOf(display_, machine_);
        const auto now = std::find(quantities.begin(), quantities.end(),
                                   choice_.quantity.value_or(scene::usualQuantity(display_, machine_)));
        const auto optionOf = [&](const scene::CellQuantity& q) {
            return ViewControl::Option{
                scene::isOfMemory(display_) ? inWords(q, machine_) : std::string(scene::kindOf(q.metric).words),
                command::CellMetric{view_, q.metric, q.level}};
        };
        controls_.choose("metric", "what the cells show",
                         {190, optionsOf(quantities, optionOf), static_cast<std::size_t>(now - quantities.begin())});
    }

    void addBytes() {
        const std::uint64_t block = machine_.blockBytes();
        std::vector<std::uint64_t> sizes{0};
        for (std::uint64_t bytes = scene::kMinCell; bytes <= 4096; bytes *= 2) {
            if (bytes != block) sizes.push_back(bytes);
        }
        const auto now = std::find(sizes.begin(), sizes.end(), choice_.cell == block ? 0 : choice_.cell);
        const auto optionOf = [&](std::uint64_t bytes) {
            return ViewControl::Option{fmt::format("{} bytes a cell", bytes == 0 ? block : bytes),
                                       command::CellBytes{view_, bytes}};
        };
        controls_.choose("bytes", "bytes of memory in a cell",
                         {130, optionsOf(sizes, optionOf), static_cast<std::size_t>(now - sizes.begin())});
    }

    void addColumns() {
        std::vector<std::uint32_t> columns{0};
        for (std::uint32_t n = 8; n <= scene::kMaxColumns; n *= 2) columns.push_back(n);
        const auto now = std::find(columns.begin(), columns.end(), choice_.columns);
        const auto optionOf = [&](std::uint32_t n) {
            return ViewControl::Option{n == 0 ? "rows fit" : fmt::format("{} a row", n),
                                       command::CellColumns{view_, n}};
        };
        controls_.choose("columns",
                         "cells in a row; rows that fit are one way of L1 long, or a half, a quarter … of it",
                         {86, optionsOf(columns, optionOf), static_cast<std::size_t>(now - columns.begin())});
    }

    void addGroups() {
        const auto& levels = machine_.levels;
        struct Grouping {
            std::string words;
            scene::MemoryGroups groups;
            std::uint64_t piece;
        };
        std::vector<Grouping> all{{"by region", scene::MemoryGroups::regions, 0},
                                  {"by address", scene::MemoryGroups::address, 0}};
        for (std::size_t l = 0; l < std::min<std::size_t>(2, levels.size()); ++l) {
            const std::uint64_t way = levels[l].wayBytes();
            if (sim::isPowerOfTwo(way)) {
                all.push_back({fmt::format("by {} way", levels[l].name), scene::MemoryGroups::pieces, way});
            }
        }
        all.push_back({"by page", scene::MemoryGroups::pieces, machine_.pageBytes()});
        const auto now = std::find_if(all.begin(), all.end(), [&](const Grouping& g) {
            return g.groups == choice_.groups && (g.groups != scene::MemoryGroups::pieces || g.piece == choice_.piece);
        });
        const auto optionOf = [&](const Grouping& g) {
            const bool pieces = g.groups == scene::MemoryGroups::pieces;
            return ViewControl::Option{
                g.words, command::CellGroups{view_, g.groups, pieces ? std::optional(g.piece) : std::nullopt}};
        };
        controls_.choose("groups", "how cells are grouped",
                         {100, optionsOf(all, optionOf), static_cast<std::size_t>(now - all.begin())});
        std::vector<ViewControl::Option> layouts{{"rows", command::CellCurve{view_, scene::MemoryCurve::linear}},
                                                 {"Hilbert", command::CellCurve{view_, scene::MemoryCurve::hilbert}}};
        if (!scene::isLive(display_)) {
            layouts.push_back({"treemap", command::CellCurve{view_, scene::MemoryCurve::treemap}});
        }
        const std::size_t layout = std::min(static_cast<std::size_t>(choice_.curve), layouts.size() - 1);
        controls_.choose("shape",
                         "rows; a Hilbert curve, which keeps neighbours in memory together; or a treemap, whose boxes "
                         "are regions and allocations, as large as their bytes",
                         {84, std::move(layouts), layout});
    }

    void addOrder() {
        // The group that suffers is that of the selected block.
        const auto victim = context_.marked();
        std::vector<ViewControl::Option> options{{"by address", command::CellOrder{view_, CellOrder::address, {}}},
                                                 {"by penalty", command::CellOrder{view_, CellOrder::penalty, {}}},
                                                 {"by misses", command::CellOrder{view_, CellOrder::misses, {}}}};
        if (victim || choice_.order == CellOrder::caused) {
            options.push_back({"by misses caused there", command::CellOrder{view_, CellOrder::caused, victim}});
        }
        controls_.choose("order", "the order of the groups; misses caused there: in the group of the selected block",
                         {110, std::move(options), static_cast<std::size_t>(choice_.order)});
    }

    void addBoundaries() {
        const auto ofWay = [&](std::size_t level, bool on, CellEdge edge) {
            if (level >= machine_.levels.size()) return;
            controls_.toggle(machine_.levelName(level), on, command::CellBoundary{view_, edge, {}},
                             fmt::format("boundaries at multiples of the way size of {}", machine_.levelName(level)));
        };
        ofWay(0, choice_.boundaries, CellEdge::l1);
        ofWay(1, choice_.boundaries2, CellEdge::l2);
        controls_.toggle("pages", choice_.pages, command::CellBoundary{view_, CellEdge::pages, {}},
                         "boundaries of pages");
    }

    void addHalfLife() {
        controls_.slide("half-life", "the accesses after which the glow is half as bright",
                        {.width = 130,
                         .now = static_cast<float>(choice_.halfLife),
                         .least = static_cast<float>(CellChoice::kMinHalfLife),
                         .most = static_cast<float>(CellChoice::kMaxHalfLife),
                         .format = "half-life %.0f",
                         .commandFor = [view = view_](float accesses) {
                             return command::HalfLife{view, static_cast<double>(accesses)};
                         }});
    }

    void addConflicts() {
        const std::string help = "lines of conflict: from a filled block to the block it evicted";
        const auto& now = choice_.conflictLevel;
        if (machine_.levels.size() == 1) {
            const auto level = now ? std::nullopt : std::optional<std::uint8_t>(0);
            controls_.toggle("conflict lines", now.has_value(), command::ConflictLines{view_, level}, help);
            return;
        }
        std::vector<ViewControl::Option> options{{"no lines", command::ConflictLines{view_, {}}}};
        options.reserve(1 + machine_.levels.size());
        for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
            options.push_back({fmt::format("{} lines", machine_.levels[l].name),
                               command::ConflictLines{view_, static_cast<std::uint8_t>(l)}});
        }
        controls_.choose("conflicts", help, {84, std::move(options), now ? *now + 1u : 0u});
    }

    void addPin() {
        if (choice_.range) {
            controls_.toggle("pinned ×", true, command::ViewRangeOff{view_},
                             fmt::format("this view stays at {}; click to follow the selected range again",
                                         inWords(*choice_.range)));
        } else if (context_.range) {
            controls_.toggle("pin", false, command::ViewRange{view_, context_.range->from, context_.range->to},
                             "keep this view at the selected range");
        }
    }

    ViewId view_;
    scene::CellDisplay display_;
    const RunContext& context_;
    const sim::MachineConfig& machine_;
    const CellChoice& choice_;
    ViewControls controls_;
};

}  // namespace

ViewControls cellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine) {
    return CellControls(view, context, machine).made();
}

namespace {

using sim::grouped;

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::string addressLine(const sim::Place& cell) {
    return fmt::format("{} bytes at {:#x}", grouped(cell.bytes), cell.from.value);
}

/// The names of regions, a few of many.
std::string namesOf(const std::vector<std::uint32_t>& regions, const sim::Trace& trace) {
    constexpr std::size_t kMax = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMax, regions.size()); ++i) {
        const bool known = regions[i] < trace.regions().size();
        names += (names.empty() ? "" : ", ") + (known ? trace.regions()[regions[i]].name : "(no region)");
    }
    return regions.size() > kMax ? names + ", …" : names;
}

}  // namespace

std::vector<std::string> describeMemory(const sim::Place& cell, const sim::CellTable& table, const DescribedWith& with,
                                        const sim::Range& range) {
    const sim::MachineConfig& machine = with.machine;
    std::vector<std::string> lines{inWords(cell, with.trace, machine, range.from), addressLine(cell)};
    const sim::CellSums sums = table.sums(cell.from, cell.bytes);
    const bool isIdle = sums == sim::CellSums{};
    if (!isIdle) {
        lines.push_back(fmt::format("accesses {}: {} reads, {} writes", grouped(sums.accesses), grouped(sums.reads()),
                                    grouped(sums.writes)));
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const auto regions = table.conflictingRegions(l, cell.from, cell.bytes);
        if (sums.requests(l) == 0 && regions.empty()) continue;
        std::string line = fmt::format("{}: {} hits, {} misses ({})", machine.levels[l].name, grouped(sums.hits[l]),
                                       grouped(sums.misses[l]), percent(sums.missRate(l)));
        const sim::StaySum& stays = sums.stays[l];
        if (stays.fills > 0) {
            line += fmt::format(", {} of its bytes used", percent(stays.utilization(machine.levels[l].block)));
        }
        lines.push_back(std::move(line));
        if (!regions.empty()) {
            lines.push_back(fmt::format("    conflicts with {}: {}", sim::counted(regions.size(), "region", "regions"),
                                        namesOf(regions, with.trace)));
        }
    }
    if (isIdle) {
        // A block that was there before the range may have lost its place in it.
        lines.emplace_back("not accessed in this range");
        return lines;
    }
    lines.push_back(
        fmt::format("miss penalty {} cycles, of {} access cycles", grouped(sums.penalty), grouped(sums.cycles)));
    if (sums.accesses > 0) {
        lines.push_back("mostly served by " + machine.levelName(sums.mostServed(machine.levels.size())));
    }
    if (machine.tlb.entries > 0) lines.push_back(fmt::format("TLB misses {}", grouped(sums.tlbMisses)));
    if (machine.memory.isBounded()) lines.push_back(fmt::format("page faults {}", grouped(sums.pageFaults)));
    if (table.share() < 1) lines.push_back(fmt::format("estimated from {} of the accesses", percent(table.share())));
    return lines;
}

std::vector<std::string> describeCache(const sim::Place& cell, const sim::CacheCellTable& table,
                                       const DescribedWith& with) {
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, table.range().from)};
    const sim::CacheCellSums& sums = table.at(cell.cache, cell.set, cell.way);
    lines.push_back(fmt::format("requests {}: {} hits, {} misses", grouped(sums.requests()), grouped(sums.hits),
                                grouped(sums.misses)));
    lines.push_back(fmt::format("{} evictions, {} written back", grouped(sums.evictions), grouped(sums.writebacks)));
    lines.push_back(sim::counted(sums.distinctBlocks, "distinct block", "distinct blocks") + " lived here");
    lines.push_back(fmt::format("miss penalty {} cycles", grouped(sums.penalty)));
    if (table.share() < 1) lines.push_back(fmt::format("estimated from {} of the accesses", percent(table.share())));
    return lines;
}

namespace {

/// "a ×12, b ×4": the most frequent of them.
std::string mostOf(std::vector<std::pair<std::string, std::uint64_t>> counts) {
    constexpr std::size_t kMax = 5;
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string words;
    for (std::size_t i = 0; i < std::min(kMax, counts.size()); ++i) {
        words += fmt::format("{}{} ×{}", words.empty() ? "" : ", ", counts[i].first, grouped(counts[i].second));
    }
    return counts.size() > kMax ? words + ", …" : words;
}

std::vector<std::pair<std::string, std::uint64_t>> counted(const std::vector<sim::PlaceRow>& rows) {
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    counts.reserve(rows.size());
    for (const sim::PlaceRow& row : rows) counts.emplace_back(row.name, row.accesses);
    return counts;
}

}  // namespace

std::vector<std::string> describeUse(const sim::PlaceHistory& history, const sim::Trace& trace) {
    if (history.accesses.empty()) return {};
    const std::string of = history.leftOut > 0 ? " (of the first accesses)" : "";
    return {fmt::format("names{}: {}", of, mostOf(counted(rowsByName(history, trace)))),
            fmt::format("lines{}: {}", of, mostOf(counted(rowsByLine(history, trace))))};
}

std::string describeConflicts(const sim::Place& cell, const sim::Activity& activity, std::uint8_t level,
                              const DescribedWith& with, const scene::CellMoment& moment) {
    if (level >= with.machine.levels.size()) return {};
    const std::uint64_t block = with.machine.levels[level].block;
    const std::size_t region = with.trace.regionAt(cell.from);
    const auto regionOf = [&](sim::BlockAddress b) {
        return sim::regionOfBlock(with.trace, sim::ByteAddress{b.value * block}, block);
    };
    const auto nameOf = [&](std::size_t r) {
        return r < with.trace.regions().size() ? with.trace.regions()[r].name : "(no region)";
    };
    std::map<std::size_t, std::uint64_t> out;
    std::map<std::size_t, std::uint64_t> in;
    for (const sim::Replacement& r : activity.replacements) {
        if (r.level != level || lightOf(r.tick, moment) == 0) continue;
        if (regionOf(r.in) == region) ++out[regionOf(r.out)];
        if (regionOf(r.out) == region) ++in[regionOf(r.in)];
    }
    if (out.empty() && in.empty()) return {};
    const auto words = [&](const std::map<std::size_t, std::uint64_t>& counts) {
        std::vector<std::pair<std::string, std::uint64_t>> named;
        named.reserve(counts.size());
        for (const auto& [r, n] : counts) named.emplace_back(nameOf(r), n);
        return named.empty() ? std::string("nothing") : mostOf(std::move(named));
    };
    return fmt::format("{} lines of {}: it took the place of {}, and gave way to {}", with.machine.levels[level].name,
                       nameOf(region), words(out), words(in));
}

namespace {

/// "read by CPU 0 by access 120, 35 accesses ago: a miss served by memory".
std::string lastTouch(const sim::Touch& touch, const sim::Tick now, const sim::MachineConfig& machine) {
    const std::uint64_t ago = now.value - touch.tick.value - 1;
    return fmt::format(
        "last {} by access {}{}, {}: {}", touch.write ? "written" : "read", grouped(touch.tick.value),
        machine.cpus > 1 ? fmt::format(" of CPU {}", touch.cpu) : "",
        ago == 0 ? std::string("the newest") : grouped(ago) + " accesses ago",
        touch.served == 0 ? "a hit in " + machine.levelName(0) : "served by " + machine.levelName(touch.served));
}

/// Which caches hold the first block of a cell.
std::string whereabouts(const sim::Place& cell, const sim::Hierarchy& hierarchy) {
    std::string in;
    const sim::MachineConfig& machine = hierarchy.machine();
    for (std::size_t l = 0; l < hierarchy.levels(); ++l) {
        for (std::uint32_t c = 0; c < hierarchy.caches(l); ++c) {
            const sim::Cache& cache = hierarchy.cache(l, c);
            if (!cache.holds(cache.blockOf(cell.from))) continue;
            in += (in.empty() ? "" : ", ") + cacheInWords(machine, l, c);
        }
    }
    return in.empty() ? "now in memory only" : "now in " + in;
}

std::vector<std::string> describeMemoryNow(const sim::Place& cell, const sim::Activity& activity,
                                           const DescribedWith& with) {
    const sim::Tick now = activity.begun();
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, now), addressLine(cell)};
    lines.push_back(whereabouts(cell, activity.now.hierarchy()));
    const auto touched = std::find_if(activity.touches.rbegin(), activity.touches.rend(), [&](const sim::Touch& t) {
        return sim::overlap(t.address, t.size, cell.from, cell.bytes);
    });
    lines.push_back(touched == activity.touches.rend()
                        ? fmt::format("not accessed in the last {} accesses", grouped(now.value - activity.from.value))
                        : lastTouch(*touched, now, with.machine));
    return lines;
}

std::vector<std::string> describeCacheNow(const sim::Place& cell, const sim::Activity& activity,
                                          const DescribedWith& with) {
    std::vector<std::string> lines{inWords(cell, with.trace, with.machine, activity.begun())};
    const sim::Cache& cache = activity.now.hierarchy().cache(cell.level, cell.cache);
    if (!cache.isValid(cell.set, cell.way)) {
        lines.emplace_back("empty");
        return lines;
    }
    const sim::BlockAddress block = cache.blockIn(cell.set, cell.way);
    const sim::ByteAddress base = cache.addressOf(block);
    lines.push_back(fmt::format("holds {}, {}", with.trace.placeOf(base, activity.begun()),
                                cache.has(cell.set, cell.way, sim::Cache::dirty) ? "dirty" : "clean"));
    const std::uint32_t slot = cell.set.value * cache.ways() + cell.way.value;
    const auto touched =
        std::find_if(activity.cacheTouches.rbegin(), activity.cacheTouches.rend(),
                     [&](const sim::CacheTouch& t) { return t.slot == slot && t.cache == cell.cache; });
    lines.push_back(
        touched == activity.cacheTouches.rend()
            ? fmt::format("not requested in the last {} accesses",
                          grouped(activity.begun().value - activity.from.value))
            : fmt::format("last {} by access {}", touched->hit ? "hit" : "filled", grouped(touched->tick.value)));
    return lines;
}

}  // namespace

std::vector<std::string> describeNow(const sim::Place& cell, const sim::Activity& activity, const DescribedWith& with) {
    return cell.kind == sim::Place::Kind::memory ? describeMemoryNow(cell, activity, with)
                                                 : describeCacheNow(cell, activity, with);
}

}  // namespace whorl::app
