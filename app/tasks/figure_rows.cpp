#include "app/tasks/figure_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/report/report.h"

namespace whorl::app {

namespace {

using Count = std::uint64_t (*)(const sim::CacheCounters&);

class Rows {
  public:
    Rows(const Figures& figures, const sim::MachineConfig& machine) : figures_(figures), machine_(machine) {}

    template <class CellOf>
    void add(std::string_view words, std::string_view help, CellOf&& cellOf, std::optional<std::size_t> kind = {}) {
        FigureRow row{.words = std::string(words), .cells = {}, .help = std::string(help), .kind = kind};
        for (std::size_t l = 0; l < machine_.levels.size(); ++l) row.cells.push_back(cellOf(l));
        rows_.push_back(std::move(row));
    }
    void count(std::string_view words, Count of) {
        add(words, "", [&](std::size_t l) { return sim::grouped(of(figures_.counters.level(l))); });
    }
    /// `always`: also if all counts are 0, as this machine could have others.
    void countIfAny(std::string_view words, bool always, Count of) {
        bool any = always;
        for (std::size_t l = 0; l < machine_.levels.size(); ++l) any |= of(figures_.counters.level(l)) != 0;
        if (any) count(words, of);
    }
    /// The misses by kind, those that are possible on this machine.
    void kinds() {
        for (std::size_t k = 0; k < sim::kMissKinds; ++k) {
            const auto has = [&](const auto& level) { return level[k] != 0; };
            const bool any =
                figures_.kinds != nullptr && std::any_of(figures_.kinds->begin(), figures_.kinds->end(), has);
            if (!canHappen(machine_, static_cast<sim::MissKind>(k)) && !any) continue;
            const auto cell = [&](std::size_t l) {
                return figures_.kinds == nullptr ? kUnknown : sim::grouped((*figures_.kinds)[l][k]);
            };
            add(sim::kMissKindWords[k], "", cell, k);
        }
    }
    /// How many of the bytes filled were used.
    void use() {
        const auto cells = [&](auto&& words) {
            return [this, words](std::size_t l) {
                const bool isKnown = !figures_.stays.empty() && figures_.stays[l].fills > 0;
                return isKnown ? words(figures_.stays[l], machine_.levels[l].block) : kUnknown;
            };
        };
        add("utilization", "share of the filled bytes that were used before their block left, or until the end",
            cells([](const sim::StaySum& stays, std::uint32_t block) {
                return fmt::format("{:.1f} %", 100 * stays.utilization(block));
            }));
        add("  fills to save", "fills that would be unnecessary if all filled bytes were used",
            cells([](const sim::StaySum& stays, std::uint32_t block) {
                return sim::grouped(stays.savedByFullUse(block));
            }));
    }

    std::vector<FigureRow> take() { return std::move(rows_); }

    inline static const std::string kUnknown = "–";

  private:
    const Figures& figures_;
    const sim::MachineConfig& machine_;
    std::vector<FigureRow> rows_;
};

}  // namespace

Figures figuresSoFar(const sim::Run& run, const sim::Snapshot& now, const KindsSoFar* kinds) {
    Figures figures{.counters = now.now.counters(), .cycles = {}};
    for (std::uint32_t cpu = 0; cpu < now.now.machine().cpus; ++cpu) figures.cycles.push_back(now.now.clock(cpu));
    // The use of the blocks filled so far is known once the run is complete.
    const auto uses = run.uses();
    for (std::size_t l = 0; uses != nullptr && l < uses->size(); ++l) {
        figures.stays.push_back((*uses)[l].sumOf(figures.counters.level(l).fills));
    }
    figures.kinds = kinds == nullptr ? nullptr : &kinds->kinds;
    figures.kindsAreOld = kinds == nullptr || static_cast<double>(kinds->at.value) != std::ceil(now.t);
    return figures;
}

Figures figuresIn(const RangeFigures& range) {
    const sim::Measures& measures = range.measures;
    Figures figures{.counters = measures.counters, .cycles = measures.cycles, .kinds = &range.kinds};
    for (std::size_t l = 0; l < measures.machine.levels.size(); ++l) {
        figures.stays.push_back(measures.ledger->staysAt(measures.machine, l));
    }
    return figures;
}

std::vector<FigureRow> figureRows(const Figures& figures, const sim::MachineConfig& machine) {
    Rows rows(figures, machine);
    rows.add("hit rate", "", [&](std::size_t l) {
        const sim::CacheCounters level = figures.counters.level(l);
        return level.accesses() == 0 ? Rows::kUnknown : fmt::format("{:.1f} %", 100 * level.hitRate());
    });
    rows.count("requests", [](const sim::CacheCounters& l) { return l.accesses(); });
    rows.count("hits", [](const sim::CacheCounters& l) { return l.hits(); });
    rows.count("misses", [](const sim::CacheCounters& l) { return l.misses(); });
    rows.kinds();
    rows.use();
    rows.count("evictions", [](const sim::CacheCounters& l) { return l.evictions; });
    rows.count("write-backs", [](const sim::CacheCounters& l) { return l.writebacks; });
    rows.countIfAny("write-throughs", false, [](const sim::CacheCounters& l) { return l.writeThroughs; });
    const bool shared = canHappen(machine, sim::MissKind::falseSharing);
    rows.countIfAny("invalidations", shared, [](const sim::CacheCounters& l) { return l.invalidations; });
    rows.countIfAny("downgrades", shared, [](const sim::CacheCounters& l) { return l.downgrades; });
    rows.countIfAny("upgrades", shared, [](const sim::CacheCounters& l) { return l.upgrades; });
    rows.countIfAny("back-invalidations", false, [](const sim::CacheCounters& l) { return l.backInvalidations; });
    rows.countIfAny("left with page", false, [](const sim::CacheCounters& l) { return l.pagedOut; });
    rows.countIfAny("prefetches", false, [](const sim::CacheCounters& l) { return l.prefetches; });
    return rows.take();
}

std::vector<std::string> figureLines(const Figures& figures, const sim::MachineConfig& machine) {
    std::vector<std::string> lines = sim::trafficInWords(figures.counters, machine);
    const auto words = [](const std::vector<std::uint64_t>& counts) { return sim::grouped(sim::ofAllCpus(counts)); };
    const sim::Counters& counters = figures.counters;
    if (!counters.tlbMisses.empty()) lines.push_back(fmt::format("TLB: {} misses", words(counters.tlbMisses)));
    if (!counters.pageFaults.empty()) {
        lines.push_back(fmt::format("pages: {} faults, {} written back", words(counters.pageFaults),
                                    words(counters.pageWritebacks)));
    }
    return lines;
}

}  // namespace whorl::app
