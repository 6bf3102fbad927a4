// Finds what comes next, or came before: by the journal's outlines, then its notes, and only where those did not fit
// into memory by playing a chunk again.
#include <algorithm>

#include "sim/replay/totals/ledger_builder.h"
#include "sim/replay/run.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

bool isTransfer(EventKind kind) {
    return kind == EventKind::invalidation || kind == EventKind::downgrade;
}

class Hunter {
  public:
    Hunter(const Quarry& quarry, const Trace& trace, const MachineConfig& machine)
        : quarry_(quarry), trace_(trace), machine_(machine) {}

    /// Whether a chunk with this outline is worth a look.
    bool mayBeIn(const Outline& outline) const {
        const auto anyLevel = [&](EventKind kind) {
            for (std::size_t i = 0; i < machine_.levels.size(); ++i) {
                const auto l = static_cast<std::uint8_t>(i);
                if ((!quarry_.level || *quarry_.level == l) && outline.mayHold(kind, l) && mayHoldBlock(outline, l)) {
                    return true;
                }
            }
            return false;
        };
        switch (quarry_.kind) {
            case Quarry::Kind::miss:
                return outline.mayHold(EventKind::miss, quarry_.level.value_or(0)) &&
                       (!quarry_.region || outline.mayHoldRegion(*quarry_.region));
            case Quarry::Kind::eviction:
                return anyLevel(EventKind::eviction) || anyLevel(EventKind::invalidation);
            case Quarry::Kind::conflict:
                return anyLevel(EventKind::eviction) && (!quarry_.region || outline.mayHoldRegion(*quarry_.region));
            case Quarry::Kind::transfer:
                return anyLevel(EventKind::invalidation) || anyLevel(EventKind::downgrade);
            case Quarry::Kind::mark:
                break;
        }
        return false;
    }

    bool isIt(const Note& note) const {
        if (quarry_.level ? note.level != *quarry_.level : quarry_.kind == Quarry::Kind::miss && note.level != 0) {
            return false;
        }
        switch (quarry_.kind) {
            case Quarry::Kind::miss:
                return note.kind == EventKind::miss && (!quarry_.region || note.region == *quarry_.region);
            case Quarry::Kind::eviction:
                return (note.kind == EventKind::eviction || note.kind == EventKind::invalidation) &&
                       (!quarry_.address || note.block == blockAt(note.level));
            case Quarry::Kind::conflict:
                return note.kind == EventKind::eviction && (!quarry_.region || note.region == *quarry_.region) &&
                       (!quarry_.victim || regionOf(note) == *quarry_.victim);
            case Quarry::Kind::transfer:
                return isTransfer(note.kind) && note.cause == Cause::coherence;
            case Quarry::Kind::mark:
                break;
        }
        return false;
    }

  private:
    BlockAddress blockAt(std::uint8_t level) const {
        return BlockAddress{quarry_.address->value / machine_.levels[level].block};
    }
    bool mayHoldBlock(const Outline& outline, std::uint8_t level) const {
        return !quarry_.address || outline.mayHoldBlock(level, blockAt(level));
    }
    std::uint32_t regionOf(const Note& note) const {
        const std::uint64_t size = machine_.levels[note.level].block;
        return regionOfBlock(trace_, ByteAddress{note.block.value * size}, size);
    }

    const Quarry& quarry_;
    const Trace& trace_;
    const MachineConfig& machine_;
};

std::optional<Tick> findMark(const Trace& trace, Tick from, Way way, Tick end) {
    std::optional<Tick> found;
    for (const Mark& mark : trace.marks()) {
        if (way == Way::forward && mark.at > from && mark.at < end && (!found || mark.at < *found)) found = mark.at;
        if (way == Way::backward && mark.at < from && (!found || mark.at > *found)) found = mark.at;
    }
    return found;
}

}  // namespace

std::vector<Note> Run::notesOf(std::size_t chunk) const {
    {
        const std::lock_guard lock(mutex_);
        if (auto notes = journal_.notes(chunk)) return *std::move(notes);
    }
    const Tick from{chunk * Trace::kChunk};
    const Tick to{std::min(from.value + Trace::kChunk, trace_->size())};
    Simulator state = stateAt(from);
    const std::vector<MissKindList> kinds(machine_.levels.size());  // notes do not tell them
    Accountant books(machine_, *trace_, kinds, std::vector<std::uint64_t>(kinds.size(), 0));
    TraceCursor cursor(*trace_);
    EventList events;
    const auto batch = cursor.from(from).first(to.value - from.value);
    state.play(batch, &events);
    books.take(from, batch, events);
    return std::move(books.notes());
}

std::optional<Tick> Run::find(const Quarry& quarry, Tick from, Way way, Progress& progress) const {
    const Tick end = built();
    if (quarry.kind == Quarry::Kind::mark) return findMark(*trace_, from, way, end);
    const Hunter hunter(quarry, *trace_, machine_);
    const bool forward = way == Way::forward;
    if (end.value == 0 || (!forward && from.value == 0)) return std::nullopt;
    const std::uint64_t begin = forward ? from.value + 1 : std::min(from.value, end.value) - 1;
    const std::uint64_t chunks = (end.value + Trace::kChunk - 1) / Trace::kChunk;
    progress.setTotal(chunks);
    for (std::uint64_t chunk = begin / Trace::kChunk; chunk < chunks; chunk += forward ? 1 : ~std::uint64_t{0}) {
        if (progress.cancelled()) return std::nullopt;
        progress.setDone(forward ? chunk : chunks - chunk);
        {
            const std::lock_guard lock(mutex_);
            if (chunk >= journal_.chunks()) {
                if (forward) return std::nullopt;
                continue;
            }
            if (!hunter.mayBeIn(journal_.outline(chunk))) continue;
        }
        const std::vector<Note> notes = notesOf(chunk);
        const auto tickOf = [&](const Note& note) { return chunk * Trace::kChunk + note.access; };
        const auto fits = [&](const Note& note) {
            const std::uint64_t tick = tickOf(note);
            return (forward ? tick >= begin : tick <= begin) && tick < end.value && hunter.isIt(note);
        };
        if (forward) {
            const auto note = std::find_if(notes.begin(), notes.end(), fits);
            if (note != notes.end()) return Tick{tickOf(*note)};
        } else {
            const auto note = std::find_if(notes.rbegin(), notes.rend(), fits);
            if (note != notes.rend()) return Tick{tickOf(*note)};
        }
    }
    return std::nullopt;
}

}  // namespace whorl::sim
