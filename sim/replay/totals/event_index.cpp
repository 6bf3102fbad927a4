#include "sim/replay/totals/event_index.h"

#include "sim/base/compress.h"

namespace whorl::sim {

namespace {

/// Writes a number in as few bytes as it needs, seven bits in each. Returns the position after it.
char* put(char* to, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) *to++ = static_cast<char>(number | 0x80);
    *to++ = static_cast<char>(number);
    return to;
}

std::uint64_t take(const char*& from) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(*from++);
        number |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80) return number;
    }
}

/// Maps small differences, positive or negative, to small numbers, and back.
std::uint64_t folded(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
std::uint64_t unfolded(std::uint64_t number) {
    return number >> 1 ^ (0 - (number & 1));
}

/// The maximum size of an entry in bytes.
constexpr std::size_t kMostBytes = 10 + 1 + 1 + 5 + 10;

std::uint8_t codeOf(const IndexEntry& entry) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(entry.kind) | entry.level << 4u |
                                     static_cast<unsigned>(entry.cause) << 7u);
}

/// Entries in a form that compresses well: columns of differences, each in few bytes.
std::string columnsOf(const std::vector<IndexEntry>& entries) {
    std::string plain(entries.size() * kMostBytes, '\0');
    char* to = plain.data();
    const auto addColumn = [&](auto&& numberOf) {
        IndexEntry before;
        for (const IndexEntry& entry : entries) {
            to = put(to, numberOf(entry, before));
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

/// Reads as many as there is room for.
void readColumns(const char* from, std::vector<IndexEntry>& entries) {
    std::uint64_t sum = 0;
    for (IndexEntry& entry : entries) entry.access = static_cast<std::uint32_t>(sum += take(from));
    for (IndexEntry& entry : entries) {
        const auto code = static_cast<std::uint8_t>(*from++);
        entry.kind = static_cast<EventKind>(code & 0xf);
        entry.level = static_cast<std::uint8_t>(code >> 4 & 7);
        entry.cause = static_cast<Cause>(code >> 7);
    }
    for (IndexEntry& entry : entries) entry.cache = static_cast<std::uint8_t>(*from++);
    sum = 0;
    for (IndexEntry& entry : entries) entry.region = static_cast<std::uint32_t>(sum += unfolded(take(from)));
    sum = 0;
    for (IndexEntry& entry : entries) entry.block.value = sum += unfolded(take(from));
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
    if (!decompress(packed_[chunk], plain)) return std::nullopt;
    readColumns(plain.data(), entries);
    return entries;
}

}  // namespace whorl::sim
