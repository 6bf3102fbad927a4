#include "render/scene/cells/cell_measures.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <vector>

#include "sim/base/containers.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::scene {

namespace {

bool isBefore(const CellValues::Entry& a, const CellValues::Entry& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
}

}  // namespace

void CellValues::finish() {
    bool isFirst = true;
    for (std::vector<Entry>& entries : ofGroup_) {
        if (!std::is_sorted(entries.begin(), entries.end(), isBefore)) {
            std::sort(entries.begin(), entries.end(), isBefore);
        }
        for (const Entry& e : entries) {
            most_ = std::max(most_, e.value);
            least_ = std::exchange(isFirst, false) ? e.value : std::min(least_, e.value);
        }
    }
}

std::span<const CellValues::Entry> CellValues::rows(std::uint32_t group, std::uint32_t from, std::uint32_t to) const {
    const std::vector<Entry>& entries = ofGroup_[group];
    const auto rowBefore = [](const Entry& e, std::uint32_t row) { return e.row < row; };
    const auto first = std::lower_bound(entries.begin(), entries.end(), from, rowBefore);
    const auto last = std::lower_bound(first, entries.end(), to, rowBefore);
    return std::span(entries).subspan(static_cast<std::size_t>(first - entries.begin()),
                                      static_cast<std::size_t>(last - first));
}

const CellValues::Entry* CellValues::at(const CellPlace& place) const {
    const std::vector<Entry>& entries = ofGroup_[place.group];
    const Entry wanted{.row = place.row, .column = place.column};
    const auto found = std::lower_bound(entries.begin(), entries.end(), wanted, isBefore);
    return found == entries.end() || isBefore(wanted, *found) ? nullptr : &*found;
}

std::size_t CellValues::size() const {
    std::size_t sum = 0;
    for (const std::vector<Entry>& entries : ofGroup_) sum += entries.size();
    return sum;
}

CellValues CellValues::foldedOnce() const {
    CellValues out(ofGroup_.size());
    for (std::size_t g = 0; g < ofGroup_.size(); ++g) {
        std::vector<Entry>& to = out.ofGroup_[g];
        const std::vector<Entry>& from = ofGroup_[g];
        // Merge the entries of each two rows from left to right.
        for (auto even = from.begin(); even != from.end();) {
            const std::uint32_t row = even->row / 2;
            const auto rowBefore = [](const Entry& e, std::uint32_t r) { return e.row < r; };
            const auto odd = std::lower_bound(even, from.end(), 2 * row + 1, rowBefore);
            const auto end = std::lower_bound(odd, from.end(), 2 * row + 2, rowBefore);
            const std::size_t begin = to.size();
            for (auto a = even, b = odd; a != odd || b != end;) {
                const bool isA = b == end || (a != odd && a->column <= b->column);
                const Entry& e = isA ? *a++ : *b++;
                if (to.size() == begin || to.back().column != e.column / 2) {
                    to.push_back({row, e.column / 2, e.value, e.other});
                    continue;
                }
                to.back().value = std::max(to.back().value, e.value);
                to.back().other = std::max(to.back().other, e.other);
            }
            even = end;
        }
    }
    out.most_ = most_;
    out.least_ = least_;
    return out;
}

const CellValues& FoldedValues::at(int fold) {
    while (folds_.size() <= static_cast<std::size_t>(fold)) folds_.push_back(folds_.back().foldedOnce());
    return folds_[static_cast<std::size_t>(fold)];
}

namespace {

/// The state of a cell, from the accesses that touched it.
struct Seen {
    float hits = 0;
    float misses = 0;
    sim::Tick last;
    std::uint8_t served = 0;
    bool write = false;
    bool hit = false;
};

/// The value of a moment's metric; nothing if the cell does not show it.
std::optional<double> valueOf(const CellQuantity& quantity, const Seen& seen, const CellMoment& moment) {
    switch (quantity.metric) {
        case CellMetric::lastHit:
            return seen.hit ? 0 : 1;
        case CellMetric::since:
            return std::max(0.0, moment.t - static_cast<double>(seen.last.value) - 1);
        case CellMetric::lastLevel:
            return seen.served;
        case CellMetric::lastWrite:
            return seen.write ? 1 : 0;
        default:
            return std::nullopt;
    }
}

/// Collects touches by cell: a number that stands for the cell, such as its address divided by its size.
class SeenCells {
  public:
    Seen& at(std::uint64_t cell) {
        const std::uint32_t id = ids_.of(sim::BlockAddress{cell});
        if (id == cells_.size()) cells_.emplace_back();
        return cells_[id];
    }
    template <class F>
    void forEach(F&& f) const {
        for (std::uint32_t id = 0; id < cells_.size(); ++id) f(ids_.block(id).value, cells_[id]);
    }

  private:
    sim::BlockIds ids_;
    std::vector<Seen> cells_;
};

void addTo(CellValues& values, const CellPlace& place, const CellQuantity& quantity, const Seen& seen,
           const CellMoment& moment) {
    if (quantity.metric == CellMetric::glow) {
        if (seen.hits + seen.misses > 0) values.add(place, seen.hits, seen.misses);
        return;
    }
    if (const auto value = valueOf(quantity, seen, moment)) values.add(place, static_cast<float>(*value));
}

/// The level that each cell is in now.
CellValues residence(const sim::Activity& activity, const MemoryCells& cells) {
    CellValues values(cells.groups().groups.size());
    const sim::Hierarchy& hierarchy = activity.now.hierarchy();
    const std::uint64_t cell = cells.shape().cell;
    SeenCells seen;
    for (std::size_t level = hierarchy.levels(); level-- > 0;) {
        for (std::uint32_t c = 0; c < hierarchy.caches(level); ++c) {
            const sim::Cache& cache = hierarchy.cache(level, c);
            for (std::uint32_t set = 0; set < cache.sets(); ++set) {
                for (std::uint32_t way = 0; way < cache.ways(); ++way) {
                    if (!cache.isValid(sim::SetIndex{set}, sim::WayIndex{way})) continue;
                    const std::uint64_t base =
                        cache.addressOf(cache.blockIn(sim::SetIndex{set}, sim::WayIndex{way})).value;
                    const std::uint64_t last = base + ((std::uint64_t{1} << cache.blockShift()) - 1);
                    for (std::uint64_t i = base / cell; i <= last / cell; ++i) {
                        seen.at(i).served = static_cast<std::uint8_t>(level);
                    }
                }
            }
        }
    }
    seen.forEach([&](std::uint64_t number, const Seen& s) {
        if (const auto place = cells.placeOf(sim::ByteAddress{number * cell})) values.add(*place, s.served);
    });
    values.finish();
    return values;
}

CellValues contents(CellMetric metric, const sim::Cache& cache, const CacheArray& array, const sim::Trace& trace) {
    CellValues values(array.groups().groups.size());
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            const sim::SetIndex set{s};
            const sim::WayIndex way{w};
            if (!cache.isValid(set, way)) continue;
            const CellPlace place = array.placeOf({set, way});
            if (metric == CellMetric::valid) {
                values.add(place, cache.has(set, way, sim::Cache::dirty) ? 1 : 0);
            } else {
                const std::uint64_t size = std::uint64_t{1} << cache.blockShift();
                values.add(place, static_cast<float>(
                                      sim::regionOfBlock(trace, cache.addressOf(cache.blockIn(set, way)), size)));
            }
        }
    }
    values.finish();
    return values;
}

}  // namespace

float lightOf(sim::Tick tick, const CellMoment& moment) {
    const double since = moment.t - static_cast<double>(tick.value);
    if (since <= 0) return 0;
    return static_cast<float>(std::min(1.0, since)) * sim::decayed(std::max(0.0, since - 1), moment.halfLife);
}

std::optional<double> valueOf(const CellQuantity& quantity, const sim::CellTable& table, sim::ByteAddress cell,
                              std::uint64_t bytes, const sim::MachineConfig& machine) {
    const std::size_t level = quantity.level;
    if (quantity.metric == CellMetric::conflicts) {
        return static_cast<double>(table.conflicts(level, cell, bytes));
    }
    const sim::CellSums sums = table.sums(cell, bytes);
    switch (quantity.metric) {
        case CellMetric::accesses:
            return static_cast<double>(sums.accesses);
        case CellMetric::reads:
            return static_cast<double>(sums.reads());
        case CellMetric::writes:
            return static_cast<double>(sums.writes);
        case CellMetric::hits:
            return static_cast<double>(sums.hits[level]);
        case CellMetric::misses:
            return static_cast<double>(sums.misses[level]);
        case CellMetric::missRate:
            return sums.requests(level) == 0 ? std::nullopt : std::optional(sums.missRate(level));
        case CellMetric::penalty:
            return static_cast<double>(sums.penalty);
        case CellMetric::served:
            return sums.accesses == 0 ? std::nullopt
                                      : std::optional(static_cast<double>(sums.mostServed(table.levels())));
        case CellMetric::tlbMisses:
            return static_cast<double>(sums.tlbMisses);
        case CellMetric::pageFaults:
            return static_cast<double>(sums.pageFaults);
        case CellMetric::utilization:
            return sums.stays[level].fills == 0
                       ? std::nullopt
                       : std::optional(sums.stays[level].utilization(machine.levels[level].block));
        default:
            return std::nullopt;
    }
}

std::optional<double> valueOf(CellMetric metric, const sim::CacheCellSums& sums) {
    switch (metric) {
        case CellMetric::accesses:
            return static_cast<double>(sums.requests());
        case CellMetric::hits:
            return static_cast<double>(sums.hits);
        case CellMetric::misses:
        case CellMetric::setMisses:
            return static_cast<double>(sums.misses);
        case CellMetric::missRate:
            return sums.requests() == 0
                       ? std::nullopt
                       : std::optional(static_cast<double>(sums.misses) / static_cast<double>(sums.requests()));
        case CellMetric::penalty:
            return static_cast<double>(sums.penalty);
        case CellMetric::evictions:
            return static_cast<double>(sums.evictions);
        case CellMetric::writebacks:
            return static_cast<double>(sums.writebacks);
        case CellMetric::blocks:
        case CellMetric::setBlocks:
            return static_cast<double>(sums.distinctBlocks);
        default:
            return std::nullopt;
    }
}

CellValues memoryValues(const CellQuantity& quantity, const sim::CellTable& table, const MemoryCells& cells,
                        const sim::MachineConfig& machine) {
    CellValues values(cells.groups().groups.size());
    const std::uint64_t bytes = cells.shape().cell;
    for (std::size_t i = 0; i < table.size();) {
        const std::uint64_t number = table.address(i).value / bytes;
        const sim::ByteAddress cell{number * bytes};
        const auto place = cells.placeOf(cell);
        const auto value = valueOf(quantity, table, cell, bytes, machine);
        if (value && place) values.add(*place, static_cast<float>(*value));
        if (value && !place && *value != 0) values.leaveOut(static_cast<float>(*value));
        const std::uint64_t next = (number + 1) * bytes;
        i = next == 0 ? table.size() : std::max(i + 1, table.from(sim::ByteAddress{next}));
    }
    values.finish();
    return values;
}

CellValues cacheValues(CellMetric metric, const sim::CacheCellTable& table, std::uint32_t cache,
                       const CacheArray& array) {
    CellValues values(array.groups().groups.size());
    const bool ofSet = metric == CellMetric::setMisses || metric == CellMetric::setBlocks;
    for (std::uint32_t s = 0; s < array.shape().sets; ++s) {
        const sim::CacheCellSums inSet = table.ofSet(cache, sim::SetIndex{s});
        for (std::uint32_t w = 0; w < array.shape().ways; ++w) {
            const sim::CacheCellSums& sums = ofSet ? inSet : table.at(cache, sim::SetIndex{s}, sim::WayIndex{w});
            if (sums == sim::CacheCellSums{}) continue;
            const auto value = valueOf(metric, sums);
            if (value) values.add(array.placeOf({sim::SetIndex{s}, sim::WayIndex{w}}), static_cast<float>(*value));
        }
    }
    values.finish();
    return values;
}

CellValues memoryNow(const CellQuantity& quantity, const sim::Activity& activity, const MemoryCells& cells,
                     const CellMoment& moment) {
    if (quantity.metric == CellMetric::residence) return residence(activity, cells);
    const std::uint64_t bytes = cells.shape().cell;
    const bool glows = quantity.metric == CellMetric::glow;
    SeenCells seen;
    for (const sim::Touch& touch : activity.touches) {
        const float light = glows ? lightOf(touch.tick, moment) : 1;
        if (light == 0 || touch.served < quantity.level) continue;
        const bool hit = touch.served == quantity.level;
        const std::uint64_t first = touch.address.value / bytes;
        const std::uint64_t last = (touch.address.value + (touch.size - 1u)) / bytes;
        for (std::uint64_t number = first;; ++number) {
            Seen& cell = seen.at(number);
            (hit ? cell.hits : cell.misses) += light;
            cell.last = touch.tick;
            cell.served = touch.served;
            cell.write = touch.write;
            cell.hit = hit;
            if (number == last) break;
        }
    }
    CellValues values(cells.groups().groups.size());
    seen.forEach([&](std::uint64_t number, const Seen& s) {
        if (const auto place = cells.placeOf(sim::ByteAddress{number * bytes}))
            addTo(values, *place, quantity, s, moment);
    });
    values.finish();
    return values;
}

CellValues cacheNow(CellMetric metric, const sim::Activity& activity, std::size_t level, std::uint32_t cache,
                    const CacheArray& array, const sim::Trace& trace, const CellMoment& moment) {
    if (metric == CellMetric::valid || metric == CellMetric::owner) {
        return contents(metric, activity.now.hierarchy().cache(level, cache), array, trace);
    }
    const bool glows = metric == CellMetric::glow;
    SeenCells seen;
    for (const sim::CacheTouch& touch : activity.cacheTouches) {
        const float light = glows ? lightOf(touch.tick, moment) : 1;
        if (light == 0 || touch.cache != cache) continue;
        Seen& cell = seen.at(touch.slot);
        (touch.hit ? cell.hits : cell.misses) += light;
        cell.last = touch.tick;
        cell.write = touch.write;
        cell.hit = touch.hit;
    }
    CellValues values(array.groups().groups.size());
    const std::uint32_t ways = array.shape().ways;
    seen.forEach([&](std::uint64_t slot, const Seen& s) {
        const CacheArray::Cell cell{sim::SetIndex{static_cast<std::uint32_t>(slot / ways)},
                                    sim::WayIndex{static_cast<std::uint32_t>(slot % ways)}};
        addTo(values, array.placeOf(cell), {metric, 0}, s, moment);
    });
    values.finish();
    return values;
}

}  // namespace whorl::scene
