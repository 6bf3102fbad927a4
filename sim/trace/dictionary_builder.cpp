// Selects the addresses that get an entry of a dictionary: those that recur where neither the step of the instruction
// nor the offset from the preceding access predicts them. Two contexts predict the next entry: the last entry accessed
// by any instruction, and the last one accessed by the same instruction.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_columns.h"

namespace whorl::sim {
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
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<ChunkKey> keys;
    Irregulars out;
    std::uint64_t before = 0;
    for (const PackedAccess& a : accesses) {
        const std::uint64_t what = std::uint64_t{a.site().value} << 32 | a.rest();
        const auto [number, isNew] = numbers.try_emplace(what, static_cast<std::uint32_t>(keys.size()));
        if (isNew) keys.emplace_back();
        ChunkKey& key = keys[number->second];
        const std::uint64_t address = a.address().value;
        if (address != key.last + key.step && address != before + key.offset) {
            out.accesses.push_back({.address = address, .key = number->second});
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

/// The values that occur at least twice, in ascending order.
std::vector<Counted> recurring(std::vector<std::uint64_t> things) {
    std::sort(things.begin(), things.end());
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

/// Calls f(after the last entry, after the key's last entry, entry) for each access with an entry.
template <class F>
void forEachEntry(const Irregulars& irregulars, const AddressFinder& finder, F&& f) {
    std::vector<std::uint32_t> lastOfKey(irregulars.keys, kNoEntry);
    std::uint32_t last = kNoEntry;
    for (const Irregular& a : irregulars.accesses) {
        const std::uint32_t entry = finder.find(a.address);
        if (entry == kNoEntry) continue;
        f(last, lastOfKey[a.key], entry);
        last = lastOfKey[a.key] = entry;
    }
}

/// Gives each entry the two entries that followed it most often.
void findSuccessors(std::vector<Entry>& entries, const Irregulars& irregulars, const AddressFinder& finder) {
    std::vector<std::uint64_t> pairs;
    forEachEntry(irregulars, finder, [&](std::uint32_t last, std::uint32_t lastOfKey, std::uint32_t entry) {
        if (last != kNoEntry) pairs.push_back(std::uint64_t{last} << 32 | entry);
        if (lastOfKey != kNoEntry && lastOfKey != last) pairs.push_back(std::uint64_t{lastOfKey} << 32 | entry);
    });
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
void dropRareSuccessors(std::vector<Entry>& entries, const Irregulars& irregulars, const AddressFinder& finder) {
    std::vector<std::array<std::uint32_t, 2>> uses(entries.size());
    forEachEntry(irregulars, finder, [&](std::uint32_t last, std::uint32_t lastOfKey, std::uint32_t entry) {
        for (const std::uint32_t from : {last, lastOfKey}) {
            for (std::size_t n = 0; from != kNoEntry && n < 2; ++n) {
                if (entries[from].next[n] != entry) continue;
                ++uses[from][n];
                return;
            }
        }
    });
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& next = entries[i].next;
        for (std::size_t n = 2; n-- > 0;) {
            if (uses[i][n] >= 2) continue;
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
std::vector<std::uint32_t> orderOfAccess(const std::vector<Entry>& entries, const Irregulars& irregulars,
                                         const AddressFinder& finder) {
    std::vector<std::uint32_t> order;
    order.reserve(entries.size());
    std::vector<bool> seen(entries.size());
    forEachEntry(irregulars, finder, [&](std::uint32_t, std::uint32_t, std::uint32_t entry) {
        if (!seen[entry]) order.push_back(entry);
        seen[entry] = true;
    });
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
    const AddressFinder finder(entries);
    findSuccessors(entries, irregulars, finder);
    dropRareSuccessors(entries, irregulars, finder);
    if (entries.size() > kNearEntries && mostHaveSuccessors(entries)) {
        entries = reordered(entries, orderOfAccess(entries, irregulars, finder));
    }
    return AddressDictionary(std::move(entries));
}

}  // namespace whorl::sim
