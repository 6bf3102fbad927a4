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

/// The part of a region or an object that a name selects.
struct WantedPart {
    std::vector<std::uint64_t> indices;
    std::string field;                    ///< field of the element; empty: all of it
    std::optional<std::uint64_t> offset;  ///< bytes
    std::optional<std::uint64_t> last;    ///< last index or offset of a range
};

/// "4" or "4…7": a number, and the last number of a range.
struct NumberRange {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> last;
};

std::optional<NumberRange> rangeIn(std::string_view words) {
    for (const std::string_view to : {std::string_view("…"), std::string_view("..")}) {
        const std::size_t at = words.find(to);
        if (at == std::string_view::npos) continue;
        const auto first = numberNamed(trimmed(words.substr(0, at)));
        const auto last = numberNamed(trimmed(words.substr(at + to.size())));
        if (!first || !last || *last < *first) return std::nullopt;
        return NumberRange{*first, last};
    }
    const auto number = numberNamed(words);
    return number ? std::optional(NumberRange{*number, std::nullopt}) : std::nullopt;
}

/// "[3][0]" or "[3][0…3]" as numbers; nothing for any other text.
std::optional<WantedPart> indicesIn(std::string_view words) {
    WantedPart out;
    while (!words.empty()) {
        const std::size_t end = words.find(']');
        if (words.front() != '[' || end == std::string_view::npos || out.last) return std::nullopt;
        const auto index = rangeIn(trimmed(words.substr(1, end - 1)));
        if (!index) return std::nullopt;
        out.indices.push_back(index->first);
        out.last = index->last;
        words.remove_prefix(end + 1);
    }
    return out;
}

/// "[3][0]", "[3].next", ".next", "+0x40" or "+0x40…0x4f"; nothing for any other text.
std::optional<WantedPart> partIn(std::string_view words) {
    if (words.starts_with('+')) {
        const auto bytes = rangeIn(trimmed(words.substr(1)));
        if (!bytes) return std::nullopt;
        return WantedPart{.indices = {}, .field = {}, .offset = bytes->first, .last = bytes->last};
    }
    const std::size_t afterIndices = words.rfind(']');
    const std::size_t fields = words.find('.', afterIndices == std::string_view::npos ? 0 : afterIndices);
    auto part = indicesIn(trimmed(words.substr(0, fields)));
    if (!part) return std::nullopt;
    if (fields != std::string_view::npos) part->field = trimmed(words.substr(fields + 1));
    return part;
}

tl::unexpected<Error> outside(const std::string& name, const std::string& size) {
    return fail("", fmt::format("that lies outside {}, which has {}", name, size), "count from 0");
}

tl::unexpected<Error> wrongIndices(const Region& region, std::size_t wanted) {
    if (wanted == 0) {
        return fail("", fmt::format("{} is not an array of known shape", region.name),
                    fmt::format("write {}+0x40 for a place in it", region.name));
    }
    return fail("", fmt::format("{} has {}", region.name, wanted == 1 ? "one index" : "two indices"),
                fmt::format("write {}", wanted == 1 ? region.name + "[0]" : region.name + "[0][0]"));
}

/// Narrows `found`, one element of the type, to one of its fields.
Expected<NamedMemory> fieldOf(NamedMemory found, const std::string& name, const ElementType* type,
                              const std::string& field) {
    if (field.empty()) return found;
    if (type == nullptr || type->fields.empty()) {
        return fail("", fmt::format("{} has no fields", name), fmt::format("write {} alone", name));
    }
    for (const StructField& f : type->fields) {
        if (f.name != field) continue;
        found.kind = NamedMemory::Kind::element;
        found.from.value += f.offset;
        found.bytes = f.size;
        return found;
    }
    std::vector<std::string> names;
    for (const StructField& f : type->fields) names.push_back(f.name);
    return fail("", fmt::format("{} has no field {}", name, field),
                fmt::format("{}its fields are {}", didYouMean(field, names), joinNames(names)));
}

Expected<NamedMemory> elementOf(const Region& region, NamedMemory found, const WantedPart& part) {
    const auto& indices = part.indices;
    const std::size_t wanted = region.rows == 0 ? 0 : region.columns == 0 ? 1 : 2;
    if (indices.size() != wanted) return wrongIndices(region, wanted);
    if (wanted == 0) {
        const bool isOne = region.type != nullptr && region.type->size == region.size;
        return fieldOf(found, region.name, isOne ? region.type.get() : nullptr, part.field);
    }
    const std::uint64_t last = part.last.value_or(indices.back());
    const bool isIn = wanted == 1 ? last < region.rows : indices[0] < region.rows && last < region.columns;
    if (!isIn) {
        return outside(region.name, wanted == 2 ? fmt::format("{} × {} elements", region.rows, region.columns)
                                                : fmt::format("{} elements", region.rows));
    }
    const std::uint64_t element = wanted == 2 ? indices[0] * region.columns + indices[1] : indices[0];
    found.kind = NamedMemory::Kind::element;
    found.from.value += element * region.elementSize;
    found.bytes = (last - indices.back() + 1) * region.elementSize;
    return fieldOf(found, region.name, region.type.get(), part.field);
}

Expected<NamedMemory> inRegion(const Trace& trace, std::size_t index, const WantedPart& part) {
    const Region& region = trace.regions()[index];
    NamedMemory found{.from = region.base, .bytes = region.size, .region = static_cast<std::uint32_t>(index)};
    if (part.offset) {
        const std::uint64_t last = part.last.value_or(*part.offset);
        if (last >= region.size) return outside(region.name, fmt::format("{} bytes", region.size));
        found.kind = NamedMemory::Kind::byte;
        found.from.value += *part.offset;
        found.bytes = last - *part.offset + 1;
        return found;
    }
    const bool isWhole = part.indices.empty() && part.field.empty();
    return isWhole ? found : elementOf(region, found, part);
}

/// The declared array that coincides with an object, if there is one: places in the object use the array's name.
std::optional<std::size_t> arrayAt(const Trace& trace, const Object& object) {
    const std::size_t r = trace.regionAt(object.base);
    if (r >= trace.regions().size()) return std::nullopt;
    const Region& region = trace.regions()[r];
    const bool isIt = region.rows > 0 && region.base == object.base && region.size == object.size;
    return isIt ? std::optional(r) : std::nullopt;
}

Expected<NamedMemory> inObject(const Trace& trace, const Object& object, const WantedPart& part) {
    const std::uint64_t first = part.offset.value_or(0);
    const std::uint64_t last = part.offset ? part.last.value_or(first) : 0;
    NamedMemory found{.kind = part.offset ? NamedMemory::Kind::byte : NamedMemory::Kind::object,
                      .from = ByteAddress{object.base.value + first},
                      .bytes = part.offset ? last - first + 1 : object.size,
                      .object = &object};
    if (last >= object.size) return outside(object.name, fmt::format("{} bytes", object.size));
    if (part.indices.empty() && part.field.empty()) return found;
    if (const auto array = arrayAt(trace, object)) {
        return inRegion(trace, *array, part).map([&](NamedMemory element) {
            element.object = &object;
            return element;
        });
    }
    const ElementType* const type = object.type.get();
    if (part.indices.empty()) {
        const bool isOne = type != nullptr && type->size == object.size;
        return fieldOf(found, object.name, isOne ? type : nullptr, part.field);
    }
    const std::uint64_t elements = type == nullptr || type->size == 0 ? 0 : object.size / type->size;
    if (elements < 2 || part.indices.size() > 1) {
        return fail("", fmt::format("{} is an object of {} bytes", object.name, object.size),
                    fmt::format("write {0} or {0}+0x0", object.name));
    }
    const std::uint64_t to = part.last.value_or(part.indices[0]);
    if (to >= elements) return outside(object.name, fmt::format("{} elements", elements));
    found.kind = NamedMemory::Kind::element;
    found.from.value += part.indices[0] * type->size;
    found.bytes = (to - part.indices[0] + 1) * type->size;
    return fieldOf(found, object.name, type, part.field);
}

/// The object of that name that lives at `now`, or else the first; null if there is none.
const Object* objectNamed(const Trace& trace, std::string_view name, std::optional<Tick> now) {
    const Object* best = nullptr;
    for (const Object& o : trace.objects()) {
        if (o.name != name) continue;
        if (now && o.born <= *now && *now < o.died) return &o;
        if (best == nullptr) best = &o;
    }
    return best;
}

/// Finds a region by name; prefers an exact match over a case-insensitive one.
std::optional<std::size_t> regionNamed(const Trace& trace, std::string_view name) {
    const auto& all = trace.regions();
    auto found = std::find_if(all.begin(), all.end(), [&](const Region& r) { return r.name == name; });
    if (found == all.end()) {
        found = std::find_if(all.begin(), all.end(), [&](const Region& r) { return sameLetters(r.name, name); });
    }
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

/// The only name that ends with ".name", such as "Global.ArrayC" for "ArrayC"; empty if there are none or several.
std::string longNameOf(const Trace& trace, std::string_view name) {
    std::string found;
    const auto isOnly = [&](const std::string& known) {
        const bool ends =
            known.size() > name.size() && known.ends_with(name) && known[known.size() - name.size() - 1] == '.';
        if (!ends || known == found) return true;
        const bool isFirst = found.empty();
        found = known;
        return isFirst;
    };
    const bool isOne =
        std::all_of(trace.objects().begin(), trace.objects().end(), [&](const Object& o) { return isOnly(o.name); }) &&
        std::all_of(trace.regions().begin(), trace.regions().end(), [&](const Region& r) { return isOnly(r.name); });
    return isOne ? found : std::string();
}

}  // namespace

std::string shortPlace(const std::string& place) {
    if (place.find(' ') != std::string::npos) return place;
    return place.substr(place.find_last_of('.', place.find('[')) + 1);
}

std::optional<std::uint64_t> numberNamed(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (!isHex) return wholeNumber(text);
    text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

namespace {

/// What is named in the unmoved trace, as it lies in the trace. Fails if a layout tears it apart.
Expected<NamedMemory> moved(NamedMemory named, const Trace& trace) {
    const Trace& unmoved = trace.unmoved();
    if (named.object != nullptr) {
        named.object = &trace.objects()[static_cast<std::size_t>(named.object - unmoved.objects().data())];
    }
    const bool isWhole = named.kind == NamedMemory::Kind::region || named.kind == NamedMemory::Kind::object;
    if (isWhole) {
        named.from = named.object != nullptr ? named.object->base : trace.regions()[named.region].base;
        named.bytes = named.object != nullptr ? named.object->size : trace.regions()[named.region].size;
        return named;
    }
    const ByteAddress from = trace.map()->of(named.from);
    const ByteAddress last = trace.map()->of(ByteAddress{named.from.value + (named.bytes - 1)});
    named.from = from;
    if (last.value - from.value + 1 == named.bytes) return named;
    return fail("", "this layout tears it apart", "name a single element, or a field of it");
}

}  // namespace

std::optional<Expected<NamedMemory>> memoryNamed(std::string_view words, const Trace& trace, std::optional<Tick> now) {
    if (&trace.unmoved() != &trace) {
        auto found = memoryNamed(words, trace.unmoved(), now);
        if (!found || !*found) return found;
        return moved(**found, trace);
    }
    const auto named = [&](std::string_view name, const WantedPart& part) -> std::optional<Expected<NamedMemory>> {
        if (name.empty()) return std::nullopt;
        const Object* const object = objectNamed(trace, name, now);
        const auto region = regionNamed(trace, name);
        const bool lives = object != nullptr && now && object->born <= *now && *now < object->died;
        if (region && !lives) return inRegion(trace, *region, part);
        if (object == nullptr) return std::nullopt;
        return inObject(trace, *object, part);
    };
    // Try the longest name first: a name may contain brackets and points itself.
    const auto whole = [&](const auto& nameOf) -> std::optional<Expected<NamedMemory>> {
        if (auto found = named(nameOf(words), {})) return found;
        for (std::size_t end = words.size(); end-- > 1;) {
            if (std::string_view("+[.").find(words[end]) == std::string_view::npos) continue;
            const auto part = partIn(words.substr(end));
            if (!part) continue;
            if (auto found = named(nameOf(trimmed(words.substr(0, end))), *part)) return found;
        }
        return std::nullopt;
    };
    if (auto found = whole([](std::string_view name) { return std::string(name); })) return found;
    const auto longName = [&](std::string_view name) { return name.empty() ? std::string() : longNameOf(trace, name); };
    if (auto found = whole(longName)) return found;
    const std::size_t bracket = words.find('[');
    const bool isNamed =
        bracket != std::string_view::npos && bracket > 0 && named(trimmed(words.substr(0, bracket)), {});
    if (!isNamed) return std::nullopt;
    return fail("", fmt::format("{} has indices that are no numbers", words), "write an element as B[3][0]");
}

}  // namespace whorl::sim
