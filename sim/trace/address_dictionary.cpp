#include "sim/trace/address_dictionary.h"

#include <algorithm>
#include <bit>

#include "sim/base/varint.h"

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
        std::size_t slot = entries[i].address * 0x9e3779b97f4a7c15 >> 32;
        while (slots_[slot & (slots_.size() - 1)] != AddressDictionary::kNone) ++slot;
        slots_[slot & (slots_.size() - 1)] = i;
    }
}

std::uint32_t AddressFinder::find(std::uint64_t address) const {
    for (std::size_t slot = address * 0x9e3779b97f4a7c15 >> 32;; ++slot) {
        const std::uint32_t index = slots_[slot & (slots_.size() - 1)];
        if (index == AddressDictionary::kNone || entries_[index].address == address) return index;
    }
}

}  // namespace whorl::sim
