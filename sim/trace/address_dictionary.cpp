#include "sim/trace/address_dictionary.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "sim/base/compact_bytes.h"
#include "sim/trace/pack_columns.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kAddressBytes = 8;
constexpr std::size_t kIndexBytes = 3;
static_assert(AddressDictionary::kMaxEntries <= std::size_t{1} << (8 * kIndexBytes - 1));

/// The columns of a dictionary: the encoding of the addresses; the bytes of their numbers; the number of successors of
/// each entry; and the bytes of the successors, relative to the next entry. Columns of zeros are empty.
constexpr std::size_t kMeaning = 0;
constexpr std::size_t kAddresses = 1;
constexpr std::size_t kCounts = kAddresses + kAddressBytes;
constexpr std::size_t kSuccessors = kCounts + 1;
constexpr std::size_t kColumns = kSuccessors + kIndexBytes;

/// The encoding of addresses as numbers. The smaller one is chosen.
enum class Meaning : std::uint8_t {
    offsets,  ///< from the lowest address: for isolated addresses
    changes   ///< folded differences from the entry before: for neighbours, such as the members of a node
};

/// Stores numbers of up to 8 bytes, with a column for each byte.
void appendNumbers(std::span<std::string> columns, const std::vector<std::uint64_t>& numbers) {
    std::uint64_t all = 0;
    for (const std::uint64_t n : numbers) all |= n;
    for (std::size_t b = 0; b < columns.size(); ++b) {
        if ((all >> 8 * b & 255) == 0) continue;
        columns[b].reserve(numbers.size());
        for (const std::uint64_t n : numbers) columns[b] += static_cast<char>(n >> 8 * b);
    }
}

/// Reads `count` numbers. False if a column has a different size.
bool readNumbers(std::span<const PackedColumn> columns, std::size_t count, ColumnUnpacker& unpacker,
                 std::vector<std::uint64_t>& numbers) {
    numbers.assign(count, 0);
    std::vector<char> bytes;
    for (std::size_t b = 0; b < columns.size(); ++b) {
        if (columns[b].plainBytes == 0) continue;
        if (columns[b].plainBytes != count || !unpacker.unpack(columns[b], count, bytes)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            numbers[i] |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * b;
        }
    }
    return true;
}

/// Encodes addresses as numbers.
std::vector<std::uint64_t> numbersFor(const std::vector<AddressDictionary::Entry>& entries, Meaning meaning,
                                      std::uint64_t lowest) {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(entries.size());
    std::uint64_t last = lowest;
    for (const AddressDictionary::Entry& entry : entries) {
        numbers.push_back(meaning == Meaning::offsets ? entry.address - lowest : folded(entry.address - last));
        last = entry.address;
    }
    return numbers;
}

/// Decodes numbers to addresses, in place.
void takeAddresses(std::vector<std::uint64_t>& numbers, Meaning meaning, std::uint64_t lowest) {
    std::uint64_t last = lowest;
    for (std::uint64_t& n : numbers) last = n = meaning == Meaning::offsets ? lowest + n : last + unfolded(n);
}

}  // namespace

std::string AddressDictionary::packed(Effort effort) const {
    std::array<std::string, kColumns> columns;
    std::uint64_t lowest = entries_.empty() ? 0 : entries_.front().address;
    std::vector<std::uint64_t> successors;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        lowest = std::min(lowest, entry.address);
        std::size_t count = 0;
        for (; count < entry.next.size() && entry.next[count] != kNone; ++count) {
            successors.push_back(folded(std::uint64_t{entry.next[count]} - (i + 1)));
        }
        columns[kCounts] += static_cast<char>(count);
    }
    appendNumbers(std::span(columns).subspan(kSuccessors, kIndexBytes), successors);
    ColumnPacker packer;
    std::array<std::string, kColumns> best;
    std::size_t leastBytes = ~std::size_t{0};
    for (const Meaning meaning : {Meaning::offsets, Meaning::changes}) {
        for (std::size_t c = 0; c < kCounts; ++c) columns[c].clear();
        columns[kMeaning] += static_cast<char>(meaning);
        appendVarint(columns[kMeaning], lowest);
        appendVarint(columns[kMeaning], successors.size());
        appendNumbers(std::span(columns).subspan(kAddresses, kAddressBytes), numbersFor(entries_, meaning, lowest));
        const std::size_t bytes = packer.packedGroup(columns, Effort::quick).size();
        if (bytes >= leastBytes) continue;
        leastBytes = bytes;
        best = columns;
    }
    return packer.packedGroup(best, effort);
}

std::optional<AddressDictionary> AddressDictionary::unpacked(std::string_view bytes) {
    std::array<PackedColumn, kColumns> columns;
    if (!columnsOf(bytes, columns)) return std::nullopt;
    ColumnUnpacker unpacker;
    std::vector<char> plain;
    if (!unpacker.unpack(columns[kMeaning], 32, plain)) return std::nullopt;
    std::string_view meaning(plain.data(), columns[kMeaning].plainBytes);
    std::uint64_t how = 0;
    std::uint64_t lowest = 0;
    std::uint64_t successorCount = 0;
    if (!readVarint(meaning, how) || !readVarint(meaning, lowest) || !readVarint(meaning, successorCount) ||
        !meaning.empty() || how > static_cast<std::uint64_t>(Meaning::changes)) {
        return std::nullopt;
    }
    const std::size_t size = columns[kCounts].plainBytes;
    std::vector<char> counts;
    std::vector<std::uint64_t> addresses;
    std::vector<std::uint64_t> successors;
    if (size > kMaxEntries || successorCount > 2 * size || !unpacker.unpack(columns[kCounts], size, counts) ||
        !readNumbers(std::span(columns).subspan(kAddresses, kAddressBytes), size, unpacker, addresses) ||
        !readNumbers(std::span(columns).subspan(kSuccessors, kIndexBytes), successorCount, unpacker, successors)) {
        return std::nullopt;
    }
    takeAddresses(addresses, static_cast<Meaning>(how), lowest);
    std::vector<Entry> entries(size);
    std::size_t successor = 0;
    for (std::size_t i = 0; i < size; ++i) {
        entries[i].address = addresses[i];
        const auto count = static_cast<unsigned char>(counts[i]);
        if (count > entries[i].next.size() || count > successors.size() - successor) return std::nullopt;
        for (std::size_t n = 0; n < count; ++n) {
            const std::uint64_t next = i + 1 + unfolded(successors[successor++]);
            if (next >= size) return std::nullopt;
            entries[i].next[n] = static_cast<std::uint32_t>(next);
        }
    }
    if (successor != successors.size()) return std::nullopt;
    return AddressDictionary(std::move(entries));
}

AddressFinder::AddressFinder(std::span<const AddressDictionary::Entry> entries)
    : entries_(entries), slots_(std::bit_ceil(2 * entries.size() + 1), AddressDictionary::kNone) {
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        std::size_t slot = slotOf(entries[i].address);
        while (slots_[slot] != AddressDictionary::kNone) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = i;
    }
}

std::uint32_t AddressFinder::find(std::uint64_t address) const {
    for (std::size_t slot = slotOf(address);; slot = (slot + 1) & (slots_.size() - 1)) {
        const std::uint32_t index = slots_[slot];
        if (index == AddressDictionary::kNone || entries_[index].address == address) return index;
    }
}

// Selects the addresses that get an entry of a dictionary: those that recur where neither the step of the instruction
// nor the offset from the preceding access predicts them. Two contexts predict the next entry: the last entry accessed
// by any instruction, and the last one accessed by the same instruction.

namespace {

using Entry = AddressDictionary::Entry;
constexpr std::uint32_t kNoEntry = AddressDictionary::kNone;
/// Up to this number, entries stay in the host's nearer caches in any order.
constexpr std::size_t kNearEntries = std::size_t{1} << 15;

/// An access that no step or offset predicts.
struct Irregular {
    std::uint64_t address = 0;
    std::uint32_t key = 0;  ///< number of the instruction's key, from 0
};

struct Irregulars {
    std::vector<Irregular> accesses;
    std::uint32_t keys = 0;
};

Irregulars irregularsOf(std::span<const PackedAccess> accesses) {
    KeyTable table;
    table.nextPack();
    std::vector<ChunkKey> keys;
    Irregulars out;
    std::uint64_t before = 0;
    for (const PackedAccess& a : accesses) {
        const std::uint32_t number = table.find(a.site().value, a.rest(), static_cast<std::uint32_t>(keys.size()));
        if (number == keys.size()) keys.emplace_back();
        ChunkKey& key = keys[number];
        const std::uint64_t address = a.address().value;
        if (address != key.last + key.step && address != before + key.offset) {
            out.accesses.push_back({.address = address, .key = number});
        }
        key.moveTo(address, before);
        before = address;
    }
    out.keys = static_cast<std::uint32_t>(keys.size());
    return out;
}

/// A value and the number of its occurrences.
struct Counted {
    std::uint64_t what = 0;
    std::uint32_t times = 0;
};

/// Sorts by digits, the lowest first: each takes one pass, if numbers differ in it at all.
void sortByDigits(std::vector<std::uint64_t>& numbers) {
    constexpr unsigned kBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kBits;
    std::uint64_t differing = 0;
    for (const std::uint64_t n : numbers) differing |= n ^ numbers.front();
    std::vector<std::uint64_t> sorted(numbers.size());
    for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += kBits) {
        if ((differing >> shift) % kDigits == 0) continue;
        std::array<std::size_t, kDigits + 1> starts{};
        for (const std::uint64_t n : numbers) ++starts[(n >> shift) % kDigits + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        for (const std::uint64_t n : numbers) sorted[starts[(n >> shift) % kDigits]++] = n;
        numbers.swap(sorted);
    }
}

/// The values that occur at least twice, in ascending order.
std::vector<Counted> recurring(std::vector<std::uint64_t> things) {
    sortByDigits(things);
    std::vector<Counted> out;
    for (std::size_t i = 0; i < things.size();) {
        std::size_t end = i + 1;
        while (end < things.size() && things[end] == things[i]) ++end;
        if (end - i >= 2) out.push_back({.what = things[i], .times = static_cast<std::uint32_t>(end - i)});
        i = end;
    }
    return out;
}

/// An entry for each recurring address.
std::vector<Entry> entriesFor(const Irregulars& irregulars) {
    std::vector<std::uint64_t> addresses;
    addresses.reserve(irregulars.accesses.size());
    for (const Irregular& a : irregulars.accesses) addresses.push_back(a.address);
    std::vector<Entry> entries;
    for (const Counted& c : recurring(std::move(addresses))) entries.push_back({.address = c.what});
    return entries;
}

/// An access with an entry, and the entries accessed before it: by any instruction, and by the same one.
struct EntryUse {
    std::uint32_t last = kNoEntry;
    std::uint32_t lastOfKey = kNoEntry;
    std::uint32_t entry = 0;
};

std::vector<EntryUse> usesOf(const Irregulars& irregulars, const std::vector<Entry>& entries) {
    const AddressFinder finder(entries);
    std::vector<EntryUse> uses;
    uses.reserve(irregulars.accesses.size());
    std::vector<std::uint32_t> lastOfKey(irregulars.keys, kNoEntry);
    std::uint32_t last = kNoEntry;
    const auto& accesses = irregulars.accesses;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const Irregular& a = accesses[i];
        finder.fetch(i, accesses.size(), [&](std::size_t j) { return accesses[j].address; });
        const std::uint32_t entry = finder.find(a.address);
        if (entry == kNoEntry) continue;
        uses.push_back({.last = last, .lastOfKey = lastOfKey[a.key], .entry = entry});
        last = lastOfKey[a.key] = entry;
    }
    return uses;
}

/// Gives each entry the two entries that followed it most often.
void findSuccessors(std::vector<Entry>& entries, const std::vector<EntryUse>& uses) {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(2 * uses.size());
    for (const auto& [last, lastOfKey, entry] : uses) {
        if (last != kNoEntry) pairs.push_back(std::uint64_t{last} << 32 | entry);
        if (lastOfKey != kNoEntry && lastOfKey != last) pairs.push_back(std::uint64_t{lastOfKey} << 32 | entry);
    }
    std::vector<Counted> counted = recurring(std::move(pairs));
    std::stable_sort(counted.begin(), counted.end(), [](const Counted& a, const Counted& b) {
        return std::pair(a.what >> 32, ~a.times) < std::pair(b.what >> 32, ~b.times);
    });
    for (const Counted& c : counted) {
        auto& next = entries[c.what >> 32].next;
        const auto to = static_cast<std::uint32_t>(c.what);
        if (next[0] == kNoEntry) {
            next[0] = to;
        } else if (next[1] == kNoEntry) {
            next[1] = to;
        }
    }
}

/// Removes successors that would predict fewer than two accesses: storing a successor takes as much as one prediction
/// saves.
void dropRareSuccessors(std::vector<Entry>& entries, const std::vector<EntryUse>& uses) {
    std::vector<std::array<std::uint32_t, 2>> predicted(entries.size());
    const auto count = [&](std::uint32_t from, std::uint32_t entry) {
        for (std::size_t n = 0; from != kNoEntry && n < 2; ++n) {
            if (entries[from].next[n] != entry) continue;
            ++predicted[from][n];
            return true;
        }
        return false;
    };
    for (const auto& [last, lastOfKey, entry] : uses) {
        if (!count(last, entry)) count(lastOfKey, entry);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& next = entries[i].next;
        for (std::size_t n = 2; n-- > 0;) {
            if (predicted[i][n] >= 2) continue;
            if (n == 0) next[0] = next[1];
            next[1] = kNoEntry;
        }
    }
}

/// The entries in another order: order[i] is the index of the entry that becomes the i-th.
std::vector<Entry> reordered(const std::vector<Entry>& entries, const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> newIndex(entries.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) newIndex[order[i]] = i;
    std::vector<Entry> out;
    out.reserve(entries.size());
    for (const std::uint32_t old : order) {
        Entry& entry = out.emplace_back(entries[old]);
        for (std::uint32_t& next : entry.next) next = next == kNoEntry ? kNoEntry : newIndex[next];
    }
    return out;
}

/// The entries in the order in which they are first accessed.
std::vector<std::uint32_t> orderOfAccess(const std::vector<Entry>& entries, const std::vector<EntryUse>& uses) {
    std::vector<std::uint32_t> order;
    order.reserve(entries.size());
    std::vector<bool> seen(entries.size());
    for (const EntryUse& use : uses) {
        if (!seen[use.entry]) order.push_back(use.entry);
        seen[use.entry] = true;
    }
    return order;
}

bool mostHaveSuccessors(const std::vector<Entry>& entries) {
    const auto with =
        std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.next[0] != kNoEntry; });
    return static_cast<std::size_t>(with) * 2 > entries.size();
}

}  // namespace

AddressDictionary AddressDictionary::of(std::span<const PackedAccess> accesses) {
    const Irregulars irregulars = irregularsOf(accesses);
    std::vector<Entry> entries = entriesFor(irregulars);
    const std::vector<EntryUse> uses = usesOf(irregulars, entries);
    findSuccessors(entries, uses);
    dropRareSuccessors(entries, uses);
    if (entries.size() > kNearEntries && mostHaveSuccessors(entries)) {
        entries = reordered(entries, orderOfAccess(entries, uses));
    }
    return AddressDictionary(std::move(entries));
}

}  // namespace whorl::sim
