#include "sim/cache/hierarchy_patch.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace whorl::sim {

namespace {

constexpr unsigned kFlagBits = 3;
constexpr unsigned kLowBits = 8 - kFlagBits;  ///< lowest tag bits, stored beside the flags

/// Decodes the number of unchanged sets before the next one and advances `at`.
std::uint32_t gapAt(const std::uint8_t*& at) {
    std::uint32_t gap = 0;
    for (unsigned shift = 0;; shift += 7) {
        gap |= static_cast<std::uint32_t>(*at & 0x7f) << shift;
        if ((*at++ & 0x80) == 0) return gap;
    }
}

bool hasBit(const std::uint8_t* mask, std::uint32_t way) {
    return (mask[way / 8] >> way % 8 & 1) != 0;
}

std::size_t bitsIn(const std::uint8_t* mask, std::size_t bytes) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < bytes; ++i) sum += static_cast<std::size_t>(std::popcount(mask[i]));
    return sum;
}

}  // namespace

CachePatch::CachePatch(const Cache& before, const Cache& after, const SetMarks* touched)
    : ways_(after.ways_), looksAhead_(!after.nextUse_.empty()), random_(after.random_), requests_(after.requests_) {
    std::vector<SetIndex> changed;
    const auto look = [&](SetIndex set) {
        if (!differs(before, after, set)) return;
        changed.push_back(set);
        widenFor(before, after, set);
    };
    if (touched != nullptr) {
        touched->forEach(look);
    } else {
        for (std::uint32_t s = 0; s < after.sets(); ++s) look(SetIndex{s});
    }
    for (const SetIndex set : changed) put(before, after, set);
    finish();
}

CachePatch::CachePatch(const CachePatch& first, const CachePatch& second)
    : ways_(second.ways_),
      looksAhead_(second.looksAhead_),
      width_(std::max(first.width_, second.width_)),
      random_(second.random_),
      requests_(second.requests_) {
    packed_.reserve(first.packed_.size() + second.packed_.size());
    const std::uint8_t* a = first.begin();
    const std::uint8_t* b = second.begin();
    std::uint32_t lastOfA = kNoSet;
    std::uint32_t lastOfB = kNoSet;
    while (a < first.end() || b < second.end()) {
        const Record ra = a < first.end() ? first.recordAt(a, lastOfA) : Record{};
        const Record rb = b < second.end() ? second.recordAt(b, lastOfB) : Record{};
        if (ra.set < rb.set) {
            copy(first, ra);
        } else if (rb.set < ra.set) {
            copy(second, rb);
        } else {
            join(first, ra, second, rb);
        }
        if (ra.set <= rb.set) {
            a = ra.end;
            lastOfA = ra.set;
        }
        if (rb.set <= ra.set) {
            b = rb.end;
            lastOfB = rb.set;
        }
    }
    finish();
}

bool CachePatch::differs(const Cache& before, const Cache& after, SetIndex set) const {
    const std::size_t at = after.first(set);
    const auto same = [&](const auto& a, const auto& b) {
        return std::memcmp(&a[at], &b[at], ways_ * sizeof a[at]) == 0;
    };
    return !same(before.blocks_, after.blocks_) || !same(before.ranks_, after.ranks_) ||
           !same(before.flags_, after.flags_) || (looksAhead_ && !same(before.nextUse_, after.nextUse_));
}

CachePatch::Word CachePatch::wordOf(const Cache& cache, std::size_t way) {
    if (cache.isFree(way)) return kNothing;
    const std::uint64_t tag = cache.sets_.tagOf(cache.blocks_[way]);
    // Cache::last follows from the block.
    const unsigned flags = cache.flags_[way] & ((1u << kFlagBits) - 1);
    return {.low = static_cast<std::uint8_t>(tag << kFlagBits | flags), .high = tag >> kLowBits};
}

/// Widens the high part so that every word of the set fits and none equals kNothing.
void CachePatch::widenFor(const Cache& before, const Cache& after, SetIndex set) {
    const std::size_t at = after.first(set);
    for (std::size_t i = at; i < at + ways_; ++i) {
        if (after.blocks_[i] == before.blocks_[i] && after.flags_[i] == before.flags_[i]) continue;
        const Word word = wordOf(after, i);
        while (word != kNothing && word.high >= highest()) ++width_;
    }
}

void CachePatch::put(const Cache& before, const Cache& after, SetIndex set) {
    const std::size_t at = after.first(set);
    putSet(set.value);
    const std::size_t mask = packed_.size();
    packed_.resize(mask + maskBytes());
    for (std::uint32_t w = 0; w < ways_; ++w) {
        const bool same =
            after.blocks_[at + w] == before.blocks_[at + w] && after.flags_[at + w] == before.flags_[at + w];
        packed_[mask + w / 8] |= static_cast<std::uint8_t>((same ? 0u : 1u) << w % 8);
    }
    putRanks(&after.ranks_[at]);
    for (std::uint32_t w = 0; w < ways_; ++w) {
        if (hasBit(&packed_[mask], w)) putWord(wordOf(after, at + w));
    }
    if (looksAhead_) {
        const std::size_t from = packed_.size();
        packed_.resize(from + nextUseBytes());
        std::memcpy(&packed_[from], &after.nextUse_[at], nextUseBytes());
    }
}

/// Writes the number of unchanged sets skipped, 7 bits per byte.
void CachePatch::putSet(std::uint32_t set) {
    std::uint32_t gap = set - lastSet_ - 1;
    lastSet_ = set;
    for (; gap >= 0x80; gap >>= 7) packed_.push_back(static_cast<std::uint8_t>(gap | 0x80));
    packed_.push_back(static_cast<std::uint8_t>(gap));
}

void CachePatch::putRanks(const std::uint16_t* ranks) {
    const std::size_t from = packed_.size();
    packed_.resize(from + rankBytes());
    if (!hasSmallRanks()) {
        std::memcpy(&packed_[from], ranks, rankBytes());
        return;
    }
    for (std::uint32_t w = 0; w < ways_; ++w) {
        packed_[from + w / 2] |= static_cast<std::uint8_t>(ranks[w] << w % 2 * 4);
    }
}

void CachePatch::putWord(Word word) {
    std::array<std::uint8_t, 1 + sizeof word.high> bytes{word.low};
    std::memcpy(&bytes[1], &word.high, sizeof word.high);
    putBytes(bytes.data(), std::size_t{1} + width_);
}

CachePatch::Word CachePatch::wordAt(const std::uint8_t* at) const {
    Word word{.low = *at, .high = 0};
    std::memcpy(&word.high, at + 1, sizeof word.high);
    word.high &= highest();
    return word.high == highest() ? kNothing : word;
}

void CachePatch::copy(const CachePatch& from, const Record& record) {
    putSet(record.set);
    if (from.width_ == width_) {
        putBytes(record.changed, static_cast<std::size_t>(record.end - record.changed));
        return;
    }
    putBytes(record.changed, static_cast<std::size_t>(record.words - record.changed));
    for (const std::uint8_t* w = record.words; w < record.nextUse; w += 1 + from.width_) putWord(from.wordAt(w));
    putBytes(record.nextUse, nextUseBytes());
}

/// Merges a set changed by both patches: the later word of each way, and the ranks of the second patch.
void CachePatch::join(const CachePatch& first, const Record& a, const CachePatch& second, const Record& b) {
    putSet(b.set);
    for (std::size_t i = 0; i < maskBytes(); ++i) {
        packed_.push_back(static_cast<std::uint8_t>(a.changed[i] | b.changed[i]));
    }
    putBytes(b.ranks, rankBytes());
    const std::uint8_t* fromA = a.words;
    const std::uint8_t* fromB = b.words;
    for (std::uint32_t w = 0; w < ways_; ++w) {
        const bool inA = hasBit(a.changed, w);
        const bool inB = hasBit(b.changed, w);
        if (inB) {
            putWord(second.wordAt(fromB));
        } else if (inA) {
            putWord(first.wordAt(fromA));
        }
        fromA += inA ? 1 + first.width_ : 0;
        fromB += inB ? 1 + second.width_ : 0;
    }
    putBytes(b.nextUse, nextUseBytes());
}

void CachePatch::finish() {
    packed_.insert(packed_.end(), kPadding, 0);
    packed_.shrink_to_fit();
}

CachePatch::Record CachePatch::recordAt(const std::uint8_t* at, std::uint32_t setBefore) const {
    Record r;
    r.set = setBefore + 1 + gapAt(at);
    r.changed = at;
    r.ranks = r.changed + maskBytes();
    r.words = r.ranks + rankBytes();
    r.nextUse = r.words + bitsIn(r.changed, maskBytes()) * (std::size_t{1} + width_);
    r.end = r.nextUse + nextUseBytes();
    return r;
}

void CachePatch::applyTo(Cache& cache) const {
    cache.random_ = random_;
    cache.requests_ = requests_;
    const Reading reading{.width = width_, .highest = highest(), .sets = cache.sets()};
    std::uint32_t set = kNoSet;
    for (const std::uint8_t* at = begin(); at < end();) {
        set += 1 + gapAt(at);
        const std::uint8_t* const changed = at;
        at += maskBytes();
        applyRanks(at, &cache.ranks_[cache.first(SetIndex{set})]);
        at += rankBytes();
        at = applyWords(changed, at, cache, SetIndex{set}, reading);
        if (looksAhead_) std::memcpy(&cache.nextUse_[cache.first(SetIndex{set})], at, nextUseBytes());
        at += nextUseBytes();
    }
}

void CachePatch::applyRanks(const std::uint8_t* from, std::uint16_t* ranks) const {
    const std::uint32_t ways = ways_;
    if (!hasSmallRanks()) {
        std::memcpy(ranks, from, rankBytes());
        return;
    }
    std::uint32_t w = 0;
    for (; w + 4 <= ways; w += 4) {
        // Spread four 4-bit ranks over four 16-bit lanes.
        std::uint64_t four = from[w / 2] | static_cast<std::uint64_t>(from[w / 2 + 1]) << 8;
        four = (four | four << 24) & 0x000000ff000000ff;
        four = (four | four << 12) & 0x000f000f000f000f;
        std::memcpy(ranks + w, &four, sizeof four);
    }
    for (; w < ways; ++w) ranks[w] = from[w / 2] >> w % 2 * 4 & 15;
}

/// Decodes the changed words of a set. Returns the end of the words.
const std::uint8_t* CachePatch::applyWords(const std::uint8_t* changed, const std::uint8_t* from, Cache& cache,
                                           SetIndex set, const Reading& how) const {
    // Local copies: writes through byte pointers may alias any member, so the compiler would reload them.
    const auto [width, highest, sets] = how;
    const std::uint32_t ways = ways_;
    std::uint64_t* const blocks = &cache.blocks_[cache.first(set)];
    std::uint8_t* const flags = &cache.flags_[cache.first(set)];
    unsigned grown = 0;
    for (std::uint32_t base = 0; base < ways; base += 16) {
        unsigned rest = changed[base / 8];
        if (base + 8 < ways) rest |= static_cast<unsigned>(changed[base / 8 + 1]) << 8;
        for (; rest != 0; rest &= rest - 1) {
            const std::uint32_t w = base + static_cast<unsigned>(std::countr_zero(rest));
            std::uint64_t high = 0;
            std::memcpy(&high, from + 1, sizeof high);
            high &= highest;
            // All ones for an empty way, which is also kNoBlock.
            const std::uint64_t nothing = 0 - std::uint64_t{high == highest};
            const std::uint64_t tag = high << kLowBits | *from >> kFlagBits;
            const bool wasFree = blocks[w] == Cache::kNoBlock && (flags[w] & Cache::last) == 0;
            grown += static_cast<unsigned>(nothing + 1) - (wasFree ? 0 : 1);
            blocks[w] = (tag * sets + set.value) | nothing;
            const std::uint64_t isLast = blocks[w] == Cache::kNoBlock ? Cache::last : 0;
            flags[w] = static_cast<std::uint8_t>(((*from & ((1u << kFlagBits) - 1)) | isLast) & ~nothing);
            from += 1 + width;
        }
    }
    cache.occupied_[set.value] = static_cast<std::uint16_t>(cache.occupied_[set.value] + grown);
    return from;
}

TouchedSets::TouchedSets(const Hierarchy& hierarchy)
    : near_(hierarchy.levels() == 0 ? 0 : hierarchy.caches(0)), levels_(hierarchy.levels()) {
    const MachineConfig& machine = hierarchy.machine();
    marks_.reserve(hierarchy.cacheCount());
    takers_.assign(hierarchy.cacheCount(), kNone);
    for (std::size_t l = 0; l < levels_; ++l) {
        first_.push_back(marks_.size());
        const bool isTaken = l + 1 < levels_ && machine.levels[l + 1].inclusion == Inclusion::exclusive;
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) {
            const std::uint32_t cpu = machine.firstCpu(l, i);
            if (isTaken) takers_[marks_.size()] = hierarchy.cacheIndex(l + 1, machine.cacheOf(l + 1, cpu));
            marks_.emplace_back(hierarchy.cache(l, i).sets());
            sets_.emplace_back(hierarchy.cache(l, i).sets());
        }
    }
}

void TouchedSets::add(std::span<const Event> events) {
    for (const Event& e : events) {
        if (!e.isInCache()) continue;
        const std::size_t cache = first_[e.level] + e.cache;
        if (e.level > 0) marks_[cache].mark(e.set);
        if (e.kind == EventKind::eviction && takers_[cache] != kNone) {
            const std::size_t taker = takers_[cache];
            marks_[taker].mark(SetIndex{sets_[taker].of(e.block.value)});
        }
    }
}

void TouchedSets::clear() {
    for (SetMarks& marks : marks_) marks.clear();
}

HierarchyPatch::HierarchyPatch(const Hierarchy& before, const Hierarchy& after, const TouchedSets* touched)
    : strides_(after.strides_) {
    caches_.reserve(after.caches_.size() + after.tlbs_.size());
    for (std::size_t i = 0; i < after.caches_.size(); ++i) {
        caches_.emplace_back(before.caches_[i], after.caches_[i], touched != nullptr ? touched->of(i) : nullptr);
    }
    for (std::size_t i = 0; i < after.tlbs_.size(); ++i) {
        caches_.emplace_back(before.tlbs_[i], after.tlbs_[i], nullptr);
    }
    if (after.pages_) pages_.emplace(*before.pages_, *after.pages_);
}

HierarchyPatch::HierarchyPatch(const HierarchyPatch& first, const HierarchyPatch& second) : strides_(second.strides_) {
    caches_.reserve(second.caches_.size());
    for (std::size_t i = 0; i < second.caches_.size(); ++i) caches_.emplace_back(first.caches_[i], second.caches_[i]);
    if (second.pages_) pages_.emplace(*first.pages_, *second.pages_);
}

void HierarchyPatch::applyTo(Hierarchy& hierarchy) const {
    for (std::size_t i = 0; i < caches_.size(); ++i) {
        const bool isTlb = i >= hierarchy.caches_.size();
        caches_[i].applyTo(isTlb ? hierarchy.tlbs_[i - hierarchy.caches_.size()] : hierarchy.caches_[i]);
    }
    if (pages_) pages_->applyTo(*hierarchy.pages_);
    hierarchy.strides_ = strides_;
}

std::size_t HierarchyPatch::bytes() const {
    std::size_t sum = sizeof *this + strides_.size() * sizeof(StrideTable);
    for (const CachePatch& patch : caches_) sum += patch.bytes();
    if (pages_) sum += pages_->bytes();
    return sum;
}

}  // namespace whorl::sim
