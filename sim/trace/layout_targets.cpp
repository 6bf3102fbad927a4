#include "sim/trace/layout_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/machine/wording.h"
#include "sim/trace/line_reader.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kWord = 4;           ///< bytes: what an object is taken to be made of
constexpr std::size_t kNamed = 8;            ///< things that an error names
constexpr std::size_t kMostCompared = 4096;  ///< names among which a misspelt one is looked for

template <class Thing>
Extent extentOf(const Thing& thing) {
    return {thing.base.value, thing.base.value + thing.size};
}

/// "there are A, B and others", or what the person may have meant.
std::string whatThereIs(const LayoutChange& change, const std::vector<Region>& regions,
                        const std::vector<Object>& objects) {
    std::set<std::string> known;
    for (const Object& o : objects) {
        if (known.size() < kMostCompared) known.insert(change.ofClass ? o.className : o.name);
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
    if (names.empty()) return change.ofClass ? "it tells of no objects" : "it names nothing";
    const bool others = names.size() > kNamed;
    if (others) names.resize(kNamed);
    return fmt::format("there {} {}{}", names.size() == 1 ? "is" : "are", listed(names), others ? ", and others" : "");
}

/// The memory that all things go by one name have, when that is the same.
Expected<Targets> onlyOne(Targets found, const LayoutChange& change, const std::string& trace) {
    std::vector<Extent>& extents = found.extents;
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    if (extents.size() == 1) return found;
    return fail(trace, fmt::format("{} things go by the name {}", extents.size(), quotedText(change.thing)),
                fmt::format("name one by an address in it, such as {:#x}", extents.front().from));
}

/// By an address: the objects that are there at any time, or else the region.
Targets targetsAt(std::uint64_t address, const std::vector<Region>& regions, const std::vector<Object>& objects) {
    Targets found;
    for (const Object& o : objects) {
        if (address - o.base.value < o.size) found.extents.push_back(extentOf(o));
    }
    if (!found.extents.empty()) {
        found.element = kWord;
        return found;
    }
    for (const Region& r : regions) {
        if (!r.contains(ByteAddress{address})) continue;
        found.extents.push_back(extentOf(r));
        found.isRegion = true;
        found.element = r.elementSize > 1 || r.rows > 0 ? r.elementSize : 0;
    }
    return found;
}

Targets targetsNamed(const std::string& name, const std::vector<Region>& regions, const std::vector<Object>& objects) {
    Targets found;
    for (const Object& o : objects) {
        if (o.name != name || o.size == 0) continue;
        found.extents.push_back(extentOf(o));
        found.element = kWord;
    }
    for (const Region& r : regions) {
        if (r.name != name || r.size == 0) continue;
        found.extents.push_back(extentOf(r));
        found.isRegion = true;
        if (r.elementSize > 1 || r.rows > 0) found.element = r.elementSize;
    }
    return found;
}

Targets instancesOf(const std::string& name, const std::vector<Object>& objects) {
    Targets found{.extents = {}, .isRegion = false, .element = kWord};
    for (const Object& o : objects) {
        if (o.className == name && o.size > 0) found.extents.push_back(extentOf(o));
    }
    std::sort(found.extents.begin(), found.extents.end());
    found.extents.erase(std::unique(found.extents.begin(), found.extents.end()), found.extents.end());
    return found;
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
            whatThereIs(change, regions, objects));
    }
    if (change.element != 0) found.element = change.element;
    if (change.ofClass) return found;
    return onlyOne(std::move(found), change, trace);
}

}  // namespace whorl::sim
