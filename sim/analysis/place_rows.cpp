#include "sim/analysis/place_rows.h"

#include <algorithm>
#include <unordered_map>

#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// A row for each key, in the order of first use; nameOf(key) is called once for each.
template <class KeyOf, class NameOf>
std::vector<PlaceRow> rowsBy(const PlaceHistory& history, KeyOf&& keyOf, NameOf&& nameOf) {
    std::vector<PlaceRow> rows;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const PlaceAccess& a : history.accesses) {
        const std::uint64_t key = keyOf(a);
        const auto [at, isNew] = places.try_emplace(key, rows.size());
        if (isNew) {
            rows.push_back({.name = nameOf(key), .first = a.tick});
            rows.back().served.assign(history.levels + 1, 0);
        }
        PlaceRow& row = rows[at->second];
        row.last = a.tick;
        row.penalty += a.penalty;
        if (!a.counts) continue;
        ++row.accesses;
        row.writes += a.write ? 1 : 0;
        ++row.served[a.served];
    }
    return rows;
}

}  // namespace

ByteAddress namingByte(const PlaceHistory& history, const PlaceAccess& access) {
    if (history.place.kind == Place::Kind::memory) return std::max(access.address, history.place.from);
    const ByteAddress base{access.block.value * history.blockBytes};
    const bool isTouched = overlap(access.address, access.size, base, history.blockBytes);
    return isTouched ? std::max(access.address, base) : base;
}

std::vector<PlaceRow> rowsByName(const PlaceHistory& history, const Trace& trace) {
    const std::size_t objects = trace.objects().size();
    // Objects first, then regions, then memory in neither.
    const auto keyOf = [&](const PlaceAccess& a) -> std::uint64_t {
        const ByteAddress byte = namingByte(history, a);
        if (const Object* object = trace.objectAt(byte, a.tick)) {
            return static_cast<std::uint64_t>(object - trace.objects().data());
        }
        return objects + trace.regionAt(byte);
    };
    const auto nameOf = [&](std::uint64_t key) {
        if (key < objects) return trace.objects()[key].name;
        const std::size_t region = key - objects;
        return region < trace.regions().size() ? trace.regions()[region].name : std::string("(no region)");
    };
    return rowsBy(history, keyOf, nameOf);
}

std::vector<PlaceRow> rowsByWord(const PlaceHistory& history, const Trace& trace, std::uint64_t bytes) {
    if (history.place.kind == Place::Kind::cache) return {};
    const std::uint64_t from = history.place.from.value;
    return rowsBy(
        history, [&](const PlaceAccess& a) { return (namingByte(history, a).value - from) / bytes; },
        [&](std::uint64_t word) { return trace.placeOf(ByteAddress{from + word * bytes}, history.range.from); });
}

std::vector<PlaceRow> rowsByLine(const PlaceHistory& history, const Trace& trace) {
    const SourceLines lines(trace);
    return rowsBy(
        history, [&](const PlaceAccess& a) -> std::uint64_t { return lines.of(a.site); },
        [&](std::uint64_t line) {
            return siteName(trace, trace.site(lines.siteOf(static_cast<std::uint32_t>(line))));
        });
}

}  // namespace whorl::sim
