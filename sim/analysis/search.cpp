#include "sim/analysis/search.h"
#include "sim/replay/replay.h"

#include <algorithm>

namespace whorl::sim {

namespace {

bool isTransfer(EventKind kind) {
    return kind == EventKind::invalidation || kind == EventKind::downgrade;
}

class EventMatcher {
  public:
    EventMatcher(const EventQuery& query, const Trace& trace, const MachineConfig& machine)
        : query_(query), trace_(trace), machine_(machine) {}

    /// Whether a chunk with this outline may contain a match.
    bool mayBeIn(const Outline& outline) const {
        const auto anyLevel = [&](EventKind kind) {
            for (std::size_t i = 0; i < machine_.levels.size(); ++i) {
                const auto l = static_cast<std::uint8_t>(i);
                if ((!query_.level || *query_.level == l) && outline.mayHold(kind, l) && mayHoldBlock(outline, l)) {
                    return true;
                }
            }
            return false;
        };
        switch (query_.kind) {
            case EventQuery::Kind::miss:
                return outline.mayHold(EventKind::miss, query_.level.value_or(0)) &&
                       (!query_.region || outline.mayHoldRegion(*query_.region));
            case EventQuery::Kind::eviction:
                return anyLevel(EventKind::eviction) || anyLevel(EventKind::invalidation);
            case EventQuery::Kind::conflict:
                return anyLevel(EventKind::eviction) && (!query_.region || outline.mayHoldRegion(*query_.region));
            case EventQuery::Kind::transfer:
                return anyLevel(EventKind::invalidation) || anyLevel(EventKind::downgrade);
            case EventQuery::Kind::pageFault:
                return outline.mayHold(EventKind::pageFault, 0);
            case EventQuery::Kind::mark:
            case EventQuery::Kind::access:
            case EventQuery::Kind::fill:
                break;
        }
        return false;
    }

    bool matches(const IndexEntry& entry) const {
        if (query_.level ? entry.level != *query_.level : query_.kind == EventQuery::Kind::miss && entry.level != 0) {
            return false;
        }
        switch (query_.kind) {
            case EventQuery::Kind::miss:
                return entry.kind == EventKind::miss && (!query_.region || entry.region == *query_.region) &&
                       (!query_.address || entry.block == blockAt(entry.level));
            case EventQuery::Kind::eviction:
                return (entry.kind == EventKind::eviction || entry.kind == EventKind::invalidation) &&
                       (!query_.address || entry.block == blockAt(entry.level)) &&
                       (!query_.region || regionOf(entry) == *query_.region);
            case EventQuery::Kind::conflict:
                return entry.kind == EventKind::eviction && (!query_.region || entry.region == *query_.region) &&
                       (!query_.victim || regionOf(entry) == *query_.victim);
            case EventQuery::Kind::transfer:
                return isTransfer(entry.kind) && entry.cause == Cause::coherence;
            case EventQuery::Kind::pageFault:
                return entry.kind == EventKind::pageFault;
            case EventQuery::Kind::mark:
            case EventQuery::Kind::access:
            case EventQuery::Kind::fill:
                break;
        }
        return false;
    }

  private:
    BlockAddress blockAt(std::uint8_t level) const {
        return BlockAddress{query_.address->value / machine_.levels[level].block};
    }
    bool mayHoldBlock(const Outline& outline, std::uint8_t level) const {
        return !query_.address || outline.mayHoldBlock(level, blockAt(level));
    }
    std::uint32_t regionOf(const IndexEntry& entry) const {
        const std::uint64_t size = machine_.levels[entry.level].block;
        return regionOfBlock(trace_, ByteAddress{entry.block.value * size}, size);
    }

    const EventQuery& query_;
    const Trace& trace_;
    const MachineConfig& machine_;
};

/// The sites of a source line, or of a function.
class SitesOf {
  public:
    SitesOf(const Trace& trace, const EventQuery& query) {
        if (!query.line && !query.function) return;
        for (const Site& site : trace.sites()) {
            const bool isOfLine = !query.line || (site.file == query.line->file && site.line == query.line->line);
            isOfIt_.push_back(isOfLine && (!query.function || site.function == *query.function));
        }
        if (!isOfIt_.empty()) isOfIt_.front() = false;  // the site of accesses whose site is unknown
    }
    bool has(const Access& access) const { return access.site.value < isOfIt_.size() && isOfIt_[access.site.value]; }

  private:
    std::vector<bool> isOfIt_;
};

/// Keeps only the entries of a chunk whose accesses are by the sites.
void keepOf(std::vector<IndexEntry>& entries, std::uint64_t chunk, const Trace& trace, const SitesOf& sites) {
    if (entries.empty()) return;
    const Range range{Tick{chunk * Trace::kChunk}, Tick{std::min((chunk + 1) * Trace::kChunk, trace.size())}};
    std::vector<bool> isOfLine(static_cast<std::size_t>(range.size()));
    trace.forEach(range.from, range.to,
                  [&](Tick t, const Access& a) { isOfLine[t.value - range.from.value] = sites.has(a); });
    std::erase_if(entries, [&](const IndexEntry& entry) { return !isOfLine[entry.access]; });
}

std::optional<Tick> findMark(const Trace& trace, Tick from, Direction direction, Tick end) {
    std::optional<Tick> found;
    for (const Mark& mark : trace.marks()) {
        if (direction == Direction::forward && mark.at > from && mark.at < end && (!found || mark.at < *found))
            found = mark.at;
        if (direction == Direction::backward && mark.at < from && (!found || mark.at > *found)) found = mark.at;
    }
    return found;
}

/// Accesses and fills are not indexed: chunk after chunk is read, or replayed.
class ChunkSearch {
  public:
    ChunkSearch(const Run& run, const EventQuery& query) : run_(run), query_(query), sites_(run.trace(), query) {}

    /// The first match in a range, or the last.
    std::optional<Tick> in(Range range, bool forward) const {
        return query_.kind == EventQuery::Kind::access ? accessIn(range, forward) : fillIn(range, forward);
    }

  private:
    std::optional<Tick> accessIn(Range range, bool forward) const {
        std::optional<Tick> found;
        run_.trace().forEach(range.from, range.to, [&](Tick t, const Access& a) {
            if (!a.unrecorded && (!found || !forward) && matches(a)) found = t;
        });
        return found;
    }

    bool matches(const Access& a) const {
        if (query_.address) {
            const std::uint64_t block = run_.machine().blockBytes();
            const std::uint64_t number = query_.address->value / block;
            if (a.address.value / block > number || number > a.last().value / block) return false;
        }
        if (query_.region && run_.trace().regionAt(a.address) != *query_.region) return false;
        return (!query_.line && !query_.function) || sites_.has(a);
    }

    std::optional<Tick> fillIn(Range range, bool forward) const {
        std::optional<Tick> found;
        Simulator machine = run_.stateAt(range.from);
        CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
            for (const Event& e : batch.events) {
                if (e.kind != EventKind::fill || (query_.level && *query_.level != e.level)) continue;
                if (e.block.value != query_.address->value / run_.machine().levels[e.level].block) continue;
                if (!found || !forward) found = Tick{batch.first.value + e.access};
            }
        });
        Progress unwatched;
        replay(run_.trace(), machine, range, observer, unwatched);
        return found;
    }

    const Run& run_;
    const EventQuery& query_;
    SitesOf sites_;
};

std::optional<Tick> findInChunks(const Run& run, const EventQuery& query, Tick from, bool forward, Progress& progress) {
    const std::uint64_t end = run.built().value;
    const std::uint64_t begin = forward ? from.value + 1 : 0;
    const std::uint64_t stop = forward ? end : std::min(from.value, end);
    if (begin >= stop) return std::nullopt;
    const ChunkSearch search(run, query);
    const std::uint64_t first = begin / Trace::kChunk;
    const std::uint64_t last = (stop - 1) / Trace::kChunk;
    progress.setTotal(last - first + 1);
    for (std::uint64_t i = 0; i <= last - first; ++i) {
        if (progress.cancelled()) return std::nullopt;
        progress.setDone(i);
        const std::uint64_t chunk = forward ? first + i : last - i;
        const Range range{Tick{std::max(begin, chunk * Trace::kChunk)},
                          Tick{std::min(stop, (chunk + 1) * Trace::kChunk)}};
        if (const auto found = search.in(range, forward)) return found;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Tick> findEvent(const Run& run, const EventQuery& query, Tick from, Direction direction,
                              Progress& progress) {
    const Tick end = run.built();
    if (query.kind == EventQuery::Kind::mark) return findMark(run.trace(), from, direction, end);
    if (query.kind == EventQuery::Kind::access || query.kind == EventQuery::Kind::fill) {
        const bool isOfSomething =
            query.address || (query.kind == EventQuery::Kind::access && (query.region || query.line || query.function));
        if (!isOfSomething) return std::nullopt;
        return findInChunks(run, query, from, direction == Direction::forward, progress);
    }
    const EventMatcher matcher(query, run.trace(), run.machine());
    const SitesOf sites(run.trace(), query);
    const bool forward = direction == Direction::forward;
    if (end.value == 0 || (!forward && from.value == 0)) return std::nullopt;
    const std::uint64_t begin = forward ? from.value + 1 : std::min(from.value, end.value) - 1;
    const std::uint64_t chunks = (end.value + Trace::kChunk - 1) / Trace::kChunk;
    progress.setTotal(chunks);
    for (std::uint64_t chunk = begin / Trace::kChunk; chunk < chunks; chunk += forward ? 1 : ~std::uint64_t{0}) {
        if (progress.cancelled()) return std::nullopt;
        progress.setDone(forward ? chunk : chunks - chunk);
        if (chunk >= run.indexedChunks()) {
            if (forward) return std::nullopt;
            continue;
        }
        if (!matcher.mayBeIn(run.outline(chunk))) continue;
        std::vector<IndexEntry> entries = run.entries(chunk);
        const auto tickOf = [&](const IndexEntry& entry) { return chunk * Trace::kChunk + entry.access; };
        const auto fits = [&](const IndexEntry& entry) {
            const std::uint64_t tick = tickOf(entry);
            return (forward ? tick >= begin : tick <= begin) && tick < end.value && matcher.matches(entry);
        };
        std::erase_if(entries, [&](const IndexEntry& entry) { return !fits(entry); });
        if (query.line || query.function) keepOf(entries, chunk, run.trace(), sites);
        if (!entries.empty()) return Tick{tickOf(forward ? entries.front() : entries.back())};
    }
    return std::nullopt;
}

}  // namespace whorl::sim
