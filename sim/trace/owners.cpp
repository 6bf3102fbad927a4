#include "sim/trace/owners.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace whorl::sim {

std::string_view variableOf(std::string_view object) {
    const std::size_t end = object.find_last_not_of("0123456789");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 1 < object.size() &&
                            (object[end] == '#' || object[end] == ' ');
    return isNumbered ? object.substr(0, end) : object;
}

Owners::Owners(const std::vector<Region>& regions, const std::vector<Object>& objects) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    names_.reserve(regions.size());
    for (const Region& r : regions) {
        numbers.try_emplace(r.name, static_cast<std::uint32_t>(names_.size()));
        names_.push_back(r.name);
    }
    ofObject_.reserve(objects.size());
    std::vector<std::string_view> more;
    for (const Object& o : objects) {
        // "Quadrant 3" may be a region itself; the blocks of a variable are its own.
        const bool isRegion = o.name.find('#') == std::string::npos && numbers.contains(o.name);
        const std::string_view variable = isRegion ? std::string_view(o.name) : variableOf(o.name);
        const auto [at, isNew] =
            numbers.try_emplace(variable, static_cast<std::uint32_t>(regions.size() + more.size()));
        if (isNew) more.push_back(variable);
        ofObject_.push_back(at->second);
    }
    for (const std::string_view name : more) names_.emplace_back(name);
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
