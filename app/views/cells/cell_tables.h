// The sums over a range that a view of cells shows: requested in the background, first from a sample of a long range,
// then exactly. The last ones are kept until others arrive. And the order of groups of memory by these sums.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/view_settings.h"
#include "app/tasks/task.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/causes.h"
#include "sim/analysis/cell_table.h"
#include "sim/replay/run.h"

namespace whorl::app {

template <class Request, class Table>
class CellTables final : public BackgroundWork {
  public:
    using Shared = std::shared_ptr<const Table>;
    /// Plays the range: cellsOf or cacheCellsOf.
    using Maker = Shared (*)(const sim::Run&, const Request&, sim::Progress&);

    CellTables(TaskRunner& runner, Maker make) : make_(make), coarse_(runner), exact_(runner) {}

    /// Requests the sums, unless they have been; takes what has arrived.
    void ask(const std::shared_ptr<const sim::Run>& run, const Request& request) {
        if (request.range.size() > kLong) {
            Request sampled = request;
            sampled.sample = kSample;
            start(coarse_, run, sampled);
        }
        start(exact_, run, request);
        take(coarse_);
        take(exact_);
    }
    /// The best table so far: for the request, exact or a sample; else for an earlier request. Null if there is none.
    const Shared& table() const { return table_; }
    bool working() const override { return exact_.working() || coarse_.working(); }
    double fraction() const { return exact_.fraction(); }
    void cancel() override {
        coarse_.cancel();
        exact_.cancel();
    }
    std::optional<sim::Error> takeError() override {
        coarse_.takeError();  // the exact one has it, too
        return exact_.takeError();
    }

  private:
    using Query = LatestTask<Request, Shared>;
    static constexpr std::uint64_t kLong = 6'000'000;    ///< accesses from which a sample comes first
    static constexpr std::uint64_t kSample = 2'000'000;  ///< accesses, about a tenth of a second

    void start(Query& query, const std::shared_ptr<const sim::Run>& run, const Request& request) {
        query.ask(request, [run, request, make = make_](sim::Progress& progress) {
            return orCancelled(make(*run, request, progress));
        });
    }
    void take(Query& query) {
        if (!query.update() || !query.answer()) return;
        const Shared& next = *query.answer();
        // A sample never replaces what is exact.
        const bool isLate = table_ && table_->range() == next->range() && table_->share() > next->share();
        if (!isLate) table_ = next;
    }

    Maker make_;
    Query coarse_;
    Query exact_;
    Shared table_;
};

using MemoryTables = CellTables<sim::CellRequest, sim::CellTable>;
using CacheTables = CellTables<sim::CacheCellRequest, sim::CacheCellTable>;

/// The order of groups for CellFlow; empty for the order by address, or while the data is not available. `causes` is
/// needed only for CellOrder::caused, `table` only for the others. Groups that belong to the group before them stay
/// behind it.
std::vector<std::uint32_t> groupOrder(CellOrder order, const scene::MemoryCells& cells, const sim::CellTable* table,
                                      const sim::Causes* causes);

}  // namespace whorl::app
