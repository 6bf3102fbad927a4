#include "sim/analysis/place_history.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "sim/analysis/miss_fills.h"
#include "sim/replay/replay.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// The stays of blocks, by slot of every cache.
class PlaceStays {
  public:
    PlaceStays(const MachineConfig& machine, std::size_t most) : machine_(machine), most_(most) {
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            open_.emplace_back(machine.caches(l) * machine.levels[l].blocks(), kNone);
        }
    }

    void open(const Event& e, Tick in) {
        if (stays_.size() >= most_) {
            ++leftOut_;
            return;
        }
        openAt(e) = static_cast<std::uint32_t>(stays_.size());
        stays_.push_back({.block = e.block, .in = in, .level = e.level, .cache = e.cache});
    }
    void close(const Event& e, Tick out) {
        const std::uint32_t stay = std::exchange(openAt(e), kNone);
        if (stay != kNone) stays_[stay].out = out;
    }
    void finish(PlaceHistory& history) {
        history.stays = std::move(stays_);
        history.staysLeftOut = leftOut_;
    }

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    std::uint32_t& openAt(const Event& e) {
        const LevelConfig& level = machine_.levels[e.level];
        return open_[e.level][e.cache * level.blocks() + std::size_t{e.set.value} * level.ways + e.way.value];
    }

    const MachineConfig& machine_;
    std::size_t most_;
    std::vector<PlaceStay> stays_;
    std::uint64_t leftOut_ = 0;
    std::vector<std::vector<std::uint32_t>> open_;  ///< by level; by cache, set and way: the stay there
};

/// What both kinds of places share: which stays are of interest, and the list of accesses.
class PlaceObserver : public Observer {
  public:
    PlaceObserver(const Run& run, const Place& place, std::size_t most)
        : machine_(run.machine()), place_(place), most_(most), stays_(machine_, most) {}

    /// Opens the stays of the blocks that are there when the range begins.
    void begin(const Hierarchy& hierarchy) {
        Event e;
        for (std::size_t l = 0; l < hierarchy.levels(); ++l) {
            for (std::uint32_t c = 0; c < hierarchy.caches(l); ++c) {
                const Cache& cache = hierarchy.cache(l, c);
                e.level = static_cast<std::uint8_t>(l);
                e.cache = static_cast<std::uint8_t>(c);
                for (e.set = {}; e.set.value < cache.sets(); ++e.set) {
                    for (e.way = {}; e.way.value < cache.ways(); ++e.way) {
                        if (!cache.isValid(e.set, e.way)) continue;
                        e.block = cache.blockIn(e.set, e.way);
                        if (livesHere(e)) stays_.open(e, Stay::kNever);
                    }
                }
            }
        }
    }
    Wants wants() const final { return Wants::hitsApart; }
    void finish(PlaceHistory& history) {
        history.accesses = std::move(accesses_);
        history.leftOut = leftOut_;
        stays_.finish(history);
    }

  protected:
    /// Whether the stay of a block in a way belongs to the history.
    virtual bool livesHere(const Event& e) const = 0;

    void takeStay(const Event& e, Tick tick) {
        if (e.kind == EventKind::fill && livesHere(e)) stays_.open(e, tick);
        const bool leaves =
            e.kind == EventKind::eviction || e.kind == EventKind::invalidation || e.kind == EventKind::moved;
        if (leaves && livesHere(e)) stays_.close(e, tick);
    }
    void add(const PlaceAccess& access) {
        if (accesses_.size() < most_) {
            accesses_.push_back(access);
        } else {
            ++leftOut_;
        }
    }
    /// The entry for an access that only hit in the nearest level.
    PlaceAccess simply(const Access& a, Tick tick) const {
        return {.tick = tick,
                .address = a.address,
                .block = {},
                .penalty = 0,
                .site = a.site,
                .size = a.size,
                .cpu = a.cpu,
                .write = a.isWrite(),
                .hit = true,
                .counts = countOf(a, machine_) > 0};
    }

    const MachineConfig& machine_;
    const Place place_;

  private:
    std::size_t most_;
    std::vector<PlaceAccess> accesses_;
    std::uint64_t leftOut_ = 0;
    PlaceStays stays_;
};

class MemoryObserver final : public PlaceObserver {
  public:
    using PlaceObserver::PlaceObserver;

    void take(const Batch& batch) override {
        batch.forEachApart(
            [&](std::size_t i) {
                const PackedAccess& access = batch.accesses[i];
                if (isHere(access)) add(simply(access.unpack(), Tick{batch.first.value + i}));
            },
            [&](Tick tick, const PackedAccess& access, std::span<const Event> events) {
                for (const Event& e : events) takeStay(e, tick);
                if (isHere(access) && !access.unrecorded()) add(accessOf(access.unpack(), tick, events));
            });
    }

  private:
    bool isHere(const PackedAccess& access) const {
        return overlap(access.address(), access.size(), place_.from, place_.bytes);
    }
    bool livesHere(const Event& e) const override {
        const std::uint64_t size = machine_.levels[e.level].block;
        return overlap(ByteAddress{e.block.value * size}, size, place_.from, place_.bytes);
    }
    PlaceAccess accessOf(const Access& a, Tick tick, std::span<const Event> events) const {
        PlaceAccess out = simply(a, tick);
        RequestPath path;
        for (const Event& e : events) {
            path.take(e);
            // Memory is level 0 where there is no cache.
            const bool asksFarther = e.kind == EventKind::miss || e.kind == EventKind::memory;
            if (asksFarther && e.demand && e.level == 0) out.hit = false;
            if (e.kind == EventKind::tlbMiss) out.tlbMiss = true;
            if (e.kind == EventKind::pageFault) out.pageFault = true;
        }
        out.served = static_cast<std::uint8_t>(path.servedBy());
        out.penalty = penaltyOf(costOf(events, machine_), a, machine_);
        return out;
    }
};

class CacheCellObserver final : public PlaceObserver {
  public:
    CacheCellObserver(const Run& run, const Place& place, std::size_t most)
        : PlaceObserver(run, place, most),
          level_(machine_.levels[place.level]),
          slot_(place.set.value * level_.ways + place.way.value),
          fills_(level_) {}

    void take(const Batch& batch) override {
        const std::span<const std::uint32_t> ways = batch.events.hits();
        batch.forEachApart(
            [&](std::size_t i) {
                if (place_.level != 0 || ways[i] != slot_) return;
                const Event hit = batch.hitAt(i);
                takeAccess(batch.accesses[i], Tick{batch.first.value + i}, std::span(&hit, 1));
            },
            [&](Tick tick, const PackedAccess& access, std::span<const Event> events) {
                takeAccess(access, tick, events);
            });
    }

  private:
    bool livesHere(const Event& e) const override {
        return e.level == place_.level && e.cache == place_.cache && e.set == place_.set && e.way == place_.way;
    }
    void takeAccess(const PackedAccess& packed, Tick tick, std::span<const Event> events);
    void takeRequest(const Event& request, const Event& at, std::uint8_t served);
    void follow(const Event& e);

    const LevelConfig& level_;
    std::uint32_t slot_;
    // State of the access being taken.
    MissFills fills_;
    std::uint8_t from_ = 0;  ///< the level that supplies a block fetched here without a demand
    std::vector<PlaceAccess> found_;
};

/// Tracks the source of a block that no CPU waits for.
void CacheCellObserver::follow(const Event& e) {
    const bool isHere = e.level == place_.level && e.cache == place_.cache;
    if (isHere && (e.kind == EventKind::miss || e.kind == EventKind::prefetch)) from_ = place_.level;
    const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
    if (!asks || e.demand || e.write || e.level <= place_.level) return;
    from_ = static_cast<std::uint8_t>(e.kind == EventKind::hit ? e.level : e.level + 1);
}

/// Takes a request that hits, or fills, the place; `at`: the hit or the fill.
void CacheCellObserver::takeRequest(const Event& request, const Event& at, std::uint8_t served) {
    PlaceAccess found;
    found.block = at.block;
    found.served = served;
    found.write = request.write;
    found.demand = request.demand;
    found.hit = request.kind == EventKind::hit;
    found_.push_back(found);
}

void CacheCellObserver::takeAccess(const PackedAccess& packed, Tick tick, std::span<const Event> events) {
    const Access access = packed.unpack();
    RequestPath path;
    bool tlbMiss = false;
    bool pageFault = false;
    fills_.begin();
    found_.clear();
    for (const Event& e : events) {
        path.take(e);
        takeStay(e, tick);
        tlbMiss = tlbMiss || e.kind == EventKind::tlbMiss;
        pageFault = pageFault || e.kind == EventKind::pageFault;
        if (e.level == place_.level && e.kind == EventKind::miss) fills_.take(e);
        if (e.kind == EventKind::hit && livesHere(e)) takeRequest(e, e, place_.level);
        if (e.kind == EventKind::fill && e.level == place_.level) {
            const auto miss = fills_.missOf(e);
            // An exclusive level receives the blocks that leave the nearer level.
            const bool isGiven = !miss && level_.inclusion == Inclusion::exclusive;
            const auto served = static_cast<std::uint8_t>(isGiven ? place_.level - 1 : from_);
            if (livesHere(e)) takeRequest(miss.value_or(Event{.kind = EventKind::fill}), e, served);
        }
        follow(e);
    }
    if (access.unrecorded) return;
    Cycles penalty = penaltyOf(costOf(events, machine_), access, machine_);
    for (PlaceAccess found : found_) {
        PlaceAccess out = simply(access, tick);
        out.block = found.block;
        out.write = found.write;
        out.hit = found.hit;
        out.demand = found.demand;
        out.tlbMiss = tlbMiss;
        out.pageFault = pageFault;
        out.served = found.demand ? static_cast<std::uint8_t>(path.servedBy()) : found.served;
        if (found.demand) out.penalty = std::exchange(penalty, 0);
        add(out);
    }
}

template <class Of>
std::shared_ptr<const PlaceHistory> historyBy(const Run& run, const Place& place, Range range, Progress& progress,
                                              std::size_t most) {
    auto history = std::make_shared<PlaceHistory>();
    history->place = place;
    history->range = range;
    history->levels = run.machine().levels.size();
    if (place.kind == Place::Kind::cache) history->blockBytes = run.machine().levels[place.level].block;
    Simulator machine = run.stateAt(range.from);
    progress.start(range.size());
    Of observer(run, place, most);
    observer.begin(machine.hierarchy());
    if (!replay(run.trace(), machine, range, observer, progress)) return nullptr;
    observer.finish(*history);
    return history;
}

}  // namespace

std::shared_ptr<const PlaceHistory> placeHistoryOf(const Run& run, const Place& place, Range range, Progress& progress,
                                                   std::size_t most) {
    return place.kind == Place::Kind::memory ? historyBy<MemoryObserver>(run, place, range, progress, most)
                                             : historyBy<CacheCellObserver>(run, place, range, progress, most);
}

namespace {

/// A row for each key, in the order of first use; nameOf(key) is called once for each.
template <class KeyOf, class NameOf>
std::vector<PlaceRow> rowsBy(const PlaceHistory& history, KeyOf&& keyOf, NameOf&& nameOf) {
    std::vector<PlaceRow> rows;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const PlaceAccess& a : history.accesses) {
        const std::uint64_t key = keyOf(a);
        const auto [at, isNew] = places.try_emplace(key, rows.size());
        if (isNew) {
            rows.push_back({.name = nameOf(key), .first = a.tick});
            rows.back().served.assign(history.levels + 1, 0);
        }
        PlaceRow& row = rows[at->second];
        row.last = a.tick;
        row.penalty += a.penalty;
        if (!a.counts) continue;
        ++row.accesses;
        row.writes += a.write ? 1 : 0;
        ++row.served[a.served];
    }
    return rows;
}

}  // namespace

ByteAddress namingByte(const PlaceHistory& history, const PlaceAccess& access) {
    if (history.place.kind == Place::Kind::memory) return std::max(access.address, history.place.from);
    const ByteAddress base{access.block.value * history.blockBytes};
    const bool isTouched = overlap(access.address, access.size, base, history.blockBytes);
    return isTouched ? std::max(access.address, base) : base;
}

std::vector<PlaceRow> rowsByName(const PlaceHistory& history, const Trace& trace) {
    const std::size_t objects = trace.objects().size();
    // Objects first, then regions, then memory in neither.
    const auto keyOf = [&](const PlaceAccess& a) -> std::uint64_t {
        const ByteAddress byte = namingByte(history, a);
        if (const Object* object = trace.objectAt(byte, a.tick)) {
            return static_cast<std::uint64_t>(object - trace.objects().data());
        }
        return objects + trace.regionAt(byte);
    };
    const auto nameOf = [&](std::uint64_t key) {
        if (key < objects) return trace.objects()[key].name;
        const std::size_t region = key - objects;
        return region < trace.regions().size() ? trace.regions()[region].name : std::string("(no region)");
    };
    return rowsBy(history, keyOf, nameOf);
}

std::vector<PlaceRow> rowsByWord(const PlaceHistory& history, const Trace& trace, std::uint64_t bytes) {
    if (history.place.kind == Place::Kind::cache) return {};
    const std::uint64_t from = history.place.from.value;
    return rowsBy(
        history, [&](const PlaceAccess& a) { return (namingByte(history, a).value - from) / bytes; },
        [&](std::uint64_t word) { return trace.placeOf(ByteAddress{from + word * bytes}, history.range.from); });
}

std::vector<PlaceRow> rowsByLine(const PlaceHistory& history, const Trace& trace) {
    const SourceLines lines(trace);
    return rowsBy(
        history, [&](const PlaceAccess& a) -> std::uint64_t { return lines.of(a.site); },
        [&](std::uint64_t line) {
            return siteName(trace, trace.site(lines.siteOf(static_cast<std::uint32_t>(line))));
        });
}

}  // namespace whorl::sim
