#include "sim/trace/memory_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

bool sameLetters(std::string_view a, std::string_view b) {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

/// "[3][0]" as numbers; nothing for any other text.
std::optional<std::vector<std::uint64_t>> indicesIn(std::string_view words) {
    std::vector<std::uint64_t> out;
    while (!words.empty()) {
        const std::size_t end = words.find(']');
        if (words.front() != '[' || end == std::string_view::npos) return std::nullopt;
        const auto index = wholeNumber(trimmed(words.substr(1, end - 1)));
        if (!index) return std::nullopt;
        out.push_back(*index);
        words.remove_prefix(end + 1);
    }
    return out;
}

/// What is named, and which part of it.
struct WantedPart {
    std::vector<std::uint64_t> indices;
    std::optional<std::uint64_t> offset;  ///< bytes
};

tl::unexpected<Error> outside(const Region& region, const std::string& size) {
    return fail("", fmt::format("that lies outside {}, which has {}", region.name, size), "count from 0");
}

tl::unexpected<Error> wrongIndices(const Region& region, std::size_t wanted) {
    if (wanted == 0) {
        return fail("", fmt::format("{} is not an array of known shape", region.name),
                    fmt::format("write {}+0x40 for a place in it", region.name));
    }
    return fail("", fmt::format("{} has {}", region.name, wanted == 1 ? "one index" : "two indices"),
                fmt::format("write {}", wanted == 1 ? region.name + "[0]" : region.name + "[0][0]"));
}

Expected<NamedMemory> elementOf(const Region& region, NamedMemory found, const std::vector<std::uint64_t>& indices) {
    const std::size_t wanted = region.rows == 0 ? 0 : region.columns == 0 ? 1 : 2;
    if (indices.size() != wanted) return wrongIndices(region, wanted);
    const bool isIn = indices[0] < region.rows && (wanted == 1 || indices[1] < region.columns);
    if (!isIn) {
        return outside(region, wanted == 2 ? fmt::format("{} × {} elements", region.rows, region.columns)
                                           : fmt::format("{} elements", region.rows));
    }
    const std::uint64_t element = wanted == 2 ? indices[0] * region.columns + indices[1] : indices[0];
    found.kind = NamedMemory::Kind::element;
    found.from.value += element * region.elementSize;
    found.bytes = region.elementSize;
    return found;
}

Expected<NamedMemory> inRegion(const Trace& trace, std::size_t index, const WantedPart& part) {
    const Region& region = trace.regions()[index];
    NamedMemory found{.from = region.base, .bytes = region.size, .region = static_cast<std::uint32_t>(index)};
    if (part.offset) {
        if (*part.offset >= region.size) return outside(region, fmt::format("{} bytes", region.size));
        found.kind = NamedMemory::Kind::byte;
        found.from.value += *part.offset;
        found.bytes = 1;
        return found;
    }
    return part.indices.empty() ? found : elementOf(region, found, part.indices);
}

Expected<NamedMemory> inObject(const Object& object, const WantedPart& part) {
    if (!part.indices.empty() || part.offset.value_or(0) >= object.size) {
        return fail("", fmt::format("{} is an object of {} bytes", object.name, object.size),
                    fmt::format("write {0} or {0}+0x0", object.name));
    }
    return NamedMemory{.kind = part.offset ? NamedMemory::Kind::byte : NamedMemory::Kind::object,
                       .from = ByteAddress{object.base.value + part.offset.value_or(0)},
                       .bytes = part.offset ? 1 : object.size,
                       .object = &object};
}

/// One that lives at `now`, else the first.
const Object* objectNamed(const Trace& trace, std::string_view name, std::optional<Tick> now) {
    const Object* best = nullptr;
    for (const Object& o : trace.objects()) {
        if (o.name != name) continue;
        if (now && o.born <= *now && *now < o.died) return &o;
        if (best == nullptr) best = &o;
    }
    return best;
}

/// Prefers an exact match over a case-insensitive one.
std::optional<std::size_t> regionNamed(const Trace& trace, std::string_view name) {
    const auto& all = trace.regions();
    auto found = std::find_if(all.begin(), all.end(), [&](const Region& r) { return r.name == name; });
    if (found == all.end()) {
        found = std::find_if(all.begin(), all.end(), [&](const Region& r) { return sameLetters(r.name, name); });
    }
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

}  // namespace

std::optional<std::uint64_t> numberNamed(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (!isHex) return wholeNumber(text);
    text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<Expected<NamedMemory>> memoryNamed(std::string_view words, const Trace& trace, std::optional<Tick> now) {
    const auto named = [&](std::string_view name, const WantedPart& part) -> std::optional<Expected<NamedMemory>> {
        const Object* const object = objectNamed(trace, name, now);
        const auto region = regionNamed(trace, name);
        const bool lives = object != nullptr && now && object->born <= *now && *now < object->died;
        if (region && !lives) return inRegion(trace, *region, part);
        if (object == nullptr) return std::nullopt;
        return inObject(*object, part);
    };
    if (auto found = named(words, {})) return found;
    const std::size_t plus = words.rfind('+');
    if (plus != std::string_view::npos && plus > 0) {
        if (const auto bytes = numberNamed(trimmed(words.substr(plus + 1)))) {
            if (auto found = named(trimmed(words.substr(0, plus)), {.indices = {}, .offset = bytes})) return found;
        }
    }
    const std::size_t bracket = words.find('[');
    if (bracket == std::string_view::npos || bracket == 0) return std::nullopt;
    auto indices = indicesIn(words.substr(bracket));
    if (!indices) {
        return fail("", fmt::format("{} has indices that are no numbers", words), "write an element as B[3][0]");
    }
    return named(trimmed(words.substr(0, bracket)), {.indices = *std::move(indices), .offset = {}});
}

}  // namespace whorl::sim
