#include "sim/analysis/why.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <span>
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

/// The level where the misses that are saved cost most; a miss costs the latency of the next level, or of memory.
/// Misses are by level.
std::optional<std::size_t> levelSaved(const std::vector<std::uint64_t>& now, const std::vector<std::uint64_t>& then,
                                      const MachineConfig& machine) {
    std::optional<std::size_t> most;
    std::pair<Cycles, std::uint64_t> best;
    for (std::size_t l = 0; l < now.size(); ++l) {
        const std::uint64_t saved = now[l] - std::min(now[l], then[l]);
        const bool isLast = l + 1 == machine.levels.size();
        const Cycles beyond = isLast ? machine.memoryLatency : machine.levels[l + 1].latency;
        if (std::pair(saved * beyond, saved) <= best) continue;
        best = {saved * beyond, saved};
        most = l;
    }
    return most;
}

// The shares of the progress that the parts of the work have; trials take the most.
constexpr double kOfMeasures = 0.2;
constexpr double kOfStalls = 0.2;
constexpr double kOfRun = 0.1;
constexpr double kOfSample = 0.1;
constexpr double kOfHints = 0.1;
constexpr double kOfLoops = 0.2;

/// A sample is worth it if it is at most this share of the trace.
constexpr std::uint64_t kWorthSampling = 2;
/// Windows are warm enough if they lose as much as in the whole trace but for this share of it.
constexpr double kWarmEnough = 0.01;
/// If they lose more than this share of it too much, then no warm-up that is worth it is enough.
constexpr double kTooCold = 0.2;
/// How many times longer the next warm-up is.
constexpr std::uint64_t kLonger = 4;

/// Other loops are tried while they make about so many accesses together, the first of them in any case.
constexpr std::uint64_t kMostOfLoops = std::uint64_t{1} << 28;
constexpr std::size_t kLeastLoops = 4;

class WhyMaker {
  public:
    WhyMaker(SharedTrace trace, Measures measures, Stalls stalls, const WhyRequest& request, Progress& progress)
        : trace_(std::move(trace)),
          measures_(std::move(measures)),
          request_(request),
          progress_(progress),
          lines_(*trace_),
          trials_(trace_, whole(), measures_, progress),
          stalls_(std::move(stalls)),
          tallies_(stalls_.tallies),
          sample_{.windows = LossSample(whole()), .before = {}} {}

    Expected<WhyReport> make() {
        if (!playRun()) return stopped();
        WhyReport report{.trace = trace_->name(), .machine = measures_.machine};
        report.cycles = measures_.cyclesOfAll();
        for (std::size_t l = 0; l < measures_.counters.levels(); ++l) {
            report.misses.push_back(measures_.counters.level(l).misses());
        }
        report.lines = lineRows(report);
        report.arrays = arrayRows();
        if (!tryCandidates(report)) return stopped();
        for (auto* rows : {&report.arrays, &report.lines}) {
            for (StallRow& row : *rows) {
                if (!tryCures(row, report.lost)) return stopped();
            }
        }
        if (!findHints(report) || !tryLoops(report)) return stopped();
        report.tried = trials_.played();
        report.played = sample_.windows.played();
        report.waits = waits_;
        report.busiest = busiestFunction(*trace_);
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

    Range whole() const { return {Tick{0}, Tick{trace_->size()}}; }

    /// Plays the run where sharing or waits require it.
    bool playRun() {
        const bool mayWait = trace_->syncs() != nullptr && trace_->syncs()->hasWaits();
        const bool isShared = hasFalseSharing();
        if (!mayWait && !isShared) return true;
        Progress all(progress_, kOfRun);
        all.split();
        const auto run = [&] {
            Progress part(all, 0.4);
            return builtRun(trace_, measures_.machine, part);
        }();
        if (!run) return false;
        if (isShared) {
            Progress part(all, 0.3);
            sharing_ = sharingOf(**run, whole(), part);
            if (!sharing_) return false;
        }
        return !mayWait || findWaits(**run, all);
    }

    bool findWaits(const Run& run, Progress& progress) {
        Progress part(progress, 0.3);
        const auto spent = cyclesSpent(run, whole(), part);
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
        for (const std::size_t line : worst(all, request_.top)) {
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
        for (const std::size_t owner : worst(all, request_.top)) {
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

    /// Finds the candidates of each array once, and plays them all.
    bool tryCandidates(const WhyReport& report) {
        const StallFacts facts = this->facts();
        std::vector<LayoutChanges> all;
        LossRows rows;
        for (const auto* list : {&report.arrays, &report.lines}) {
            for (const StallRow& row : *list) {
                const std::size_t owner = row.array.owner;
                // A row that loses less than a cure must save has no cure.
                if (!isGain(row.lost, report.lost)) continue;
                if (row.line) rows.lines.push_back(*row.line);
                if (!row.line) addNew(rows.owners, row.array.name);
                if (candidates_.contains(owner)) continue;
                for (const LayoutChanges& changes : candidates_[owner] = curesFor(facts, owner)) addNew(all, changes);
            }
        }
        rows_ = rows;
        trials_.watch(rows);
        if (!all.empty() && !request_.exact && !findSample(report.lost)) return false;
        // A sample gives the losses of rows, too; otherwise those with a trial that is kept are played once more.
        const std::size_t more = sample_.before.empty() ? candidates_.size() : 0;
        const double later = kOfHints + (request_.loops.empty() ? 0 : kOfLoops);
        trials_.expect(all.size() + more, 1 - later - progress_.fraction());
        return trials_.playAll(all, request_.run);
    }

    /// Finds windows of a long trace to play instead of it: with longer and longer warm-ups, until what they lose is as
    /// in the whole. Keeps the whole where a sample is hardly shorter. False when cancelled.
    bool findSample(Cycles lost) {
        const auto& levels = measures_.machine.levels;
        const bool looksAhead = std::any_of(levels.begin(), levels.end(),
                                            [](const LevelConfig& level) { return level.policy == Policy::opt; });
        Progress all(progress_, kOfSample);
        SamplePlan plan = request_.plan;
        for (; !looksAhead; plan.warmUp *= kLonger) {
            LossSample windows(*trace_, stalls_, plan);
            if (windows.played() > trace_->size() / kWorthSampling) return true;
            auto before = lossesIn(windows, *trace_, measures_.machine, rows_, all);
            if (!before) return false;
            const double bias = biasOf(windows, *before);
            if (bias > kTooCold) return true;
            if (bias > kWarmEnough) continue;
            sample_ = {.windows = std::move(windows), .before = *std::move(before), .lost = lost, .bias = bias};
            trials_.playOnly(sample_);
            return true;
        }
        return true;
    }

    /// See TrialSample.
    double biasOf(const LossSample& windows, const std::vector<WindowLosses>& found) const {
        std::vector<double> lost;
        std::vector<double> truly;
        for (std::size_t w = 0; w < found.size(); ++w) {
            const std::uint64_t segment = windows.windows()[w].counted.from.value / stalls_.segment;
            lost.push_back(static_cast<double>(found[w].lost));
            truly.push_back(static_cast<double>(stalls_.lostBySegment[segment]));
        }
        const double all = windows.sumOf(truly);
        return all == 0 ? 0.0 : std::abs(windows.sumOf(lost) / all - 1);
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
        const auto sound = grownFor(*with, *trace_);
        if (!sound) return true;  // not every machine may have one
        Progress part(progress_, kOfHints);
        const auto then = lossesIn(sample_.windows, *trace_, *sound, rows_, part);
        if (!then) return false;
        for (auto* rows : {&report.arrays, &report.lines}) {
            for (StallRow& row : *rows) {
                if (!isGain(row.lost, report.lost)) continue;
                const auto lost = [&](const WindowLosses& of) { return static_cast<double>(lossOf(row, of).lost); };
                const double after = sample_.after(lost, *then, static_cast<double>(row.lost)).value;
                row.hints.prefetched = std::max(0.0, 1 - after / static_cast<double>(row.lost));
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

    /// What a row loses in a window.
    const RowLoss& lossOf(const StallRow& row, const WindowLosses& window) const {
        const auto indexIn = [](const auto& list, const auto& what) {
            return static_cast<std::size_t>(std::find(list.begin(), list.end(), what) - list.begin());
        };
        return row.line ? window.lines[indexIn(rows_.lines, *row.line)]
                        : window.owners[indexIn(rows_.owners, row.array.name)];
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
            const auto* const then = trials_.lossesWith(trial.changes);
            if (then == nullptr) return false;
            if (!cures(row, *then, all)) continue;
            row.cure = trial;
            std::vector<std::uint64_t> now;
            std::vector<std::uint64_t> after;
            for (std::size_t l = 0; l < row.misses.size(); ++l) {
                now.push_back(row.missesAt(l));
                after.push_back(row.missesThenAt(l));
            }
            row.savesAt = levelSaved(now, after, measures_.machine);
            break;
        }
        return true;
    }

    /// Runs the program with other loops, where anything is lost. False when cancelled.
    bool tryLoops(WhyReport& report) {
        if (report.lost == 0 || request_.loops.empty()) return true;
        const std::uint64_t affordable = std::max<std::uint64_t>(kLeastLoops, kMostOfLoops / report.accesses);
        const std::size_t all = request_.loops.size();
        const std::size_t count = request_.exact || affordable > all ? all : static_cast<std::size_t>(affordable);
        Progress part(progress_, kOfLoops);
        part.split();
        auto trials = loopTrials(std::span(request_.loops).first(count), measures_.machine, request_.run, part);
        if (!trials) return false;
        for (LoopTrial& trial : *trials) trial.savesAt = levelSaved(report.misses, trial.misses, measures_.machine);
        report.loops = *std::move(trials);
        return true;
    }

    /// Whether the row itself loses less; sets its misses with the cure. A change that saves cycles only elsewhere is
    /// no cure.
    bool cures(StallRow& row, const std::vector<WindowLosses>& then, Cycles all) const {
        row.missesThen.clear();
        for (std::size_t l = 0; l < row.misses.size(); ++l) {
            const auto misses = [&](const WindowLosses& of) { return static_cast<double>(lossOf(row, of).misses[l]); };
            row.missesThen.push_back(sample_.after(misses, then, static_cast<double>(row.missesAt(l))));
        }
        const auto lost = [&](const WindowLosses& of) { return static_cast<double>(lossOf(row, of).lost); };
        const Estimate after = sample_.after(lost, then, static_cast<double>(row.lost));
        return isGain(static_cast<double>(row.lost) - after.value, all);
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
    const WhyRequest& request_;
    Progress& progress_;
    SourceLines lines_;
    LayoutTrials trials_;
    Stalls stalls_;
    const Tallies& tallies_;  ///< of the stalls
    TrialSample sample_;      ///< of a short trace the whole
    LossRows rows_;           ///< those for which layouts are tried
    std::optional<SharingReport> sharing_;
    WaitSums waits_;
    std::map<std::size_t, std::vector<LayoutChanges>> candidates_;  ///< by owner
};

}  // namespace

std::uint64_t StallRow::missesAt(std::size_t level) const {
    return sumAt(misses, level);
}

std::uint64_t StallRow::missesThenAt(std::size_t level) const {
    return level < missesThen.size() ? static_cast<std::uint64_t>(std::llround(missesThen[level].value)) : 0;
}

std::uint64_t StallRow::missesThenWithin(std::size_t level) const {
    return level < missesThen.size() ? static_cast<std::uint64_t>(std::ceil(missesThen[level].within)) : 0;
}

const LoopTrial* WhyReport::loopCure() const {
    const auto cure = std::find_if(loops.begin(), loops.end(), [&](const LoopTrial& trial) {
        return isGain(savedBy(trial), lost) && isGain(static_cast<std::int64_t>(lost - trial.lost), lost);
    });
    return cure == loops.end() ? nullptr : &*cure;
}

Expected<WhyReport> whyOf(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                          const WhyRequest& request, Progress& progress) {
    const MachineConfig grown = WHORL_TRY(grownFor(machine, *trace));
    progress.split();
    std::optional<Expected<Measures>> measures;
    std::optional<Stalls> stalls;
    request.run({[&] {
                     Progress part(progress, kOfMeasures);
                     measures = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, part);
                 },
                 [&] {
                     Progress part(progress, kOfStalls);
                     stalls = stallsOf(*trace, grown, request.plan.segment, part);
                 }});
    if (!*measures) return tl::unexpected((*measures).error());
    if (!stalls) return stopped();
    return WhyMaker(trace, **std::move(measures), *std::move(stalls), request, progress).make();
}

}  // namespace whorl::sim
