#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/base/compact_bytes.h"
#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_codec.h"
#include "sim/trace/pack_columns.h"

namespace whorl::sim {
namespace {

static_assert(std::endian::native == std::endian::little, "residuals are written as they stand");

/// The index in kWidths of the first width that holds a residual.
unsigned widthFor(std::uint64_t residual) {
    static constexpr std::array<std::uint8_t, 9> kByBytes = {0, 0, 1, 2, 3, 4, 4, 5, 5};
    return kByBytes[(static_cast<unsigned>(std::bit_width(residual)) + 7) / 8];
}

}  // namespace

struct PackEncoder::State {
    ColumnPacker packer;
    KeyTable table;
    std::vector<ChunkKey> keys;
    std::vector<Successors> successors;
    std::vector<std::uint32_t> keyEntries;  ///< with a dictionary: the last entry that each key accessed
    std::array<std::string, kPackColumns> columns;
    std::vector<std::uint32_t> knownKeys;
    std::vector<std::uint32_t> entries;
    std::vector<std::uint64_t> stamps;
    std::span<const PackedAccess> chunk;         ///< the chunk being added
    std::array<std::uint64_t, kBases> before{};  ///< addresses of the accesses before it, the last one first
    char* residual = nullptr;                    ///< where the next residual goes; there is space for the widest
    DictionaryUse use;
    bool absolute = false;
    SuccessorMeter* meter = nullptr;
    std::uint32_t previous = 0;   ///< key of the preceding access
    std::uint32_t lastEntry = 0;  ///< with a dictionary: the last entry accessed
    // What is stored, if `isReady`:
    std::array<std::string, kResidualColumns> splitBytes;  ///< the residuals, if `isSplit`
    std::array<std::string, kPackColumns> quickly;         ///< each stored column, packed quickly
    bool isSplit = false;
    bool isReady = false;

    std::string& column(PackColumn c) { return columns[static_cast<std::size_t>(c)]; }
    std::uint32_t newest() const { return static_cast<std::uint32_t>(keys.size()) - 1; }

    void start() {
        for (std::string& c : columns) c.clear();
        table.nextPack();
        keys.assign(1, ChunkKey{});
        successors.assign(1, Successors{});
        keyEntries.assign(1, AddressDictionary::kNone);
        knownKeys.clear();
        entries.clear();
        stamps.clear();
        before.fill(0);
        previous = 0;
        lastEntry = AddressDictionary::kNone;
        isReady = false;
    }

    void add(std::span<const PackedAccess> accesses) {
        isReady = false;
        chunk = accesses;
        std::string& codes = column(PackColumn::codes);
        std::string& bytes = column(PackColumn::residuals);
        const std::size_t codesBefore = codes.size();
        const std::size_t bytesBefore = bytes.size();
        codes.resize(codesBefore + accesses.size());
        bytes.resize(bytesBefore + accesses.size() * sizeof(std::uint64_t));
        residual = bytes.data() + bytesBefore;
        // The accesses may come from another processor's cache.
        constexpr std::size_t kAhead = 64;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            __builtin_prefetch(accesses.data() + i + kAhead);
            if (use.finder != nullptr) {
                use.finder->fetch(i, accesses.size(), [&](std::size_t j) { return accesses[j].address().value; });
            }
            std::uint32_t index = 0;
            Successors& after = successors[previous];
            const KeyFrom from = codeKey(accesses[i], after, index);
            successors[previous].follow(index);
            const unsigned way = codeAddress(i, index);
            keys[index].moveTo(accesses[i].address().value, addressBefore(i, 1));
            codes[codesBefore + i] = static_cast<char>(way << 2 | static_cast<unsigned>(from));
            previous = index;
        }
        bytes.resize(static_cast<std::size_t>(residual - bytes.data()));
        std::array<std::uint64_t, kBases> last{};
        for (std::size_t n = 0; n < kBases; ++n) last[n] = addressBefore(accesses.size(), n + 1);
        before = last;
    }

    /// The address of the n-th access before the i-th of the chunk.
    std::uint64_t addressBefore(std::size_t i, std::size_t n) const {
        return n <= i ? chunk[i - n].address().value : before[n - i - 1];
    }

    /// Encodes the key of an access, and stores it in `key`.
    KeyFrom codeKey(const PackedAccess& access, Successors after, std::uint32_t& key) {
        const std::uint32_t site = access.site().value;
        const std::uint32_t rest = access.rest();
        const ChunkKey& expected = keys[after.recent];
        if (after.recent != 0 && expected.site == site && expected.rest == rest) [[likely]] {
            key = after.recent;
            return KeyFrom::successor;
        }
        key = table.find(site, rest, newest() + 1);
        if (key > newest()) {
            makeKey(site, rest);
            return after.recent == 0 ? KeyFrom::successor : KeyFrom::isNew;
        }
        if (after.other == key) return KeyFrom::otherSuccessor;
        knownKeys.push_back(key);
        return KeyFrom::knownKeys;
    }

    void makeKey(std::uint32_t site, std::uint32_t rest) {
        appendVarint(column(PackColumn::keySites), folded(std::uint64_t{site} - keys.back().site));
        appendVarint(column(PackColumn::keyRests), turned(rest));
        keys.push_back({.last = 0, .step = 0, .offset = 0, .site = site, .rest = rest});
        successors.push_back({});
        keyEntries.push_back(AddressDictionary::kNone);
    }

    unsigned codeAddress(std::size_t i, std::uint32_t index) {
        const ChunkKey& key = keys[index];
        const std::uint64_t address = chunk[i].address().value;
        if (address == key.last + key.step) return kByStep;
        if (address == addressBefore(i, 1) + key.offset) return kByOffset;
        if (use.dictionary != nullptr) {
            const std::uint32_t entry = use.finder->find(address);
            if (entry != AddressDictionary::kNone) return codeEntry(entry, index);
        }
        return codeResidual(i, key);
    }

    unsigned codeEntry(std::uint32_t entry, std::uint32_t index) {
        const std::uint32_t last = std::exchange(lastEntry, entry);
        const std::uint32_t lastOfKey = std::exchange(keyEntries[index], entry);
        const auto& all = use.dictionary->entries();
        for (unsigned n = 0; n < 2; ++n) {
            if (last != AddressDictionary::kNone && all[last].next[n] == entry) return kAfterLast + n;
        }
        for (unsigned n = 0; n < 2; ++n) {
            if (lastOfKey != AddressDictionary::kNone && all[lastOfKey].next[n] == entry) return kAfterKeys + n;
        }
        entries.push_back(entry);
        return kByEntry;
    }

    unsigned codeResidual(std::size_t i, const ChunkKey& key) {
        const std::uint64_t address = chunk[i].address().value;
        std::uint64_t shortest = folded(address - key.last);
        unsigned base = 0;
        const auto offer = [&](unsigned n, std::uint64_t other, bool isShorter) {
            base = isShorter ? n : base;
            shortest = isShorter ? other : shortest;
        };
        if (absolute || i < kBases) {
            for (unsigned n = 1; n < kBases; ++n) {
                const std::uint64_t other = folded(address - addressBefore(i, n));
                offer(n, other, absolute ? widthFor(other) < widthFor(shortest) : other < shortest);
            }
        } else {  // the same, without questions
            for (unsigned n = 1; n < kBases; ++n) {
                const std::uint64_t other = folded(address - chunk[i - n].address().value);
                offer(n, other, other < shortest);
            }
        }
        unsigned width = widthFor(shortest);
        unsigned way = kByResidual + base * static_cast<unsigned>(kWidths.size()) + width;
        const std::uint64_t fromZero = folded(address);
        // One more byte is worth it: a residual relative to a random address contains the randomness of both.
        if (absolute && width > 0 && widthFor(fromZero) <= width + 1) {
            shortest = fromZero;
            width = widthFor(fromZero);
            way = kAbsolute + width;
        }
        // A residual of one byte takes as little as an entry.
        if (meter != nullptr && width > 0) meter->add(address, key.last, kWidths[width]);
        std::memcpy(residual, &shortest, sizeof shortest);
        residual += kWidths[width];
        return way;
    }

    /// Splits numbers into one column per byte, up to the highest byte of the largest number; at most three.
    void split(const std::vector<std::uint32_t>& numbers, PackColumn first) {
        const std::uint32_t largest = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
        for (std::size_t b = 0; b < 3; ++b) {
            std::string& column = columns[static_cast<std::size_t>(first) + b];
            column.clear();
            if (b > 0 && largest >> 8 * b == 0) continue;
            column.reserve(numbers.size());
            for (const std::uint32_t n : numbers) column += static_cast<char>(n >> 8 * b);
        }
    }

    /// The residuals with a column for each of the lower bytes.
    std::array<std::string, kResidualColumns> splitResiduals() const {
        std::array<std::string, kResidualColumns> split;
        const std::string& all = columns[static_cast<std::size_t>(PackColumn::residuals)];
        std::size_t at = 0;
        for (const char c : columns[static_cast<std::size_t>(PackColumn::codes)]) {
            const unsigned way = static_cast<unsigned char>(c) >> 2;
            if (way < kByResidual || way >= kByEntry) continue;
            const std::size_t width = kWidths[(way - kByResidual) % kWidths.size()];
            for (std::size_t b = 0; b < width; ++b) split[std::min(b, kResidualColumns - 1)] += all[at++];
        }
        return split;
    }

    void makeReady(bool mayBeSplit);
    void trySplitting();
    std::array<std::string_view, kPackColumns> stored() const;
    std::string finish(Effort effort);
};

/// Splits the residuals if they then take less space when packed quickly.
void PackEncoder::State::trySplitting() {
    const auto first = static_cast<std::size_t>(PackColumn::residuals);
    auto bytes = splitResiduals();
    std::array<std::string, kResidualColumns> packed;
    std::size_t size = 0;
    for (std::size_t b = 0; b < bytes.size(); ++b) {
        packed[b] = packer.packed(bytes[b], Effort::quick);
        size += packed[b].size();
    }
    isSplit = size < quickly[first].size();
    if (!isSplit) return;
    for (std::size_t b = 0; b < bytes.size(); ++b) {
        splitBytes[b] = std::move(bytes[b]);
        quickly[first + b] = std::move(packed[b]);
    }
}

std::array<std::string_view, kPackColumns> PackEncoder::State::stored() const {
    std::array<std::string_view, kPackColumns> all;
    std::copy(columns.begin(), columns.end(), all.begin());
    const auto first = static_cast<std::ptrdiff_t>(PackColumn::residuals);
    if (isSplit) std::copy(splitBytes.begin(), splitBytes.end(), all.begin() + first);
    return all;
}

/// Completes the columns, and packs them quickly.
void PackEncoder::State::makeReady(bool mayBeSplit) {
    if (isReady) return;
    split(knownKeys, PackColumn::knownKeys);
    split(entries, PackColumn::entries);
    std::string& stampColumn = column(PackColumn::stamps);
    stampColumn.clear();
    std::uint64_t last = 0;
    for (const std::uint64_t stamp : stamps) {
        appendVarint(stampColumn, folded(stamp - last));
        last = stamp;
    }
    for (std::size_t c = 0; c < kPackColumns; ++c) quickly[c] = packer.packed(columns[c], Effort::quick);
    isSplit = false;
    if (mayBeSplit) trySplitting();
    isReady = true;
}

std::string PackEncoder::State::finish(Effort effort) {
    const auto all = stored();
    std::array<std::string, kPackColumns> bodies = quickly;
    for (std::size_t c = 0; c < kPackColumns; ++c) bodies[c] = packer.packed(all[c], std::move(bodies[c]), effort);
    std::string out(reinterpret_cast<const char*>(&kPackMark), sizeof kPackMark);
    appendVarint(out, newest());
    appendVarint(out, std::uint64_t{lastEntry == AddressDictionary::kNone ? 0 : use.number} << 1 | (isSplit ? 1 : 0));
    return out + storedGroup(all, bodies);
}

PackEncoder::PackEncoder() : state_(std::make_unique<State>()) {}
PackEncoder::~PackEncoder() = default;
PackEncoder::PackEncoder(PackEncoder&&) noexcept = default;
PackEncoder& PackEncoder::operator=(PackEncoder&&) noexcept = default;

void PackEncoder::start(const DictionaryUse& use, bool absolute, SuccessorMeter* meter) {
    state_->start();
    state_->use = use;
    state_->absolute = absolute;
    state_->meter = meter;
}

void PackEncoder::add(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps) {
    state_->add(accesses);
    state_->stamps.insert(state_->stamps.end(), stamps.begin(), stamps.end());
}

std::size_t PackEncoder::quickBytes() {
    state_->makeReady(true);
    std::size_t bytes = 0;
    for (const std::string& body : state_->quickly) bytes += body.size();
    return bytes;
}

std::string PackEncoder::finish(Effort effort) {
    state_->makeReady(true);
    return state_->finish(effort);
}

std::string PackEncoder::encode(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps) {
    start();
    add(accesses, stamps);
    return finishQuickly();
}

std::string PackEncoder::finishQuickly() {
    state_->makeReady(false);
    return state_->finish(Effort::quick);
}

}  // namespace whorl::sim
