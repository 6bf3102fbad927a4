#include "sim/analysis/why.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/layout_trials.h"
#include "sim/analysis/owner_shape.h"
#include "sim/analysis/stalls.h"
#include "sim/analysis/why_cures.h"
#include "sim/replay/measuring.h"
#include "sim/replay/run.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

using Tallies = std::vector<StallTally>;
using SharedTrace = std::shared_ptr<const Trace>;

tl::unexpected<Error> stopped() {
    return tl::unexpected(Error::byUser());
}

/// Adds a row of the ledger.
void addTally(StallRow& row, const TallyTable& sums, std::size_t at, const MachineConfig& machine) {
    row.accesses += sums.accesses(at);
    row.cycles += sums.cycles(at);
    row.lost += sums.cycles(at) - sums.accesses(at) * machine.lookUp();
    row.misses.resize(sums.levels());
    row.stays.resize(sums.levels());
    for (std::size_t l = 0; l < sums.levels(); ++l) {
        row.stays[l] += sums.stays(at, l);
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            row.misses[l][k] += sums.misses(at, l, static_cast<MissKind>(k));
        }
    }
}

std::uint64_t sumAt(const std::vector<KindCounts>& misses, std::size_t level) {
    return level < misses.size() ? std::accumulate(misses[level].begin(), misses[level].end(), std::uint64_t{0}) : 0;
}

/// The numbers of the rows that lose most, the most first.
std::vector<std::size_t> worst(const std::vector<StallRow>& rows, std::size_t top) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t r) { return rows[r].lost == 0; });
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rows[a].lost > rows[b].lost; });
    order.resize(std::min(order.size(), top));
    return order;
}

/// The type of the elements of an owner's memory; null: unknown.
const ElementType* typeOf(const Trace& trace, std::size_t owner) {
    for (const std::uint32_t o : trace.owners().objects(owner)) {
        if (trace.objects()[o].type) return trace.objects()[o].type.get();
    }
    return owner < trace.regions().size() ? trace.regions()[owner].type.get() : nullptr;
}

/// The fields of the memory that a tally uses; none if it has accesses to several fields at once, which are not counted
/// apart.
std::vector<std::string> usedFields(const StallTally& tally, const Trace& trace) {
    std::vector<std::string> names;
    const ElementType* const type = typeOf(trace, tally.owner);
    if (tally.spanning > 0 || type == nullptr || type->fields.size() < tally.fields.size()) return names;
    for (std::size_t f = 0; f < tally.fields.size(); ++f) {
        if (tally.fields[f] == 0) continue;
        const std::string& name = type->fields[f].name;
        names.push_back(name.empty() ? "an unnamed one" : name);
    }
    return names;
}

/// The level where the misses that a cure saves cost most; a miss costs the latency of the next level, or of memory.
std::optional<std::size_t> levelSaved(const StallRow& row, const MachineConfig& machine) {
    std::optional<std::size_t> most;
    std::pair<Cycles, std::uint64_t> best;
    for (std::size_t l = 0; l < row.misses.size(); ++l) {
        const std::uint64_t saved = row.missesAt(l) - std::min(row.missesAt(l), row.missesThenAt(l));
        const bool isLast = l + 1 == machine.levels.size();
        const Cycles beyond = isLast ? machine.memoryLatency : machine.levels[l + 1].latency;
        if (std::pair(saved * beyond, saved) <= best) continue;
        best = {saved * beyond, saved};
        most = l;
    }
    return most;
}

class WhyMaker {
  public:
    /// Replays besides those for cures: a ledger, the stalls, the run, the sharing, the waits, the prefetcher.
    static constexpr std::size_t kParts = 6;

    WhyMaker(SharedTrace trace, Measures measures, std::size_t top, Progress& progress)
        : trace_(std::move(trace)),
          measures_(std::move(measures)),
          top_(top),
          progress_(progress),
          lines_(*trace_),
          trials_(trace_, {Tick{0}, Tick{trace_->size()}}, measures_, progress) {}

    Expected<WhyReport> make() {
        progress_.startPart(1, kParts);
        auto tallies = stallsOf(*trace_, measures_.machine, progress_);
        if (!tallies) return stopped();
        tallies_ = *std::move(tallies);
        if (!playRun()) return stopped();
        WhyReport report{.trace = trace_->name(), .machine = measures_.machine};
        report.cycles = measures_.cyclesOfAll();
        report.lines = lineRows(report);
        report.arrays = arrayRows();
        findCandidates(report);
        for (auto* rows : {&report.arrays, &report.lines}) {
            for (StallRow& row : *rows) {
                if (!tryCures(row, report.lost)) return stopped();
            }
        }
        if (!findHints(report)) return stopped();
        report.tried = trials_.played();
        report.waits = waits_;
        return report;
    }

  private:
    bool hasFalseSharing() const {
        const auto& levels = measures_.machine.levels;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            if (measures_.ledger->misses(measures_.machine, l, MissKind::falseSharing) > 0) return true;
        }
        return false;
    }

    /// Plays the run where sharing or waits require it.
    bool playRun() {
        const bool mayWait = trace_->syncs() != nullptr && trace_->syncs()->hasWaits();
        const bool isShared = hasFalseSharing();
        if (!mayWait && !isShared) return true;
        const Range all{Tick{0}, Tick{trace_->size()}};
        progress_.startPart(2, kParts);
        const auto run = builtRun(trace_, measures_.machine, progress_);
        if (!run) return false;
        progress_.startPart(3, kParts);
        if (isShared) sharing_ = sharingOf(**run, all, progress_);
        if (isShared && !sharing_) return false;
        progress_.startPart(4, kParts);
        return !mayWait || findWaits(**run, all);
    }

    bool findWaits(const Run& run, Range all) {
        const auto spent = cyclesSpent(run, all, progress_);
        if (!spent) return false;
        const CycleClasses classes(measures_.machine);
        for (const std::vector<Cycles>& ofCpu : *spent) {
            waits_.atLocks += ofCpu[classes.locks()];
            waits_.atBarriers += ofCpu[classes.barriers()];
            waits_.ofAll += std::accumulate(ofCpu.begin(), ofCpu.end(), Cycles{0});
        }
        return true;
    }

    /// Sums up the tallies for which `isWanted` holds. Returns the one that loses most; null if there is none.
    template <class F>
    const StallTally* mostOf(StallTally& sum, F&& isWanted) const {
        const StallTally* most = nullptr;
        for (const StallTally& tally : tallies_) {
            if (!isWanted(tally)) continue;
            sum += tally;
            if (most == nullptr || tally.lost > most->lost) most = &tally;
        }
        return most;
    }

    std::vector<StallRow> lineRows(WhyReport& report) {
        std::vector<StallRow> all(lines_.size());
        const TallyTable& sums = measures_.ledger->sites;
        for (std::uint32_t site = 0; site < sums.rows(); ++site) {
            addTally(all[lines_.of(SiteId{site})], sums, site, measures_.machine);
        }
        for (const StallRow& row : all) {
            report.accesses += row.accesses;
            report.lost += row.lost;
        }
        std::vector<StallRow> rows;
        for (const std::size_t line : worst(all, top_)) {
            StallRow& row = rows.emplace_back(std::move(all[line]));
            row.line = static_cast<std::uint32_t>(line);
            row.name = lineName(*row.line);
            StallTally sum;
            const StallTally* const most = mostOf(sum, [&](const StallTally& tally) { return tally.line == line; });
            row.stride = sum.strides.summary();
            if (most != nullptr) row.array = useOf(*most, *most);
        }
        return rows;
    }

    std::vector<StallRow> arrayRows() {
        const TallyTable& sums = measures_.ledger->owners;
        std::vector<StallRow> all(trace_->owners().count());
        for (std::size_t r = 0; r < all.size(); ++r) addTally(all[r], sums, r, measures_.machine);
        std::vector<StallRow> rows;
        for (const std::size_t owner : worst(all, top_)) {
            StallRow& row = rows.emplace_back(std::move(all[owner]));
            row.name = trace_->owners().name(owner);
            StallTally sum{.owner = owner};
            const auto* const most = mostOf(sum, [&](const StallTally& tally) { return tally.owner == owner; });
            row.stride = sum.strides.summary();
            if (most != nullptr) row.array = useOf(sum, *most);
        }
        return rows;
    }

    std::string lineName(std::uint32_t line) const { return siteName(*trace_, trace_->site(lines_.siteOf(line))); }

    /// `most`: the tally of the line that loses most.
    ArrayUse useOf(const StallTally& sum, const StallTally& most) const {
        ArrayUse use{.owner = sum.owner,
                     .name = {},
                     .accesses = sum.accesses,
                     .lost = sum.lost,
                     .stride = most.strides.summary(),
                     .spanning = sum.spanning,
                     .fields = sum.fields.size(),
                     .line = lineName(most.line),
                     .used = usedFields(most, *trace_)};
        if (sum.owner >= trace_->owners().count()) return use;
        use.name = trace_->owners().name(sum.owner);
        const auto gathering = gathered(*trace_, sum.owner);
        use.hasName = gathering && !gathering->empty();
        if (sum.owner >= trace_->regions().size() || use.hasName) return use;
        const Region& region = trace_->regions()[sum.owner];
        use.hasName = namedFor(*trace_, sum.owner, {.kind = LayoutChange::Kind::shift, .thing = {}}).has_value();
        const auto step = static_cast<std::uint64_t>(std::llabs(use.stride.bytes));
        const bool isConstant = use.stride.stride == StrideClass::constant;
        use.isByColumns = isConstant && region.columns > 1 && step % (region.columns * region.elementSize) == 0;
        use.alternates = alternates(region);
        return use;
    }

    /// Finds the candidates of each array once, so that the number of trials is known for the progress.
    void findCandidates(const WhyReport& report) {
        const StallFacts facts = this->facts();
        // One more for the ledger with a trial that is kept.
        std::size_t count = 1;
        for (const auto* rows : {&report.arrays, &report.lines}) {
            for (const StallRow& row : *rows) {
                const std::size_t owner = row.array.owner;
                // A row that loses less than a cure must save has no cure.
                if (!isGain(row.lost, report.lost) || candidates_.contains(owner)) continue;
                count += candidates_.emplace(owner, curesFor(facts, owner)).first->second.size();
            }
        }
        trials_.expect(count, kParts);
    }

    StallFacts facts() const { return {*trace_, measures_, tallies_, sharing_ ? &*sharing_ : nullptr}; }

    /// Finds what might help besides layouts, for rows that lose enough for a cure. False when cancelled.
    bool findHints(WhyReport& report) {
        for (auto* rows : {&report.arrays, &report.lines}) {
            for (StallRow& row : *rows) {
                if (!isGain(row.lost, report.lost)) continue;
                if (!row.line) row.hints = hintsFor(facts(), row.array.owner);
                row.hints.firstTouches = firstTouchesOf(row);
            }
        }
        const auto with = prefetching(measures_.machine);
        if (!with || report.lost == 0) return true;
        progress_.startPart(kParts - 1, kParts);
        const auto then = measure(trace_, *with, {Tick{0}, Tick{trace_->size()}}, true, progress_);
        // Not every machine may have one.
        if (!then) return !then.error().cancelled;
        for (auto* rows : {&report.arrays, &report.lines}) {
            for (StallRow& row : *rows) {
                const Cycles lost = playedRow(row, *then->ledger, trace_->owners()).lost;
                if (!isGain(row.lost, report.lost) || lost >= row.lost) continue;
                row.hints.prefetched = static_cast<double>(row.lost - lost) / static_cast<double>(row.lost);
            }
        }
        return true;
    }

    /// The share of a row's stall cycles that fetching memory takes that no cache had before.
    std::optional<double> firstTouchesOf(const StallRow& row) const {
        if (row.misses.empty()) return std::nullopt;
        const std::uint64_t first = row.misses.back()[static_cast<std::size_t>(MissKind::compulsory)];
        const auto cost = static_cast<double>(first * measures_.machine.memoryLatency);
        return std::min(1.0, cost / static_cast<double>(row.lost));
    }

    /// The figures of a row in another ledger. Owners have other numbers where blocks are gathered, but the same names.
    StallRow playedRow(const StallRow& row, const Ledger& ledger, const Owners& owners) const {
        StallRow after;
        for (std::size_t owner = 0; !row.line && owner < owners.count(); ++owner) {
            if (owners.name(owner) == row.array.name) addTally(after, ledger.owners, owner, measures_.machine);
        }
        for (std::uint32_t site = 0; row.line && site < ledger.sites.rows(); ++site) {
            if (lines_.of(SiteId{site}) == *row.line) addTally(after, ledger.sites, site, measures_.machine);
        }
        return after;
    }

    /// Tries the candidates for a row that loses `all` stall cycles with the others. False when cancelled.
    bool tryCures(StallRow& row, Cycles all) {
        if (!isGain(row.lost, all)) return true;
        const auto keep = [&](std::size_t, const Trial& trial) { row.tried.push_back(trial); };
        if (!trials_.tryAll({candidates_.at(row.array.owner)}, keep)) return false;
        std::stable_sort(row.tried.begin(), row.tried.end(), [](const Trial& a, const Trial& b) {
            return std::tuple(a.cycles, b.padding) > std::tuple(b.cycles, a.padding);
        });
        for (const Trial& trial : row.tried) {
            if (!isGain(trial.cycles, all)) break;
            const auto then = trials_.playedWith(trial.changes);
            if (then == nullptr) return false;
            if (!cures(row, *then, all)) continue;
            row.cure = trial;
            row.savesAt = levelSaved(row, measures_.machine);
            break;
        }
        return true;
    }

    /// Whether the row itself loses less; sets its misses with the cure. A change that saves cycles only elsewhere is
    /// no cure.
    bool cures(StallRow& row, const LayoutTrials::Played& then, Cycles all) const {
        StallRow after = playedRow(row, *then.ledger, then.owners);
        row.missesThen = std::move(after.misses);
        return after.lost < row.lost && isGain(row.lost - after.lost, all);
    }

    /// Whether neighbours in a region belong to different CPUs.
    bool alternates(const Region& region) const {
        if (!sharing_) return false;
        return std::any_of(sharing_->groups.begin(), sharing_->groups.end(), [&](const SharingGroup& group) {
            return std::any_of(group.alternating.begin(), group.alternating.end(),
                               [&](std::size_t thing) { return region.contains(sharing_->things[thing].base); });
        });
    }

    SharedTrace trace_;
    Measures measures_;
    std::size_t top_;
    Progress& progress_;
    SourceLines lines_;
    LayoutTrials trials_;
    Tallies tallies_;
    std::optional<SharingReport> sharing_;
    WaitSums waits_;
    std::map<std::size_t, std::vector<LayoutChanges>> candidates_;  ///< by owner
};

}  // namespace

std::uint64_t StallRow::missesAt(std::size_t level) const {
    return sumAt(misses, level);
}

std::uint64_t StallRow::missesThenAt(std::size_t level) const {
    return sumAt(missesThen, level);
}

Expected<WhyReport> whyOf(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, std::size_t top,
                          Progress& progress) {
    progress.startPart(0, WhyMaker::kParts);
    auto measures = WHORL_TRY(measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, progress));
    return WhyMaker(trace, std::move(measures), top, progress).make();
}

}  // namespace whorl::sim
