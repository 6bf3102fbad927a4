#include "sim/trace/layout/layout_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/text.h"
#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {
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
