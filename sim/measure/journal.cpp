#include "sim/measure/journal.h"

#include <zstd.h>

#include <cstring>

namespace whorl::sim {

namespace {

constexpr int kQuick = 1;  ///< the level of compression: the run is being built meanwhile

/// Notes in the form in which they pack well: columns of differences.
struct Packed {
    std::vector<std::uint32_t> accesses;
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint8_t> caches;
    std::vector<std::uint32_t> regions;
    std::vector<std::uint64_t> blocks;

    void resize(std::size_t count) {
        accesses.resize(count);
        kinds.resize(count);
        caches.resize(count);
        regions.resize(count);
        blocks.resize(count);
    }
    /// Calls f(bytes, size) for each column.
    template <class F>
    void forColumns(F&& f) {
        f(reinterpret_cast<char*>(accesses.data()), accesses.size() * sizeof accesses[0]);
        f(reinterpret_cast<char*>(kinds.data()), kinds.size());
        f(reinterpret_cast<char*>(caches.data()), caches.size());
        f(reinterpret_cast<char*>(regions.data()), regions.size() * sizeof regions[0]);
        f(reinterpret_cast<char*>(blocks.data()), blocks.size() * sizeof blocks[0]);
    }
    std::size_t bytes() const { return accesses.size() * (4 + 1 + 1 + 4 + 8); }
};

std::uint8_t codeOf(const Note& note) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(note.kind) | note.level << 4u |
                                     static_cast<unsigned>(note.cause) << 7u);
}

}  // namespace

std::size_t Outline::bitOf(std::uint8_t level, BlockAddress block) {
    return (block.value + level) * 0x9e3779b97f4a7c15 >> 53;
}

void Outline::add(const Note& note) {
    const auto kind = static_cast<std::size_t>(note.kind);
    kinds_[kind] = static_cast<std::uint8_t>(kinds_[kind] | 1u << note.level);
    regions_ |= std::uint64_t{1} << note.region % 64;
    if (note.kind == EventKind::miss) return;
    const std::size_t bit = bitOf(note.level, note.block);
    blocks_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

bool Outline::mayHoldBlock(std::uint8_t level, BlockAddress block) const {
    const std::size_t bit = bitOf(level, block);
    return (blocks_[bit / 64] >> bit % 64 & 1) != 0;
}

void Journal::add(const std::vector<Note>& notes) {
    Outline& outline = outlines_.emplace_back();
    packed_.emplace_back();
    counts_.push_back(static_cast<std::uint32_t>(notes.size()));
    for (const Note& note : notes) outline.add(note);
    if (notes.empty() || used_ >= budget_) return;

    Packed columns;
    columns.resize(notes.size());
    Note before;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const Note& note = notes[i];
        columns.accesses[i] = note.access - before.access;
        columns.kinds[i] = codeOf(note);
        columns.caches[i] = note.cache;
        columns.regions[i] = note.region - before.region;
        columns.blocks[i] = note.block.value - before.block.value;
        before = note;
    }
    std::string plain(columns.bytes(), '\0');
    std::size_t at = 0;
    columns.forColumns([&](const char* bytes, std::size_t size) {
        std::memcpy(&plain[at], bytes, size);
        at += size;
    });
    std::string& packed = packed_.back();
    packed.resize(ZSTD_compressBound(plain.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kQuick);
    packed.resize(ZSTD_isError(size) != 0 ? 0 : size);
    packed.shrink_to_fit();
    used_ += packed.size();
}

std::optional<std::vector<Note>> Journal::notes(std::size_t chunk) const {
    std::vector<Note> notes(counts_[chunk]);
    if (notes.empty()) return notes;
    if (packed_[chunk].empty()) return std::nullopt;
    Packed columns;
    columns.resize(notes.size());
    std::string plain(columns.bytes(), '\0');
    const std::string& packed = packed_[chunk];
    if (ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) != plain.size()) return std::nullopt;
    std::size_t at = 0;
    columns.forColumns([&](char* bytes, std::size_t size) {
        std::memcpy(bytes, &plain[at], size);
        at += size;
    });
    Note before;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const std::uint8_t code = columns.kinds[i];
        notes[i] = {.access = before.access + columns.accesses[i],
                    .kind = static_cast<EventKind>(code & 0xf),
                    .level = static_cast<std::uint8_t>(code >> 4 & 7),
                    .cache = columns.caches[i],
                    .cause = static_cast<Cause>(code >> 7),
                    .region = before.region + columns.regions[i],
                    .block = BlockAddress{before.block.value + columns.blocks[i]}};
        before = notes[i];
    }
    return notes;
}

}  // namespace whorl::sim
