#include "sim/capture/merged_records.h"

#include <x86intrin.h>

#include <algorithm>
#include <tuple>

namespace whorl::sim {
namespace {

unsigned kindOf(const whorl_record& record) {
    return static_cast<unsigned>(loaded(record.what) >> 56);
}

/// Whether a record belongs to the next one.
bool isPrefix(const whorl_record& record) {
    switch (kindOf(record)) {
        case WHORL_TEXT:
        case WHORL_FRAME:
        case WHORL_SHAPE:
        case WHORL_SIZE:
        case WHORL_LONG:
            return true;
        default:
            return false;
    }
}

std::uint64_t timeStamp() {
    _mm_lfence();
    return __rdtsc();
}

/// The maximum number of cycles by which another processor's counter may be ahead: a fraction of a second.
constexpr std::uint64_t kMaxSkew = std::uint64_t{1} << 30;

constexpr std::uint32_t kThread = (1u << WHORL_THREAD_BITS) - 1;

}  // namespace

bool MergedRecords::anyFull() const {
    for (std::uint32_t i = 0; i < ring_.used(); ++i) {
        if (ring_.stateOf(i) == WHORL_SLOT_FULL) return true;
    }
    return false;
}

/// Finds the end of the written records in a slot, which is before the first empty record.
void MergedRecords::lookAt(std::uint32_t index, bool isWhole) {
    Slot& slot = slots_[index];
    const auto records = ring_.recordsOf(index);
    if (isWhole) {
        slot.seen += static_cast<std::uint32_t>(ring_.checkedEnd(records.subspan(slot.seen)));
        return;
    }
    while (slot.seen < records.size() && loaded(records[slot.seen].what) != 0) ++slot.seen;
    while (slot.seen > slot.taken && isPrefix(records[slot.seen - 1])) --slot.seen;
}

/// Whether there may be records in a slot. Its records begin with a stamp, and only the reader removes them.
bool MergedRecords::isTaken(std::uint32_t index, std::uint32_t state) {
    const auto records = ring_.recordsOf(index);
    const std::uint32_t taken = slots_[index].taken;
    switch (state) {
        case WHORL_SLOT_TAKEN:
        case WHORL_SLOT_FULL:
            if (kindOf(records[0]) != WHORL_STAMP || loaded(records[taken - std::min(taken, 1u)].what) == 0) break;
            return true;
        case WHORL_SLOT_FREE:
        case WHORL_SLOT_CLAIMED:
            if (slots_[index].seen > 0) break;
            return false;
        default:
            break;
    }
    ring_.damage();
    return false;
}

void MergedRecords::look(bool hasEnded) {
    parts_.clear();
    full_.clear();
    slots_.resize(ring_.used());
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        const std::uint32_t state = ring_.stateOf(i);
        if (!isTaken(i, state)) continue;
        lookAt(i, hasEnded || state == WHORL_SLOT_FULL);
        if (state == WHORL_SLOT_FULL || hasEnded) full_.push_back(i);
        if (slots_[i].seen > slots_[i].taken) {
            const whorl_slot_head& head = ring_.headOf(i);
            parts_.push_back({.slot = i, .writer = loaded(head.thread), .ticket = loaded(head.ticket)});
        }
    }
    latest_ = timeStamp() + kMaxSkew;
}

/// The stamp in a record; nothing if the record is not a stamp, or if its time is impossible.
std::optional<std::uint64_t> MergedRecords::stampIn(const whorl_record& record) const {
    if (kindOf(record) != WHORL_STAMP) return std::nullopt;
    const std::uint64_t stamp = loaded(record.value);
    return stamp <= latest_ ? std::optional(stamp) : std::nullopt;
}

std::uint64_t MergedRecords::stampOf(const Part& part) const {
    const Slot& slot = slots_[part.slot];
    return stampIn(ring_.recordsOf(part.slot)[slot.taken]).value_or(slot.stamp);
}

void MergedRecords::makeStreams() {
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return std::tie(a.writer, a.ticket) < std::tie(b.writer, b.ticket); });
    streams_.clear();
    for (std::size_t i = 0; i < parts_.size();) {
        std::size_t end = i;
        while (end < parts_.size() && parts_[end].writer == parts_[i].writer) ++end;
        streams_.push_back({.part = i, .end = end, .stamp = stampOf(parts_[i])});
        i = end;
    }
    std::make_heap(streams_.begin(), streams_.end(), std::greater<>());
}

/// Passes on the records of a stream up to a stamp, at least one. Returns whether any are left.
bool MergedRecords::hand(Stream& stream, std::uint64_t until, const Take& take) {
    bool isFirst = true;  // the record that put this stream first, even if the program has overwritten its stamp since
    for (; stream.part != stream.end; ++stream.part) {
        const Part& part = parts_[stream.part];
        Slot& slot = slots_[part.slot];
        const auto records = ring_.recordsOf(part.slot).first(slot.seen);
        const std::uint32_t from = slot.taken;
        for (; slot.taken != records.size(); ++slot.taken, isFirst = false) {
            const auto stamp = stampIn(records[slot.taken]);
            if (!stamp) continue;
            if (*stamp > until && !isFirst) break;
            slot.stamp = *stamp;
        }
        if (slot.taken > from) take(part.writer & kThread, records.subspan(from, slot.taken - from));
        if (slot.taken == records.size()) continue;
        stream.stamp = stampOf(part);
        return true;
    }
    return false;
}

bool MergedRecords::take(bool hasEnded, const Take& take) {
    // Records written from now on come after all records that other threads wrote before.
    const std::uint64_t now = hasEnded ? ~std::uint64_t{0} : timeStamp();
    look(hasEnded);
    makeStreams();
    bool any = false;
    while (!streams_.empty() && streams_.front().stamp <= now) {
        std::pop_heap(streams_.begin(), streams_.end(), std::greater<>());
        Stream& first = streams_.back();
        const std::uint64_t next = streams_.size() > 1 ? streams_.front().stamp : now;
        any = true;
        if (hand(first, std::min(now, next), take)) {
            std::push_heap(streams_.begin(), streams_.end(), std::greater<>());
        } else {
            streams_.pop_back();
        }
    }
    for (const std::uint32_t i : full_) {
        if (slots_[i].taken != slots_[i].seen) continue;
        slots_[i] = {};
        ring_.release(i);
    }
    return any;
}

}  // namespace whorl::sim
