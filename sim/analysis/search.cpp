#include "sim/analysis/search.h"

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
                return entry.kind == EventKind::miss && (!query_.region || entry.region == *query_.region);
            case EventQuery::Kind::eviction:
                return (entry.kind == EventKind::eviction || entry.kind == EventKind::invalidation) &&
                       (!query_.address || entry.block == blockAt(entry.level));
            case EventQuery::Kind::conflict:
                return entry.kind == EventKind::eviction && (!query_.region || entry.region == *query_.region) &&
                       (!query_.victim || regionOf(entry) == *query_.victim);
            case EventQuery::Kind::transfer:
                return isTransfer(entry.kind) && entry.cause == Cause::coherence;
            case EventQuery::Kind::pageFault:
                return entry.kind == EventKind::pageFault;
            case EventQuery::Kind::mark:
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

std::optional<Tick> findMark(const Trace& trace, Tick from, Direction direction, Tick end) {
    std::optional<Tick> found;
    for (const Mark& mark : trace.marks()) {
        if (direction == Direction::forward && mark.at > from && mark.at < end && (!found || mark.at < *found))
            found = mark.at;
        if (direction == Direction::backward && mark.at < from && (!found || mark.at > *found)) found = mark.at;
    }
    return found;
}

}  // namespace

std::optional<Tick> findEvent(const Run& run, const EventQuery& query, Tick from, Direction direction,
                              Progress& progress) {
    const Tick end = run.built();
    if (query.kind == EventQuery::Kind::mark) return findMark(run.trace(), from, direction, end);
    const EventMatcher matcher(query, run.trace(), run.machine());
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
        const std::vector<IndexEntry> entries = run.entries(chunk);
        const auto tickOf = [&](const IndexEntry& entry) { return chunk * Trace::kChunk + entry.access; };
        const auto fits = [&](const IndexEntry& entry) {
            const std::uint64_t tick = tickOf(entry);
            return (forward ? tick >= begin : tick <= begin) && tick < end.value && matcher.matches(entry);
        };
        if (forward) {
            const auto entry = std::find_if(entries.begin(), entries.end(), fits);
            if (entry != entries.end()) return Tick{tickOf(*entry)};
        } else {
            const auto entry = std::find_if(entries.rbegin(), entries.rend(), fits);
            if (entry != entries.rend()) return Tick{tickOf(*entry)};
        }
    }
    return std::nullopt;
}

}  // namespace whorl::sim
