#include "sim/replay/totals/event_index.h"

#include <string_view>

#include "sim/base/compact_bytes.h"

namespace whorl::sim {

namespace {

/// The maximum size of an entry in bytes.
constexpr std::size_t kMaxBytes = 10 + 1 + 1 + 5 + 10;

/// The kind of an invalidation with its page, in codes.
constexpr unsigned kPagedOut = 15;

/// Packs kind and cause into five bits, with the level between them.
std::uint8_t codeOf(const IndexEntry& entry) {
    const bool isPaged = entry.cause == Cause::paging;
    const unsigned kind = isPaged ? kPagedOut : static_cast<unsigned>(entry.kind);
    const unsigned cause = isPaged ? 0 : static_cast<unsigned>(entry.cause);
    return static_cast<std::uint8_t>(kind | entry.level << 4u | cause << 7u);
}

void setFromCode(IndexEntry& entry, std::uint8_t code) {
    const bool isPaged = (code & 0xf) == kPagedOut;
    entry.kind = isPaged ? EventKind::invalidation : static_cast<EventKind>(code & 0xf);
    entry.cause = isPaged ? Cause::paging : static_cast<Cause>(code >> 7);
    entry.level = static_cast<std::uint8_t>(code >> 4 & 7);
}

/// Serialises entries in a form that compresses well: columns of differences, each in few bytes.
std::string columnsOf(const std::vector<IndexEntry>& entries) {
    std::string plain(entries.size() * kMaxBytes, '\0');
    char* to = plain.data();
    const auto addColumn = [&](auto&& numberOf) {
        IndexEntry before;
        for (const IndexEntry& entry : entries) {
            to = putVarint(to, numberOf(entry, before));
            before = entry;
        }
    };
    addColumn(
        [](const IndexEntry& entry, const IndexEntry& before) { return std::uint64_t{entry.access} - before.access; });
    for (const IndexEntry& entry : entries) *to++ = static_cast<char>(codeOf(entry));
    for (const IndexEntry& entry : entries) *to++ = static_cast<char>(entry.cache);
    addColumn([](const IndexEntry& entry, const IndexEntry& before) {
        return folded(std::uint64_t{entry.region} - before.region);
    });
    addColumn([](const IndexEntry& entry, const IndexEntry& before) {
        return folded(entry.block.value - before.block.value);
    });
    plain.resize(static_cast<std::size_t>(to - plain.data()));
    return plain;
}

/// Reads entries.size() entries. False if the bytes are too few.
bool readColumns(std::string_view from, std::vector<IndexEntry>& entries) {
    const auto readSums = [&](auto&& set, auto&& differenceOf) {
        std::uint64_t sum = 0;
        for (IndexEntry& entry : entries) {
            std::uint64_t number = 0;
            if (!readVarint(from, number)) return false;
            set(entry, sum += differenceOf(number));
        }
        return true;
    };
    const auto isIncrease = [](std::uint64_t number) { return number; };
    if (!readSums([](IndexEntry& e, std::uint64_t sum) { e.access = static_cast<std::uint32_t>(sum); }, isIncrease)) {
        return false;
    }
    if (from.size() < 2 * entries.size()) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        setFromCode(entries[i], static_cast<std::uint8_t>(from[i]));
        entries[i].cache = static_cast<std::uint8_t>(from[entries.size() + i]);
    }
    from.remove_prefix(2 * entries.size());
    return readSums([](IndexEntry& e, std::uint64_t sum) { e.region = static_cast<std::uint32_t>(sum); }, unfolded) &&
           readSums([](IndexEntry& e, std::uint64_t sum) { e.block.value = sum; }, unfolded);
}

}  // namespace

std::size_t Outline::bitOf(std::uint8_t level, BlockAddress block) {
    return (block.value + level) * 0x9e3779b97f4a7c15 >> 53;
}

void Outline::add(const IndexEntry& entry) {
    const auto kind = static_cast<std::size_t>(entry.kind);
    kinds_[kind] = static_cast<std::uint8_t>(kinds_[kind] | 1u << entry.level);
    regions_ |= std::uint64_t{1} << entry.region % 64;
    if (entry.kind == EventKind::miss) return;
    const std::size_t bit = bitOf(entry.level, entry.block);
    blocks_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

bool Outline::mayHoldBlock(std::uint8_t level, BlockAddress block) const {
    const std::size_t bit = bitOf(level, block);
    return (blocks_[bit / 64] >> bit % 64 & 1) != 0;
}

void EventIndex::add(const std::vector<IndexEntry>& entries) {
    Outline& outline = outlines_.emplace_back();
    packed_.emplace_back();
    sizes_.push_back(0);
    counts_.push_back(static_cast<std::uint32_t>(entries.size()));
    for (const IndexEntry& entry : entries) outline.add(entry);
    if (entries.empty() || used_ >= budget_) return;

    const std::string plain = columnsOf(entries);
    sizes_.back() = plain.size();
    packed_.back() = compressed(plain);
    used_ += packed_.back().size();
}

std::optional<std::vector<IndexEntry>> EventIndex::entries(std::size_t chunk) const {
    std::vector<IndexEntry> entries(counts_[chunk]);
    if (entries.empty()) return entries;
    if (packed_[chunk].empty()) return std::nullopt;
    std::string plain(sizes_[chunk], '\0');
    if (!decompress(packed_[chunk], plain) || !readColumns(plain, entries)) return std::nullopt;
    return entries;
}

}  // namespace whorl::sim
