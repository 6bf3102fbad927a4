#include "sim/trace/owners.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace whorl::sim {

std::string_view variableOf(std::string_view object) {
    const bool isRow = object.ends_with(']');
    const std::size_t last = object.size() - (isRow ? 1 : 0);
    const std::size_t end = object.substr(0, last).find_last_not_of("0123456789");
    if (end == std::string_view::npos || end == 0 || end + 1 >= last) return object;
    const bool isNumbered = isRow ? object[end] == '[' : object[end] == '#' || object[end] == ' ';
    return isNumbered ? object.substr(0, end) : object;
}

namespace {

/// The declared region that holds an address; their number if there is none.
std::size_t regionAround(const std::vector<Region>& regions, ByteAddress a) {
    const auto above = std::upper_bound(regions.begin(), regions.end(), a,
                                        [](ByteAddress address, const Region& r) { return address < r.base; });
    const bool isIn =
        above != regions.begin() && std::prev(above)->contains(a) && std::prev(above)->origin == RegionOrigin::declared;
    return isIn ? static_cast<std::size_t>(std::prev(above) - regions.begin()) : regions.size();
}

}  // namespace

Owners::Owners(const std::vector<Region>& regions, const std::vector<Object>& objects) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    names_.reserve(regions.size());
    for (const Region& r : regions) {
        numbers.try_emplace(r.name, static_cast<std::uint32_t>(names_.size()));
        names_.push_back(r.name);
    }
    // "Quadrant 3" may be a region itself; the blocks of a variable, "orders#3" and "m[3]", are its own.
    const auto callOf = [&, count = regions.size()](const Object& o) {
        const auto known = o.name.find_first_of("#[") == std::string::npos ? numbers.find(o.name) : numbers.end();
        return known != numbers.end() && known->second < count ? std::string_view(o.name) : variableOf(o.name);
    };
    std::unordered_set<std::string_view> called;
    for (const Object& o : objects) called.insert(callOf(o));
    for (std::uint32_t r = 0; r < regions.size(); ++r) {
        ofRegion_.push_back(called.contains(regions[r].name) ? numbers.at(regions[r].name) : r);
    }
    ofObject_.reserve(objects.size());
    for (const Object& o : objects) {
        const std::size_t around = regionAround(regions, o.base);
        if (around < regions.size() && !called.contains(variableOf(regions[around].name))) {
            ofObject_.push_back(static_cast<std::uint32_t>(around));
            continue;
        }
        const auto [at, isNew] = numbers.try_emplace(callOf(o), static_cast<std::uint32_t>(names_.size()));
        if (isNew) names_.emplace_back(callOf(o));
        ofObject_.push_back(at->second);
    }
    objects_.resize(names_.size());
    for (std::size_t o = 0; o < objects.size(); ++o) objects_[ofObject_[o]].push_back(static_cast<std::uint32_t>(o));
}

const std::string& Owners::name(std::size_t owner) const {
    static const std::string kNone = "(no region)";
    return owner < names_.size() ? names_[owner] : kNone;
}

const std::vector<std::uint32_t>& Owners::objects(std::size_t owner) const {
    static const std::vector<std::uint32_t> kNone;
    return owner < objects_.size() ? objects_[owner] : kNone;
}

}  // namespace whorl::sim
