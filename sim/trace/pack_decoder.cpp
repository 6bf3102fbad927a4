#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "sim/base/compact_bytes.h"
#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_codec.h"
#include "sim/trace/pack_columns.h"

namespace whorl::sim {
namespace {

static_assert(std::endian::native == std::endian::little, "residuals and heads are read as they stand");

constexpr std::size_t kMaxPack = kMaxChunk * kMaxPackChunks;
/// Slack behind the residuals: they are read 8 bytes at a time, and only checked after each chunk for having been too
/// few.
constexpr std::size_t kResidualSlack = 8 * kMaxChunk + 8;
/// The maximum bytes per access of a column: two varints and a residual are the longest.
constexpr std::size_t kMaxColumnBytes = 10;

/// The meaning of an address code as masks, so that all codes without a dictionary are decoded without branches.
struct AddressCode {
    std::uint64_t residual = 0;  ///< mask of the residual's bytes
    std::uint64_t base = 0;      ///< mask of the base
    std::uint64_t step = 0;      ///< mask of the key's step, added to the base
    std::uint64_t offset = 0;    ///< mask of the key's offset, added to the base
    std::uint32_t width = 0;     ///< bytes
    std::uint16_t before = 1;    ///< the base is the access this number of accesses back …
    bool fromKey = false;        ///< … or the key's last address
    bool possible = false;       ///< the code is valid without a dictionary
};

constexpr std::array<AddressCode, 64> kAddressCodeTable = [] {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    std::array<AddressCode, 64> table{};
    table[kByStep] = {.base = all, .step = all, .fromKey = true, .possible = true};
    table[kByOffset] = {.base = all, .offset = all, .possible = true};
    for (unsigned way = kByResidual; way < kByEntry; ++way) {
        const unsigned base = (way - kByResidual) / kWidths.size();
        const unsigned width = kWidths[(way - kByResidual) % kWidths.size()];
        table[way] = {.residual = all >> (64 - 8 * width),
                      .base = way < kAbsolute ? all : 0,
                      .width = width,
                      .before = static_cast<std::uint16_t>(base == 0 || way >= kAbsolute ? 1 : base),
                      .fromKey = base == 0,
                      .possible = true};
    }
    return table;
}();

/// The header of a pack of version 1, which has one chunk; the compressed columns follow.
struct FirstLayout {
    static constexpr std::array<PackColumn, 6> kColumns = {PackColumn::codes,     PackColumn::residuals,
                                                           PackColumn::knownKeys, PackColumn::keySites,
                                                           PackColumn::keyRests,  PackColumn::stamps};

    std::uint32_t accesses = 0;
    std::uint32_t keys = 0;
    std::array<std::uint32_t, 6> plainBytes{};
    std::array<std::uint32_t, 6> packedBytes{};
};

/// The parts of a stored pack.
struct PackParts {
    std::uint32_t accesses = 0;
    std::uint32_t keys = 0;
    std::uint32_t dictionary = 0;
    bool splitResiduals = false;
    bool pairedKeys = false;  ///< known keys are pairs of bytes in one column
    std::array<PackedColumn, kPackColumns> columns;

    const PackedColumn& column(PackColumn c) const { return columns[static_cast<std::size_t>(c)]; }
};

std::optional<PackParts> firstParts(std::string_view bytes) {
    FirstLayout head;
    if (bytes.size() < sizeof head) return std::nullopt;
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.accesses > kMaxChunk) return std::nullopt;
    bytes.remove_prefix(sizeof head);
    PackParts parts{.accesses = head.accesses, .keys = head.keys, .pairedKeys = true};
    for (std::size_t c = 0; c < FirstLayout::kColumns.size(); ++c) {
        if (head.packedBytes[c] > bytes.size()) return std::nullopt;
        parts.columns[static_cast<std::size_t>(FirstLayout::kColumns[c])] = {
            .plainBytes = head.plainBytes[c], .bytes = bytes.substr(0, head.packedBytes[c])};
        bytes.remove_prefix(head.packedBytes[c]);
    }
    return bytes.empty() ? std::optional(parts) : std::nullopt;
}

std::optional<PackParts> laterParts(std::string_view bytes) {
    PackParts parts;
    std::uint64_t keys = 0;
    std::uint64_t flags = 0;
    if (!readVarint(bytes, keys) || !readVarint(bytes, flags) || keys > kMaxPack || flags >> 33 != 0) {
        return std::nullopt;
    }
    if (!columnsOf(bytes, parts.columns)) return std::nullopt;
    const std::size_t accesses = parts.column(PackColumn::codes).plainBytes;
    if (accesses > kMaxPack) return std::nullopt;
    parts.accesses = static_cast<std::uint32_t>(accesses);
    parts.keys = static_cast<std::uint32_t>(keys);
    parts.dictionary = static_cast<std::uint32_t>(flags >> 1);
    parts.splitResiduals = (flags & 1) != 0;
    return parts;
}

/// The parts of a pack, if they fit the bytes exactly.
std::optional<PackParts> partsOf(std::string_view bytes) {
    std::uint32_t mark = 0;
    if (bytes.size() < sizeof mark) return std::nullopt;
    std::memcpy(&mark, bytes.data(), sizeof mark);
    auto parts = mark == kPackMark ? laterParts(bytes.substr(sizeof mark)) : firstParts(bytes);
    const bool isValid = parts && parts->accesses > 0 && parts->keys <= parts->accesses &&
                         parts->column(PackColumn::codes).plainBytes == parts->accesses;
    return isValid ? parts : std::nullopt;
}

}  // namespace

struct PackDecoder::State {
    ColumnUnpacker unpacker;
    std::array<std::vector<char>, kPackColumns> columns;
    std::vector<char> residuals;  ///< joined, if they were stored split
    std::vector<std::uint32_t> knownKeys;
    std::vector<std::uint32_t> entries;
    std::vector<ChunkKey> keys;
    std::vector<Successors> successors;
    std::vector<std::uint32_t> keyEntries;  ///< with a dictionary: the last entry that each key accessed
    std::vector<PackedAccess> accesses;     ///< a chunk, preceded by the kBases accesses before it
    std::array<PackedAccess, kBases> before;
    std::vector<std::uint64_t> stamps;
    std::span<const AddressDictionary::Entry> dictionary;

    std::uint32_t size = 0;  ///< accesses in the pack
    std::uint32_t keyCount = 0;
    std::uint32_t taken = 0;  ///< accesses decoded so far
    const char* residual = nullptr;
    const char* residualsEnd = nullptr;
    std::size_t nextKnown = 0;
    std::size_t nextEntry = 0;
    std::uint32_t newest = 0;
    std::uint32_t previous = 0;   ///< key of the preceding access
    std::uint32_t lastEntry = 0;  ///< with a dictionary: the last entry accessed

    std::vector<char>& bytesOf(PackColumn c) { return columns[static_cast<std::size_t>(c)]; }

    bool unpack(PackColumn which, const PackParts& parts, std::size_t slack = 0) {
        return unpacker.unpack(parts.column(which), kMaxColumnBytes * parts.accesses, bytesOf(which), slack);
    }

    /// Reads numbers that are split into columns of bytes.
    bool unpackNumbers(PackColumn first, const PackParts& parts, std::vector<std::uint32_t>& numbers) {
        const auto f = static_cast<std::size_t>(first);
        const std::size_t count = parts.columns[f].plainBytes;
        if (count > parts.accesses) return false;
        numbers.assign(count, 0);
        for (std::size_t b = 0; b < 3; ++b) {
            const PackedColumn& column = parts.columns[f + b];
            if (b > 0 && column.plainBytes == 0) continue;
            if (column.plainBytes != count || !unpacker.unpack(column, count, columns[f + b])) return false;
            const char* const bytes = columns[f + b].data();
            for (std::size_t i = 0; i < count; ++i) {
                numbers[i] |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << 8 * b;
            }
        }
        return true;
    }

    bool unpackKnownKeys(const PackParts& parts) {
        if (!parts.pairedKeys) return unpackNumbers(PackColumn::knownKeys, parts, knownKeys);
        if (!unpack(PackColumn::knownKeys, parts)) return false;
        const std::size_t bytes = parts.column(PackColumn::knownKeys).plainBytes;
        if (bytes % 2 != 0) return false;
        knownKeys.clear();
        for (std::size_t i = 0; i < bytes; i += 2) {
            std::uint16_t key = 0;
            std::memcpy(&key, bytesOf(PackColumn::knownKeys).data() + i, sizeof key);
            knownKeys.push_back(key);
        }
        return true;
    }

    bool unpackResiduals(const PackParts& parts) {
        if (!unpack(PackColumn::residuals, parts, parts.splitResiduals ? 0 : kResidualSlack)) return false;
        residual = bytesOf(PackColumn::residuals).data();
        residualsEnd = residual + parts.column(PackColumn::residuals).plainBytes;
        return !parts.splitResiduals || joinResiduals(parts);
    }

    bool joinResiduals(const PackParts& parts);
    bool takeKeys(const PackParts& parts, std::uint64_t sites, std::uint32_t cpus);
    bool open(const PackParts& parts, std::uint64_t sites, std::uint32_t cpus);
    template <bool kDictionary>
    bool takeChunk(std::uint32_t count);
    bool knownOrNew(KeyFrom from, std::uint32_t& index);
    std::uint32_t entryFor(unsigned way, std::uint32_t key);
    std::span<PackedAccess> next();
};

/// Joins the bytes of each residual.
bool PackDecoder::State::joinResiduals(const PackParts& parts) {
    constexpr auto kFirst = static_cast<std::size_t>(PackColumn::residuals);
    std::array<const char*, kResidualColumns> from{};
    std::array<const char*, kResidualColumns> end{};
    std::size_t total = 0;
    for (std::size_t b = 0; b < kResidualColumns; ++b) {
        const PackedColumn& column = parts.columns[kFirst + b];
        if (b > 0 && !unpacker.unpack(column, kMaxColumnBytes * parts.accesses, columns[kFirst + b])) return false;
        from[b] = columns[kFirst + b].data();
        end[b] = from[b] + column.plainBytes;
        total += column.plainBytes;
    }
    if (residuals.size() < total + kResidualSlack) residuals.resize(total + kResidualSlack);
    char* to = residuals.data();
    const char* const codes = bytesOf(PackColumn::codes).data();
    for (std::uint32_t i = 0; i < parts.accesses; ++i) {
        const std::uint32_t width = kAddressCodeTable[static_cast<unsigned char>(codes[i]) >> 2].width;
        for (std::uint32_t b = 0; b < width; ++b) {
            const std::size_t column = std::min<std::size_t>(b, kResidualColumns - 1);
            if (from[column] == end[column]) return false;
            *to++ = *from[column]++;
        }
    }
    residual = residuals.data();
    residualsEnd = residual + total;
    return to == residualsEnd;
}

/// Reads the table of keys. False if a key is invalid.
bool PackDecoder::State::takeKeys(const PackParts& parts, std::uint64_t sites, std::uint32_t cpus) {
    if (!unpack(PackColumn::keySites, parts) || !unpack(PackColumn::keyRests, parts)) return false;
    std::string_view siteColumn(bytesOf(PackColumn::keySites).data(), parts.column(PackColumn::keySites).plainBytes);
    std::string_view restColumn(bytesOf(PackColumn::keyRests).data(), parts.column(PackColumn::keyRests).plainBytes);
    if (siteColumn.size() < parts.keys) return false;
    keys.resize(parts.keys + std::size_t{1});
    successors.assign(keys.size(), Successors{});
    std::uint64_t site = 0;
    for (std::uint32_t k = 1; k <= parts.keys; ++k) {
        std::uint64_t change = 0;
        std::uint64_t rest = 0;
        if (!readVarint(siteColumn, change) || !readVarint(restColumn, rest)) return false;
        site += unfolded(change);
        if (site >= sites || site >> 32 != 0 || rest >> 32 != 0) return false;
        keys[k] = {.last = 0,
                   .step = 0,
                   .offset = 0,
                   .site = static_cast<std::uint32_t>(site),
                   .rest = turnedBack(static_cast<std::uint32_t>(rest))};
        const PackedAccess sample({}, {}, keys[k].rest);
        if (sample.size() == 0 || sample.cpu() >= cpus) return false;
    }
    return siteColumn.empty() && restColumn.empty();
}

bool PackDecoder::State::open(const PackParts& parts, std::uint64_t sites, std::uint32_t cpus) {
    taken = size = 0;  // stays 0 if anything fails
    if (!unpack(PackColumn::codes, parts) || !unpackResiduals(parts) || !unpackKnownKeys(parts) ||
        !unpackNumbers(PackColumn::entries, parts, entries) || !takeKeys(parts, sites, cpus)) {
        return false;
    }
    if (!dictionary.empty()) keyEntries.assign(keys.size(), AddressDictionary::kNone);
    before.fill({});
    nextKnown = nextEntry = 0;
    newest = previous = 0;
    lastEntry = AddressDictionary::kNone;
    size = parts.accesses;
    keyCount = parts.keys;
    return true;
}

/// The key of an access that is not a successor. False if there is none.
bool PackDecoder::State::knownOrNew(KeyFrom from, std::uint32_t& index) {
    if (from == KeyFrom::knownKeys) {
        if (nextKnown == knownKeys.size()) return false;
        index = knownKeys[nextKnown++];
        return index != 0 && index <= newest;
    }
    if (newest == keyCount) return false;
    index = ++newest;
    return true;
}

/// The entry that an address code refers to, or AddressDictionary::kNone.
std::uint32_t PackDecoder::State::entryFor(unsigned way, std::uint32_t key) {
    std::uint32_t entry = AddressDictionary::kNone;
    if (way == kByEntry) {
        if (nextEntry < entries.size()) entry = entries[nextEntry++];
    } else if (way < kAddressCodes) {
        const std::uint32_t from = way < kAfterKeys ? lastEntry : keyEntries[key];
        if (from != AddressDictionary::kNone) entry = dictionary[from].next[(way - kAfterLast) % 2];
    }
    if (entry >= dictionary.size()) return AddressDictionary::kNone;
    return lastEntry = keyEntries[key] = entry;
}

/// The inner loop. It avoids unpredictable branches; without a dictionary it does not branch on the address code.
template <bool kDictionary>
bool PackDecoder::State::takeChunk(std::uint32_t count) {
    const char* const codes = bytesOf(PackColumn::codes).data() + taken;
    PackedAccess* const out = accesses.data() + kBases;
    std::copy(before.begin(), before.end(), accesses.begin());
    ChunkKey* const allKeys = keys.data();
    Successors* const allSuccessors = successors.data();
    const char* from = residual;
    std::uint32_t last = previous;
    bool possible = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto code = static_cast<unsigned char>(codes[i]);
        Successors& after = allSuccessors[last];
        std::uint32_t index = (code & 1) == 0 ? after.recent : after.other;
        if ((code & 2) != 0 || index == 0) [[unlikely]] {
            if (!knownOrNew(static_cast<KeyFrom>(code & 3), index)) return false;
        }
        after.follow(index);
        ChunkKey& key = allKeys[index];
        const AddressCode& way = kAddressCodeTable[code >> 2];
        std::uint64_t bits = 0;
        std::memcpy(&bits, from, sizeof bits);
        from += way.width;
        const std::uint64_t preceding = out[static_cast<std::ptrdiff_t>(i) - 1].address().value;
        const std::uint64_t other = out[static_cast<std::ptrdiff_t>(i) - way.before].address().value;
        std::uint64_t address = ((way.fromKey ? key.last : other) & way.base) + unfolded(bits & way.residual);
        address += (key.step & way.step) + (key.offset & way.offset);
        if constexpr (kDictionary) {
            if (!way.possible) {
                const std::uint32_t entry = entryFor(code >> 2, index);
                if (entry == AddressDictionary::kNone) return false;
                address = dictionary[entry].address;
            }
        } else {
            possible &= way.possible;
        }
        key.moveTo(address, preceding);
        out[i] = PackedAccess(ByteAddress{address}, SiteId{key.site}, key.rest);
        possible &= out[i].size() - 1 <= ~address;
        last = index;
    }
    residual = from;
    previous = last;
    std::copy_n(out + static_cast<std::ptrdiff_t>(count) - static_cast<std::ptrdiff_t>(kBases), kBases, before.begin());
    return possible && residual <= residualsEnd;
}

std::span<PackedAccess> PackDecoder::State::next() {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kMaxChunk, size - taken));
    if (count == 0) return {};
    if (accesses.size() < kBases + count) accesses.resize(kBases + count);
    const bool isValid = dictionary.empty() ? takeChunk<false>(count) : takeChunk<true>(count);
    taken += count;
    const bool isLast = taken == size;
    if (!isValid || (isLast && (newest != keyCount || nextKnown != knownKeys.size() || nextEntry != entries.size() ||
                                residual != residualsEnd))) {
        taken = size;
        return {};
    }
    return std::span(accesses).subspan(kBases, count);
}

PackDecoder::PackDecoder() : state_(std::make_unique<State>()) {}
PackDecoder::~PackDecoder() = default;
PackDecoder::PackDecoder(PackDecoder&&) noexcept = default;
PackDecoder& PackDecoder::operator=(PackDecoder&&) noexcept = default;

bool PackDecoder::open(std::string_view bytes, std::uint64_t sites, std::uint32_t cpus,
                       const AddressDictionary* dictionary) {
    const auto parts = partsOf(bytes);
    state_->dictionary = {};
    if (parts && parts->dictionary != 0 && dictionary != nullptr) state_->dictionary = dictionary->entries();
    if (parts) return state_->open(*parts, sites, cpus);
    state_->taken = state_->size = 0;
    return false;
}

std::span<PackedAccess> PackDecoder::next() {
    return state_->next();
}

void PackDecoder::exchange(std::vector<PackedAccess>& memory) {
    state_->accesses.swap(memory);
}

std::span<const std::uint64_t> PackDecoder::decodeStamps(std::string_view bytes) {
    const auto parts = partsOf(bytes);
    if (!parts || !state_->unpack(PackColumn::stamps, *parts)) return {};
    std::string_view column(state_->bytesOf(PackColumn::stamps).data(), parts->column(PackColumn::stamps).plainBytes);
    std::vector<std::uint64_t>& stamps = state_->stamps;
    stamps.clear();
    if (column.size() < parts->accesses) return {};
    stamps.reserve(parts->accesses);
    std::uint64_t stamp = 0;
    std::uint64_t change = 0;
    while (readVarint(column, change)) {
        stamp += unfolded(change);
        stamps.push_back(stamp);
    }
    if (!column.empty() || stamps.size() != parts->accesses) return {};
    return stamps;
}

PackHead packHead(std::string_view bytes) {
    const auto parts = partsOf(bytes);
    if (!parts) return {};
    return {.accesses = parts->accesses,
            .dictionary = parts->dictionary,
            .stamped = parts->column(PackColumn::stamps).plainBytes > 0};
}

}  // namespace whorl::sim
