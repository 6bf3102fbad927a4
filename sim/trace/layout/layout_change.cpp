#include "sim/trace/layout/layout_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/trace/formats/text_words.h"

namespace whorl::sim {

namespace {

using Kind = LayoutChange::Kind;

constexpr std::array<std::string_view, 9> kDone = {"shifted by",  "aligned to",           "padded to",
                                                   "spread to",   "transposed",           "split",
                                                   "in tiles of", "in a pool of its own", "reserved at once"};
constexpr std::string_view kClass = "class:";
constexpr std::string_view kChangeForms =
    "use shift:NAME:BYTES, align:NAME:BYTES, pad:NAME:BYTES, spread:NAME:BYTES, transpose:NAME, split:NAME, "
    "block:NAME:ROWS, pool:NAME or reserve:NAME";

/// A number of bytes with an optional sign.
std::optional<std::int64_t> signedBytes(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto bytes = parseBytes(text);
    if (!bytes || *bytes > static_cast<std::uint64_t>(kMaxChangeBytes)) return std::nullopt;
    const auto number = static_cast<std::int64_t>(*bytes);
    return negative ? -number : number;
}

/// Removes ":BYTES" from the end of a text. Anything else is left, because it may be part of a name.
std::optional<std::int64_t> takeBytes(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const auto bytes = signedBytes(text.substr(colon + 1));
    if (bytes) text = text.substr(0, colon);
    return bytes;
}

std::string where(std::string_view text) {
    return fmt::format("--map {}", quotedText(text));
}

tl::unexpected<Error> isNoSize(const std::string& place, std::int64_t bytes, std::string_view of) {
    return fail(place, fmt::format("{} is not a valid number of {}", bytes, of), "use 1 or more");
}

/// Takes an empty number: "NAME:", for a name that ends in a number of its own.
bool takeNothing(std::string_view& text) {
    const bool isLeftOut = text.size() > 1 && text.ends_with(':');
    if (isLeftOut) text.remove_suffix(1);
    return isLeftOut;
}

/// Takes the numbers from the end of "NAME", "NAME:BYTES" or "NAME:BYTES:ELEMENT".
Expected<void> takeOrder(LayoutChange& change, std::string_view& rest, const std::string& place) {
    const bool hasNoElement = takeNothing(rest);
    if (hasNoElement && takeNothing(rest)) return {};
    const auto last = takeBytes(rest);
    if (!last) return {};
    const auto before = hasNoElement ? std::nullopt : takeBytes(rest);
    change.bytes = before.value_or(*last);
    if (change.bytes <= 0) return isNoSize(place, change.bytes, change.kind == Kind::split ? "bytes" : "columns");
    if (before && *last <= 0) return isNoSize(place, *last, "bytes");
    if (before) change.element = static_cast<std::uint64_t>(*last);
    return {};
}

/// Takes the numbers from the end of "NAME:BYTES", or of "NAME:BYTES:ELEMENT" for a spread.
Expected<void> takeSizes(LayoutChange& change, std::string_view& rest, const std::string& place) {
    const bool hasNoElement = change.kind == Kind::spread && takeNothing(rest);
    auto bytes = takeBytes(rest);
    if (!bytes) {
        return fail(place, "it does not end with a number of bytes",
                    fmt::format("{}; bytes are such as 64, -16 or 4K, at most 1024G", kChangeForms));
    }
    if (change.kind == Kind::spread && !hasNoElement) {
        if (const auto before = takeBytes(rest)) {
            if (*bytes <= 0) return fail(place, "an element has no bytes", "use 1 or more");
            change.element = static_cast<std::uint64_t>(*bytes);
            bytes = before;
        }
    }
    change.bytes = *bytes;
    return {};
}

Expected<void> checkedOrder(const LayoutChange& change, const std::string& place) {
    if (change.ofClass) {
        return fail(place, "only one array at a time can be transposed, split or stored in tiles",
                    "name the array, without class:");
    }
    const auto bytes = static_cast<std::uint64_t>(change.bytes);
    if (change.kind == Kind::block && change.bytes <= 0) return isNoSize(place, change.bytes, "rows");
    if (change.bytes < 0) return isNoSize(place, change.bytes, "bytes");
    if (change.kind == Kind::split && change.element != 0 && bytes >= change.element) {
        return fail(place, fmt::format("elements of {} bytes have no fields of {}", change.element, bytes),
                    "make the second number the larger one");
    }
    return {};
}

}  // namespace

Expected<LayoutChange> parseLayoutChange(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto verb = std::find(kChangeVerbs.begin(), kChangeVerbs.end(), text.substr(0, colon));
    if (verb == kChangeVerbs.end() || colon == text.size()) {
        return fail(where(text), "it is not a layout change", std::string(kChangeForms));
    }
    LayoutChange change{.kind = static_cast<Kind>(verb - kChangeVerbs.begin()), .thing = {}};
    std::string_view rest = text.substr(colon + 1);
    if (!relocates(change.kind)) {
        WHORL_TRY(needsNumber(change.kind) ? takeSizes(change, rest, where(text))
                                           : takeOrder(change, rest, where(text)));
    }
    change.ofClass = rest.starts_with(kClass);
    if (change.ofClass) rest.remove_prefix(kClass.size());
    change.thing = rest;
    WHORL_TRY(checkedChange(change));
    return change;
}

Expected<void> checkedChange(const LayoutChange& change) {
    const std::string place = where(asText(change));
    if (change.thing.empty()) return fail(place, "the name is missing", std::string(kChangeForms));
    if (change.bytes > kMaxChangeBytes || change.bytes < -kMaxChangeBytes) {
        return fail(place, "the number of bytes is too large", "use at most 1024G");
    }
    if (change.kind == Kind::shift) return {};
    if (relocates(change.kind)) {
        if (!change.ofClass) return {};
        return fail(place, "blocks are taken together by their variable", "name the variable, without class:");
    }
    if (reorders(change.kind)) return checkedOrder(change, place);
    if (change.bytes <= 0) return isNoSize(place, change.bytes, "bytes");
    const bool needsPower = change.kind != Kind::spread;
    if (needsPower && !isPowerOfTwo(static_cast<std::uint64_t>(change.bytes))) {
        return fail(place, fmt::format("{} is not a power of two", change.bytes),
                    "use a block's or a page's size, such as 64 or 4096");
    }
    if (change.element > static_cast<std::uint64_t>(change.bytes)) {
        return fail(place,
                    fmt::format("elements of {} bytes do not fit at {} bytes from one to the next", change.element,
                                change.bytes),
                    "make the first number the larger one");
    }
    return {};
}

std::string asText(const LayoutChange& change) {
    std::string text = fmt::format("{}:{}{}", kChangeVerbs[static_cast<std::size_t>(change.kind)],
                                   change.ofClass ? kClass : "", change.thing);
    std::string_view name = change.thing;
    const bool isAmbiguous = !relocates(change.kind) && (takeBytes(name) || name.ends_with(':'));
    if (needsNumber(change.kind) || change.bytes != 0) {
        text += fmt::format(":{}", change.bytes);
    } else if (isAmbiguous) {
        text += ':';
    }
    if (change.element != 0) {
        text += fmt::format(":{}", change.element);
    } else if (isAmbiguous && (!needsNumber(change.kind) || change.kind == Kind::spread)) {
        text += ':';
    }
    return text;
}

std::string inWords(const LayoutChange& change) {
    const std::string_view done = kDone[static_cast<std::size_t>(change.kind)];
    if (change.kind == Kind::block) return fmt::format("{} {} {} rows", change.thing, done, change.bytes);
    if (!needsNumber(change.kind)) return fmt::format("{} {}", change.thing, done);
    return fmt::format("{}{} {} {}", change.ofClass ? "each " : "", change.thing, done, change.bytes);
}

namespace {

constexpr std::uint64_t kObjectWord = 4;    ///< bytes: the assumed element size of an object
constexpr std::size_t kNamed = 8;           ///< names listed in an error
constexpr std::size_t kMaxCompared = 4096;  ///< names considered for a suggestion

/// A hint: a similar name, or "there are A, B and others".
std::string suggestions(const LayoutChange& change, const std::vector<Region>& regions,
                        const std::vector<Object>& objects) {
    std::set<std::string> known;
    for (const Object& o : objects) {
        if (known.size() < kMaxCompared) known.insert(change.ofClass ? o.className : o.name);
        if (!change.ofClass && o.className == change.thing) {
            return fmt::format("it is a class: write class:{}", change.thing);
        }
    }
    for (const Region& r : regions) {
        if (!change.ofClass) known.insert(r.name);
    }
    known.erase("");
    std::vector<std::string> names(known.begin(), known.end());
    if (const std::string* near = nearestName(change.thing, names)) return fmt::format("did you mean \"{}\"?", *near);
    if (names.empty()) return change.ofClass ? "it has no objects" : "it has no named regions or objects";
    const bool others = names.size() > kNamed;
    if (others) names.resize(kNamed);
    return fmt::format("there {} {}{}", names.size() == 1 ? "is" : "are", joinNames(names),
                       others ? ", and others" : "");
}

/// Checks that all things of the name have the same extent.
Expected<Targets> onlyOne(Targets found, const LayoutChange& change, const std::string& trace) {
    std::vector<Extent>& extents = found.extents;
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    if (extents.size() == 1) return found;
    return fail(trace, fmt::format("{} things have the name {}", extents.size(), quotedText(change.thing)),
                change.thing.starts_with("0x")
                    ? "change the region that they lie in"
                    : fmt::format("name one by an address in it, such as {:#x}", extents.front().from));
}

/// The objects that satisfy a predicate.
template <class Is>
Targets objectsThat(const std::vector<Object>& objects, Is&& is) {
    Targets found;
    found.objects.resize(objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].size == 0 || !is(objects[i])) continue;
        found.objects[i] = true;
        found.extents.push_back(extentOf(objects[i]));
        found.element = kObjectWord;
        found.type = objects[i].type;
    }
    std::sort(found.extents.begin(), found.extents.end());
    found.extents.erase(std::unique(found.extents.begin(), found.extents.end()), found.extents.end());
    return found;
}

void addRegion(Targets& found, const Region& region) {
    found.extents.push_back(extentOf(region));
    found.isRegion = true;
    if (region.elementSize > 1 || region.rows > 0) found.element = region.elementSize;
    found.rows = region.rows;
    found.columns = region.columns;
    if (region.type != nullptr) found.type = region.type;
}

/// The objects that are at an address at any time, or else the region.
Targets targetsAt(std::uint64_t address, const std::vector<Region>& regions, const std::vector<Object>& objects) {
    Targets found = objectsThat(objects, [&](const Object& o) { return address - o.base.value < o.size; });
    if (!found.extents.empty()) return found;
    for (const Region& r : regions) {
        if (r.contains(ByteAddress{address})) addRegion(found, r);
    }
    return found;
}

bool isSingle(const Region& region) {
    return region.rows == 0 && region.size == region.elementSize;
}
bool isSingle(const Object& object) {
    return object.type != nullptr && object.size == object.type->size;
}

/// The things with a name. A name that a pointer or a container shares with its array means the array, so that it means
/// the same in every recording.
Targets targetsNamed(const std::string& name, const std::vector<Region>& regions, const std::vector<Object>& objects) {
    Targets found;
    for (const bool areSingle : {false, true}) {
        const auto isMeant = [&](const auto& thing) { return thing.name == name && isSingle(thing) == areSingle; };
        found = objectsThat(objects, isMeant);
        for (const Region& r : regions) {
            if (isMeant(r) && r.size > 0) addRegion(found, r);
        }
        if (!found.extents.empty()) break;
    }
    return found;
}

Targets instancesOf(const std::string& name, const std::vector<Object>& objects) {
    return objectsThat(objects, [&](const Object& o) { return o.className == name; });
}

}  // namespace

Expected<Targets> targetsOf(const LayoutChange& change, const std::vector<Region>& regions,
                            const std::vector<Object>& objects, const std::string& trace) {
    Targets found = change.ofClass ? instancesOf(change.thing, objects) : targetsNamed(change.thing, regions, objects);
    if (found.extents.empty() && !change.ofClass && change.thing.starts_with("0x")) {
        if (const auto address = anyNumber(change.thing)) found = targetsAt(*address, regions, objects);
    }
    if (found.extents.empty()) {
        return fail(
            trace,
            fmt::format("there is no {} {}", change.ofClass ? "class" : "region or object", quotedText(change.thing)),
            suggestions(change, regions, objects));
    }
    if (change.element != 0) found.element = change.element;
    if (change.ofClass) return found;
    if (found.extents.back().to == ~std::uint64_t{0}) {
        return fail(trace, fmt::format("{} reaches the last address, and cannot be moved", quotedText(change.thing)),
                    "change something else");
    }
    return onlyOne(std::move(found), change, trace);
}

}  // namespace whorl::sim
