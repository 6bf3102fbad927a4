#include "sim/analysis/row_losses.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger.h"
#include "sim/trace/recent_objects.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// Sums up losses by row, of one window after the other.
class LossCollector final : public Observer {
  public:
    LossCollector(const Trace& trace, const MachineConfig& machine, const LossRows& rows)
        : trace_(trace),
          machine_(machine),
          objects_(trace),
          ofSite_(trace.sites().size(), kNone),
          ofOwner_(trace.owners().count() + 1, kNone),
          none_{.lines = std::vector<RowLoss>(rows.lines.size(), emptyRow()),
                .owners = std::vector<RowLoss>(rows.owners.size(), emptyRow())},
          now_(none_) {
        const SourceLines lines(trace);
        for (std::uint32_t site = 0; site < ofSite_.size(); ++site) {
            ofSite_[site] = indexIn(rows.lines, lines.of(SiteId{site}));
        }
        for (std::size_t o = 0; o + 1 < ofOwner_.size(); ++o)
            ofOwner_[o] = indexIn(rows.owners, trace.owners().name(o));
    }

    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override {
        batch.forEachApart([](std::size_t) {},
                           [&](Tick t, const PackedAccess& access, std::span<const Event> events) {
                               if (!access.unrecorded()) take(access.unpack(), t, events);
                           });
    }
    WindowLosses takeSums() { return std::exchange(now_, none_); }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    RowLoss emptyRow() const { return {.misses = std::vector<std::uint64_t>(machine_.levels.size(), 0)}; }
    template <class T>
    static std::size_t indexIn(const std::vector<T>& list, const T& value) {
        const auto at = std::find(list.begin(), list.end(), value);
        return at == list.end() ? kNone : static_cast<std::size_t>(at - list.begin());
    }

    void take(const Access& access, Tick tick, std::span<const Event> events) {
        const Cycles lost = penaltyOf(costOf(events, machine_), access, machine_);
        const bool isMiss = std::any_of(events.begin(), events.end(), isCounted);
        if (lost == 0 && !isMiss) return;
        const std::size_t line = ofSite_[access.site.value];
        const std::size_t owner = ofOwner_[trace_.ownerAt(access.address, objects_.at(access.address, tick))];
        now_.lost += lost;
        if (line != kNone) now_.lines[line].lost += lost;
        if (owner != kNone) now_.owners[owner].lost += lost;
        for (const Event& e : events) {
            if (!isCounted(e)) continue;
            if (line != kNone) ++now_.lines[line].misses[e.level];
            // A write-back or a prefetch belongs to the memory of its block.
            const std::size_t whose = e.demand ? owner : ofOwner_[ownerOf(e, tick)];
            if (whose != kNone) ++now_.owners[whose].misses[e.level];
        }
    }
    static bool isCounted(const Event& e) { return e.kind == EventKind::miss && e.counts(); }

    std::uint32_t ownerOf(const Event& e, Tick tick) {
        const std::uint64_t size = machine_.levels[e.level].block;
        const ByteAddress base{e.block.value * size};
        if (const Object* const object = objects_.at(base, tick)) return trace_.ownerOf(*object);
        return trace_.owners().ofRegion(regionOfBlock(trace_, base, size));
    }

    const Trace& trace_;
    const MachineConfig& machine_;
    RecentObjects objects_;
    std::vector<std::size_t> ofSite_;   ///< index into LossRows::lines
    std::vector<std::size_t> ofOwner_;  ///< index into LossRows::owners
    WindowLosses none_;
    WindowLosses now_;
};

}  // namespace

std::optional<std::vector<WindowLosses>> lossesIn(const LossSample& sample, const Trace& trace,
                                                  const MachineConfig& machine, const LossRows& rows,
                                                  Progress& progress) {
    auto future = futureOf(machine, trace, progress);
    if (!future) return std::nullopt;
    Simulator simulator(machine, *std::move(future));
    LossCollector collector(trace, machine, rows);
    progress.start(sample.played());
    std::vector<WindowLosses> out;
    out.reserve(sample.windows().size());
    for (const SampleWindow& window : sample.windows()) {
        if (!replay(trace, simulator, {window.from, window.counted.from}, progress)) return std::nullopt;
        if (!replay(trace, simulator, window.counted, collector, progress)) return std::nullopt;
        out.push_back(collector.takeSums());
    }
    return out;
}

}  // namespace whorl::sim
